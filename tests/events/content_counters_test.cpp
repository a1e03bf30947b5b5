// Goal: posts and comments are counted exactly once, and many changes of one are one write.
// Method: the consumer over the in-memory store.
#include <doctest/doctest.h>

#include "core/events/consumers.h"
#include "core/model/deltas.h"
#include "core/ports/reads.h"
#include "tests/support/small_world.h"

namespace chirp::test {
namespace {

using events::CounterConsumer;
using events::Event;
using events::Progress;
using events::Topic;

ContentCounters counted(const SmallWorld& world, ContentId content) {
  return world.storage.snapshot()->content_counters({&content, 1}).front();
}

Event reaction(PostId post, ReactionType type, std::optional<ReactionType> before = {}) {
  Event event;
  event.topic = Topic::kReactionSet;
  event.post = post;
  event.reaction = type;
  event.reaction_before = before;
  return event;
}

}  // namespace

TEST_CASE("content counters: a thousand likes of one post in one batch are one write") {
  SmallWorld world(1000);
  const PostId post = world.post(1);
  std::vector<Change> changes;
  for (std::uint32_t user = 1; user <= 1000; ++user) {
    changes.emplace_back(React{UserNumber{user}, post, ReactionType::kLike});
  }
  world.storage.write(changes, world.clock.now());
  CHECK(counted(world, content_of(post)).reactions_in_all() == 1000);
  CHECK(reads::content_counters_above(*world.storage.snapshot(), {}, 9).empty());

  std::vector<ContentDelta> deltas;
  const auto snapshot = world.storage.snapshot();
  for (const Event& event : reads::events(*snapshot, snapshot->state().counters, 10'000)) {
    events::append_content_deltas(event, deltas);
  }
  CHECK(deltas.size() == 1000);
  events::combine(deltas);
  REQUIRE(deltas.size() == 1);
  CHECK(deltas.front().content == content_of(post));
  CHECK(deltas.front().change.reactions[index_of(ReactionType::kLike)] == 1000);

  CounterConsumer counters(world.storage, world.clock);
  CHECK(counters.step() == Progress::kMoved);
  CHECK(counters.step() == Progress::kIdle);
  CHECK(reads::content_counters_above(*world.storage.snapshot(), {}, 9) == deltas);
  CHECK(counted(world, content_of(post)).reactions_in_all() == 1000);
}

TEST_CASE("content counters: what comes out even is not written at all") {
  std::vector<ContentDelta> deltas;
  const PostId post{77};
  events::append_content_deltas(reaction(post, ReactionType::kLike), deltas);
  events::append_content_deltas(reaction(post, ReactionType::kLove, ReactionType::kLike), deltas);
  Event removed = reaction(post, ReactionType::kLove);
  removed.topic = Topic::kReactionRemoved;
  events::append_content_deltas(removed, deltas);
  CHECK(deltas.size() == 3);
  events::combine(deltas);
  CHECK(deltas.empty());
}

TEST_CASE("content counters: a reply counts for its post and its parent, a like for its comment") {
  std::vector<ContentDelta> deltas;
  Event event;
  event.topic = Topic::kCommentCreated;
  event.post = PostId{10};
  event.comment = CommentId{30};
  event.parent = CommentId{20};
  events::append_content_deltas(event, deltas);
  event = reaction(PostId{10}, ReactionType::kLike);
  event.comment = CommentId{20};
  events::append_content_deltas(event, deltas);
  event = {};
  event.topic = Topic::kRepostCreated;
  event.post = PostId{40};
  event.original = PostId{10};
  events::append_content_deltas(event, deltas);
  events::combine(deltas);
  REQUIRE(deltas.size() == 2);
  CHECK(deltas[0].content == ContentId{10});
  CHECK(deltas[0].change == ContentCounters{{}, 1, 1});
  CHECK(deltas[1].content == ContentId{20});
  CHECK(deltas[1].change == ContentCounters{{1}, 1, 0});
}

TEST_CASE("content counters: are right before, while and after they are counted") {
  SmallWorld world(5);
  const PostId post = world.post(1);
  std::vector<Change> changes;
  for (std::uint32_t user = 1; user <= 5; ++user) {
    changes.emplace_back(React{UserNumber{user}, post, ReactionType::kSad});
    changes.emplace_back(AddComment{UserNumber{user}, post, "text", kNoComment, {}});
  }
  world.storage.write(changes, world.clock.now());
  const ContentCounters wanted{{0, 0, 0, 0, 5}, 5, 0};
  CounterConsumer counters(world.storage, world.clock, 3);
  do {
    CHECK(counted(world, content_of(post)) == wanted);
  } while (counters.step() == Progress::kMoved);
  CHECK(counted(world, content_of(post)) == wanted);
}

}  // namespace chirp::test
