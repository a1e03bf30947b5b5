#include "core/load/event_targets.h"

#include "core/load/made_up.h"

namespace chirp::load {
namespace {

constexpr std::uint32_t kPostsAtOnce = 256;

bool counts(const std::optional<Post>& post) {
  return post && !post->is_repost() && post->privacy == Privacy::kPublic &&
         !(post->source && is_made_up(post->source->number));
}

}  // namespace

void EventTargets::make_room() {
  if (posts_ + lists_.size() <= most_) return;
  lists_.clear();
  posts_ = 0;
}

void EventTargets::learn(const Snapshot& snapshot, UserNumber author, std::uint32_t ordinal) {
  List& list = lists_[author];
  while (!list.complete && list.own.size() < ordinal) {
    const auto entries = snapshot.author_entries({{&author, 1}, Levels(Privacy::kPublic)},
                                                 {.above = list.read_to, .below = kAboveAllPosts},
                                                 Direction::kUp, kPostsAtOnce);
    list.complete = entries.size() < kPostsAtOnce;
    const auto posts = snapshot.posts(entries);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      list.read_to = entries[i].id;
      if (!counts(posts[i])) continue;
      list.own.push_back(entries[i].id);
      ++posts_;
    }
  }
}

std::uint32_t EventTargets::placeholder(UserNumber author, std::uint32_t ordinal) const {
  const auto own = static_cast<std::uint32_t>(lists_.at(author).own.size());
  return ordinal > own ? ordinal - own : 0;
}

std::optional<PostId> EventTargets::find(UserNumber author, std::uint32_t ordinal) const {
  const List& list = lists_.at(author);
  if (ordinal <= list.own.size()) return list.own[ordinal - 1];
  const std::size_t made = ordinal - list.own.size();
  if (made > list.made.size() || list.made[made - 1] == kBelowAllPosts) return std::nullopt;
  return list.made[made - 1];
}

void EventTargets::put_placeholder(UserNumber author, std::uint32_t placeholder, PostId post) {
  List& list = lists_[author];
  if (list.made.size() < placeholder) {
    posts_ += placeholder - list.made.size();
    list.made.resize(placeholder);
  }
  list.made[placeholder - 1] = post;
}

}  // namespace chirp::load
