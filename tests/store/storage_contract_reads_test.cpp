// Goal: every store answers ranges, pages and walks exactly: bounds exclusive, limits kept, in
// order. Method: small worlds of known numbers; author logs against a naive merge at every bound.
#include <algorithm>
#include <map>

#include <doctest/doctest.h>

#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

std::vector<Entry> naive_range(const std::vector<Entry>& newest_first, IdRange range,
                               Direction direction, std::uint32_t limit) {
  std::vector<Entry> result;
  for (const Entry& entry : newest_first) {
    if (entry.id > range.above && entry.id < range.below) result.push_back(entry);
  }
  if (direction == Direction::kUp) std::reverse(result.begin(), result.end());
  if (result.size() > limit) result.resize(limit);
  return result;
}

// Bounds on, beside and between the ids there are.
std::vector<PostId> bounds_around(const std::vector<Entry>& entries) {
  std::vector<PostId> bounds{kBelowAllPosts, kAboveAllPosts};
  for (const Entry& entry : entries) {
    bounds.push_back(entry.id);
    bounds.push_back(PostId{entry.id.value - 1});
    bounds.push_back(PostId{entry.id.value + 1});
  }
  return bounds;
}

}  // namespace

TEST_CASE("storage contract: author logs merge within any bounds, both ways") {
  for_each_store([](Subject& s) {
    const auto u = s.users(4);
    std::vector<Entry> all;
    for (const std::size_t author : {0u, 1u, 0u, 2u, 1u, 0u, 3u}) {
      all.insert(all.begin(), Entry{s.post(u[author]), u[author]});
      ++s.now.ms;
    }
    const std::vector<UserNumber> some{u[0], u[1], u[3]};
    std::vector<Entry> wanted = all;
    std::erase_if(wanted, [&](const Entry& entry) { return entry.author == u[2]; });
    const auto snapshot = s.see();
    for (const PostId above : bounds_around(all)) {
      for (const PostId below : bounds_around(all)) {
        for (const auto direction : {Direction::kDown, Direction::kUp}) {
          for (const std::uint32_t limit : {1u, 3u, 100u}) {
            const IdRange range{above, below};
            CHECK(snapshot->author_entries(some, range, direction, limit) ==
                  naive_range(wanted, range, direction, limit));
          }
        }
      }
    }
    CHECK(snapshot->author_entries({}, {}, Direction::kDown, 9).empty());
    CHECK(snapshot->author_entries(std::vector{UserNumber{99}}, {}, Direction::kUp, 9).empty());
  });
}

TEST_CASE("storage contract: long author logs give the nearest entries") {
  for_each_store([](Subject& s) {
    const auto u = s.users(2);
    std::vector<Change> changes;
    for (int i = 0; i < 3000; ++i) changes.emplace_back(Publish{u[i % 3 == 0 ? 1 : 0], "text"});
    std::vector<Entry> all;
    for (const Outcome& outcome : s.storage().write(changes, s.now)) {
      all.insert(all.begin(), Entry{outcome.post, outcome.author});
    }
    const auto snapshot = s.see();
    for (const std::size_t at : {std::size_t{0}, std::size_t{1500}, std::size_t{2999}}) {
      const IdRange below{kBelowAllPosts, all[at].id};
      CHECK(snapshot->author_entries(u, below, Direction::kDown, 50) ==
            naive_range(all, below, Direction::kDown, 50));
      const IdRange above{all[at].id, kAboveAllPosts};
      CHECK(snapshot->author_entries(u, above, Direction::kUp, 50) ==
            naive_range(all, above, Direction::kUp, 50));
    }
    CHECK(snapshot->author_entries(u, {}, Direction::kDown, kAll) == all);
  });
}

TEST_CASE("storage contract: entries of a timeline within any bounds, both ways") {
  for_each_store([](Subject& s) {
    const auto u = s.users(2);
    s.follow(u[0], u[1]);
    std::vector<Entry> all;
    for (int i = 0; i < 6; ++i) all.insert(all.begin(), Entry{s.post(u[1]), u[1]});
    s.drain();
    const auto snapshot = s.see();
    for (const PostId above : bounds_around(all)) {
      for (const PostId below : bounds_around(all)) {
        for (const auto direction : {Direction::kDown, Direction::kUp}) {
          const IdRange range{above, below};
          CHECK(snapshot->timeline_entries(u[0], range, direction, 3) ==
                naive_range(all, range, direction, 3));
        }
      }
    }
    CHECK(snapshot->timeline_entries(UserNumber{99}, {}, Direction::kDown, 3).empty());
  });
}

