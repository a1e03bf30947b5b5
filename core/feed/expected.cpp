#include "core/feed/expected.h"

#include <algorithm>

#include "core/limits.h"
#include "core/ports/reads.h"

namespace chirp::feed {
namespace {

constexpr std::uint32_t kPiece = 64;  // entries of one log in memory
constexpr std::size_t kWindow = 256;  // posts looked up at once

std::vector<UserNumber> present_of(const Snapshot& snapshot, std::vector<UserNumber> users) {
  std::sort(users.begin(), users.end());
  const auto cards = reads::cards(snapshot, users);
  std::vector<UserNumber> present;
  for (std::size_t i = 0; i < users.size(); ++i) {
    if (cards[i] && cards[i]->presence == Presence::kPresent) present.push_back(users[i]);
  }
  return present;
}

}  // namespace

ExpectedFeed::ExpectedFeed(const Snapshot& snapshot, UserNumber viewer, Direction direction,
                           const IdRange& bounds)
    : snapshot_(snapshot), viewer_(viewer), direction_(direction) {
  const auto card = snapshot.find(tables::Cards::Key{viewer});
  if (!card || card->presence == Presence::kRemoved) return;
  std::vector<UserNumber> users{viewer};
  for (UserNumber after = kNobody;;) {
    const EdgePage page = reads::following(snapshot, viewer, after, limits::kUserPageMax);
    for (const Edge& edge : page.edges) users.push_back(edge.other);
    if (!page.more || page.edges.empty()) break;
    after = page.edges.back().other;
  }
  authors_ = present_of(snapshot, std::move(users));
  for (const UserNumber author : authors_) {
    Log log;
    log.author = author;
    log.rest = bounds;
    if (fill(log)) logs_.push_back(std::move(log));
  }
  std::make_heap(logs_.begin(), logs_.end(),
                 [this](const Log& a, const Log& b) { return closer(b.head(), a.head()); });
}

bool ExpectedFeed::closer(const Entry& a, const Entry& b) const {
  return direction_ == Direction::kDown ? a.id > b.id : a.id < b.id;
}

const ExpectedEntry* ExpectedFeed::any_head() {
  while (position_ == window_.size() && !logs_.empty()) next_window();
  return position_ < window_.size() ? &window_[position_] : nullptr;
}

const ExpectedEntry* ExpectedFeed::head() {
  const ExpectedEntry* next = any_head();
  for (; next != nullptr && !next->shown; next = any_head()) pop();
  return next;
}

// Whether the author is missing or suspended (perhaps the viewer), blocked or muted.
bool ExpectedFeed::hides(UserNumber author) {
  const auto [known, is_new] = hidden_.try_emplace(author, false);
  if (!is_new) return known->second;
  known->second = present_of(snapshot_, {author}).empty();
  if (known->second || author == viewer_) return known->second;
  const ViewerRelation from_here = snapshot_.bonds(viewer_, {&author, 1}).front();
  const ViewerRelation from_there = snapshot_.bonds(author, {&viewer_, 1}).front();
  known->second = from_here.blocks || from_there.blocks || from_here.mutes;
  return known->second;
}

bool ExpectedFeed::shows(const Post& post) {
  if (hides(post.author)) return false;
  if (post.privacy == Privacy::kPrivate && post.author != viewer_) return false;
  if (post.original == kBelowAllPosts) return true;
  const auto original = snapshot_.post(post.original);
  if (!original || original->privacy != Privacy::kPublic || hides(original->author)) return false;
  return !snapshot_.bonds(viewer_, {&post.author, 1}).front().reposts_off;
}

bool ExpectedFeed::fill(Log& log) const {
  if (log.position < log.piece.size()) return true;
  log.piece = snapshot_.author_entries(
      feed_logs({&log.author, 1}, log.author == viewer_ ? viewer_ : kNobody), log.rest, direction_,
      kPiece);
  log.position = 0;
  if (log.piece.empty()) return false;
  (direction_ == Direction::kDown ? log.rest.below : log.rest.above) = log.piece.back().id;
  return true;
}

Entry ExpectedFeed::take() {
  const auto farther = [this](const Log& a, const Log& b) { return closer(b.head(), a.head()); };
  std::pop_heap(logs_.begin(), logs_.end(), farther);
  Log& nearest = logs_.back();
  const Entry entry = nearest.head();
  ++nearest.position;
  if (fill(nearest)) {
    std::push_heap(logs_.begin(), logs_.end(), farther);
  } else {
    logs_.pop_back();
  }
  return entry;
}

void ExpectedFeed::next_window() {
  std::vector<Entry> nearest;
  while (nearest.size() < kWindow && !logs_.empty()) nearest.push_back(take());
  const auto posts = snapshot_.posts(nearest);
  window_.clear();
  position_ = 0;
  for (std::size_t i = 0; i < nearest.size(); ++i) {
    if (!posts[i]) continue;
    const Post& post = *posts[i];
    window_.push_back({nearest[i], post.id, post.author, shows(post)});
    if (post.original == kBelowAllPosts) continue;
    window_.back().original = post.original;
    window_.back().original_author = post.original_author;
  }
}

}  // namespace chirp::feed
