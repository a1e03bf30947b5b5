// Goal: every store answers ranges, pages and walks exactly: bounds exclusive, limits kept, in
// order. Method: small worlds of known numbers; author logs against a naive merge at every bound.
#include <algorithm>
#include <map>

#include <doctest/doctest.h>

#include "core/feed/home_feed.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "core/social/posts.h"
#include "tests/model/user_directory.h"
#include "tests/support/metered_storage.h"
#include "tests/support/social_world.h"
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

namespace {

// The use cases over a store that counts its reads.
struct CountedWorld {
  explicit CountedWorld(Subject& subject) : s(subject), storage(subject.storage()) {}

  // Writes posts of the author: first mostly private ones, then mostly posts for followers, with a
  // few public posts in between and one of another level in a few hundred.
  void write_posts(UserNumber author) {
    std::vector<Change> changes;
    for (int i = 0; i < 3000; ++i) {
      Privacy level = i < 1500 ? Privacy::kPrivate : Privacy::kFollowers;
      if (i % 211 == 0) level = i < 1500 ? Privacy::kFollowers : Privacy::kPrivate;
      if (i % 97 < 2) level = Privacy::kPublic;
      changes.emplace_back(Publish{author, "text", level});
    }
    const auto outcomes = s.storage().write(changes, s.now);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      levels[outcomes[i].post] = std::get<Publish>(changes[i]).privacy;
    }
    s.drain();
  }
  // Returns the posts that `shows` accepts, newest first.
  template <class Shows>
  [[nodiscard]] std::vector<PostId> wanted(Shows shows) const {
    std::vector<PostId> ids;
    for (const auto& [id, level] : levels) {
      if (shows(level)) ids.insert(ids.begin(), id);
    }
    return ids;
  }
  void check_bound(std::uint32_t limit) {
    const std::uint64_t records = storage.take_records();
    CHECK_MESSAGE(records <= 4 * limit + 64, records << " records for " << limit);
  }

  Subject& s;
  MeteredStorage storage;
  model::ModelUserDirectory directory;
  PlainHasher hasher;
  FakeClock clock{s.now};
  social::Accounts accounts{storage, directory, hasher, clock};
  social::Posts posts{storage, accounts, clock};
  std::map<PostId, Privacy> levels;
};

}  // namespace

TEST_CASE("storage contract: a page of an author costs what it shows, whatever is hidden") {
  for_each_store([](Subject& s) {
    const auto u = s.users(3);
    s.follow(u[1], u[0]);
    CountedWorld world(s);
    world.write_posts(u[0]);
    User author;
    author.number = u[0];
    const auto sees = [&](const Viewer& viewer, Privacy level) {
      const bool is_follower = viewer.is(u[1]);
      return level == Privacy::kPublic || viewer.is(u[0]) ||
             viewer.kind() == Viewer::Kind::kOperator ||
             (is_follower && level == Privacy::kFollowers);
    };
    using Filter = std::optional<Privacy>;
    for (const Viewer viewer : {Viewer::anonymous(), Viewer::user(u[2]), Viewer::user(u[1]),
                                Viewer::user(u[0]), Viewer::the_operator()}) {
      for (const Filter filter : {Filter(), Filter(Privacy::kPublic), Filter(Privacy::kFollowers),
                                  Filter(Privacy::kPrivate)}) {
        const auto wanted = world.wanted(
            [&](Privacy level) { return sees(viewer, level) && (!filter || *filter == level); });
        std::vector<PostId> found;
        PostId before = kAboveAllPosts;
        for (std::optional<PostId> next; found.empty() || next; before = *next) {
          (void)world.storage.take_records();
          const auto page = world.posts.list(viewer, author, before, 20, filter);
          world.check_bound(20);
          for (const auto& post : page.posts) found.push_back(post.post.id);
          next = page.next_cursor;
          if (!next || found.size() > 200) break;
        }
        const auto looked = std::min(found.size(), wanted.size());
        CHECK(found == std::vector(wanted.begin(), wanted.begin() + static_cast<long>(looked)));
        CHECK((found.size() > 200 || found.size() == wanted.size()));
      }
    }
  });
}

