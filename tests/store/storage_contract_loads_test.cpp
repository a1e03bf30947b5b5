// Goal: loads and restores keep their promises on every store: ids, duplicates, generations,
// counters. Method: batches of a few rows whose every id and number is known.
#include <doctest/doctest.h>

#include "core/error.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

using events::Event;
using events::Topic;

AuthorCard sourced(std::uint32_t number, std::uint64_t source) {
  AuthorCard result = card(number);
  result.source = SourceId{source};
  return result;
}

std::uint64_t loaded_id(Time time, std::uint64_t sequence) {
  return snowflake::make(snowflake::ticks_of(time), snowflake::kLoadMachine, sequence);
}

// All of them, in as many transactions as the store wants.
LoadCounts load_all(Subject& s, std::span<const LoadedEdge> edges) {
  LoadCounts counts;
  while (!edges.empty()) {
    const EdgeResult result = rules::load_edges(s.storage(), edges, s.now);
    REQUIRE(result.taken >= 1);
    REQUIRE(result.taken <= edges.size());
    CHECK(result.counts.stored + result.counts.duplicates == result.taken);
    counts.stored += result.counts.stored;
    counts.duplicates += result.counts.duplicates;
    edges = edges.subspan(result.taken);
  }
  return counts;
}

LoadedPost loaded(std::uint64_t source, UserNumber author, Time time) {
  return {SourceId{source}, author, time, "text " + std::to_string(source)};
}

// The id that the post of a source got.
PostId id_of(Subject& s, std::uint64_t source) {
  for (const Post& post : reads::rows_above<tables::Posts>(*s.see(), {kBelowAllPosts}, kAll)) {
    if (post.source == SourceId{source}) return post.id;
  }
  return {};
}

}  // namespace

TEST_CASE("storage contract: loaded cards are found by source") {
  for_each_store([](Subject& s) {
    const std::uint64_t generation = s.state().generation;
    const std::vector<AuthorCard> cards{sourced(1, 100), card(2), sourced(3, 1)};
    rules::load_cards(s.storage(), cards, s.now);
    CHECK(s.state().generation == generation + 1);
    CHECK(s.events() ==
          std::vector{Event{Sequence{1}, Topic::kLoadBatch, s.now, kNobody, kNobody, {}, 3}});
    CHECK(reads::rows_above<tables::Cards>(*s.see(), {kNobody}, 9) == cards);
    CHECK(s.see()->scan_timelines(kNobody, 9).empty());
    const std::vector<SourceId> asked{SourceId{1}, SourceId{2}, SourceId{100}};
    const auto numbers = reads::numbers_of(*s.storage().snapshot(), asked);
    CHECK(numbers ==
          std::vector<std::optional<UserNumber>>{UserNumber{3}, std::nullopt, UserNumber{1}});

    AuthorCard renamed = sourced(1, 100);
    renamed.username = "real_name";
    s.apply(PutCard{renamed});
    const Sequence edited = s.log_end();
    rules::load_cards(s.storage(), cards,
                      s.now);  // all three have one, and one of them is of a later time
    CHECK(s.see()->find(tables::Cards::Key{renamed.number}) == renamed);
    CHECK(s.log_end() == edited);
    CHECK(s.state().generation == generation + 1);
    s.apply(PutCard{sourced(4, 400)});
    CHECK(reads::numbers_of(*s.storage().snapshot(), std::vector{SourceId{400}}).front() ==
          UserNumber{4});
    const std::vector<AuthorCard> more{sourced(4, 400), card(6)};
    rules::load_cards(s.storage(), more, s.now);  // one of the two is new
    CHECK(s.events().back().rows == 1);
    s.apply(MarkRemoved{UserNumber{1}});
    const Sequence marked = s.log_end();
    rules::load_cards(s.storage(), {cards.data(), 1}, s.now);  // nobody comes back by a load
    CHECK(s.see()->find(tables::Cards::Key{renamed.number})->presence == Presence::kRemoved);
    CHECK(s.log_end() == marked);
    CHECK_FALSE(reads::numbers_of(*s.storage().snapshot(), std::vector{SourceId{100}}).front());
    s.apply(PutCard{sourced(5, 100)});  // the same source, somebody new
    while (!rules::remove_traces(s.storage(), UserNumber{1}, 10, s.now)) {
    }
    CHECK(reads::numbers_of(*s.storage().snapshot(), std::vector{SourceId{100}}).front() ==
          UserNumber{5});
    CHECK(s.see()->problems().empty());
  });
}

