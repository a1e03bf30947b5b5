// Goal: interactions that name no post fall on the posts the rule says, once, with their times.
// Method: small worlds counted by hand; random rows in batches of every size against a count that
// is written straight from the rule; every load run twice.
#include "core/load/event_loader.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include <doctest/doctest.h>

#include "core/load/graph_loader.h"
#include "core/load/post_loader.h"
#include "core/load/words.h"
#include "core/ports/reads.h"
#include "tests/support/load_world.h"
#include "tests/support/seeds.h"

namespace chirp::load {
namespace {

using test::LoadWorld;

constexpr Time kThen{1'341'100'972'000};
constexpr std::uint32_t kMany = 1'000'000;

SourceEvent event(EventKind kind, std::uint64_t actor, std::uint64_t other, int second = 0) {
  return {SourceId{actor}, SourceId{other}, kind, Time{kThen.ms + second * 1000}, 1};
}
SourceEvent counted(EventKind kind, std::uint64_t actor, std::uint64_t other, std::uint32_t n) {
  return {SourceId{actor}, SourceId{other}, kind, std::nullopt, n};
}

// Users with these source ids.
void make_users(LoadWorld& world, std::uint64_t users) {
  GraphLoader loader(world.storage, world.directory, world.clock, world.pause());
  std::vector<SourceEdge> edges;
  for (std::uint64_t user = 2; user <= users; ++user) {
    edges.push_back({SourceId{user}, SourceId{user - 1}});
  }
  loader.add(edges);
  loader.finish();
}

void make_post(LoadWorld& world, std::uint64_t author, std::uint64_t id) {
  PostLoader loader(world.storage, world.directory, world.clock, world.pause());
  SourcePost post;
  post.id = SourceId{id};
  post.author_id = SourceId{author};
  post.text = "own " + std::to_string(id);
  post.created_at = Time{kThen.ms - kHourMs + static_cast<std::int64_t>(id)};
  REQUIRE_FALSE(loader.add(std::move(post)));
  loader.finish();
}

Counts load(LoadWorld& world, const std::vector<SourceEvent>& events, EventOptions options = {}) {
  EventLoader loader(world.storage, world.clock, world.pause(), options);
  for (const SourceEvent& each : events) REQUIRE_FALSE(loader.add({&each, 1}));
  loader.finish();
  return loader.counts();
}

// One post of an author, counted. Reactions, reposts, comments.
struct Seen {
  std::string text;
  std::int64_t likes = 0;
  std::int64_t reposts = 0;
  std::int64_t replies = 0;

