#include "cli/load/archive/account_trial.h"

#include <utility>

#include "cli/output.h"
#include "core/model/names.h"

namespace chirp::cli::archive {
namespace {

constexpr std::size_t kShownText = 60;  // as much of a text as is shown

PreviewRow row_of(const load::SourcePost& post, const load::Words& words) {
  const auto shown = [&](SourceId id) { return printable(text_of(words.key_of(id))); };
  PreviewRow row{{"id", shown(post.id)}, {"createdAt", iso8601(post.created_at)}};
  if (post.privacy != Privacy::kPublic) row.emplace_back("privacy", name(post.privacy));
  if (post.repost_of) row.emplace_back("repostOf", shown(*post.repost_of));
  if (post.reply_to) row.emplace_back("replyTo", shown(*post.reply_to));
  if (!post.text.empty()) row.emplace_back("text", printable(post.text, kShownText));
  return row;
}

}  // namespace

std::optional<std::string> AccountTrial::add(Preview& preview, load::SourcePost&& post, Time now,
                                             std::string& inner) {
  PreviewRow row;
  const bool shown = preview.wants_row();
  if (shown) row = row_of(post, *existing_.words);
  auto problem = posts_.add(std::move(post), now, inner);
  if (!problem && shown) preview.row(std::move(row));
  return problem;
}

void AccountTrial::finish(std::optional<UserNumber> account, std::optional<SourceId> own) {
  // Who would be made is one of the users of the input, whether or not it names them itself.
  std::optional<load::Slot> self;
  if (!account && own && posts_.people().has_room()) self = posts_.people().slot_of(*own);
  posts_.set_author(account.value_or(kNobody));
  posts_.finish();
  ties_.finish(account, self);
  users_added_ = account || self ? 0 : 1;
}

load::Counts AccountTrial::counts() const {
  load::Counts all = posts_.counts();
  all += ties_.counts();
  all.users_added += users_added_;
  return all;
}

}  // namespace chirp::cli::archive
