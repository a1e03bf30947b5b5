#include "core/feed/shown.h"

#include <algorithm>
#include <utility>

#include "core/ports/reads.h"

namespace chirp::feed {
namespace {

Shared<Post> find(std::span<const Shared<Post>> by_id, PostId id) {
  const auto at =
      std::lower_bound(by_id.begin(), by_id.end(), id,
                       [](const Shared<Post>& post, PostId wanted) { return post->id < wanted; });
  return at != by_id.end() && (*at)->id == id ? *at : nullptr;
}

}  // namespace

bool ShownEntries::next(std::uint32_t count, std::vector<Shown>& batch) {
  batch.clear();
  left_out_ = false;
  if (!take(count)) return false;
  hydrate(batch);
  return true;
}

// Takes the next candidates, at most `count`; false at the end of the walk.
bool ShownEntries::take(std::uint32_t count) {
  entries_.clear();
  sources_.clear();
  reached_.clear();
  while (entries_.size() < count) {
    const auto candidate = walk_.next();
    if (!candidate) break;
    if (!read_.rules.admits(candidate->entry)) continue;
    entries_.push_back(candidate->entry);
    sources_.push_back(candidate->source);
    reached_.push_back(walk_.sources());
  }
  return !entries_.empty();
}

void ShownEntries::hydrate(std::vector<Shown>& batch) {
  auto posts = read_.snapshot.posts(entries_);
  const auto originals = originals_of(posts);
  meet_authors(posts, originals);
  batch.reserve(posts.size());
  for (std::size_t i = 0; i < posts.size(); ++i) {
    if (!posts[i]) continue;
    HydratedEntry hydrated{&*posts[i], read_.authors.find(posts[i]->author), nullptr, nullptr};
    Shared<Post> original;
    if (posts[i]->is_repost()) {
      original = find(originals, posts[i]->original);
      hydrated.original = original.get();
      if (original) hydrated.original_author = read_.authors.find(original->author);
    }
    if (!read_.rules.shows(entries_[i], hydrated)) {
      if (read_.rules.hides(hydrated.author, posts[i]->author)) {
        walk_.leave_out(posts[i]->author);
        left_out_ = true;
      }
      continue;
    }
    Shown& shown = batch.emplace_back();
    shown.entry = entries_[i];
    shown.source = sources_[i];
    shown.reached = reached_[i];
    shown.post = shared(std::move(*posts[i]));
    shown.author = hydrated.author->card;
    if (original) shown.original_author = hydrated.original_author->card;
    shown.original = std::move(original);
  }
}

// The existing originals, by id.
std::vector<Shared<Post>> ShownEntries::originals_of(
    std::span<const std::optional<Post>> posts) const {
  std::vector<Entry> wanted;
  for (const auto& post : posts) {
    if (post && post->is_repost()) wanted.push_back({post->original, post->original_author});
  }
  std::vector<Shared<Post>> originals;
  if (wanted.empty()) return originals;
  const auto by_id = [](const Entry& a, const Entry& b) { return a.id < b.id; };
  std::sort(wanted.begin(), wanted.end(), by_id);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  for (auto& found : read_.snapshot.posts(wanted)) {
    if (found) originals.push_back(shared(std::move(*found)));
  }
  return originals;
}

void ShownEntries::meet_authors(std::span<const std::optional<Post>> posts,
                                std::span<const Shared<Post>> originals) {
  std::vector<UserNumber> authors;
  authors.reserve(posts.size() + originals.size());
  for (const auto& post : posts) {
    if (post) authors.push_back(post->author);
  }
  for (const Shared<Post>& original : originals) authors.push_back(original->author);
  read_.authors.meet(std::move(authors));
}

void Authors::meet(std::vector<UserNumber> users) {
  std::sort(users.begin(), users.end());
  users.erase(std::unique(users.begin(), users.end()), users.end());
  std::erase_if(users, [&](UserNumber user) { return find(user) != nullptr; });
  if (users.empty()) return;
  auto cards = reads::cards(snapshot_, users);
  std::vector<ViewerRelation> bonds(users.size());
  if (relations_ != 0) bonds = snapshot_.bonds(viewer_, users);
  const std::size_t before = authors_.size();
  for (std::size_t i = 0; i < users.size(); ++i) {
    if (cards[i]) authors_.push_back({shared(std::move(*cards[i])), bonds[i]});
  }
  std::inplace_merge(
      authors_.begin(), authors_.begin() + static_cast<std::ptrdiff_t>(before), authors_.end(),
      [](const ViewedAuthor& a, const ViewedAuthor& b) { return a.card->number < b.card->number; });
}

const ViewedAuthor* Authors::find(UserNumber user) const {
  const auto at = std::lower_bound(
      authors_.begin(), authors_.end(), user,
      [](const ViewedAuthor& person, UserNumber wanted) { return person.card->number < wanted; });
  return at != authors_.end() && at->card->number == user ? &*at : nullptr;
}

}  // namespace chirp::feed
