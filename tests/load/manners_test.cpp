// Goal: a load leaves the stores to other writers before they have waited too long, on a slow disk
// too.
// Method: stores in memory where each row and each commit takes a made-up time, which the clock of
// the load shows. What is checked is that time, not the machine's.
#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include <doctest/doctest.h>

#include "core/limits.h"
#include "core/load/people.h"
#include "core/load/post_loader.h"
#include "tests/model/storage.h"
#include "tests/model/user_directory.h"

namespace chirp::load {
namespace {

constexpr Time kNow{1'767'225'600'000};  // 2026-01-01
constexpr std::int64_t kMsNs = 1'000'000;
constexpr std::int64_t kStarveNs = limits::kStarveMs * kMsNs;

struct Disk {
  std::int64_t row_ns;
  std::int64_t commit_ns;
};

// From the quickest to one that stores ten thousand rows a second.
constexpr Disk kDisks[] = {{100, 100'000},
                           {3'000, 2 * kMsNs},
                           {10'000, 10 * kMsNs},
                           {30'000, 60 * kMsNs},
                           {100'000, 20 * kMsNs}};

// Time passes in transactions alone; so each is as long as its rows and its commit take.
class DiskClock final : public Clock {
 public:
  explicit DiskClock(Disk disk) : disk_(disk) {}
  [[nodiscard]] Time now() const override { return kNow; }
  [[nodiscard]] std::int64_t steady_ns() const override { return ns_; }

  // A transaction of so many rows.
  void transact(std::size_t rows) {
    const std::lock_guard lock(mutex_);
    const std::int64_t ns = static_cast<std::int64_t>(rows) * disk_.row_ns + disk_.commit_ns;
    ns_ += ns;
    taken_.push_back(ns);
    rows_ += rows;
  }
  void become(Disk disk) {
    const std::lock_guard lock(mutex_);
    disk_ = disk;
  }
  [[nodiscard]] const std::vector<std::int64_t>& taken() const { return taken_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::int64_t longest() const { return *std::ranges::max_element(taken_); }

 private:
  Disk disk_;
  std::atomic<std::int64_t> ns_{0};
  std::mutex mutex_;
  std::vector<std::int64_t> taken_;
  std::size_t rows_ = 0;
};

class SlowStorage final : public model::ModelStorage {
 public:
  explicit SlowStorage(DiskClock& clock) : clock_(clock) {}
  // The event of a load says how many rows it stored.
  bool decide(Time now, Purpose purpose, const Decision& decision) override {
    std::optional<events::Event> last;
    const bool changed = ModelStorage::decide(now, purpose, [&](Rows& rows) {
      const bool done = decision(rows);
      last = rows.find(tables::Events::Key{{rows.state().log_end.value - 1}});
      return done;
    });
    if (changed && last && last->topic == events::Topic::kLoadBatch) clock_.transact(last->rows);
    return changed;
  }

 private:
  DiskClock& clock_;
};

class SlowDirectory final : public model::ModelUserDirectory {
 public:
  explicit SlowDirectory(DiskClock& clock) : clock_(clock) {}
  std::vector<LoadedUserResult> load(std::span<const LoadedUser> users, Time now) override {
    clock_.transact(users.size());
    return ModelUserDirectory::load(users, now);
  }

 private:
  DiskClock& clock_;
};

struct SlowWorld {
  explicit SlowWorld(Disk disk) : clock(disk) {}
  DiskClock clock;
  SlowStorage storage{clock};
  SlowDirectory directory{clock};
  std::atomic<std::size_t> pauses{0};
};

void load_posts(SlowWorld& world, std::uint64_t posts, std::uint64_t becomes_slower_at) {
  constexpr UserNumber kAuthor{1};
  AuthorCard card;
  card.number = kAuthor;
  card.id = UserId{1};
  card.username = card.display_name = "mira";
  const Change change = PutCard{card};
  world.storage.write({&change, 1}, kNow);
  PostLoader loader(world.storage, world.directory, world.clock, [&] { ++world.pauses; },
                    {.author = kAuthor});
  for (std::uint64_t i = 1; i <= posts; ++i) {
    if (i == becomes_slower_at) world.clock.become({12'000, 6 * kMsNs});
    SourcePost post;
    post.id = SourceId{i};
    post.author_id = SourceId{1};
    post.created_at = {kNow.ms - static_cast<std::int64_t>(posts - i)};
    post.text = "x";
    REQUIRE_FALSE(loader.add(std::move(post)));
  }
  loader.finish();
}

}  // namespace

TEST_CASE("manners: no transaction of posts is longer than others may wait") {
  for (const Disk& disk : kDisks) {
    CAPTURE(disk.row_ns);
    SlowWorld world(disk);
    load_posts(world, 60'000, 0);
    CHECK(world.clock.rows() == 60'000);
    CHECK(world.clock.longest() <= kStarveNs);
    CHECK(world.pauses == world.clock.taken().size());
  }
}

TEST_CASE("manners: a disk that others begin to use leaves transactions short enough") {
  SlowWorld world({4'000, 2 * kMsNs});
  load_posts(world, 150'000, 100'000);
  CHECK(world.clock.longest() > limits::kLoadTransactionMs * kMsNs);
  CHECK(world.clock.longest() <= kStarveNs);
}

TEST_CASE("manners: no transaction of users or cards is longer than others may wait") {
  constexpr std::uint64_t kUsers = 8'000;
  for (const Disk& disk : kDisks) {
    CAPTURE(disk.row_ns);
    SlowWorld world(disk);
    Tally tally;
    Turns turns(world.clock, [&] { ++world.pauses; });
    People people(world.storage, world.directory, world.clock, turns, tally);
    for (std::uint64_t i = 1; i <= kUsers; ++i) people.slot_of(SourceId{i});
    people.resolve();
    CHECK(world.clock.rows() == 2 * kUsers);
    CHECK(world.clock.longest() <= kStarveNs);
    CHECK(world.pauses == world.clock.taken().size());
  }
}

}  // namespace chirp::load
