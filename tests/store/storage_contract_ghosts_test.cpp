// Goal: nothing is stored of or for who is not there, and what an older program has stored of
// removed users is found and goes.
// Method: rows of loads that name removed users and nobody, on every store.
#include <doctest/doctest.h>

#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

constexpr UserNumber kNoOne{77};

void remove(Subject& s, UserNumber user) {
  s.apply(MarkRemoved{user});
  while (!rules::remove_traces(s.storage(), user, 100, s.now)) {
  }
  while (!rules::remove_post_traces(s.storage(), 100, s.now)) {
  }
}

// Removed whole, removed but for the traces, and never there.
std::vector<UserNumber> absent(Subject& s, UserNumber removed, UserNumber leaving) {
  remove(s, removed);
  s.apply(MarkRemoved{leaving});
  return {removed, leaving, kNoOne};
}

}  // namespace

TEST_CASE("storage contract: edges of missing users are left out of a load, and counted") {
  for_each_store([](Subject& s) {
    const auto u = s.users(4);
    const auto gone = absent(s, u[2], u[3]);
    std::vector<LoadedEdge> edges{{u[0], u[1]}};
    for (const UserNumber user : gone) {
      edges.push_back({u[0], user});
      edges.push_back({user, u[0]});
      edges.push_back({user, u[0]});  // each row counts
    }
    LoadCounts all;
    for (std::span<const LoadedEdge> rest = edges; !rest.empty();) {
      const auto result = rules::load_edges(s.storage(), rest, s.now);
      all.stored += result.counts.stored;
      all.duplicates += result.counts.duplicates;
      all.missing += result.counts.missing;
      rest = rest.subspan(result.taken);
    }
    CHECK(all.stored == 1);
    CHECK(all.duplicates == 0);
    CHECK(all.missing == 9);
    CHECK(s.counters(u[0]) == UserCounters{0, 1, 0});
    for (const UserNumber user : gone) {
      CHECK(reads::following(*s.see(), user, kNobody, 9).edges.empty());
      CHECK(reads::followers(*s.see(), user, kNobody, 9).edges.empty());
    }
    CHECK(breaches(*s.see()).empty());
    CHECK(s.see()->problems().empty());
  });
}

TEST_CASE("storage contract: posts of missing users are left out of a load, and counted") {
  for_each_store([](Subject& s) {
    const auto u = s.users(4);
    const PostId original = s.post(u[0]);
    const auto gone = absent(s, u[2], u[3]);
    std::vector<LoadedPost> posts{{SourceId{1}, u[1], s.now, "there"}};
    std::uint64_t source = 1;
    for (const UserNumber user : gone) {
      posts.push_back({SourceId{++source}, user, s.now, "a ghost's"});
      posts.push_back({SourceId{++source}, user, s.now, {}, original});
    }
    posts.push_back({SourceId{2}, u[1], s.now, "the second of one source"});
    const Sequence before = s.log_end();
    const LoadCounts counts = rules::load_posts(s.storage(), posts, s.now);
    CHECK(counts.stored == 1);
    CHECK(counts.missing == 6);
    CHECK(counts.duplicates == 1);
    CHECK(s.events(before).front().rows == 1);
    CHECK(reads::rows_above<tables::Posts>(*s.see(), {kBelowAllPosts}, kAll).size() == 2);
    CHECK(reads::reposts(*s.see(), original, kNobody, 9).empty());
    CHECK(s.see()->problems().empty());
  });
}

TEST_CASE("storage contract: comments and reactions of missing users are left out of a load") {
  for_each_store([](Subject& s) {
    const auto u = s.users(4);
    const PostId post = s.post(u[0]);
    const auto gone = absent(s, u[2], u[3]);
    std::vector<LoadedComment> comments{{SourceId{1}, u[1], s.now, "there", post}};
    std::vector<LoadedReaction> reactions{{u[1], post}};
    for (const UserNumber user : gone) {
      comments.push_back({SourceId{user.value + 10}, user, s.now, "a ghost's", post});
      reactions.push_back({user, post});
    }
    const LoadCounts commented = rules::load_comments(s.storage(), comments, s.now);
    CHECK(commented.stored == 1);
    CHECK(commented.missing == 3);
    const LoadCounts liked = rules::load_reactions(s.storage(), reactions, s.now);
    CHECK(liked.stored == 1);
    CHECK(liked.missing == 3);
    const ContentId content = content_of(post);
    const auto counters = s.see()->content_counters({&content, 1}).front();
    CHECK(counters.comments == 1);
    CHECK(counters.reactions_in_all() == 1);
    CHECK(breaches(*s.see()).empty());
  });
}

TEST_CASE("storage contract: traces of a user are named, and none is left by a removal") {
  for_each_store([](Subject& s) {
    const auto u = s.users(3);
    const PostId other = s.post(u[1]);
    CHECK(s.see()->traces_of(u[0]) == std::vector<std::string_view>{"timeline"});
    CHECK(s.see()->traces_of(kNoOne).empty());
    s.apply(Publish{u[0], "text", Privacy::kPublic, {}, {}, "key"});
    s.apply(Publish{u[0], "text", Privacy::kFollowers});
    s.apply(Publish{u[0], "text", Privacy::kPrivate});
    s.follow(u[0], u[1]);
    s.follow(u[2], u[0]);
    s.apply(React{u[0], other});
    s.apply(AddComment{u[0], other, "a comment"});
    s.drain();
    s.apply(Relate{u[0], u[2], Relation::kMute});
    s.apply(Relate{u[2], u[0], Relation::kMute});
    rules::mark_notified(s.storage(), u[0], Sequence{1});
    CHECK(s.see()->traces_of(u[0]) ==
          std::vector<std::string_view>{
              "posts", "posts for followers", "private posts", "follows", "followers",
              "blocks and mutes", "blocks and mutes by others", "reactions", "comments",
              "idempotency keys", "notifications", "timeline", "reading marks"});
    remove(s, u[0]);
    CHECK(s.see()->traces_of(u[0]).empty());
  });
}

TEST_CASE("storage contract: a removal goes on only for users who are marked") {
  for_each_store([](Subject& s) {
    const auto u = s.users(2);
    remove(s, u[0]);
    const std::vector<UserNumber> asked{u[0], u[1], kNoOne};
    rules::repair_removals(s.storage(), asked, s.now);
    rules::repair_removals(s.storage(), asked, s.now);
    CHECK(reads::unfinished_removals(*s.see()) == std::vector{u[0]});
    CHECK(rules::remove_traces(s.storage(), u[0], 10, s.now));
    CHECK(reads::unfinished_removals(*s.see()).empty());
    CHECK(s.see()->problems().empty());
  });
}

TEST_CASE("storage contract: repairing makes no counters of missing users") {
  for_each_store([](Subject& s) {
    const auto u = s.users(1);
    remove(s, u[0]);
    for (const UserNumber user : {u[0], kNoOne}) {
      rules::repair_counters(s.storage(), user, UserCounters{3, 2, 1}, s.now);
      CHECK(s.counters(user) == UserCounters{});
    }
  });
}

}  // namespace chirp::test