TEST_CASE("storage contract: an empty batch changes nothing") {
  for_each_store([](Subject& s) {
    const auto u = s.users(2);
    const std::vector<LoadedEdge> edges{{u[0], u[1]}};
    const std::vector<LoadedPost> posts{loaded(1, u[0], s.now)};
    load_all(s, edges);
    rules::load_posts(s.storage(), posts, s.now);
    const StoreState before = s.state();
    CHECK(load_all(s, edges).duplicates == 1);
    CHECK(rules::load_posts(s.storage(), posts, s.now).duplicates == 1);
    rules::load_cards(s.storage(), {}, s.now);
    CHECK(rules::load_posts(s.storage(), {}, s.now).stored == 0);
    rules::load_edges(s.storage(), {}, s.now);
    rules::restore_posts(s.storage(), {}, s.now);
    rules::restore_edges(s.storage(), {}, s.now);
    CHECK(s.state().generation == before.generation);
    CHECK(s.state().log_end == before.log_end);
    CHECK(s.state().last_id == before.last_id);
  });
}

TEST_CASE("storage contract: loaded edges are counted at once, duplicates apart") {
  for_each_store([](Subject& s) {
    s.change_settings([](auto& settings) { settings.influencer_from = 3; });
    const auto u = s.users(5);
    const Time first = s.now;
    s.follow(u[0], u[4]);
    s.drain();
    s.now.ms += kHourMs;
    const std::uint64_t generation = s.state().generation;
    const Sequence before = s.log_end();
    const std::vector<LoadedEdge> edges{
        {u[2], u[4]}, {u[0], u[4]}, {u[1], u[4]}, {u[1], u[0]}, {u[2], u[4]}};
    const LoadCounts counts = load_all(s, edges);
    CHECK(counts.stored == 3);
    CHECK(counts.duplicates == 2);
    CHECK(s.state().generation == generation + 1);
    const auto events = s.events(before);
    REQUIRE(events.size() == 2);
    CHECK(events[0] == Event{before, Topic::kLoadBatch, s.now, kNobody, kNobody, {}, 3});
    CHECK(events[1].topic == Topic::kTierChanged);
    CHECK(events[1].actor == u[4]);
    const auto snapshot = s.see();
    CHECK(reads::followers(*snapshot, u[4], kNobody, 9).edges ==
          std::vector<Edge>{{u[0], first}, {u[1], s.now}, {u[2], s.now}});
    CHECK(reads::following(*snapshot, u[1], kNobody, 9).edges ==
          std::vector<Edge>{{u[0], s.now}, {u[4], s.now}});
    CHECK(s.counters(u[4]) == UserCounters{3, 0, 0});
    CHECK(s.counters(u[1]) == UserCounters{0, 2, 0});
    CHECK_FALSE(snapshot->feed_sources(u[0]).has_timeline);
    CHECK(breaches(*snapshot).empty());
  });
}

TEST_CASE("storage contract: many edges are loaded in any order") {
  for_each_store([](Subject& s) {
    constexpr std::uint32_t kUsers = 300;
    const auto u = s.users(kUsers);
    std::vector<LoadedEdge> edges;
    for (std::uint32_t i = 0; i < kUsers; ++i) {
      for (std::uint32_t j = 1; j <= 20; ++j) {
        edges.push_back({u[(i * 7) % kUsers], u[(i * 7 + j * j) % kUsers]});
      }
    }
    edges.insert(edges.end(), edges.begin(), edges.begin() + 500);
    std::erase_if(edges, [](const LoadedEdge& edge) { return edge.follower == edge.followee; });
    const LoadCounts counts = load_all(s, edges);
    CHECK(counts.duplicates >= 500);
    std::uint64_t following = 0;
    for (const UserNumber user : u) {
      following += reads::following(*s.see(), user, kNobody, kAll).edges.size();
    }
    CHECK(following == counts.stored);
    CHECK(s.see()->table_rows()["follows"] == counts.stored);
    CHECK(load_all(s, edges).stored == 0);
    CHECK(breaches(*s.see()).empty());
  });
}

