// Goal: a server that holds its pages against their definition finds a wrong one, says whose it is
// and where, and counts the right ones.
// Method: a small world, read through a hot set. A commit that changes a post behind the log's back
// makes the set's line wrong; each way a page can be wrong is planted in a copy of a right one.
#include "server/engine/page_checks.h"

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/hot/hot_set.h"
#include "core/ports/rows.h"
#include "tests/support/child.h"
#include "tests/support/small_world.h"

namespace chirp::test {
namespace {

// User 1 follows 2 and 3, who have posted; 3 has reposted one of 2's.
struct Followed {
  Followed() {
    for (const std::uint32_t author : {2U, 3U}) world.follow(1, author);
    posted = world.posts(2, 3);
    world.posts(3, 2);
    world.write(Repost{UserNumber{3}, posted.front()});
  }
  // What the log does not tell, and what no number in the state is moved for.
  void change_behind_the_log(PostId id) {
    world.storage.decide(world.clock.now(), Purpose::kChange, [&](Rows& rows) {
      auto post = *rows.find(tables::Posts::Key{id});
      post.text = "another text";
      rows.put(tables::Posts::Key{id}, post);
      return true;
    });
  }

  SmallWorld world{3};
  std::vector<PostId> posted;
};

// The same, read through a hot set of which every `every`-th page is checked.
struct Checked : Followed {
  explicit Checked(std::uint64_t every)
      : checks({world.storage, &set, world.clock, log, metrics}, every) {}
  void read() {
    (void)checks.page(SmallWorld::asking(1));
    checks.wait();
  }

  Log log{Log::Requests::kQuiet};
  Metrics metrics;
  hot::HotSet set{world.storage, world.clock, std::size_t{1} << 20};
  PageChecks checks;
};

bool counts(const Metrics& metrics, std::string_view result, int count) {
  const auto line = fmt::format("chirp_page_checks_total{{result=\"{}\"}} {}\n", result, count);
  return metrics.text().find(line) != std::string::npos;
}

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("page checks: every second page is checked; right ones are counted, wrong ones found") {
  Checked c(2);
  c.read();
  CHECK(counts(c.metrics, "right", 0));
  c.read();
  CHECK(counts(c.metrics, "right", 1));
  c.change_behind_the_log(c.posted.back());
  c.read();
  CHECK(counts(c.metrics, "wrong", 0));
  c.read();
  CHECK(counts(c.metrics, "wrong", 1));
  CHECK(counts(c.metrics, "right", 1));
  CHECK(counts(c.metrics, "skipped", 0));
}

TEST_CASE("page checks: the log tells what is needed to read a wrong page again") {
  const auto ended = run_forked([] {
    Checked c(1);
    c.read();
    c.change_behind_the_log(c.posted.back());
    c.read();
    return 0;
  });
  REQUIRE(ended.ok());
  CAPTURE(ended.err);
  CHECK(ended.err.find("\"problem\":\"another post than the store has\"") != std::string::npos);
  CHECK(ended.err.find("\"userNumber\":1,\"cursor\":\"none\",\"after\":\"none\",\"limit\":20") !=
        std::string::npos);
  CHECK(ended.err.find("\"fromMemory\":\"yes\"") != std::string::npos);
}

TEST_CASE("page checks: what memory has at once counts too, and leaves the page that is due") {
  Checked c(4);
  (void)c.checks.page(SmallWorld::asking(1));  // fills the set
  for (int turn = 1; turn <= 3; ++turn) {
    while (c.checks.held_page(SmallWorld::asking(1))) continue;
    c.read();
    CHECK(counts(c.metrics, "right", turn));
  }
  CHECK(c.set.use().from_memory == 4 + 4 + 3);
}

TEST_CASE("page checks: without a hot set the engine's pages are checked") {
  Followed f;
  Log log(Log::Requests::kQuiet);
  Metrics metrics;
  PageChecks checks({f.world.storage, nullptr, f.world.clock, log, metrics}, 1);
  CHECK(checks.page(SmallWorld::asking(1)).items.size() == 5);
  checks.wait();
  CHECK(counts(metrics, "right", 1));
}

TEST_SUITE_END();

TEST_CASE("page checks: a page that is wrong in any way is not taken for right") {
  Followed f;
  const auto snapshot = f.world.storage.snapshot();
  using Spoil = std::function<void(feed::Page&)>;
  const std::vector<Spoil> ways{
      [](feed::Page& page) { page.items.erase(page.items.begin()); },
      [](feed::Page& page) { page.items.pop_back(); },
      [](feed::Page& page) { std::swap(page.items[0], page.items[1]); },
      [](feed::Page& page) { page.items.push_back(page.items.front()); },
      [](feed::Page& page) { page.has_more = !page.has_more; },
      [](feed::Page& page) { page.next_cursor = PostId{1}; },
      [](feed::Page& page) { page.prev_cursor = PostId{1}; },
      [](feed::Page& page) { page.items[0].reposted_by.clear(); },
      [](feed::Page& page) { page.items[0].entry = page.items[0].post->id; },
      [](feed::Page& page) { ++page.items[1].stats.counters.comments; },
      [](feed::Page& page) { page.items[1].stats.reaction = ReactionType::kLove; },
      [](feed::Page& page) { page.items[1].stats.reposted = !page.items[1].stats.reposted; },
      [](feed::Page& page) { page.items[1].author = page.items[3].author; },
      [](feed::Page& page) {
        AuthorCard card = *page.items[1].author;
        card.display_name = "an older name";
        page.items[1].author = shared(card);
      },
      [](feed::Page& page) {
        Post post = *page.items[1].post;
        post.text = "another text";
        page.items[1].post = shared(post);
      },
  };
  for (std::uint32_t limit : {4U, 20U}) {
    const feed::PageRequest request = SmallWorld::asking(1, limit);
    const feed::Page right = feed::hydrated_page(*snapshot, request, f.world.clock);
    REQUIRE(right.items[0].reposted_by.size() == 1);
    REQUIRE(right.items[1].author->number != right.items[3].author->number);
    CHECK_FALSE(feed::wrong_in(*snapshot, request, right));
    for (std::size_t way = 0; way < ways.size(); ++way) {
      CAPTURE(way);
      feed::Page page = right;
      ways[way](page);
      CHECK(feed::wrong_in(*snapshot, request, page));
    }
  }
}

}  // namespace chirp::test
