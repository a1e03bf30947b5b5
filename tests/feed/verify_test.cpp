// Goal: verifying a feed finds nothing in a sound one, and names what is wrong in any other.
// Method: small worlds by hand; a timeline that lacks a post, and a store that returns wrong logs
// when it merges them for a page, but not when each is read alone.
#include <algorithm>
#include <set>
#include <string>

#include <doctest/doctest.h>

#include "core/feed/home_feed.h"
#include "core/rules/writing.h"
#include "tests/model/snapshot.h"
#include "tests/support/small_world.h"

namespace chirp::test::verify_test {
namespace {

using feed::Policy;
using Ids = std::vector<PostId>;

const std::string kOutOfPlace = "shown although it is not in the feed or was shown before ";

class Lying final : public model::ModelSnapshot {
 public:
  enum class Lie : std::uint8_t { kOmit, kLate, kEnd };

  Lying(const model::ModelSnapshot& truth, PostId about, Lie lie)
      : ModelSnapshot(truth), about_(about), lie_(lie) {}

  [[nodiscard]] std::vector<Entry> author_entries(const LogsOf& logs, IdRange range,
                                                  Direction direction,
                                                  std::uint32_t limit) const override {
    auto entries = ModelSnapshot::author_entries(logs, range, direction, limit + 1);
    const auto at = std::find_if(entries.begin(), entries.end(),
                                 [this](const Entry& entry) { return entry.id == about_; });
    if (logs.authors.size() > 1 && at != entries.end()) tell(entries, at);
    if (entries.size() > limit) entries.resize(limit);
    return entries;
  }

 private:
  void tell(std::vector<Entry>& entries, std::vector<Entry>::iterator at) const {
    switch (lie_) {
      case Lie::kOmit:
        entries.erase(at);
        break;
      case Lie::kLate:
        if (at + 1 != entries.end()) std::iter_swap(at, at + 1);
        break;
      case Lie::kEnd:
        entries.erase(at, entries.end());
        break;
    }
  }

  PostId about_;
  Lie lie_;
};

}  // namespace

TEST_CASE("verify: a sound feed has nothing wrong, of any length and with any policy") {
  feed::FeedSettings settings;
  settings.cap = 5;
  SmallWorld world(3, settings);
  world.follow(1, 2);
  world.follow(1, 3);
  for (int round = 0; round < 700; ++round) {
    world.post(2);
    world.post(3);
  }
  world.fan_out();
  world.posts(2, 3);
  for (const Policy policy : {Policy::kHybrid, Policy::kPull, Policy::kPush}) {
    world.change(policy);
    CHECK(feed::verify(*world.storage.snapshot(), UserNumber{1}, world.clock).empty());
  }
}

TEST_CASE("verify: a post missing from the timeline is named") {
  SmallWorld world(2);
  world.follow(1, 2);
  const Ids posts = world.posts(2, 3);
  world.fan_out();
  auto built = feed::build_timeline(*world.storage.snapshot(), UserNumber{1}, world.clock);
  REQUIRE(built);
  std::erase_if(built->timeline.entries, [&](const Entry& e) { return e.id == posts[1]; });
  REQUIRE(rules::store(world.storage, *built, Replace::kAlways, world.clock.now()));
  const auto wrong = feed::verify(*world.storage.snapshot(), UserNumber{1}, world.clock);
  REQUIRE_FALSE(wrong.empty());
  CHECK(wrong.front().post == posts[1]);
  CHECK(wrong.front().problem == "missing from the timeline");
  const bool in_pages = std::any_of(wrong.begin(), wrong.end(), [&](const feed::FeedError& each) {
    return each.post == posts[1] && each.problem == "missing (reading down as stored)";
  });
  CHECK(in_pages);
}

TEST_CASE("verify: pages that lack entries, show them late or end early are named") {
  SmallWorld world(3);
  world.change(Policy::kPull);
  world.follow(1, 2);
  world.follow(1, 3);
  Ids posts;
  for (int round = 0; round < 125; ++round) {
    posts.push_back(world.post(2));
    posts.push_back(world.post(3));
  }
  const auto truth = world.storage.snapshot();
  const auto& snapshot = dynamic_cast<const model::ModelSnapshot&>(*truth);
  const auto problems = [&](std::size_t at, Lying::Lie lie) {
    std::set<std::string> said;
    const Lying lying(snapshot, posts[at], lie);
    for (const feed::FeedError& wrong : feed::verify(lying, UserNumber{1}, world.clock)) {
      said.insert(wrong.problem);
    }
    return said;
  };
  for (const std::size_t at : {1u, 60u, 124u, 210u}) {
    CAPTURE(at);
    const auto lacking = problems(at, Lying::Lie::kOmit);
    CHECK(lacking.contains("missing (reading down as stored)"));
    CHECK(lacking.contains("missing (reading up as stored)"));
    CHECK(lacking.size() == 2);
    const auto late = problems(at, Lying::Lie::kLate);
    CHECK(late.contains(kOutOfPlace + "(reading down as stored)"));
    CHECK(late.contains(kOutOfPlace + "(reading up as stored)"));
  }
  for (const std::size_t at : {0u, 60u}) {
    CAPTURE(at);
    const auto ending = problems(at, Lying::Lie::kEnd);
    CHECK(ending.contains("missing (reading down as stored)"));
    CHECK(ending.contains("hasMore says that nothing is left (reading down as stored)"));
    CHECK(ending.contains("missing (reading up as stored)"));
    CHECK(ending.contains("hasMore says that nothing is left (reading up as stored)"));
  }
}

}  // namespace chirp::test::verify_test
