// Goal: a walk asks the store for no more than was taken off it, and no entry comes twice.
// Method: a walk over a store that counts how often it is asked.
#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include "core/feed/merge.h"

namespace chirp::test {
namespace {

// One author's log of ids from 1 on, and a timeline that holds the same.
class CountingReader final : public FeedReader {
 public:
  explicit CountingReader(std::uint64_t posts) : posts_(posts) {}

  [[nodiscard]] FeedSources feed_sources(UserNumber) const override { return {}; }
  [[nodiscard]] std::vector<Entry> timeline_entries(UserNumber, IdRange range, Direction direction,
                                                    std::uint32_t limit) const override {
    return entries(range, direction, limit);
  }
  [[nodiscard]] std::vector<Entry> author_entries(const LogsOf&, IdRange range, Direction direction,
                                                  std::uint32_t limit) const override {
    ++asked_for_logs_;
    return entries(range, direction, limit);
  }
  [[nodiscard]] int asked_for_logs() const { return asked_for_logs_; }

 private:
  [[nodiscard]] std::vector<Entry> entries(IdRange range, Direction direction,
                                           std::uint32_t limit) const {
    std::vector<Entry> found;
    for (std::uint64_t i = 1; i <= posts_; ++i) {
      const PostId id{direction == Direction::kUp ? i : posts_ + 1 - i};
      if (id <= range.above || id >= range.below || found.size() == limit) continue;
      found.push_back({id, UserNumber{2}, Origin::kPushed});
    }
    return found;
  }

  std::uint64_t posts_;
  mutable int asked_for_logs_ = 0;
};

std::vector<std::uint64_t> take(feed::FeedWalk& walk, std::size_t count) {
  std::vector<std::uint64_t> ids;
  while (ids.size() < count) {
    const auto candidate = walk.next();
    if (!candidate) break;
    ids.push_back(candidate->entry.id.value);
  }
  return ids;
}

}  // namespace

TEST_CASE("walk: logs are read once more only when what was fetched of them is used up") {
  const CountingReader reader(9);
  FeedSources sources;
  sources.following = {UserNumber{2}};
  const feed::WalkPlan plan{{}, Direction::kDown, 4};
  feed::FeedWalk walk(reader, sources, UserNumber{1}, feed::FeedWalk::Timeline::kIgnore, plan);
  CHECK(take(walk, 4) == std::vector<std::uint64_t>{9, 8, 7, 6});
  CHECK(reader.asked_for_logs() == 1);
  CHECK(take(walk, 9) == std::vector<std::uint64_t>{5, 4, 3, 2, 1});
  CHECK(reader.asked_for_logs() == 2);
}

TEST_CASE("walk: an entry in several sources comes once, across the batches of each") {
  for (const Direction direction : {Direction::kDown, Direction::kUp}) {
    const CountingReader reader(9);
    FeedSources sources;
    sources.has_timeline = true;
    sources.following = {UserNumber{2}};
    sources.marks = {{UserNumber{2}, feed::Tier::kRegular, feed::kNeverPushed}};
    for (std::uint64_t id = 9; id > 2; --id) {
      sources.pending.push_back({PostId{id}, UserNumber{2}, Origin::kPushed});
    }
    const feed::WalkPlan plan{{}, direction, 2};
    feed::FeedWalk walk(reader, sources, UserNumber{1}, feed::FeedWalk::Timeline::kUse, plan);
    std::vector<std::uint64_t> expected{9, 8, 7, 6, 5, 4, 3, 2, 1};
    if (direction == Direction::kUp) std::reverse(expected.begin(), expected.end());
    CHECK(take(walk, 20) == expected);
  }
}

}  // namespace chirp::test