TEST_CASE("storage contract: edges come in pages by user number") {
  for_each_store([](Subject& s) {
    constexpr std::uint32_t kUsers = 700;  // more than fits one record, whatever its size
    const auto u = s.users(kUsers);
    const UserNumber hub = u[300];
    std::vector<Change> changes;
    for (std::uint32_t i = kUsers; i-- > 0;) {  // in falling order
      if (u[i] == hub) continue;
      changes.emplace_back(Follow{u[i], hub});
      changes.emplace_back(Follow{hub, u[i]});
    }
    s.storage().write(changes, s.now);
    const auto snapshot = s.see();
    for (const bool reverse : {false, true}) {
      CAPTURE(reverse);
      std::vector<UserNumber> seen;
      EdgePage page;
      do {
        const UserNumber after = seen.empty() ? kNobody : seen.back();
        page = reverse ? reads::followers(*snapshot, hub, after, 100)
                       : reads::following(*snapshot, hub, after, 100);
        CHECK(page.edges.size() == (page.more ? 100 : 99));
        for (const Edge& edge : page.edges) {
          CHECK((seen.empty() || edge.other > seen.back()));
          CHECK(edge.since == s.now);
          seen.push_back(edge.other);
        }
      } while (page.more);
      CHECK(seen.size() == kUsers - 1);
    }
    CHECK(reads::following(*snapshot, hub, u[699], 10).edges.empty());
    CHECK_FALSE(reads::following(*snapshot, hub, u[699], 10).more);
    CHECK(reads::following(*snapshot, hub, u[298], 2).edges.size() == 2);
    CHECK(reads::following(*snapshot, hub, u[298], 2).edges[1].other == u[301]);
    CHECK_FALSE(reads::following(*snapshot, hub, u[697], 2).more);  // exactly the last two
    CHECK(snapshot->feed_sources(hub).following.size() == kUsers - 1);
    // Taking edges out of the middle leaves the others.
    changes.clear();
    for (std::uint32_t i = 100; i < 600; ++i) {
      if (u[i] != hub) changes.emplace_back(Unfollow{hub, u[i]});
    }
    s.storage().write(changes, s.now);
    const auto left = reads::following(*s.see(), hub, kNobody, kAll).edges;
    REQUIRE(left.size() == 200);
    CHECK(left[99].other == u[99]);
    CHECK(left[100].other == u[600]);
  });
}

TEST_CASE("storage contract: walks go over everything in order") {
  for_each_store([](Subject& s) {
    s.change_settings([](auto& settings) { settings.influencer_from = 1; });
    const auto u = s.users(5);
    for (const UserNumber author : {u[3], u[0], u[3], u[4]}) s.post(author);
    for (const UserNumber followee : {u[0], u[2], u[3]}) s.follow(u[1], followee);
    s.drain();
    rules::drop_timeline(s.storage(), u[2]);
    const auto snapshot = s.see();

    CHECK(reads::rows_above<tables::Cards>(*snapshot, {kNobody}, 2) ==
          std::vector{card(1), card(2)});
    CHECK(reads::rows_above<tables::Cards>(*snapshot, {u[1]}, 2) == std::vector{card(3), card(4)});
    CHECK(reads::rows_above<tables::Cards>(*snapshot, {u[4]}, 2).empty());

    std::vector<PostId> walked;
    PostId after = kBelowAllPosts;
    for (auto posts = reads::rows_above<tables::Posts>(*snapshot, {after}, 3); !posts.empty();
         posts = reads::rows_above<tables::Posts>(*snapshot, {after}, 3)) {
      for (const Post& post : posts) walked.push_back(post.id);
      after = walked.back();
    }
    CHECK(walked.size() == 4);
    CHECK(std::is_sorted(walked.begin(), walked.end()));

    CHECK(snapshot->scan_timelines(kNobody, kAll) == std::vector{u[0], u[1], u[3], u[4]});
    CHECK(snapshot->scan_timelines(u[1], 1) == std::vector{u[3]});
    std::map<UserNumber, UserCounters> counters;
    for (const auto& [user, counted] : reads::counters_above(*snapshot, kNobody, kAll))
      counters[user] = counted;
    CHECK(counters[u[0]] == UserCounters{1, 0, 1});
    CHECK(counters[u[1]] == UserCounters{0, 3, 0});
    CHECK(counters[u[3]] == UserCounters{1, 0, 2});
    REQUIRE(reads::rows_above<tables::Marks>(*snapshot, {kNobody}, kAll).size() == 3);
    CHECK(reads::rows_above<tables::Marks>(*snapshot, {u[0]}, 1) ==
          std::vector<feed::AuthorMark>{{u[2], feed::Tier::kInfluencer, {}}});
    CHECK(snapshot->find(tables::Marks::Key{u[3]})->tier == feed::Tier::kInfluencer);
    CHECK_FALSE(snapshot->find(tables::Marks::Key{u[1]}));

    auto rows = snapshot->table_rows();
    CHECK(rows["cards"] == 5);
    CHECK(rows["posts"] == 4);
    CHECK(rows["follows"] == 3);
    CHECK(rows["timelines"] == 4);
    CHECK(rows["events"] == s.log_end().value - s.state().log_first.value);
    CHECK(snapshot->problems().empty());
    CHECK(s.storage().repair_indexes(s.now) == 0);
  });
}

TEST_CASE("storage contract: the log is read from anywhere, a part at a time") {
  for_each_store([](Subject& s) {
    const UserNumber ann = s.users(1).front();
    for (int i = 0; i < 5; ++i) s.post(ann);
    const auto snapshot = s.see();
    const auto all = reads::events(*snapshot, Sequence{1}, kAll);
    REQUIRE(all.size() == 6);
    for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i].sequence.value == i + 1);
    CHECK(reads::events(*snapshot, Sequence{3}, 2) == std::vector{all[2], all[3]});
    CHECK(reads::events(*snapshot, snapshot->state().log_end, 9).empty());
    CHECK(snapshot->state().log_end == Sequence{7});
  });
}

}  // namespace chirp::test
