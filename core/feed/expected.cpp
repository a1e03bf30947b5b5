#include "core/feed/expected.h"

#include <algorithm>

#include "core/limits.h"

namespace chirp::feed {
namespace {

constexpr std::uint32_t kWindow = 1000;

std::vector<UserNumber> present_of(const Snapshot& snapshot, std::vector<UserNumber> users) {
  std::sort(users.begin(), users.end());
  const auto cards = snapshot.cards(users);
  std::vector<UserNumber> present;
  for (std::size_t i = 0; i < users.size(); ++i) {
    if (cards[i] && cards[i]->presence == Presence::kPresent) present.push_back(users[i]);
  }
  return present;
}

}  // namespace

ExpectedFeed::ExpectedFeed(const Snapshot& snapshot, UserNumber viewer, Direction direction)
    : snapshot_(snapshot), direction_(direction) {
  if (present_of(snapshot, {viewer}).empty()) return;
  std::vector<UserNumber> users{viewer};
  for (UserNumber after = kNobody;;) {
    const EdgePage page = snapshot.following(viewer, after, limits::kUserPageMax);
    for (const Edge& edge : page.edges) users.push_back(edge.other);
    if (!page.more || page.edges.empty()) break;
    after = page.edges.back().other;
  }
  authors_ = present_of(snapshot, std::move(users));
}

bool ExpectedFeed::closer(const Entry& a, const Entry& b) const {
  return direction_ == Direction::kDown ? a.id > b.id : a.id < b.id;
}

const Entry* ExpectedFeed::head() {
  while (position_ == window_.size() && !ended_) next_window();
  return position_ < window_.size() ? &window_[position_] : nullptr;
}

void ExpectedFeed::next_window() {
  const auto order = [this](const Entry& a, const Entry& b) { return closer(a, b); };
  std::vector<Entry> nearest;
  const auto cut = [&] {
    std::sort(nearest.begin(), nearest.end(), order);
    if (nearest.size() > kWindow) nearest.resize(kWindow);
  };
  for (const UserNumber& author : authors_) {
    const auto log = snapshot_.author_entries({&author, 1}, rest_, direction_, kWindow);
    nearest.insert(nearest.end(), log.begin(), log.end());
    if (nearest.size() > 8 * kWindow) cut();
  }
  cut();
  ended_ = nearest.size() < kWindow;
  if (!nearest.empty()) {
    (direction_ == Direction::kDown ? rest_.below : rest_.above) = nearest.back().id;
  }
  const auto posts = snapshot_.posts(nearest);
  window_.clear();
  position_ = 0;
  for (std::size_t i = 0; i < nearest.size(); ++i) {
    if (posts[i]) window_.push_back(nearest[i]);
  }
}

}  // namespace chirp::feed
