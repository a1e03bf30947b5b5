// Goal: posts and deliveries take no more of the disk than they may, after a load and after single
// posts alike.
// Method: bytes of the pages in use, before and after, in a store of its own; all indexes, the log
// and what is delivered count. Of posts in no order of time the whole file, whose free pages are
// what the transactions of the load have copied.
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/events/consumers.h"
#include "core/load/post_loader.h"
#include "core/rules/writing.h"
#include "store/lmdb/storage.h"
#include "tests/model/user_directory.h"
#include "tests/support/fake_clock.h"
#include "tests/support/temp_folder.h"

namespace chirp {
namespace {

constexpr std::uint64_t kPostBytesMax = 400;  // of a post of 120 characters
constexpr std::uint64_t kDeliveryBytesMax = 16;

class Store {
 public:
  Store() {
    const auto engine = folder_.path() / "engine";
    const auto lock = folder_.path() / "write.lock";
    std::filesystem::create_directory(engine);
    lmdb::create_store(engine, lock, {1, "disk", snowflake::kMachineDefault});
    env_ = lmdb::Env::open(engine, lock, lmdb::OpenMode::kOpen);
    storage_ = lmdb::open_storage(env_);
  }
  [[nodiscard]] Storage& storage() { return *storage_; }
  [[nodiscard]] std::uint64_t bytes() const { return env_->bytes_in_use(); }
  [[nodiscard]] std::uint64_t file_bytes() const {
    return std::filesystem::file_size(folder_.path() / "engine" / "data.mdb");
  }
  // Signs up users 1 to `n`, each with an empty timeline.
  void add_users(std::uint32_t n, Time now) {
    std::vector<Change> changes;
    for (std::uint32_t i = 1; i <= n; ++i) {
      AuthorCard card;
      card.number = UserNumber{i};
      card.id = UserId{i};
      card.username = "u" + std::to_string(i);
      card.display_name = card.username;
      changes.emplace_back(PutCard{card});
    }
    storage_->write(changes, now);
  }

