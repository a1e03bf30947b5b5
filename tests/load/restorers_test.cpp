// Goal: posts and follows of an export are stored the same in bulk and in transactions, whatever
// their order; duplicates are reported; entries that go before their posts leave no trace.
// Method: stores with the same people, in one of which all goes in bulk; the store's own checks.
#include <algorithm>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/error.h"
#include "core/load/bulk.h"
#include "core/load/edge_restorer.h"
#include "core/load/post_restorer.h"
#include "core/ports/reads.h"
#include "core/rules/settings.h"
#include "core/rules/writing.h"
#include "tests/support/load_world.h"
#include "tests/support/storage_contract.h"

namespace chirp::test::restorers_test {
namespace {

using load::Bulk;
using load::EdgeRestorer;
using load::PostRestorer;

constexpr std::uint32_t kUsers = 40;

struct Place {
  Place() : world(lmdb_kind()) { sign_up(world.storage(), kUsers); }
  void check_sound() {
    while (!rules::settle_tiers(world.storage(), 100, kStart)) continue;
    CHECK(world.storage().snapshot()->problems() == std::vector<std::string>{});
    CHECK(first_breach(world.storage()) == "");
    CHECK(world.state().early_below == PostId{});
  }

  Subject world;
  StandingClock clock{kStart};
  load::Turns turns{clock, [this] {
                      ++pauses;
                      if (paused) paused();
                    }};
  int pauses = 0;
  std::function<void()> paused;
};

// Follows with their times in both directions, and whose reposts are off.
std::vector<std::string> follows_in(const Storage& storage) {
  using namespace tables;
  constexpr UserNumber kLast{~std::uint32_t{0}};
  const auto snapshot = storage.snapshot();
  std::vector<std::string> lines;
  for (std::uint32_t i = 1; i <= kUsers; ++i) {
    const UserNumber user{i};
    for (const auto& [key, since] : snapshot->range(
             Following::Key{user, kNobody}, Following::Key{user, kLast}, Direction::kUp, kAll)) {
      lines.push_back(fmt::format("{} > {} {}", i, key.followee.value, since.ms));
    }
    for (const auto& [key, since] : snapshot->range(
             Followers::Key{user, kNobody}, Followers::Key{user, kLast}, Direction::kUp, kAll)) {
      lines.push_back(fmt::format("{} < {} {}", i, key.follower.value, since.ms));
    }
    for (const auto& [key, since] : snapshot->range(
             Relations::Key{user, Relation::kRepostsOff, kNobody},
             Relations::Key{user, Relation::kRepostsOff, kLast}, Direction::kUp, kAll)) {
      lines.push_back(fmt::format("{} hides {} {}", i, key.other.value, since.ms));
    }
  }
  return lines;
}

std::vector<RestoredEdge> some_follows(std::mt19937_64& random, std::size_t count) {
  std::set<std::uint64_t> seen;
  std::vector<RestoredEdge> edges;
  while (edges.size() < count) {
    const UserNumber from{1 + static_cast<std::uint32_t>(random() % kUsers)};
    const UserNumber to{1 + static_cast<std::uint32_t>(random() % kUsers)};
    if (from == to || !seen.insert(std::uint64_t{from.value} << 32 | to.value).second) continue;
    edges.push_back({from, to, Time{kStart.ms - static_cast<std::int64_t>(random() % 5'000)},
                     random() % 4 == 0 ? Reposts::kOff : Reposts::kOn});
  }
  return edges;
}

void sort_follows(std::vector<RestoredEdge>& edges) {
  std::ranges::sort(
      edges, {}, [](const RestoredEdge& edge) { return std::pair(edge.follower, edge.followee); });
}

LoadCounts restore(Place& place, const std::vector<RestoredEdge>& edges, Bulk bulk,
                   std::size_t parts) {
  EdgeRestorer restorer(place.world.storage(), place.clock, place.turns, bulk, {});
  const std::size_t each = edges.size() / parts + 1;
  for (std::size_t i = 0; i < edges.size(); i += each) {
    const auto some = std::span(edges).subspan(i, std::min(each, edges.size() - i));
    CHECK_FALSE(restorer.add(some).has_value());
  }
  const LoadCounts counts = restorer.finish();
  CHECK_FALSE(restorer.reach());
  CHECK(restorer.finish() == LoadCounts{});
  return counts;
}

}  // namespace

TEST_CASE("restorers: follows are the same in bulk and in transactions, in any order") {
  std::mt19937_64 random(1);
  for (const std::size_t count : {0U, 1U, 700U}) {
    for (const bool is_sorted : {true, false}) {
      CAPTURE(count);
      CAPTURE(is_sorted);
      auto edges = some_follows(random, count);
      if (is_sorted) sort_follows(edges);
      Place plain;
      CHECK(restore(plain, edges, Bulk::kNever, 3) == LoadCounts{});
      Place few;
      CHECK(restore(few, edges, Bulk::kAuto, 3) == LoadCounts{});
      Place bulk;
      CHECK(restore(bulk, edges, Bulk::kAlways, 3).stored == count);
      const auto expected = follows_in(plain.world.storage());
      CHECK(expected.size() >= 2 * count);
      CHECK(follows_in(few.world.storage()) == expected);
      CHECK(follows_in(bulk.world.storage()) == expected);
      for (Place* place : {&plain, &few, &bulk}) place->check_sound();
      CHECK((count == 0 || bulk.pauses > 3));
    }
  }
}

TEST_CASE("restorers: a follow that comes twice is reported") {
  std::mt19937_64 random(2);
  for (const Bulk bulk : {Bulk::kNever, Bulk::kAlways}) {
    for (const bool is_sorted : {true, false}) {
      CAPTURE(is_sorted);
      auto edges = some_follows(random, 60);
      if (is_sorted) sort_follows(edges);
      Place place;
      EdgeRestorer restorer(place.world.storage(), place.clock, place.turns, bulk, {});
      auto twice = edges;
      twice.insert(twice.begin() + 41, edges[40]);
      twice[41].since = kStart;
      CHECK(restorer.add(twice) == 41);
    }
  }
  // A bulk load finds repeated edges of different calls only at its end.
  Place place;
  const auto edges = some_follows(random, 60);
  EdgeRestorer restorer(place.world.storage(), place.clock, place.turns, Bulk::kAlways, {});
  CHECK_FALSE(restorer.add(edges).has_value());
  CHECK_FALSE(restorer.add(std::span(edges).subspan(10, 7)).has_value());
  CHECK(restorer.finish().duplicates == 7);
  place.check_sound();
}

TEST_CASE("restorers: follows of users who are gone or blocked are left out, with what they hide") {
  Place place;
  EdgeRestorer restorer(place.world.storage(), place.clock, place.turns, Bulk::kAlways, {});
  const std::vector<RestoredEdge> edges{{UserNumber{1}, UserNumber{2}, kStart, Reposts::kOff},
                                        {UserNumber{1}, UserNumber{3}, kStart, Reposts::kOff},
                                        {UserNumber{4}, UserNumber{1}, kStart, Reposts::kOff},
                                        {UserNumber{5}, UserNumber{6}, kStart, Reposts::kOff}};
  CHECK_FALSE(restorer.add(edges).has_value());
  place.world.apply(MarkRemoved{UserNumber{2}});
  place.world.apply(Relate{UserNumber{3}, UserNumber{1}});
  const LoadCounts counts = restorer.finish();
  CHECK(counts == LoadCounts{.stored = 2, .duplicates = 0, .missing = 1, .severed = 1});
  CHECK(follows_in(place.world.storage()) ==
        std::vector<std::string>{
            fmt::format("1 < 4 {}", kStart.ms), fmt::format("4 > 1 {}", kStart.ms),
            fmt::format("4 hides 1 {}", kStart.ms), fmt::format("5 > 6 {}", kStart.ms),
            fmt::format("5 hides 6 {}", kStart.ms), fmt::format("6 < 5 {}", kStart.ms)});
  place.check_sound();
}

TEST_CASE("restorers: bounds of tiers that change meanwhile hold for all follows at the end") {
  std::mt19937_64 random(7);
  Place place;
  BulkOptions options;
  options.piece = 100;
  EdgeRestorer restorer(place.world.storage(), place.clock, place.turns, Bulk::kAlways, options);
  bool is_changed = false;
  place.paused = [&] {
    const auto reach = restorer.reach();
    if (is_changed || !reach || reach->phase != BulkPhase::kCounts) return;
    is_changed = true;
    place.world.change_settings([](feed::FeedSettings& settings) { settings.influencer_from = 3; });
  };
  CHECK_FALSE(restorer.add(some_follows(random, 300)).has_value());
  (void)restorer.finish();
  CHECK(is_changed);
  CHECK_FALSE(rules::tiers_due(*place.world.storage().snapshot()));
  place.check_sound();
}

namespace {

std::vector<Post> some_posts(std::mt19937_64& random, std::size_t count) {
  std::vector<Post> posts;
  for (std::size_t i = 0; i < count; ++i) {
    const Time time{kStart.ms - 100'000 + static_cast<std::int64_t>(i)};
    Post post{};
    post.id = PostId{snowflake::make(snowflake::ticks_of(time), 3, 0)};
    // One author has more than others, and than may have early entries.
    post.author = UserNumber{random() % 2 == 0 ? 1 : 2 + static_cast<std::uint32_t>(random() % 30)};
    post.text = fmt::format("post {} #tag", i);
    post.created_at = time;
    post.privacy = random() % 5 == 0 ? static_cast<Privacy>(random() % 3) : Privacy::kPublic;
    posts.push_back(post);
    if (i == 0 || random() % 8 != 0) continue;
    const Post& original = posts[random() % i];
    if (original.is_repost() || original.privacy != Privacy::kPublic) continue;
    Post& repost = posts.back();
    repost.author = UserNumber{31 + static_cast<std::uint32_t>(i % 10)};
    repost.text.clear();
    repost.privacy = Privacy::kPublic;
    repost.original = original.id;
    repost.original_author = original.author;
  }
  // Nobody reposts a post twice.
  std::set<std::pair<PostId, UserNumber>> seen;
  std::erase_if(posts, [&](const Post& post) {
    return post.is_repost() && !seen.emplace(post.original, post.author).second;
  });
  return posts;
}

std::vector<std::string> posts_in(const Storage& storage) {
  const auto snapshot = storage.snapshot();
  std::vector<std::string> lines;
  for (const Post& post : reads::rows_above<tables::Posts>(*snapshot, {kBelowAllPosts}, kAll)) {
    lines.push_back(fmt::format("{} {} {} {}", post.id.value, post.author.value, post.text,
                                post.original.value));
  }
  for (std::uint32_t i = 1; i <= kUsers; ++i) {
    const UserNumber user{i};
    for (const auto& [key, nothing] : snapshot->range(
             tables::AuthorLogs::Key{user, PostId{}},
             tables::AuthorLogs::Key{user, PostId{~std::uint64_t{0}}}, Direction::kUp, kAll)) {
      lines.push_back(fmt::format("{}: {}", i, key.id.value));
    }
    if (const auto counts = snapshot->find(tables::UserCounts::Key{user})) {
      lines.push_back(fmt::format("{} has {}", i, counts->posts));
    }
  }
  return lines;
}

void restore_posts(Place& place, std::span<const Post> posts, Bulk early, std::size_t window) {
  PostRestorer restorer(place.world.storage(), place.clock, place.turns, early, 4'000);
  while (!posts.empty()) {
    const auto some = posts.first(std::min(window, posts.size()));
    posts = posts.subspan(some.size());
    std::vector<const Post*> all;
    std::size_t bytes = 0;
    for (const Post& post : some) {
      all.push_back(&post);
      bytes += PostRestorer::bytes_of(post);
    }
    restorer.put_early(all, bytes);
    const std::size_t half = some.size() / 2;
    restorer.store(some.first(half));
    restorer.store(some.subspan(half));
  }
  restorer.finish();
}

}  // namespace

TEST_CASE("restorers: posts are the same in one step and in two, and the entries leave no trace") {
  std::mt19937_64 random(3);
  for (const std::size_t count : {0U, 1U, 1'500U}) {
    for (const std::size_t window : {5U, 1'000U}) {
      CAPTURE(count);
      CAPTURE(window);
      const auto posts = some_posts(random, count);
      Place plain;
      restore_posts(plain, posts, Bulk::kNever, window);
      const auto expected = posts_in(plain.world.storage());
      for (const Bulk early : {Bulk::kAuto, Bulk::kAlways}) {
        Place place;
        restore_posts(place, posts, early, window);
        CHECK(posts_in(place.world.storage()) == expected);
        place.check_sound();
      }
    }
  }
}

TEST_CASE("restorers: many posts of many authors have early entries, and others have none") {
  std::mt19937_64 random(4);
  const auto posts = some_posts(random, 1'500);
  std::vector<const Post*> all;
  for (const Post& post : posts) all.push_back(&post);
  const auto entries_of = [&](Bulk early, std::size_t bytes) {
    Place place;
    PostRestorer restorer(place.world.storage(), place.clock, place.turns, early, 1'000'000);
    restorer.put_early(all, bytes);
    const bool is_marked = place.world.state().early_below != PostId{};
    CHECK(restorer.waits_for_more(999'999) == (early != Bulk::kNever));
    CHECK_FALSE(restorer.waits_for_more(1'000'000));
    restorer.store(posts);
    restorer.finish();
    CHECK(place.world.counters(UserNumber{1}).posts > std::int64_t{load::kMostOfAuthor});
    place.check_sound();
    return is_marked;
  };
  CHECK(entries_of(Bulk::kAlways, 10));
  CHECK(entries_of(Bulk::kAuto, 250'000));
  CHECK_FALSE(entries_of(Bulk::kAuto, 249'999));
  CHECK_FALSE(entries_of(Bulk::kNever, 1'000'000));
}

TEST_CASE("restorers: an author with many posts in a window has no early entries") {
  for (const std::size_t count : {load::kMostOfAuthor, load::kMostOfAuthor + 1}) {
    CAPTURE(count);
    std::mt19937_64 random(8);
    auto posts = some_posts(random, 2 * count);
    posts.resize(count);
    std::vector<const Post*> all;
    for (Post& post : posts) {
      post = {.id = post.id,
              .author = UserNumber{1},
              .text = "p",
              .created_at = post.created_at,
              .source = {}};
    }
    for (const Post& post : posts) all.push_back(&post);
    Place place;
    PostRestorer restorer(place.world.storage(), place.clock, place.turns, Bulk::kAlways);
    restorer.put_early(all, 0);
    const bool are_few = posts.size() <= load::kMostOfAuthor;
    CHECK((place.world.state().early_below != PostId{}) == are_few);
    restorer.store(posts);
    restorer.finish();
    place.check_sound();
  }
}

TEST_CASE("restorers: where others hold the lock, posts are stored in one step") {
  std::mt19937_64 random(5);
  const auto posts = some_posts(random, 300);
  Place place;
  const auto held = place.world.storage().early_entries();
  REQUIRE(held);
  int marked = 0;
  place.paused = [&] {
    if (place.world.state().early_below != PostId{}) ++marked;
  };
  restore_posts(place, posts, Bulk::kAlways, 100);
  CHECK(marked == 0);
  Place plain;
  restore_posts(plain, posts, Bulk::kNever, 100);
  CHECK(posts_in(place.world.storage()) == posts_in(plain.world.storage()));
}

TEST_CASE("restorers: posts that are refused leave entries that the next writer takes back") {
  std::mt19937_64 random(6);
  const auto posts = some_posts(random, 400);
  Place place;
  restore_posts(place, std::span(posts).last(1), Bulk::kNever, 1);
  CHECK_THROWS_AS(restore_posts(place, posts, Bulk::kAlways, 400), Error);
  place.world.storage().settle();
  place.check_sound();
}

}  // namespace chirp::test::restorers_test
