// Goal: if the store is lost right after a change, the answer says that the change is made.
// Method: the use cases over a store in memory that can't be read once it has been written to.
#include "core/social/read_back.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "core/ports/forwarding_storage.h"
#include "tests/support/social_world.h"
#include "tests/support/thrown.h"

namespace chirp::test {
namespace {

class LostBehindWrite final : public ForwardingStorage {
 public:
  using ForwardingStorage::ForwardingStorage;

  [[nodiscard]] std::unique_ptr<Snapshot> snapshot() const override {
    if (lost_) throw Error(ErrorCode::kUnavailable, "The connection is lost.");
    return ForwardingStorage::snapshot();
  }
  std::vector<Outcome> write(std::span<const Change> changes, Time now) override {
    auto outcomes = ForwardingStorage::write(changes, now);
    lost_ = true;
    return outcomes;
  }

 private:
  bool lost_ = false;
};

}  // namespace

TEST_CASE("read back: the answer says that a change is made though the store is lost after it") {
  using Deed = std::function<void(Storage&, SocialWorld&, const User&, PostId, CommentId)>;
  const std::vector<std::pair<std::string, Deed>> deeds{
      {"publish",
       [](Storage& storage, SocialWorld& world, const User& ann, PostId, CommentId) {
         social::Posts(storage, world.accounts, world.clock).publish(ann, {.text = "Frost"});
       }},
      {"repost",
       [](Storage& storage, SocialWorld& world, const User& ann, PostId post, CommentId) {
         social::Posts(storage, world.accounts, world.clock).repost(ann, post);
       }},
      {"react",
       [](Storage& storage, SocialWorld& world, const User& ann, PostId post, CommentId) {
         social::Reactions(storage, world.accounts, world.clock)
             .react(ann, post, ReactionType::kLike);
       }},
      {"like",
       [](Storage& storage, SocialWorld& world, const User& ann, PostId, CommentId comment) {
         social::Comments(storage, world.accounts, world.clock).like(ann, comment);
       }}};
  for (const auto& [name, deed] : deeds) {
    CAPTURE(name);
    SocialWorld world;
    const User ann = world.add("ann");
    const User ben = world.add("ben");
    const PostId post = world.posts.publish(ben, {.text = "Tern"}).view.post.id;
    const CommentId comment =
        world.comments.publish(ben, {.post = post, .text = "Gull"}).view.comment.id;
    const Sequence before = world.storage.snapshot()->state().log_end;
    LostBehindWrite storage(world.storage);
    const Error error = error_of([&] { deed(storage, world, ann, post, comment); });
    CHECK(error.code() == ErrorCode::kUnavailable);
    CHECK(error.field() == "outcome");
    CHECK(std::string(error.what()) ==
          "The connection is lost. The change was made; only its result can't be shown.");
    CHECK(world.storage.snapshot()->state().log_end > before);
  }
}

TEST_CASE("read back: other errors are reported as they are") {
  const Error error = error_of(
      [] { social::read_back([]() -> int { throw Error(ErrorCode::kConflict, "No."); }); });
  CHECK(error.code() == ErrorCode::kConflict);
  CHECK(std::string(error.what()) == "No.");
  CHECK(social::read_back([] { return 7; }) == 7);
}

}  // namespace chirp::test
