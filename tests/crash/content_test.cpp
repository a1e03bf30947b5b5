// Goal: reactions, comments, their counters and the steps of a removal survive a kill at any call.
// Method: the program under the fault injector, as in crash_test.cpp.
#include <csignal>

#include <doctest/doctest.h>

#include "core/ports/reads.h"
#include "tests/support/data_directories.h"
#include "tests/support/storage_contract.h"
#include "tests/support/sweep.h"

namespace chirp::test {
namespace {

constexpr int kMissing = 3;

// The first post of the world that make_world() makes.
PostId first_post(const std::filesystem::path& folder) {
  const auto directory = store::DataDirectory::open(folder / "chirp");
  return reads::rows_above<tables::Posts>(*directory->storage().snapshot(), {kBelowAllPosts}, 1)
      .front()
      .id;
}

// The ids are the same in every world: the clock of make_world() is stopped.
struct Ids {
  PostId post;
  CommentId comment;
};

// On the first post: a comment with a reply, likes of both, reactions and a repost. Uncounted.
Ids talk(const std::filesystem::path& folder) {
  make_world(folder);
  const PostId post = first_post(folder);
  const auto directory = store::DataDirectory::open(folder / "chirp");
  Storage& storage = directory->storage();
  const Time now = test_clock().now();
  const Change comment = AddComment{UserNumber{2}, post, "first", kNoComment, {}};
  const CommentId id = storage.write({&comment, 1}, now).front().comment;
  std::vector<Change> changes{AddComment{UserNumber{3}, post, "second", id, {}},
                              Repost{UserNumber{4}, post}};
  for (std::uint32_t user = 1; user <= 6; ++user) {
    changes.emplace_back(React{UserNumber{user}, post, ReactionType::kLove});
    changes.emplace_back(LikeComment{UserNumber{user}, id});
  }
  storage.write(changes, now);
  return {post, id};
}

Ids ids_of_talk() {
  const TempFolder folder;
  return talk(folder.path());
}

void prepare(const std::filesystem::path& folder) { (void)talk(folder); }

}  // namespace

TEST_CASE("crash: reactions and comments are killed at every call") {
  if (skipped()) return;
  const Ids ids = ids_of_talk();
  const std::string post = std::to_string(ids.post.value);
  const std::string comment = std::to_string(ids.comment.value);
  for (const auto& arguments : {std::vector<std::string>{"post", "react", "a0", post},
                                std::vector<std::string>{"post", "unreact", "a1", post},
                                std::vector<std::string>{"comment", "unlike", "a2", comment}}) {
    const Stage stage({arguments, prepare});
    REQUIRE(stage.before() != stage.after());
    sweep(stage, "kill", [&](const Hit& hit) { check_killed_and_again(stage, hit); });
  }
}

TEST_CASE("crash: a comment is there whole or not at all") {
  if (skipped()) return;
  const Ids ids = ids_of_talk();
  const Stage stage({{"comment", "add", "a5", std::to_string(ids.post.value), "third", "--parent",
                      std::to_string(ids.comment.value)},
                     prepare});
  REQUIRE(stage.before() != stage.after());
  for (const char* mode : {"kill", "enospc"}) {
    sweep(stage, mode, [&](const Hit& hit) { check_killed_or_failed(stage, hit); });
  }
}

TEST_CASE("crash: removals of posts and comments go on after a kill at any call") {
  if (skipped()) return;
  const Ids ids = ids_of_talk();
  for (const auto& arguments :
       {std::vector<std::string>{"post", "remove", std::to_string(ids.post.value)},
        std::vector<std::string>{"comment", "remove", std::to_string(ids.comment.value)},
        std::vector<std::string>{"user", "remove", "a1"}}) {
    const Stage stage({arguments, prepare});
    REQUIRE(stage.before() != stage.after());
    sweep(stage, "kill", [&](const Hit& hit) {
      CHECK(hit.ended.signal == SIGKILL);
      check_sound(hit);
      const Ended ended = run(stage.command(hit.world));
      CHECK_MESSAGE((ended.ok() || ended.status == kMissing), to_string(ended));
      // Whoever writes next lets the consumers run, which take up what is left.
      const Ended next = run(chirp_command(hit.data().string(), {"follow", "add", "a3", "a4"}));
      CHECK_MESSAGE(next.ok(), to_string(next));
      CHECK(contents(hit.data()) == stage.after());
      check_sound(hit);
    });
  }
}

TEST_CASE("crash: the counters of posts are killed at every call") {
  if (skipped()) return;
  // Following again changes nothing, so that only the consumers have something to do.
  const Stage stage({{"follow", "add", "a0", "a1"}, prepare});
  CHECK(stage.before() == stage.after());
  sweep(stage, "kill", [&](const Hit& hit) {
    check_killed(stage, hit);
    check_sound(hit);
    check_again(stage, hit);
    const auto directory = store::DataDirectory::open(hit.data());
    const StoreState state = directory->storage().snapshot()->state();
    CHECK(state.counters == state.log_end);
    CHECK(contents(*directory) == stage.after());
  });
}

}  // namespace chirp::test