TEST_CASE("storage contract: a feed costs what it shows, whatever is hidden") {
  for_each_store([](Subject& s) {
    const auto u = s.users(3);
    s.follow(u[1], u[0]);
    CountedWorld world(s);
    world.write_posts(u[0]);
    for (const auto as_if : {std::optional<feed::Policy>(), std::optional(feed::Policy::kPull)}) {
      std::vector<PostId> found;
      feed::PageRequest request;
      request.viewer = u[1];
      request.as_if = as_if;
      for (bool more = true; more && found.size() < 2000;) {
        (void)world.storage.take_records();
        const auto page = feed::hydrated_page(*world.storage.snapshot(), request, world.clock);
        world.check_bound(request.limit);
        for (const auto& item : page.items) found.push_back(item.post->id);
        more = page.has_more;
        request.before = page.next_cursor;
      }
      const auto wanted = world.wanted([](Privacy level) { return level != Privacy::kPrivate; });
      CHECK(found.size() == std::min<std::size_t>(wanted.size(), 2000));
      CHECK(std::equal(found.begin(), found.end(), wanted.begin()));
    }
  });
}

TEST_CASE("storage contract: a feed does not read on in logs of hidden followees") {
  for_each_store([](Subject& s) {
    const auto u = s.users(4);
    CountedWorld world(s);
    std::vector<Change> changes;
    for (int i = 0; i < 50; ++i) changes.emplace_back(Publish{u[0], "shown"});
    for (int i = 0; i < 3000; ++i) changes.emplace_back(Publish{u[i % 3 == 0 ? 1u : 2u], "hidden"});
    std::vector<PostId> shown;
    for (const Outcome& outcome : s.storage().write(changes, s.now)) {
      if (outcome.author == u[0]) shown.insert(shown.begin(), outcome.post);
    }
    for (const std::size_t followee : {0u, 1u, 2u}) s.follow(u[3], u[followee]);
    s.apply(Relate{u[3], u[1], Relation::kMute});
    AuthorCard suspended = card(u[2].value);
    suspended.presence = Presence::kSuspended;
    s.apply(PutCard{suspended});
    s.drain();
    for (const auto direction : {Direction::kDown, Direction::kUp}) {
      feed::PageRequest request;
      request.viewer = u[3];
      request.as_if = feed::Policy::kPull;
      if (direction == Direction::kUp) request.after = shown[20];
      (void)world.storage.take_records();
      const auto page = feed::hydrated_page(*world.storage.snapshot(), request, world.clock);
      world.check_bound(request.limit);
      std::vector<PostId> found;
      for (const auto& item : page.items) found.push_back(item.post->id);
      CHECK(found == std::vector(shown.begin(), shown.begin() + 20));
      CHECK(page.has_more == (direction == Direction::kDown));
    }
  });
}

TEST_CASE("storage contract: private posts are not counted") {
  for_each_store([](Subject& s) {
    const auto u = s.users(1);
    std::vector<PostId> posts;
    for (const Privacy level : {Privacy::kPublic, Privacy::kFollowers, Privacy::kPrivate}) {
      posts.push_back(s.apply(Publish{u[0], "text", level}).post);
    }
    CHECK(s.counters(u[0]).posts == 2);
    s.drain();
    CHECK(s.counters(u[0]).posts == 2);
    s.apply(RemovePost{posts[2]});
    CHECK(s.counters(u[0]).posts == 2);
    s.apply(RemovePost{posts[1]});
    CHECK(s.counters(u[0]).posts == 1);
    s.drain();
    CHECK(s.counters(u[0]).posts == 1);
    CHECK(first_breach(s.storage()) == "");
  });
}

}  // namespace chirp::test
