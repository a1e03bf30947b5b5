#include "core/social/notification_folds.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/error.h"
#include "core/limits.h"
#include "core/social/notification_filter.h"

namespace chirp::social {
namespace {

bool fold_together(const NotificationView& a, const NotificationView& b) {
  if (a.kind != b.kind || a.post != b.post) return false;
  // Texts are not grouped.
  return a.kind == NotificationKind::kFollow || a.kind == NotificationKind::kRepost ||
         (a.kind == NotificationKind::kLike && a.comment == b.comment);
}

// Returns false and adds nothing if it would need one group too many.
bool fold_in(std::vector<NotificationFold>& folds, NotificationView view, std::size_t limit) {
  auto at = std::find_if(folds.begin(), folds.end(), [&](const NotificationFold& fold) {
    return fold_together(fold.newest, view);
  });
  if (at == folds.end() && folds.size() == limit) return false;
  if (at == folds.end()) at = folds.insert(folds.end(), NotificationFold{view, {}, view.state});
  if (view.state == ReadState::kUnread) at->state = ReadState::kUnread;
  const bool known =
      std::any_of(at->actors.begin(), at->actors.end(),
                  [&](const AuthorCard& actor) { return actor.number == view.actor.number; });
  if (!known) at->actors.push_back(std::move(view.actor));
  return true;
}

}  // namespace

FoldedPage folded_notifications(const Snapshot& snapshot, const NotificationQuery& query) {
  check_page_limit(query.limit, limits::kPostPageMax, "notifications");
  FoldedPage page;
  NotificationFilter filter(snapshot, query.user);
  page.unread = unread_of(snapshot, query.user, filter);
  NotificationWalk walk(snapshot, query.user, query.before);
  std::optional<events::NotificationId> last;
  for (std::size_t taken = 0;;) {
    const auto notification = walk.next();
    if (!notification) return page;
    if (query.wanted == WhichNotifications::kUnread && notification->sequence <= filter.read_to())
      return page;
    auto view = filter.view(*notification);
    if (!view) continue;
    const events::NotificationId id = view->public_id;
    const bool full = taken == limits::kNotificationsFolded;
    if (full || !fold_in(page.folds, *std::move(view), query.limit)) break;
    last = id;
    ++taken;
  }
  page.next_cursor = last;
  return page;
}

}  // namespace chirp::social