  bool operator==(const Seen&) const = default;
};

// Plain posts of a user, oldest first.
std::vector<Seen> posts_of(const LoadWorld& world, std::uint64_t source) {
  const auto snapshot = world.storage.snapshot();
  const UserNumber author = world.user(source)->number;
  std::vector<Seen> seen;
  for (const Post& post : world.posts()) {
    if (post.author != author || post.is_repost()) continue;
    const ContentId content = content_of(post.id);
    const auto counters = snapshot->content_counters({&content, 1}).front();
    seen.push_back({post.text, counters.reactions_in_all(), counters.reposts, counters.comments});
    CHECK(reads::reposts(*snapshot, post.id, kNobody, kMany).size() ==
          static_cast<std::size_t>(counters.reposts));
    CHECK(reads::reactions(*snapshot, content, kNobody, std::nullopt, kMany).size() ==
          static_cast<std::size_t>(counters.reactions_in_all()));
    CHECK(reads::thread(*snapshot, post.id, kNoComment, kNoComment, Direction::kUp, kMany).size() ==
          static_cast<std::size_t>(counters.comments));
  }
  return seen;
}

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("event loader: the i-th interaction falls on the i-th oldest post") {
  LoadWorld world;
  make_users(world, 3);
  make_post(world, 2, 20);
  make_post(world, 2, 10);
  const std::vector<SourceEvent> events{
      event(EventKind::kRepost, 1, 2, 0),  event(EventKind::kRepost, 1, 2, 1),
      event(EventKind::kRepost, 1, 2, 2),  event(EventKind::kReply, 3, 2, 3),
      event(EventKind::kMention, 2, 1, 4), event(EventKind::kRepost, 3, 2, 5),
      event(EventKind::kReply, 3, 2, 6)};
  const Counts counts = load(world, events);
  CHECK(posts_of(world, 2) == std::vector<Seen>{{"own 10", 0, 2, 1},
                                                {"own 20", 0, 1, 1},
                                                {"(post 1 of u2, not in the data)", 0, 1, 0},
                                                {"@u1", 0, 0, 0}});
  CHECK(counts.stored == 7);
  CHECK(counts.reposts == 4);
  CHECK(counts.comments == 2);
  CHECK(counts.placeholders == 1);

  // Times are kept, and a repost comes after its original.
  for (const Post& post : world.posts()) {
    if (!post.is_repost()) continue;
    CHECK(post.id > post.original);
    CHECK(post.original_author == world.user(2)->number);
    CHECK(snowflake::time_of(post.id.value) == post.created_at);
    CHECK(is_made_up(post.source->number));
  }
  const auto comments =
      reads::rows_above<tables::Comments>(*world.storage.snapshot(), {kNoComment}, 9);
  REQUIRE(comments.size() == 2);
  CHECK(comments[0].created_at == Time{kThen.ms + 3000});
  CHECK(comments[0].text == "(reply 1 to u2)");
}

TEST_CASE("event loader: a like has the time that its row says, and else that of the load") {
  LoadWorld world;
  make_users(world, 3);
  make_post(world, 2, 10);
  const std::vector<SourceEvent> events{event(EventKind::kLike, 1, 2, 7),
                                        counted(EventKind::kLike, 3, 2, 1)};
  CHECK(load(world, events).reactions == 2);
  const auto posts = world.posts();
  REQUIRE(posts.size() == 1);
  std::map<UserNumber, Time> times;
  for (const Reaction& like : reads::reactions(
           *world.storage.snapshot(), content_of(posts.front().id), kNobody, std::nullopt, kMany)) {
    times[like.user] = like.since;
  }
  CHECK(times == std::map<UserNumber, Time>{{world.user(1)->number, Time{kThen.ms + 7000}},
                                            {world.user(3)->number, LoadWorld::kNow}});
}

TEST_CASE("event loader: the same again changes nothing, more of it adds the rest") {
  LoadWorld world;
  make_users(world, 4);
  std::vector<SourceEvent> events{
      counted(EventKind::kLike, 1, 2, 3), counted(EventKind::kRepost, 1, 2, 2),
      counted(EventKind::kReply, 3, 2, 4), counted(EventKind::kMention, 3, 4, 2)};
  CHECK(load(world, events).stored == 11);
  const auto before = world.storage.snapshot()->state();
  const auto posts = world.posts();
  for (const std::size_t batch : {1u, 3u, 100u}) {
    const Counts again = load(world, events, {.batch = batch, .targets = 1});
    CHECK(again.stored == 0);
    CHECK(again.duplicates == 11);
    CHECK(again.placeholders == 0);
  }
  CHECK(world.storage.snapshot()->state().log_end == before.log_end);
  CHECK(world.posts() == posts);
  events[1].count = 5;
  CHECK(load(world, events).stored == 3);
  CHECK(posts_of(world, 2).size() == 5);
  CHECK(posts_of(world, 2)[4] == Seen{"(post 5 of u2, not in the data)", 0, 1, 0});
}

TEST_CASE("event loader: rows about oneself and about others than are loaded are counted") {
  LoadWorld world;
  make_users(world, 2);
  const Counts counts =
      load(world, {counted(EventKind::kLike, 1, 1, 5), event(EventKind::kRepost, 1, 77),
                   event(EventKind::kRepost, 77, 1), event(EventKind::kRepost, 78, 77)});
  CHECK(counts.stored == 0);
  CHECK(counts.self_loops == 5);
  CHECK(counts.unknown_users == 3);
  CHECK(world.posts().empty());
  CHECK(world.directory.count() == 2);
}

TEST_CASE("event loader: a time before 2000 or after now is refused, with the whole row") {
  LoadWorld world;
  make_users(world, 2);
  EventLoader loader(world.storage, world.clock, world.pause());
  for (const Time time : {Time{5}, Time{LoadWorld::kNow.ms + 1}}) {
    SourceEvent bad = event(EventKind::kRepost, 1, 2);
    const std::vector<SourceEvent> row{bad, [&] {
                                         bad.time = time;
                                         return bad;
                                       }()};
    CHECK(loader.add(row)->find("the time") == 0);
  }
  loader.finish();
  CHECK(world.posts().empty());
}

TEST_CASE("event loader: giving up keeps whole batches and nothing of the open one") {
  LoadWorld world;
  make_users(world, 2);
  EventLoader loader(world.storage, world.clock, world.pause(), {.batch = 2});
  for (int i = 0; i < 5; ++i) {
    const SourceEvent each = event(EventKind::kRepost, 1, 2, i);
    REQUIRE_FALSE(loader.add({&each, 1}));
  }
  loader.abandon();
  CHECK(loader.counts().stored == 4);
  CHECK(posts_of(world, 2).size() == 4);
}

TEST_CASE("event loader: any batches make of any rows what the rule says") {
  std::mt19937_64 random(test::first_seed());
  for (int round = 0; round < 20; ++round) {
    LoadWorld world;
    constexpr std::uint64_t kUsers = 5;
    make_users(world, kUsers);
    std::map<std::uint64_t, std::size_t> own;
    for (std::uint64_t user = 1; user <= kUsers; ++user) {
      own[user] = random() % 3;
      for (std::size_t i = 0; i < own[user]; ++i) make_post(world, user, user * 100 + i);
    }
    std::vector<SourceEvent> events;
    // By author and ordinal; then what a mention adds, by who mentions.
    std::map<std::uint64_t, std::map<std::uint32_t, Seen>> expected;
    std::map<std::uint64_t, std::size_t> mentions;
    std::map<std::tuple<std::uint64_t, std::uint64_t, EventKind>, std::uint32_t> seen;
    for (int i = 0; i < 120; ++i) {
      const auto kind = static_cast<EventKind>(random() % kEventKinds);
      const std::uint64_t actor = 1 + random() % kUsers;
      const std::uint64_t other = 1 + random() % kUsers;
      const auto count = static_cast<std::uint32_t>(1 + random() % 3);
      events.push_back(counted(kind, actor, other, count));
      if (random() % 2 == 0) events.back().time = Time{kThen.ms + i * 1000};
      if (actor == other) continue;
      for (std::uint32_t one = 0; one < count; ++one) {
        if (kind == EventKind::kMention) {
          ++mentions[actor];
          continue;
        }
        Seen& post = expected[other][++seen[{actor, other, kind}]];
        if (kind == EventKind::kLike) ++post.likes;
        if (kind == EventKind::kRepost) ++post.reposts;
        if (kind == EventKind::kReply) ++post.replies;
      }
    }
    const EventOptions options{.first_rows = 1 + random() % 50,
                               .most_rows = 50,
                               .batch = 1 + random() % 60,
                               .targets = 1 + random() % 40};
    CAPTURE(round);
    load(world, events, options);
    for (std::uint64_t user = 1; user <= kUsers; ++user) {
      CAPTURE(user);
      auto posts = posts_of(world, user);
      const std::size_t before = posts.size();
      std::erase_if(posts, [](const Seen& post) { return post.text.starts_with('@'); });
      CHECK(before - posts.size() == mentions[user]);
      std::size_t wanted = own[user];
      if (!expected[user].empty()) {
        wanted = std::max<std::size_t>(wanted, expected[user].rbegin()->first);
      }
      CHECK(posts.size() == wanted);
      // Loaded posts are all older than generated ones; their texts distinguish them.
      for (auto& [ordinal, post] : expected[user]) {
        const std::string text = ordinal <= own[user]
                                     ? "own " + std::to_string(user * 100 + ordinal - 1)
                                     : "(post " + std::to_string(ordinal - own[user]) + " of u" +
                                           std::to_string(user) + ", not in the data)";
        const auto found = std::ranges::find(posts, text, &Seen::text);
        REQUIRE(found != posts.end());
        CHECK(found->likes == post.likes);
        CHECK(found->reposts == post.reposts);
        CHECK(found->replies == post.replies);
      }
    }
    CHECK(load(world, events, {}).stored == 0);
  }
}

TEST_SUITE_END();

TEST_CASE("made up: ids have the high bit, and differ in whatever differs") {
  std::set<std::uint64_t> ids;
  for (const MadeUp what :
       {MadeUp::kPlaceholder, MadeUp::kRepost, MadeUp::kReply, MadeUp::kMention}) {
    for (std::uint64_t actor = 0; actor < 20; ++actor) {
      for (std::uint64_t other = 0; other < 20; ++other) {
        for (std::uint32_t ordinal = 0; ordinal < 20; ++ordinal) {
          const SourceId id = made_up_id(what, SourceId{actor}, SourceId{other}, ordinal);
          CHECK(is_made_up(id));
          ids.insert(id.value);
        }
      }
    }
  }
  CHECK(ids.size() == 4 * 20 * 20 * 20);
  CHECK_FALSE(is_made_up(SourceId{kSourceIdMax}));
}

}  // namespace chirp::load