TEST_CASE("storage contract: loaded posts stand at their time, equal times in order") {
  for_each_store([](Subject& s) {
    const auto u = s.users(2);
    const PostId live = s.post(u[0]);
    s.drain();
    const Time past{s.now.ms - kDayMs};
    const Time older{past.ms - 1};
    const StoreState before = s.state();
    const std::vector<LoadedPost> batch{loaded(11, u[0], past), loaded(10, u[1], past),
                                        loaded(12, u[0], older), loaded(11, u[0], older)};
    const LoadCounts counts = rules::load_posts(s.storage(), batch, s.now);
    CHECK(counts.stored == 3);
    CHECK(counts.duplicates == 1);
    CHECK(id_of(s, 11).value == loaded_id(past, 0));
    CHECK(id_of(s, 10).value == loaded_id(past, 1));
    CHECK(id_of(s, 12).value == loaded_id(older, 0));
    const Post wanted{id_of(s, 12), u[0], "text 12", older, Privacy::kPublic, SourceId{12}};
    CHECK(s.see()->post(wanted.id) == wanted);

    const StoreState after = s.state();
    CHECK(after.generation == before.generation + 1);
    CHECK(s.events(before.log_end) == std::vector{Event{before.log_end, Topic::kLoadBatch, s.now,
                                                        kNobody, kNobody, id_of(s, 10), 3}});
    CHECK(after.last_id > live);  // one live id, of now
    CHECK(snowflake::time_of(after.last_id.value) == s.now);
    CHECK(s.counters(u[0]) == UserCounters{0, 0, 3});

    // The next batch goes on behind, and duplicates of it stay out.
    const std::vector<LoadedPost> more{loaded(13, u[1], past), loaded(10, u[1], past)};
    CHECK(rules::load_posts(s.storage(), more, s.now).stored == 1);
    CHECK(id_of(s, 13).value == loaded_id(past, 2));
    CHECK(s.see()->author_entries(u, {}, Direction::kUp, 9).size() == 5);
    CHECK(reads::rows_above<tables::Posts>(*s.see(), {kBelowAllPosts}, 1).front().id == wanted.id);
    CHECK(breaches(*s.see()).empty());
  });
}

TEST_CASE("storage contract: a load's ids are never above live ids, nor raise them") {
  for_each_store([](Subject& s) {
    const UserNumber ann = s.users(1).front();
    const PostId early = s.post(ann);
    const Time ahead = s.now;
    s.now.ms -= kHourMs;  // the clock has stepped back
    rules::load_posts(s.storage(), std::vector{loaded(1, ann, s.now)}, s.now);
    CHECK(id_of(s, 1).value == loaded_id(s.now, 0));
    CHECK(snowflake::time_of(s.state().last_id.value) == ahead);
    const PostId next = s.post(ann);
    CHECK(next > early);
    CHECK(snowflake::time_of(next.value) == ahead);
    s.now = Time{ahead.ms + 5};
    rules::load_posts(s.storage(), std::vector{loaded(2, ann, s.now)}, s.now);
    CHECK(id_of(s, 2).value == loaded_id(s.now, 0));
    CHECK(s.state().last_id > id_of(s, 2));  // of the same millisecond, and above
    CHECK(s.post(ann) > id_of(s, 2));
  });
}

