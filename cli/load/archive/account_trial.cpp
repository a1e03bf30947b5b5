#include "cli/load/archive/account_trial.h"

#include <utility>

#include "cli/load/post_row.h"

namespace chirp::cli::archive {

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
