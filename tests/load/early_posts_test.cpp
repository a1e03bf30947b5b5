// Goal: a load that puts entries of posts before the posts stores what a load without them stores;
// on the way everybody is shown what is defined. Method: random posts, a few to a window and to a
// transaction, loaded into LMDB; after each transaction all feeds, lists and counts are held
// against the definition, and something else happens.
#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/events/consumers.h"
#include "core/feed/home_feed.h"
#include "core/hot/hot_set.h"
#include "core/ports/reads.h"
#include "core/rules/repairs.h"
#include "core/rules/writing.h"
#include "tests/support/loaded_posts.h"
#include "tests/support/reserved_storage.h"
#include "tests/support/seeds.h"
#include "tests/support/shown.h"

namespace chirp::test::early_posts_test {
namespace {

using Place = LoadedPlace;
using load::Bulk;
using load::PostLoader;
using load::PostOptions;
using load::SourcePost;

constexpr std::uint32_t kUsers = Place::kUsers;

PostOptions tiny(Place& place, Bulk early) {
  PostOptions options{.first_rows = 1 + place.below(3)};
  options.most_rows = options.first_rows + place.below(3);
  options.window_bytes = place.below(10) * 200;
  options.early_bytes = place.below(10) * 200;
  options.early = early;
  options.sorting = load::Bulk::kNever;  // windows in no order
  return options;
}

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("early posts: a load stores the same with entries before their posts and without") {
  const std::uint64_t first = first_seed();
  for (std::uint64_t seed = first; seed < first + worlds_or(60); ++seed) {
    CAPTURE(seed);
    Place plain(seed);
    Place early(seed);
    Place drawing(seed);
    // Some are there already, of the same milliseconds.
    const auto there = plain_posts(drawing, 10);
    const auto input = seed % 2 == 0 ? plain_posts(drawing, 40) : any_posts(drawing, 40);
    const PostOptions never = tiny(drawing, Bulk::kNever);
    const PostOptions always = tiny(drawing, Bulk::kAlways);
    bool was_early = false;
    for (Place* place : {&plain, &early}) (void)place->load(there, never);
    const load::Counts expected = plain.load(input, never);
    const load::Counts counts =
        early.load(input, always, [&] { was_early = was_early || early.has_mark(); });
    CHECK(was_early);
    CHECK(early.rows() == plain.rows());
    CHECK(counts.stored == expected.stored);
    CHECK(counts.duplicates == expected.duplicates);
    CHECK(counts.same_id_other_text == expected.same_id_other_text);
    CHECK(counts.reposts == expected.reposts);
    CHECK(counts.comments == expected.comments);
    CHECK_FALSE(early.has_mark());
    CHECK(early.wrong() == "");
    // Again: nothing is new, so nothing is written, entries included.
    const std::uint64_t version = early.storage().version();
    (void)early.load(there, always);
    CHECK(early.storage().version() == version);
  }
}

namespace {

using Act = std::function<void(Place&)>;

// What others may do between two transactions.
const std::vector<Act>& acts() {
  static const std::vector<Act> all{
      [](Place& p) {
        p.world.apply(Publish{p.anybody(), "live", static_cast<Privacy>(p.below(3))});
      },
      [](Place& p) {
        const auto posts = p.posts();
        if (!posts.empty()) p.world.apply(RemovePost{posts[p.below(posts.size())].id});
      },
      [](Place& p) { p.follow_some(); },
      [](Place& p) {
        p.world.apply(Unfollow{p.anybody(), p.anybody()});
      },
      [](Place& p) {
        const UserNumber user = p.anybody();
        const UserNumber other = p.anybody();
        if (user != other && p.below(2) == 0) p.world.apply(Relate{user, other});
        if (user != other) p.world.apply(Unrelate{user, other});
      },
      [](Place& p) {
        // One user at most, and not always to the end.
        if (p.below(3) == 0) p.world.apply(MarkRemoved{UserNumber{kUsers}});
        (void)rules::remove_traces(p.storage(), UserNumber{kUsers}, 2, kStart);
      },
      [](Place& p) {
        AuthorCard card = *p.storage().snapshot()->find(tables::Cards::Key{UserNumber{1}});
        card.presence = p.below(2) == 0 ? Presence::kSuspended : Presence::kPresent;
        p.world.apply(PutCard{card});
      },
      [](Place& p) {
        const std::uint64_t drawn = p.below(24);
        p.world.change_settings([&](feed::FeedSettings& settings) {
          settings.policy = static_cast<feed::Policy>(drawn % 4);
          settings.cap = 1 + static_cast<std::uint32_t>(drawn / 4);
        });
      },
      [](Place& p) { events::drain(p.storage(), p.clock); },
      [](Place& p) {
        const auto built = feed::build_timeline(*p.storage().snapshot(), p.anybody(), p.clock);
        if (built) (void)rules::store(p.storage(), *built, Replace::kAlways, kStart);
      },
      [](Place& p) { CHECK(p.storage().repair_indexes(kStart) == 0); },
      [](Place& p) {
        const UserNumber user = p.anybody();
        const UserCounters actual = p.world.counters(user);
        rules::repair_counters(p.storage(), user, actual, kStart);
      },
      [](Place& p) {
        // Another load, of the same source ids and times.
        const auto author = p.anybody();
        const Time time{kThen.ms + static_cast<std::int64_t>(p.below(20))};
        LoadedPost post{SourceId{1 + p.below(120)}, author, time, "other"};
        post.privacy = static_cast<Privacy>(p.below(3));
        (void)rules::load_posts(p.storage(), {&post, 1}, kStart);
      },
      [](Place& p) {
        // It does not get the lock, so it goes without entries.
        PostOptions options = tiny(p, Bulk::kAlways);
        (void)p.load({post_of(500 + p.below(9), 1), post_of(600, 2)}, options);
      },
      [](Place& p) { (void)rules::trim_log(p.storage(), kStart, 3); },
      [](Place& p) { p.storage().settle(); },
  };
  return all;
}

}  // namespace

TEST_CASE("early posts: whatever others do meanwhile, everybody sees what is defined") {
  const std::uint64_t first = first_seed();
  for (std::uint64_t seed = first; seed < first + worlds_or(25); ++seed) {
    CAPTURE(seed);
    Place place(seed);
    const auto input = any_posts(place, 40);
    std::vector<std::size_t> trail;
    std::string wrong;
    std::size_t with_mark = 0;
    hot::HotSet memory(place.storage(), place.clock, std::size_t{1} << 20);
    const auto look = [&] { return first_wrong_shown(place.storage(), place.clock, &memory); };
    const auto between = [&] {
      if (!wrong.empty()) return;
      if (place.has_mark()) ++with_mark;
      wrong = look();
      for (std::uint64_t i = place.below(3); i > 0 && wrong.empty(); --i) {
        trail.push_back(place.below(acts().size()));
        acts()[trail.back()](place);
        wrong = look();
      }
    };
    const load::Counts counts = place.load(input, tiny(place, Bulk::kAlways), between);
    CAPTURE(fmt::format("{}", fmt::join(trail, " ")));
    CHECK(wrong == "");
    CHECK(with_mark > 3);
    CHECK_FALSE(place.has_mark());
    CHECK(place.wrong() == "");
    CHECK(counts.stored > 0);
  }
}

TEST_CASE(
    "early posts: posts not public, in a millisecond with replies, or too many get no entry") {
  Place place(1);
  std::vector<SourcePost> input;
  for (std::uint64_t i = 1; i <= 6; ++i) {
    input.push_back(post_of(i, 1, Time{kThen.ms + static_cast<std::int64_t>(i)}));
    input.back().privacy = i % 2 == 0 ? Privacy::kFollowers : Privacy::kPrivate;
  }
  input.push_back(post_of(20, 1, Time{kThen.ms + 50}));
  input.push_back(post_of(21, 2, Time{kThen.ms + 50}));
  input.back().reply_to = SourceId{20};
  PostOptions options{.first_rows = 2, .most_rows = 2, .early_bytes = 0, .early = Bulk::kAlways};
  bool was_early = false;
  const auto load = [&] {
    (void)place.load(input, options, [&] { was_early = was_early || place.has_mark(); });
  };
  load();
  options = {.early = Bulk::kAlways};
  for (const std::uint64_t many : {257u, 256u}) {  // of one author
    input.clear();
    for (std::uint64_t i = 0; i < many; ++i) input.push_back(post_of(many * 1000 + i, 3));
    CHECK_FALSE(was_early);
    load();
  }
  CHECK(was_early);
  CHECK(place.wrong() == "");
}

namespace {

// Stops the load after one of its transactions. False if it came to its end before.
bool load_until(Place& place, const std::vector<SourcePost>& input, const PostOptions& options,
                int transactions, Ends ends) {
  ReservedStorage storage(place.storage());
  int left = transactions;
  const auto between = [&] {
    CHECK(place.wrong() == "");
    if (left-- != 0) return;
    if (ends != Ends::kDiskFull) throw Error(ErrorCode::kIo, "stopped");
    storage.set_reached(true);
  };
  return load_until_failure(place, storage, input, options, between, ends);
}

}  // namespace

TEST_CASE("early posts: a load that ends anywhere is right at once, and can be repeated") {
  for (const Ends ends : {Ends::kDies, Ends::kAbandons, Ends::kDiskFull}) {
    Place whole(3);
    const auto input = plain_posts(whole, 24);
    PostOptions options{.first_rows = 2, .most_rows = 3};
    options.early_bytes = 1'200;
    options.early = Bulk::kAlways;
    (void)whole.load(input, options);
    int with_mark = 0;
    for (int transaction = 0;; ++transaction) {
      CAPTURE(static_cast<int>(ends));
      CAPTURE(transaction);
      Place place(3);
      (void)plain_posts(place, 24);
      const bool stopped = load_until(place, input, options, transaction, ends);
      CHECK(place.wrong() == "");
      if (!stopped) break;
      with_mark += place.has_mark() ? 1 : 0;
      place.storage().settle();
      CHECK_FALSE(place.has_mark());
      CHECK(place.wrong() == "");
      (void)place.load(input, options);
      CHECK(place.rows() == whole.rows());
      CHECK(place.wrong() == "");
    }
    CHECK(with_mark > 5);
  }
}

TEST_SUITE_END();

}  // namespace chirp::test::early_posts_test