TEST_CASE("storage contract: a full millisecond of loaded posts spills into the next") {
  for_each_store([](Subject& s) {
    const UserNumber ann = s.users(1).front();
    const Time past{s.now.ms - kDayMs};
    const Time next{past.ms + 1};
    const auto full = snowflake::kSequences;
    std::vector<LoadedPost> batch;
    for (std::uint64_t i = 0; i < full + 3; ++i) batch.push_back(loaded(i + 1, ann, past));
    batch.push_back(loaded(90'000, ann, next));
    CHECK(rules::load_posts(s.storage(), batch, s.now).stored == full + 4);
    CHECK(id_of(s, full).value == loaded_id(past, full - 1));
    CHECK(id_of(s, full + 1).value == loaded_id(next, 0));
    CHECK(id_of(s, full + 3).value == loaded_id(next, 2));
    CHECK(id_of(s, 90'000).value == loaded_id(next, 3));
    CHECK(snowflake::time_of(s.state().last_id.value) == s.now);
    rules::load_posts(s.storage(),
                      std::vector{loaded(90'001, ann, past), loaded(90'002, ann, next)}, s.now);
    CHECK(id_of(s, 90'001).value == loaded_id(next, 4));
    CHECK(id_of(s, 90'002).value == loaded_id(next, 5));
  });
}

TEST_CASE("storage contract: a loaded post takes the id it names, unless that is taken") {
  for_each_store([](Subject& s) {
    const UserNumber ann = s.users(1).front();
    const Time past{s.now.ms - kDayMs};
    const auto named = [&](std::uint64_t source, std::uint64_t sequence) {
      LoadedPost post = loaded(source, ann, past);
      post.id = PostId{loaded_id(past, sequence)};
      return post;
    };
    rules::load_posts(s.storage(), std::vector{named(1, 3), named(2, 1)}, s.now);
    CHECK(id_of(s, 1).value == loaded_id(past, 3));
    CHECK(id_of(s, 2).value == loaded_id(past, 1));
    // The next id is above all of them; those below stay free for loads that name them.
    rules::load_posts(s.storage(), std::vector{loaded(3, ann, past), named(4, 2)}, s.now);
    CHECK(id_of(s, 3).value == loaded_id(past, 4));
    CHECK(id_of(s, 4).value == loaded_id(past, 2));
    rules::load_posts(s.storage(), std::vector{named(5, 0), named(6, 4), named(7, 4)}, s.now);
    CHECK(id_of(s, 5).value == loaded_id(past, 0));
    CHECK(id_of(s, 6).value == loaded_id(past, 5));
    CHECK(id_of(s, 7).value == loaded_id(past, 6));
    // Comments share the ids.
    LoadedComment comment{SourceId{8}, ann, past, "text", id_of(s, 1)};
    comment.id = CommentId{loaded_id(past, 3)};
    rules::load_comments(s.storage(), {&comment, 1}, s.now);
    comment.source = SourceId{9};
    comment.id = CommentId{loaded_id(past, 50)};
    rules::load_comments(s.storage(), {&comment, 1}, s.now);
    const auto comments = reads::rows_above<tables::Comments>(*s.see(), {kNoComment}, 9);
    REQUIRE(comments.size() == 2);
    CHECK(comments[0].id.value == loaded_id(past, 7));
    CHECK(comments[1].id.value == loaded_id(past, 50));
  });
}

TEST_CASE("storage contract: spilling past now takes the live ids along") {
  for_each_store([](Subject& s) {
    const UserNumber ann = s.users(1).front();
    std::vector<LoadedPost> batch;
    for (std::uint64_t i = 0; i < snowflake::kSequences + 2; ++i) {
      batch.push_back(loaded(i + 1, ann, s.now));
    }
    rules::load_posts(s.storage(), batch, s.now);
    const PostId highest =
        reads::rows_above<tables::Posts>(*s.see(), {kBelowAllPosts}, kAll).back().id;
    CHECK(snowflake::time_of(highest.value) == Time{s.now.ms + 1});
    CHECK(s.state().last_id > highest);
    CHECK(s.post(ann) > highest);
  });
}

TEST_CASE("storage contract: restored posts keep ids and times, and lift the floor") {
  for_each_store([](Subject& s) {
    const auto u = s.users(2);
    const StoreState before = s.state();
    const Time past{s.now.ms - kDayMs};
    const Time ahead{s.now.ms + kDayMs};
    const std::vector<Post> posts{
        {PostId{snowflake::make(snowflake::ticks_of(past), 900, 5)}, u[0], "one", past,
         Privacy::kPublic, std::nullopt},
        {PostId{loaded_id(past, 4)}, u[1], "two", Time{5}, Privacy::kFollowers, SourceId{77}},
        {PostId{snowflake::make(snowflake::ticks_of(ahead), 900, 1)}, u[0], "three", ahead,
         Privacy::kPrivate, std::nullopt}};
    rules::restore_posts(s.storage(), posts, s.now);
    for (const Post& post : posts) CHECK(s.see()->post(post.id) == post);
    CHECK(s.state().generation == before.generation + 1);
    CHECK(s.events(before.log_end) == std::vector{Event{before.log_end, Topic::kLoadBatch, s.now,
                                                        kNobody, kNobody, posts.back().id, 3}});
    CHECK(s.counters(u[0]).posts == 1);  // besides a private one
    const PostId next = s.post(u[1]);
    CHECK(next > posts[2].id);
    CHECK(snowflake::machine(next.value) == kTestMachine);
    CHECK(rules::load_posts(s.storage(), std::vector{loaded(77, u[1], past)}, s.now).duplicates ==
          1);
    rules::load_posts(s.storage(), std::vector{loaded(78, u[1], past)}, s.now);
    CHECK(id_of(s, 78).value == loaded_id(past, 5));

    const StoreState then = s.state();
    const std::vector<Post> again{{PostId{99}, u[0], "new", past, Privacy::kPublic, std::nullopt},
                                  posts[1]};
    CHECK_THROWS_AS(rules::restore_posts(s.storage(), again, s.now), Error);
    CHECK_FALSE(s.see()->post(PostId{99}));
    CHECK(s.state().log_end == then.log_end);
    CHECK(s.state().generation == then.generation);
    s.drain();
    CHECK(breaches(*s.see()).empty());
  });
}

TEST_CASE("storage contract: restored edges keep their times") {
  for_each_store([](Subject& s) {
    s.change_settings([](auto& settings) { settings.influencer_from = 2; });
    const auto u = s.users(4);
    const StoreState before = s.state();
    const std::vector<RestoredEdge> edges{{u[0], u[3], Time{kStart.ms - 5}},
                                          {u[1], u[3], Time{kStart.ms - 4}},
                                          {u[0], u[1], Time{kStart.ms - 3}}};
    rules::restore_edges(s.storage(), edges, s.now);
    for (const RestoredEdge& edge : edges) {
      CHECK(reads::follows(*s.see(), edge.follower, edge.followee) == edge.since);
    }
    CHECK(s.state().generation == before.generation + 1);
    CHECK(s.counters(u[3]).followers == 2);
    CHECK(s.counters(u[0]).following == 2);
    CHECK(s.mark(u[3]).tier == feed::Tier::kInfluencer);
    const Sequence then = s.log_end();
    CHECK(then.value == before.log_end.value + 2);
    const std::vector<RestoredEdge> again{{u[2], u[3], s.now}, edges[0]};
    CHECK_THROWS_AS(rules::restore_edges(s.storage(), again, s.now), Error);
    CHECK_FALSE(reads::follows(*s.see(), u[2], u[3]));
    CHECK(s.log_end() == then);
    CHECK(breaches(*s.see()).empty());
  });
}

TEST_CASE("storage contract: posts of a load reach timelines by rebuilding") {
  for_each_store([](Subject& s) {
    const auto u = s.users(2);
    s.follow(u[0], u[1]);
    const PostId live = s.post(u[1]);
    s.drain();
    rules::load_posts(s.storage(), std::vector{loaded(1, u[1], Time{s.now.ms - kDayMs})}, s.now);
    CHECK(s.timeline_ids(u[0]) == std::vector{live.value});
    CHECK_FALSE(s.see()->feed_sources(u[0]).has_timeline);
    CHECK(s.see()->feed_sources(u[0]).pending.empty());
    REQUIRE(rules::store(s.storage(), built_timeline(*s.see(), u[0]), Replace::kKeepValid, s.now));
    CHECK(s.timeline_ids(u[0]) == std::vector{live.value, id_of(s, 1).value});
    CHECK(breaches(*s.see()).empty());
  });
}

}  // namespace chirp::test
