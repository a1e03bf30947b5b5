// `chirp notify`: a user's notifications, grouped for people.
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/app.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/lists/list.h"
#include "cli/social/field_names.h"
#include "core/model/utf8.h"
#include "core/social/notification_folds.h"
#include "server/json/render_notices.h"

namespace chirp::cli {
namespace notify_verbs {
namespace {

using social::NotificationFold;
using social::NotificationKind;
using social::NotificationView;

constexpr std::size_t kExcerptMax = 40;  // code points

struct NotificationListOptions {
  std::string name;
  bool unread = false;
  ListArguments list;
};
struct ReadOptions {
  std::string name;
};

std::string names(const std::vector<AuthorCard>& who) {
  const std::string first = "@" + safe(who.front().username);
  if (who.size() == 1) return first;
  if (who.size() == 2) return fmt::format("{} and @{}", first, safe(who[1].username));
  return fmt::format("{} and {} others", first, who.size() - 1);
}

// The beginning of a text, on one line, safe for a terminal.
std::string excerpt(std::string_view text) {
  std::string cut;
  std::size_t length = 0;
  for (std::string_view left = text; !left.empty(); ++length) {
    if (length == kExcerptMax) return safe(cut) + "...";
    const std::size_t bytes = utf8::decode(left).bytes;
    cut += utf8::is_control(utf8::decode(left).code_point) ? " " : left.substr(0, bytes);
    left.remove_prefix(bytes);
  }
  return safe(cut);
}

std::string deed(const NotificationView& view) {
  const std::string text = excerpt(view.text);
  switch (view.kind) {
    case NotificationKind::kFollow:
      return "followed you";
    case NotificationKind::kLike:
      return fmt::format("liked your {} \"{}\"", view.comment == kNoComment ? "post" : "comment",
                         text);
    case NotificationKind::kComment:
      return fmt::format("commented on your post: \"{}\"", text);
    case NotificationKind::kReply:
      return fmt::format("replied to you: \"{}\"", text);
    case NotificationKind::kRepost:
      return fmt::format("reposted your post \"{}\"", text);
    case NotificationKind::kMention:
      return fmt::format("mentioned you: \"{}\"", text);
  }
  return {};
}

void print_fold(Context& context, const NotificationFold& fold) {
  Output& out = context.out();
  const NotificationView& view = fold.newest;
  std::string line = fmt::format("{} {} {}", fold.state == social::ReadState::kUnread ? "*" : " ",
                                 out.ink(Ink::kName, names(fold.actors)), deed(view));
  line += out.ink(Ink::kDim, " · " + when(out, view.created_at, context.now()));
  if (view.post != PostId{}) {
    line += out.ink(Ink::kDim, fmt::format(" · {}", view.post.value));
  }
  out.print(line + "\n");
}

constexpr const char* kNone = "No notifications.";

social::NotificationQuery query_of(Context& context, const NotificationListOptions& options,
                                   const std::optional<ListCursor>& cursor, std::uint32_t limit) {
  social::NotificationQuery query;
  query.limit = limit;
  query.wanted =
      options.unread ? social::WhichNotifications::kUnread : social::WhichNotifications::kAll;
  query.user = context.engine().accounts().resolve(options.name).number;
  if (cursor) {
    constexpr auto kLast = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t id = parse_number(cursor->option, cursor->text, 1, kLast);
    const auto found = context.engine().notifications().find(query.user, {id});
    if (!found) refuse_cursor(*cursor, "a `nextCursor` of this list as it is now");
    query.before = *found;
  }
  return query;
}

std::optional<std::string> text_of(const std::optional<events::NotificationId>& cursor) {
  return cursor ? std::optional(std::to_string(cursor->value)) : std::nullopt;
}

void print_each(Context& context, const NotificationListOptions& options) {
  List<NotificationView> list;
  list.shape = {.key = "notifications", .none = kNone};
  list.page = [&](const std::optional<ListCursor>& cursor, std::uint32_t limit) {
    const auto query = query_of(context, options, cursor, limit);
    social::NotificationPage page = context.engine().notifications().list(query);
    api::JsonWriter json;
    json.field("unreadCount", page.unread);
    return ListPage<NotificationView>{std::move(page.notifications),
                                      {.next = text_of(page.next_cursor), .fields = json.take()}};
  };
  list.write = api::write_notification;
  print_list(context.out(), options.list, list);
}

void print_folded(Context& context, const NotificationListOptions& options) {
  List<NotificationFold> list;
  list.shape = {.key = {}, .none = kNone};
  list.page = [&](const std::optional<ListCursor>& cursor, std::uint32_t limit) {
    const auto query = query_of(context, options, cursor, limit);
    social::FoldedPage page =
        social::folded_notifications(*context.engine().storage().snapshot(), query);
    ListPage<NotificationFold> folds{std::move(page.folds), {.next = text_of(page.next_cursor)}};
    if (page.unread != 0) {
      folds.end.note =
          fmt::format("{} unread: chirp notify read {}", page.unread, safe(options.name));
    }
    return folds;
  };
  list.print = [&](const NotificationFold& fold) { print_fold(context, fold); };
  print_list(context.out(), options.list, list);
}

void run_list(Context& context, const NotificationListOptions& options) {
  if (for_programs(context.out(), options.list)) {
    print_each(context, options);
  } else {
    print_folded(context, options);
  }
}

void run_read(Context& context, const ReadOptions& options) {
  Engine& engine = context.writing_engine();
  const User user = engine.accounts().resolve(options.name);
  const std::uint64_t unread = engine.notifications().read(user.number, std::nullopt);
  Output& out = context.out();
  if (!out.wrote_json([&](api::JsonWriter& json) {
        json.begin_object().field("unreadCount", unread).end_object();
      })) {
    out.note("Everything is read.");
  }
}

}  // namespace
}  // namespace notify_verbs

void add_notify(CommandLine& app) {
  using namespace notify_verbs;
  Command& noun = app.noun({"notify", "Read the notifications of a user.",
                            "chirp notify list mira --unread\nchirp notify read mira"});
  {
    auto [verb, options] = app.verb<NotificationListOptions>(
        noun,
        {"list", "List follows, likes, comments, replies, reposts and mentions, newest first.",
         "chirp notify list mira\n"
         "chirp notify list mira --unread --limit 5\n"
         "chirp notify list mira --json"},
        run_list);
    verb.add_option("NAME", options.name, "Whose")->required();
    verb.add_flag("--unread", options.unread, "Show only unread notifications");
    add_list_arguments(verb, options.list, {kPostPage}, notification_fields());
  }
  {
    auto [verb, options] = app.verb<ReadOptions>(
        noun, {"read", "Mark all notifications as read.", "chirp notify read mira"}, run_read);
    verb.add_option("NAME", options.name, "Whose")->required();
  }
}

}  // namespace chirp::cli
