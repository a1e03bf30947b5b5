#include "core/feed/collector.h"

#include <algorithm>
#include <utility>

#include "core/limits.h"

namespace chirp::feed {
namespace {

constexpr std::uint32_t kFetchMin = 8;
constexpr std::uint32_t kFetchMax = 1024;

const Post* find(std::span<const Post> by_id, PostId id) {
  const auto at =
      std::lower_bound(by_id.begin(), by_id.end(), id,
                       [](const Post& post, PostId wanted) { return post.id < wanted; });
  return at != by_id.end() && at->id == id ? &*at : nullptr;
}

// The newest reposters come first, and no more are kept than are shown.
void add_reposter(FeedItem& item, Direction direction, const HydratedEntry& hydrated) {
  Reposter reposter{hydrated.post->id, hydrated.author->card, hydrated.post->created_at};
  auto& all = item.reposted_by;
  if (direction == Direction::kUp) {
    all.insert(all.begin(), std::move(reposter));
    if (all.size() > limits::kRepostersShown) all.pop_back();
  } else if (all.size() < limits::kRepostersShown) {
    all.push_back(std::move(reposter));
  }
}

}  // namespace

Collector::Collector(const Snapshot& snapshot, const Rules& rules, Authors& authors,
                     Candidates& walk, Direction direction, std::uint32_t limit)
    : snapshot_(snapshot),
      rules_(rules),
      authors_(authors),
      walk_(walk),
      direction_(direction),
      limit_(limit) {
  items_.reserve(std::min(limit, limits::kPostPageMax));
}

void Collector::run() {
  std::uint32_t fetch = std::min(limit_ + 1, kFetchMax);
  while (!more_) {
    if (!take(fetch)) {
      cost_.sources = walk_.sources();  // all of them: the walk has ended
      break;
    }
    const std::size_t before = items_.size();
    hydrate();
    // Entries that fold make fewer items than entries: then as many are fetched again as items are
    // missing, and more each time while none is shown.
    const auto missing = static_cast<std::uint32_t>(limit_ + 1 - items_.size());
    fetch = items_.size() == before ? fetch * 2 : std::max(missing + missing / 2, kFetchMin);
    fetch = std::min(fetch, kFetchMax);
  }
}

std::vector<FeedItem> Collector::items() && {
  if (direction_ == Direction::kUp) std::reverse(items_.begin(), items_.end());
  return std::move(items_);
}

// The next candidates, at most `count`; false at the end of the walk.
bool Collector::take(std::uint32_t count) {
  entries_.clear();
  sources_.clear();
  reached_.clear();
  while (entries_.size() < count) {
    const auto candidate = walk_.next();
    if (!candidate) break;
    if (!rules_.admits(candidate->entry)) continue;
    entries_.push_back(candidate->entry);
    sources_.push_back(candidate->source);
    reached_.push_back(walk_.sources());
  }
  return !entries_.empty();
}

void Collector::hydrate() {
  auto posts = snapshot_.posts(entries_);
  const std::vector<Post> originals = originals_of(posts);
  meet_authors(posts, originals);
  for (std::size_t i = 0; i < posts.size(); ++i) {
    if (!posts[i]) continue;
    HydratedEntry hydrated{&*posts[i], authors_.find(posts[i]->author), nullptr, nullptr};
    if (posts[i]->is_repost()) {
      hydrated.original = find(originals, posts[i]->original);
      if (hydrated.original != nullptr) {
        hydrated.original_author = authors_.find(hydrated.original->author);
      }
    }
    if (!rules_.shows(entries_[i], hydrated)) continue;
    ++cost_.examined;
    cost_.sources = reached_[i];
    more_ = items_.size() == limit_;
    if (more_) return;
    consume(i, hydrated, *posts[i]);
  }
}

// Those that are there, by id.
std::vector<Post> Collector::originals_of(std::span<const std::optional<Post>> posts) const {
  std::vector<Entry> wanted;
  for (const auto& post : posts) {
    if (post && post->is_repost()) wanted.push_back({post->original, post->original_author});
  }
  std::vector<Post> originals;
  if (wanted.empty()) return originals;
  const auto by_id = [](const Entry& a, const Entry& b) { return a.id < b.id; };
  std::sort(wanted.begin(), wanted.end(), by_id);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  for (auto& found : snapshot_.posts(wanted)) {
    if (found) originals.push_back(std::move(*found));
  }
  return originals;
}

void Collector::meet_authors(std::span<const std::optional<Post>> posts,
                             std::span<const Post> originals) {
  std::vector<UserNumber> authors;
  authors.reserve(posts.size() + originals.size());
  for (const auto& post : posts) {
    if (post) authors.push_back(post->author);
  }
  for (const Post& original : originals) authors.push_back(original.author);
  authors_.meet(std::move(authors));
}

void Collector::consume(std::size_t at, const HydratedEntry& hydrated, Post& post) {
  FeedItem& item = item_of(hydrated, post);
  const PostId id = entries_[at].id;
  if (id > item.entry) {  // of a new item, and upwards of any
    item.entry = id;
    item.reason = rules_.reason(*hydrated.post);
    item.source = sources_[at];
  }
  if (hydrated.post->is_repost()) add_reposter(item, direction_, hydrated);
  if (!first_) first_ = id;
  last_ = id;
}

// The item of the entry's original; a new one, which takes the post, if there is none.
FeedItem& Collector::item_of(const HydratedEntry& hydrated, Post& post) {
  const bool repost = post.is_repost();
  const PostId original = repost ? post.original : post.id;
  const auto known = std::find_if(items_.begin(), items_.end(),
                                  [&](const FeedItem& item) { return item.post.id == original; });
  if (known != items_.end()) {
    if (direction_ == Direction::kDown) return *known;
    // Upwards a later entry is a newer one, and the item moves to its place.
    std::rotate(known, known + 1, items_.end());
    return items_.back();
  }
  FeedItem& item = items_.emplace_back();
  if (repost) {
    item.post = *hydrated.original;
  } else {
    item.post = std::move(post);
  }
  item.author = (repost ? hydrated.original_author : hydrated.author)->card;
  return item;
}

}  // namespace chirp::feed