 private:
  test::TempFolder folder_;
  std::shared_ptr<lmdb::Env> env_;
  std::unique_ptr<Storage> storage_;
};

std::string text_of(std::uint64_t n) {
  std::string text = "Post " + std::to_string(n) + ' ';
  text.resize(120, 'x');
  return text;
}

// Without a pattern, the same in every run.
std::uint32_t scattered(std::uint64_t n, std::uint32_t below) {
  return static_cast<std::uint32_t>((n * 0x9E3779B97F4A7C15 >> 33) % below);
}

}  // namespace

TEST_CASE("disk use: a post takes at most 400 bytes with all its indexes") {
  constexpr std::uint32_t kUsers = 2'000;
  constexpr std::uint64_t kLoaded = 40'000;
  constexpr std::uint64_t kSingle = 10'000;
  const test::FakeClock clock;
  Store store;
  store.add_users(kUsers, clock.now());
  events::drain(store.storage(), clock);
  const std::uint64_t empty = store.bytes();

  std::vector<LoadedPost> posts;
  for (std::uint64_t i = 1; i <= kLoaded; ++i) {
    posts.push_back({SourceId{i * 7919}, UserNumber{1 + scattered(i, kUsers)},
                     Time{clock.now().ms - static_cast<std::int64_t>(kLoaded - i) * kMinuteMs},
                     text_of(i)});
    if (posts.size() < 4'000) continue;
    rules::load_posts(store.storage(), posts, clock.now());
    posts.clear();
  }
  events::drain(store.storage(), clock);
  const std::uint64_t loaded = store.bytes();
  MESSAGE("a loaded post takes " << (loaded - empty) / kLoaded << " bytes");
  CHECK(loaded - empty <= kLoaded * kPostBytesMax);

  for (std::uint64_t i = 1; i <= kSingle; ++i) {
    const Change post = Publish{UserNumber{1 + scattered(i, kUsers)}, text_of(i), Privacy::kPublic};
    store.storage().write({&post, 1}, clock.now());
    if (i % 1'000 == 0) events::drain(store.storage(), clock);
  }
  const std::uint64_t all = store.bytes();
  MESSAGE("a single post takes " << (all - loaded) / kSingle << " bytes");
  CHECK(all - loaded <= kSingle * kPostBytesMax);
}

TEST_CASE("disk use: a loaded post takes at most 400 bytes of the file in any order of time") {
  constexpr std::uint32_t kUsers = 2'000;
  constexpr std::uint64_t kPosts = 40'000;
  const test::FakeClock clock;
  // Days alone, so that any few posts are of all of them. All are gathered, or so many that the
  // last have to go in between, and few.
  for (const std::size_t window :
       {std::size_t{96} << 20, std::size_t{7} << 20, std::size_t{2} << 20}) {
    CAPTURE(window);
    Store store;
    model::ModelUserDirectory users;
    load::PostLoader loader(
        store.storage(), users, clock, [] {},
        {.first_rows = 250, .most_rows = 500, .window_bytes = window, .people = {}});
    std::mt19937_64 random(7);
    for (std::uint64_t i = 1; i <= kPosts; ++i) {
      load::SourcePost post;
      post.id = SourceId{i * 7919};
      post.author_id = SourceId{scattered(i, kUsers)};
      post.text = text_of(i);
      post.created_at = Time{clock.now().ms - static_cast<std::int64_t>(random() % 50) * kDayMs};
      REQUIRE_FALSE(loader.add(std::move(post)));
    }
    loader.finish();
    MESSAGE("a loaded post takes " << store.file_bytes() / kPosts << " bytes of the file, "
                                   << store.bytes() / kPosts << " of them in use");
    CHECK(store.file_bytes() <= kPosts * kPostBytesMax);
  }
}

TEST_CASE("disk use: a delivery takes at most 16 bytes") {
  constexpr std::uint32_t kViewers = 20'000;
  constexpr std::uint64_t kEach = 100;
  const test::FakeClock clock;
  Store store;
  store.add_users(kViewers, clock.now());
  events::drain(store.storage(), clock);
  const std::uint64_t empty = store.bytes();

  const std::uint64_t start = snowflake::ticks_of(clock.now());
  const Sequence offset = store.storage().snapshot()->state().fan_out;
  for (std::uint64_t n = 0; n < kEach; n += 10) {
    FanOutStep step;
    step.from = step.to = offset;
    for (std::uint32_t v = 1; v <= kViewers; ++v) {
      for (std::uint64_t i = 10; i-- > 0;) {
        // Some minutes apart, in milliseconds without a pattern, by anybody.
        const std::uint64_t ticks =
            start + (n + i) * 400'000 + scattered(v * kEach + n + i, 399'999);
        step.deliveries.push_back({UserNumber{v},
                                   PostId{snowflake::make(ticks, snowflake::kMachineDefault, 0)},
                                   UserNumber{1 + scattered(v + n + i, 200'000)}});
      }
    }
    REQUIRE(rules::commit(store.storage(), step, clock.now()));
  }
  const std::uint64_t deliveries = kViewers * kEach;
  MESSAGE("a delivery takes " << static_cast<double>(store.bytes() - empty) /
                                     static_cast<double>(deliveries)
                              << " bytes");
  CHECK(store.bytes() - empty <= deliveries * kDeliveryBytesMax);
  CHECK(store.storage().snapshot()->timeline(UserNumber{7})->entries.size() == kEach);
}

TEST_CASE("disk use: an entry of a timeline that is built takes at most 16 bytes") {
  constexpr std::uint32_t kViewers = 500;
  constexpr std::uint64_t kEach = 800;
  const test::FakeClock clock;
  // Built one viewer after the other, and as viewers come by.
  for (const std::uint32_t stride : {1u, 197u}) {
    CAPTURE(stride);
    Store store;
    store.add_users(kViewers, clock.now());
    events::drain(store.storage(), clock);
    const std::uint64_t empty = store.bytes();
    const std::uint64_t start = snowflake::ticks_of(clock.now());
    for (std::uint32_t n = 0; n < kViewers; ++n) {
      const std::uint32_t v = 1 + n * stride % kViewers;
      BuiltTimeline built;
      built.viewer = UserNumber{v};
      const StoreState state = store.storage().snapshot()->state();
      built.timeline = {PostId{1}, state.generation, clock.now(), {}};
      built.log_end = state.log_end;
      for (std::uint64_t i = kEach; i-- > 0;) {
        const std::uint64_t ticks = start + i * 400'000 + scattered(v * kEach + i, 399'999);
        built.timeline.entries.push_back(
            {PostId{snowflake::make(ticks, snowflake::kMachineDefault, 0)},
             UserNumber{1 + scattered(v + i, 200'000)}});
      }
      REQUIRE(rules::store(store.storage(), built, Replace::kAlways, clock.now()));
    }
    const std::uint64_t entries = kViewers * kEach;
    MESSAGE("an entry takes " << static_cast<double>(store.bytes() - empty) /
                                     static_cast<double>(entries)
                              << " bytes");
    CHECK(store.bytes() - empty <= entries * kDeliveryBytesMax);
    CHECK(store.storage().snapshot()->timeline(UserNumber{7})->entries.size() == kEach);
  }
}

}  // namespace chirp
