#include "store/query/sources.h"

#include <algorithm>

#include "core/ports/reads.h"

namespace chirp::query {

Sources::Sources(const Snapshot& snapshot, const UserRows& users)
    : snapshot_(snapshot), users_(users) {
  const StoreState state = snapshot.state();
  all_there_ = state.removals == 0 && state.post_removals == 0;
  if (state.removals != 0) going_ = reads::unfinished_removals(snapshot);
}

UserId Sources::id_of(UserNumber number) {
  const std::size_t at = number.value / kBlock;
  if (at >= ids_.size()) ids_.resize(at + 1);
  if (!ids_[at]) {
    ids_[at] = std::make_unique<Block>();
    const auto first = static_cast<std::uint32_t>(at * kBlock);
    const tables::Cards::Key low{UserNumber{first}};
    const tables::Cards::Key high{UserNumber{first + static_cast<std::uint32_t>(kBlock) - 1}};
    for (const auto& [key, card] : snapshot_.range(low, high, Direction::kUp, kBlock)) {
      (*ids_[at])[key.user.value - first] = card.id;
    }
  }
  return (*ids_[at])[number.value % kBlock];
}

std::optional<UserNumber> Sources::user(std::int64_t id) const {
  if (id <= 0) return std::nullopt;
  const auto number = snapshot_.find(tables::UserIds::Key{UserId{static_cast<std::uint64_t>(id)}});
  if (!number) return std::nullopt;
  const auto card = snapshot_.find(tables::Cards::Key{*number});
  return card && card->presence == Presence::kPresent ? number : std::nullopt;
}

bool Sources::is_there(UserNumber number) const {
  return going_.empty() || !std::binary_search(going_.begin(), going_.end(), number);
}

bool Sources::is_there(const Post& post) const {
  if (all_there_) return true;
  return is_there(post.author) && (!post.is_repost() || snapshot_.post(post.original));
}

bool Sources::is_there(const Comment& comment) const {
  if (comment.state != CommentState::kThere) return false;
  return all_there_ || (is_there(comment.author) && snapshot_.post(comment.post));
}

bool Sources::is_there(ContentId content) const {
  if (all_there_) return true;
  if (const auto post = snapshot_.post({content.value})) return is_there(*post);
  const auto comment = snapshot_.find(tables::Comments::Key{{content.value}});
  return comment && is_there(*comment);
}

}  // namespace chirp::query
