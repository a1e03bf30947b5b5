// Goal: the threads of one process share a data directory: whoever reads a feed sees every post
// acknowledged before, whatever others write meanwhile, and nothing is wrong in the end.
// Method: authors post, somebody follows and unfollows, and consumers run, while readers look for
// the newest posts acknowledged. The thread sanitizer watches this one.

#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/events/consumers.h"
#include "core/feed/home_feed.h"
#include "tests/support/data_directories.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::threads_test {
namespace {

constexpr std::uint32_t kUsers = 6;
constexpr int kPosts = 30;

// The newest post of each user that was acknowledged, by number.
using Newest = std::array<std::atomic<std::uint64_t>, kUsers + 1>;

// The page holds the post, or is full above it.
bool reaches(const feed::Page& page, std::uint64_t post) {
  for (const feed::FeedItem& item : page.items) {
    if (item.post->id.value <= post) return item.post->id.value == post;
  }
  return page.next_cursor.has_value();
}

// Reads the feed of a viewer, who follows the next three, for so long as there is writing. How
// often something acknowledged was not there.
int miss(Storage& storage, std::uint32_t viewer, const Newest& newest,
         const std::atomic<int>& writing) {
  feed::Feeds feeds(storage, test_clock());
  feed::PageRequest request;
  request.viewer = UserNumber{viewer};
  request.limit = 100;
  int missed = 0;
  do {
    std::array<std::uint64_t, 4> acknowledged{};
    for (std::uint32_t step = 0; step < 4; ++step) {
      acknowledged[step] = newest[(viewer - 1 + step) % kUsers + 1];
    }
    const feed::Page page = feeds.page(request);
    for (const std::uint64_t post : acknowledged) {
      if (!reaches(page, post)) ++missed;
    }
    feeds.after_read(request.viewer, page.upkeep);
  } while (writing > 0);
  return missed;
}

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("threads: feeds are exact while others write") {
  const TempFolder folder;
  store::make_data_directory(folder / "chirp", {});
  const auto directory = store::DataDirectory::open(folder / "chirp");
  fill(*directory, kUsers, 1);
  Storage& storage = directory->storage();
  Newest newest{};
  for (std::uint32_t user = 1; user <= kUsers; ++user) {
    newest[user] = publish(*directory, UserNumber{user}, "before").value;
  }
  std::atomic<int> writing = 3;
  std::atomic<int> missed = 0;

  std::vector<std::thread> threads;
  for (std::uint32_t writer = 0; writer < 2; ++writer) {
    threads.emplace_back([&, writer] {
      for (int i = 0; i < kPosts; ++i) {
        const std::uint32_t author = static_cast<std::uint32_t>(i) % 3 * 2 + writer + 1;
        newest[author] = publish(*directory, UserNumber{author}, fmt::format("post {}", i)).value;
      }
      --writing;
    });
  }
  threads.emplace_back([&] {
    for (int i = 0; i < kPosts; ++i) {
      const Change change = i % 2 == 0 ? Change{Follow{UserNumber{1}, UserNumber{5}}}
                                       : Change{Unfollow{UserNumber{1}, UserNumber{5}}};
      storage.write({&change, 1}, test_clock().now());
    }
    --writing;
  });
  threads.emplace_back([&] {
    while (writing > 0) events::drain(storage, test_clock());
  });
  for (const std::uint32_t viewer : {1u, 4u}) {
    threads.emplace_back([&, viewer] { missed += miss(storage, viewer, newest, writing); });
  }
  for (std::thread& thread : threads) thread.join();

  CHECK(missed == 0);
  events::drain(storage, test_clock());
  CHECK(faults_in(*directory).empty());
  const feed::Feeds feeds(storage, test_clock());
  for (std::uint32_t viewer = 1; viewer <= kUsers; ++viewer) {
    CHECK(feeds.verify(UserNumber{viewer}).empty());
  }
}

TEST_SUITE_END();

}  // namespace chirp::test::threads_test
