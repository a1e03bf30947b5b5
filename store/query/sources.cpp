#include "store/query/sources.h"

#include <algorithm>

#include "core/ports/reads.h"

namespace chirp::query {

namespace {

// Adds users that are suspended in both row and card. Searching the rows avoids reading all cards.
void append_suspended(const Snapshot& snapshot, const UserRows& users,
                      std::vector<UserNumber>& found) {
  constexpr std::uint32_t kAtOnce = 1000;
  UserQuery query;
  query.suspended = true;
  query.limit = kAtOnce;
  for (bool more = true; more;) {
    const UserMatches matches = users.list(query);
    if (matches.users.empty()) return;
    std::vector<UserNumber> numbers;
    for (const User& user : matches.users) numbers.push_back(user.number);
    const auto cards = reads::cards(snapshot, numbers);
    for (std::size_t i = 0; i < cards.size(); ++i) {
      if (cards[i] && cards[i]->presence == Presence::kSuspended) found.push_back(numbers[i]);
    }
    query.after = matches.users.back().username;
    more = matches.more;
  }
}

}  // namespace

Sources::Sources(const Snapshot& snapshot, const UserRows& users)
    : snapshot_(snapshot), users_(users) {
  const StoreState state = snapshot.state();
  if (state.removals != 0) hidden_ = reads::unfinished_removals(snapshot);
  append_suspended(snapshot, users, hidden_);
  std::sort(hidden_.begin(), hidden_.end());
  all_there_ = hidden_.empty() && state.post_removals == 0;
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
  return hidden_.empty() || !std::binary_search(hidden_.begin(), hidden_.end(), number);
}

bool Sources::is_there(const Post& post) const {
  if (all_there_) return true;
  if (!is_there(post.author)) return false;
  return !post.is_repost() || (is_there(post.original_author) && snapshot_.post(post.original));
}

bool Sources::is_there(const Comment& comment) const {
  if (comment.state != CommentState::kThere) return false;
  if (all_there_) return true;
  if (!is_there(comment.author)) return false;
  const auto post = snapshot_.post(comment.post);
  return post && is_there(post->author);
}

bool Sources::is_there(ContentId content) const {
  if (all_there_) return true;
  if (const auto post = snapshot_.post({content.value})) return is_there(*post);
  const auto comment = snapshot_.find(tables::Comments::Key{{content.value}});
  return comment && is_there(*comment);
}

}  // namespace chirp::query
