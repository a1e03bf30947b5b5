// Goal: loaded and restored reposts, comments, reactions and relations are whole, counted and
// found, or left out for the reason given.
// Method: on every store; each batch again, each thing it hangs on gone.
#include <doctest/doctest.h>

#include "core/error.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "tests/support/storage_contract.h"

namespace chirp::test::storage_contract_linked_loads_test {
namespace {

using events::Topic;

LoadedPost loaded(std::uint64_t source, UserNumber author, Time time, PostId original = {}) {
  return {SourceId{source}, author, time, "text", original};
}
LoadedComment comment(std::uint64_t source, UserNumber author, Time time, PostId post,
                      CommentId parent = kNoComment) {
  return {SourceId{source}, author, time, "words " + std::to_string(source), post, parent};
}

std::optional<LoadedContent> content(const Subject& s, std::uint64_t source) {
  const SourceId id{source};
  return reads::contents_of(*s.storage().snapshot(), {&id, 1}).front();
}
LoadCounts load(Subject& s, const LoadedPost& post) {
  return rules::load_posts(s.storage(), {&post, 1}, s.now);
}
LoadCounts load(Subject& s, const LoadedComment& one) {
  return rules::load_comments(s.storage(), {&one, 1}, s.now);
}
LoadCounts load(Subject& s, const LoadedReaction& one) {
  return rules::load_reactions(s.storage(), {&one, 1}, s.now);
}

void check_counts(const LoadCounts& counts, std::uint64_t stored, std::uint64_t duplicates,
                  std::uint64_t missing) {
  CHECK(counts.stored == stored);
  CHECK(counts.duplicates == duplicates);
  CHECK(counts.missing == missing);
}

void check_whole(Subject& s) {
  s.drain();
  for (const std::string& breach : breaches(*s.see())) FAIL_CHECK(breach);
}

}  // namespace

TEST_CASE("storage contract: loaded reposts are posts of their own, once for each user") {
  for_each_store([](Subject& s) {
    const auto u = s.users(3);
    const PostId live = s.post(u[0]);
    s.drain();
    const Time past{s.now.ms - kHourMs};
    const StoreState before = s.state();
    const std::vector<LoadedPost> batch{loaded(1, u[1], past, live), loaded(2, u[2], past, live),
                                        loaded(3, u[1], past, live), loaded(4, u[0], past)};
    check_counts(rules::load_posts(s.storage(), batch, s.now), 3, 1, 0);
    CHECK(s.state().generation == before.generation + 1);
    CHECK(s.events(before.log_end).size() == 1);
    CHECK(s.events(before.log_end).front().rows == 3);
    CHECK(s.counted(content_of(live)).reposts == 2);
    CHECK(s.counters(u[1]).posts == 1);
    const auto reposts = reads::reposts(*s.see(), live, kNobody, 9);
    REQUIRE(reposts.size() == 2);
    CHECK(reposts[0].author == u[1]);
    const auto post = s.see()->post(reposts[0].id);
    REQUIRE(post);
    CHECK(post->text.empty());
    CHECK(post->original == live);
    CHECK(post->original_author == u[0]);
    CHECK(post->created_at == past);
    CHECK(post->source == SourceId{1});
    CHECK(content(s, 1) == LoadedContent{live});  // the original of the repost
    CHECK(content(s, 4)->post != live);
    CHECK_FALSE(content(s, 3));

    const StoreState after = s.state();
    check_counts(rules::load_posts(s.storage(), batch, s.now), 0, 4, 0);
    CHECK(s.state().log_end == after.log_end);
    CHECK(s.state().last_id == after.last_id);
    check_whole(s);
  });
}

TEST_CASE("storage contract: what can't be reposted is missing") {
  for_each_store([](Subject& s) {
    const auto u = s.users(3);
    const PostId gone = s.post(u[0]);
    const PostId left = s.post(u[2]);
    const PostId hidden = s.apply(Publish{u[0], "x", Privacy::kFollowers}).post;
    const PostId there = s.post(u[0]);
    s.apply(RemovePost{gone});
    s.apply(MarkRemoved{u[2]});
    load(s, loaded(1, u[1], s.now, there));
    const PostId repost = reads::reposts(*s.see(), there, kNobody, 1).front().id;
    const Sequence end = s.log_end();
    for (const PostId original : {gone, left, repost, PostId{99}}) {
      check_counts(load(s, loaded(9, u[1], s.now, original)), 0, 0, 1);
      check_counts(load(s, comment(9, u[1], s.now, original)), 0, 0, 1);
      check_counts(load(s, LoadedReaction{u[1], original}), 0, 0, 1);
    }
    CHECK(s.log_end() == end);
    // What not everybody sees is not reposted, but answered and liked.
    check_counts(load(s, loaded(9, u[1], s.now, hidden)), 0, 0, 1);
    check_counts(load(s, comment(9, u[1], s.now, hidden)), 1, 0, 0);
    check_counts(load(s, LoadedReaction{u[1], hidden}), 1, 0, 0);
    CHECK_FALSE(content(s, 8));
    check_whole(s);
  });
}

TEST_CASE("storage contract: no loaded comment replies to somebody who is leaving") {
  for_each_store([](Subject& s) {
    const auto u = s.users(3);
    const PostId post = s.post(u[0]);
    load(s, comment(1, u[1], s.now, post));
    const CommentId parent = content(s, 1)->comment;
    check_counts(load(s, comment(2, u[2], s.now, post, parent)), 1, 0, 0);
    s.apply(MarkRemoved{u[1]});
    CHECK(s.apply(AddComment{u[2], post, "words", parent}).result == Result::kNoParent);
    check_counts(load(s, comment(3, u[2], s.now, post, parent)), 0, 0, 1);
    check_whole(s);
  });
}

TEST_CASE("storage contract: loaded comments take ids of their time and source ids of posts") {
  for_each_store([](Subject& s) {
    const auto u = s.users(2);
    const PostId post = s.post(u[0]);
    const PostId other = s.post(u[0]);
    s.drain();
    const Time past{s.now.ms - kDayMs};
    load(s, loaded(1, u[1], past));  // takes the first id of that millisecond
    const StoreState before = s.state();
    const std::vector<LoadedComment> batch{
        comment(2, u[1], past, post), comment(3, u[0], past, post), comment(2, u[0], past, post),
        comment(1, u[0], past, post)};
    check_counts(rules::load_comments(s.storage(), batch, s.now), 2, 2, 0);
    CHECK(s.state().generation == before.generation);
    CHECK(s.events(before.log_end).size() == 1);
    const auto comments = reads::rows_above<tables::Comments>(*s.see(), {kNoComment}, 9);
    REQUIRE(comments.size() == 2);
    CHECK(comments[0].id.value == content(s, 1)->post.value + 1);
    CHECK(comments[1].id.value == comments[0].id.value + 1);
    CHECK(comments[0].source == SourceId{2});
    CHECK(comments[0].text == "words 2");
    CHECK(comments[0].created_at == past);
    CHECK(content(s, 2) == LoadedContent{post, comments[0].id});
    CHECK(s.counted(content_of(post)).comments == 2);

    check_counts(load(s, comment(4, u[0], past, post, comments[0].id)), 1, 0, 0);
    CHECK(s.counted(content_of(comments[0].id)).comments == 1);
    CHECK(s.counted(content_of(post)).comments == 3);
    check_counts(load(s, comment(5, u[0], past, other, comments[0].id)), 0, 0, 1);
    check_counts(load(s, comment(5, u[0], past, post, CommentId{77})), 0, 0, 1);
    check_counts(load(s, loaded(2, u[0], past)), 0, 1, 0);  // a post can't have it either
    load(s, loaded(6, u[0], past));
    CHECK(content(s, 6)->post.value == content(s, 4)->comment.value + 1);

    s.apply(RemoveComment{comments[0].id});  // it has a reply: emptied
    CHECK_FALSE(content(s, 2));
    check_counts(load(s, comment(7, u[0], past, post, comments[0].id)), 0, 0, 1);
    s.apply(RemoveComment{content(s, 4)->comment});
    CHECK_FALSE(content(s, 4));
    check_whole(s);
    check_counts(load(s, comment(2, u[1], past, post)), 1, 0, 0);
    check_whole(s);
  });
}

TEST_CASE("storage contract: a second reaction is a duplicate, whatever its type") {
  for_each_store([](Subject& s) {
    const auto u = s.users(3);
    const PostId post = s.post(u[0]);
    s.apply(React{u[1], post, ReactionType::kSad});
    s.drain();
    const StoreState before = s.state();
    s.now.ms += 5;
    const Time past{s.now.ms - kHourMs};
    const std::vector<LoadedReaction> batch{{u[1], post},
                                            {u[2], post, ReactionType::kLove},
                                            {u[2], post, ReactionType::kLike},
                                            {u[0], post, ReactionType::kLike, kNoComment, past}};
    check_counts(rules::load_reactions(s.storage(), batch, s.now), 2, 2, 0);
    CHECK(s.state().generation == before.generation);
    CHECK(s.events(before.log_end).size() == 1);
    CHECK(s.events(before.log_end).front().rows == 2);
    const auto reactions = reads::reactions(*s.see(), content_of(post), kNobody, std::nullopt, 9);
    REQUIRE(reactions.size() == 3);
    CHECK(reactions[0] == Reaction{u[0], ReactionType::kLike, past, Sequence{0}});
    CHECK(reactions[1].type == ReactionType::kSad);
    CHECK(reactions[2] == Reaction{u[2], ReactionType::kLove, s.now, Sequence{0}});
    CHECK(s.counted(content_of(post)).reactions == std::array<std::int64_t, 5>{1, 1, 0, 0, 1});
    check_whole(s);
    s.apply(Unreact{u[2], post});
    s.apply(React{u[0], post, ReactionType::kAngry});
    CHECK(s.counted(content_of(post)).reactions == std::array<std::int64_t, 5>{0, 0, 0, 1, 1});
    check_whole(s);
  });
}

TEST_CASE("storage contract: what an export holds of posts is put back and counted") {
  for_each_store([](Subject& s) {
    const auto u = s.users(3);
    const Time past{s.now.ms - kDayMs};
    const auto id = [&](std::uint64_t sequence) {
      return snowflake::make(snowflake::ticks_of(past), 900, sequence);
    };
    Post original{PostId{id(5)}, u[0], "one", past, Privacy::kPublic, std::nullopt};
    Post repost{PostId{id(4)}, u[1], "", past, Privacy::kPublic, SourceId{1u}};
    repost.original = original.id;
    repost.original_author = u[0];
    // The repost may come first, by its id.
    rules::restore_posts(s.storage(), std::vector{repost, original}, s.now);
    CHECK(s.see()->post(repost.id) == repost);
    CHECK(s.counted(content_of(original.id)).reposts == 1);
    CHECK(content(s, 1) == LoadedContent{original.id});

    const std::uint64_t generation = s.state().generation;
    Comment top;
    top.id = CommentId{id(6)};
    top.post = original.id;
    top.created_at = past;
    top.state = CommentState::kRemoved;
    Comment reply;
    reply.id = CommentId{id(3)};  // below its parent: times of a source are its own
    reply.post = original.id;
    reply.author = u[2];
    reply.text = "two";
    reply.parent = top.id;
    reply.created_at = Time{past.ms - 5};
    reply.source = SourceId{2};
    rules::restore_comments(s.storage(), std::vector{reply, top}, s.now);
    const auto comments = reads::rows_above<tables::Comments>(*s.see(), {kNoComment}, 9);
    CHECK(comments == std::vector{reply, top});
    CHECK(s.counted(content_of(original.id)).comments == 1);
    CHECK(s.counted(content_of(top.id)).comments == 1);
    CHECK(content(s, 2) == LoadedContent{original.id, reply.id});

    const std::vector<RestoredReaction> reactions{
        {content_of(original.id), u[1], ReactionType::kLaugh, past},
        {content_of(reply.id), u[0], ReactionType::kLike, Time{past.ms + 1}}};
    rules::restore_reactions(s.storage(), reactions, s.now);
    const Reaction like{u[0], ReactionType::kLike, Time{past.ms + 1}, Sequence{0}};
    CHECK(s.see()->find(tables::Reactions::Key{content_of(reply.id), u[0]}) == like);
    CHECK(s.counted(content_of(original.id)).reactions_in_all() == 1);
    CHECK(reads::recent_partners(*s.see(), u[0], 9) == std::vector{u[2]});
    CHECK(s.state().generation == generation);
    check_whole(s);

    // Nothing twice, nothing under nothing; and then nothing of the batch.
    const StoreState then = s.state();
    Comment fresh = reply;
    fresh.id = CommentId{id(9)};
    fresh.source.reset();
    Comment orphan = fresh;
    orphan.id = CommentId{id(10)};
    orphan.post = PostId{99};
    CHECK_THROWS_AS(rules::restore_comments(s.storage(), std::vector{fresh, reply}, s.now), Error);
    CHECK_THROWS_AS(rules::restore_comments(s.storage(), std::vector{fresh, orphan}, s.now), Error);
    const RestoredReaction fit{content_of(original.id), u[2], ReactionType::kLike, past};
    const RestoredReaction stray{ContentId{99}, u[2], ReactionType::kLike, past};
    for (const RestoredReaction& unfit : {reactions[0], stray}) {
      CHECK_THROWS_AS(rules::restore_reactions(s.storage(), std::vector{fit, unfit}, s.now), Error);
    }
    CHECK(s.state().log_end == then.log_end);
    CHECK(reads::rows_above<tables::Comments>(*s.see(), {kNoComment}, 9).size() == 2);
    CHECK(reads::reactions_above(*s.see(), {}, kNobody, 9).size() == 2);
    check_whole(s);
  });
}

TEST_CASE("storage contract: what an export holds of relations is put back") {
  for_each_store([](Subject& s) {
    const auto u = s.users(3);
    const Time past{s.now.ms - kDayMs};
    const std::uint64_t generation = s.state().generation;
    const std::vector<RestoredRelation> relations{{u[0], u[1], Relation::kBlock, past},
                                                  {u[1], u[2], Relation::kMute, past}};
    rules::restore_relations(s.storage(), relations, s.now);
    CHECK(reads::related(*s.see(), u[0], Relation::kBlock, kNobody, 9).edges ==
          std::vector<Edge>{{u[1], past}});
    CHECK(s.see()->bonds(u[1], std::vector{u[0], u[2]}) ==
          std::vector<ViewerRelation>{{false, true, false, false}, {false, false, true, false}});
    CHECK(s.state().relations == 2);
    CHECK(s.state().generation == generation);
    check_whole(s);
    const std::vector<RestoredEdge> edges{{u[0], u[2], past, Reposts::kOff}, {u[2], u[0], past}};
    rules::restore_edges(s.storage(), edges, s.now);
    CHECK(s.see()->bonds(u[0], std::vector{u[2]}).front().reposts_off);
    CHECK_FALSE(s.see()->bonds(u[2], std::vector{u[0]}).front().reposts_off);
    check_whole(s);

    const StoreState then = s.state();
    const RestoredRelation another{u[2], u[0], Relation::kMute, past};
    CHECK_THROWS_AS(
        rules::restore_relations(s.storage(), std::vector{another, relations[0]}, s.now), Error);
    CHECK(s.state().log_end == then.log_end);
    CHECK(s.state().relations == then.relations);
    check_whole(s);
  });
}

TEST_CASE("storage contract: restored comments lift the floor of live ids") {
  for_each_store([](Subject& s) {
    const UserNumber ann = s.users(1).front();
    const PostId post = s.post(ann);
    Comment ahead;
    ahead.id = CommentId{snowflake::make(snowflake::ticks_of(s.now) + 5'000, 900, 1)};
    ahead.post = post;
    ahead.author = ann;
    ahead.text = "later";
    ahead.created_at = s.now;
    rules::restore_comments(s.storage(), std::vector{ahead}, s.now);
    CHECK(s.post(ann).value > ahead.id.value);
    rules::restore_comments(s.storage(), {}, s.now);
    rules::restore_reactions(s.storage(), {}, s.now);
    rules::restore_relations(s.storage(), {}, s.now);
    CHECK(rules::load_comments(s.storage(), {}, s.now).stored == 0);
    CHECK(rules::load_reactions(s.storage(), {}, s.now).stored == 0);
    CHECK(reads::contents_of(*s.storage().snapshot(), std::span<const SourceId>{}).empty());
    check_whole(s);
  });
}

}  // namespace chirp::test::storage_contract_linked_loads_test
