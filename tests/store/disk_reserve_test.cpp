// Goal: while less of the disk is free than the reserve, nothing is added, whoever writes, and
// everything that removes goes on down to a quarter of it; with more room it is as before.
// Method: the rules with a file system and a clock that the test moves; then each store over them.
#include "store/disk_reserve.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "store/lmdb/storage.h"
#include "store/sqlite/user_directory.h"
#include "tests/support/directories.h"
#include "tests/support/fake_clock.h"
#include "tests/support/pictures.h"
#include "tests/support/storage_contract.h"
#include "tests/support/temp_folder.h"
#include "tests/support/thrown.h"

namespace chirp::test::disk_reserve_test {
namespace {

using store::DiskReserve;
using store::DiskSpace;
using Into = DiskReserve::Into;

constexpr std::uint64_t kReserve = 1'000'000;
constexpr std::uint64_t kQuarter = kReserve / 4;
constexpr std::uint64_t kResume = kReserve + kQuarter;
constexpr std::int64_t kLookEveryMs = DiskReserve::kLookEveryNs / 1'000'000;

// A disk and a clock that stand still.
struct World {
  explicit World(store::ReserveSize asked = kReserve)
      : reserve(
            "/data/world", asked, [this] { return look(); }, clock) {
    reserve.count_reusable([this](std::uint64_t enough) {
      ++counts;
      return std::min(reusable, enough);
    });
  }

  std::optional<DiskSpace> look() {
    ++looks;
    return disk;
  }
  // From now on so much is free, and everybody sees it.
  void leave(std::uint64_t free) {
    disk->free = free;
    clock.advance(kLookEveryMs);
  }
  bool may_add(Into into = Into::kFiles, std::uint64_t bytes = 0) {
    return !reserve.refusal(SpaceUse::kAdds, into, bytes);
  }
  bool may_remove(Into into = Into::kFiles) { return !reserve.refusal(SpaceUse::kKeeps, into); }

  StillClock clock;
  std::optional<DiskSpace> disk = DiskSpace{10 * kReserve, 100 * kReserve};
  std::uint64_t reusable = 0;
  int looks = 0;
  int counts = 0;
  DiskReserve reserve;
};

}  // namespace

TEST_CASE("disk reserve: adding stops below it, removing below a quarter of it") {
  World world;
  CHECK(world.may_add());
  world.leave(kReserve);
  CHECK(world.may_add());
  world.leave(kReserve - 1);
  CHECK_FALSE(world.may_add());
  CHECK(world.may_remove());
  world.leave(kQuarter);
  CHECK(world.may_remove());
  world.leave(kQuarter - 1);
  CHECK_FALSE(world.may_remove());
  CHECK_FALSE(world.may_add());
}

TEST_CASE("disk reserve: adding resumes at 1.25 times the reserve, removing at once") {
  World world;
  world.leave(0);
  CHECK_FALSE(world.may_add());
  CHECK_FALSE(world.may_remove());
  world.leave(kResume - 1);
  CHECK_FALSE(world.may_add());
  CHECK(world.may_remove());
  world.leave(kResume);
  CHECK(world.may_add());
  // Once resumed, the reserve itself is the bound again.
  world.leave(kReserve);
  CHECK(world.may_add());
}

TEST_CASE("disk reserve: the file system is asked at most ten times a second") {
  World world;
  for (int i = 0; i < 100; ++i) CHECK(world.may_add());
  CHECK(world.looks == 1);
  world.disk->free = 0;
  world.clock.advance(kLookEveryMs - 1);
  CHECK(world.may_add());
  CHECK(world.looks == 1);
  world.clock.advance(1);
  CHECK_FALSE(world.may_add());
  CHECK(world.looks == 2);
  for (int ms = 0; ms < 1'000; ++ms) {
    (void)world.may_add();
    world.clock.advance(1);
  }
  CHECK(world.looks == 2 + 9);
}

TEST_CASE("disk reserve: free pages count for the engine alone, and are counted where it matters") {
  World world;
  world.reusable = kReserve;
  CHECK(world.may_add(Into::kEngine));
  CHECK(world.counts == 0);
  world.leave(kReserve - 1);
  CHECK(world.may_add(Into::kEngine));
  CHECK_FALSE(world.may_add(Into::kFiles));
  CHECK(world.may_add(Into::kEngine));
  CHECK(world.counts == 1);  // once a look
  world.leave(0);
  CHECK(world.may_add(Into::kEngine));
  world.reusable = kReserve - 1;
  world.leave(0);
  CHECK_FALSE(world.may_add(Into::kEngine));
  CHECK(world.may_remove(Into::kEngine));
  CHECK_FALSE(world.may_remove(Into::kFiles));
}

TEST_CASE("disk reserve: what is known to be written counts until the next look") {
  World world;
  world.leave(2 * kReserve);
  CHECK_FALSE(world.may_add(Into::kFiles, kReserve + 1));
  CHECK(world.may_add(Into::kFiles, kReserve - 10));  // a smaller one fits
  CHECK_FALSE(world.may_add(Into::kFiles, 11));
  CHECK(world.may_add(Into::kFiles, 10));
  CHECK(world.may_add());
  CHECK_FALSE(world.may_add(Into::kFiles, 1));
  world.leave(2 * kReserve);
  CHECK(world.may_add(Into::kFiles, kReserve));
}

TEST_CASE("disk reserve: 0 turns it off, and a file system that does not answer refuses nothing") {
  World off{0};
  off.leave(0);
  CHECK(off.may_add());
  CHECK(off.may_remove());
  CHECK(off.looks == 0);
  World silent;
  silent.disk.reset();
  CHECK(silent.may_add());
  CHECK(silent.may_remove());
}

TEST_CASE("disk reserve: by default the smaller of 1 GiB and 5 % of the file system") {
  constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
  CHECK(store::reserve_on({0, 100'000'000}, {}) == 5'000'000);
  CHECK(store::reserve_on({0, 20 * kGiB}, {}) == kGiB);
  CHECK(store::reserve_on({0, 1000 * kGiB}, {}) == kGiB);
  CHECK(store::reserve_on({0, 1000 * kGiB}, 7) == 7);
  CHECK(store::reserve_on({0, 1000 * kGiB}, 0) == 0);
}

TEST_CASE("disk reserve: a refusal says what is left, what is kept and what to do") {
  World world;
  world.leave(kReserve - 1);
  const auto adding = world.reserve.refusal(SpaceUse::kAdds, Into::kFiles);
  REQUIRE(adding);
  CHECK(is_reserve_reached(*adding));
  for (const char* part : {"976.5 KiB", "/data/world", "--disk-reserve", "1.1 MiB",
                           "Nothing was added", "free some space", "Removing"}) {
    CAPTURE(part);
    CHECK(std::string(adding->what()).find(part) != std::string::npos);
  }
  world.leave(0);
  const auto removing = world.reserve.refusal(SpaceUse::kKeeps, Into::kFiles);
  REQUIRE(removing);
  CHECK(is_reserve_reached(*removing));
  CHECK(std::string(removing->what()).find("quarter") != std::string::npos);
  CHECK_FALSE(is_reserve_reached(Error(ErrorCode::kStorageFull, "The disk is full.")));
}

TEST_CASE("disk reserve: a copy is refused whole if its file system would not keep the reserve") {
  const TempFolder folder;
  const auto free = std::filesystem::space(folder.path()).available;
  const auto path = folder / "not there" / "yet";
  CHECK_NOTHROW(store::check_room_for("The backup", path, free / 4, free / 4));
  const Error error =
      error_of([&] { store::check_room_for("The backup", path, free / 2, free * 3 / 4); });
  CHECK(is_reserve_reached(error));
  CHECK(std::string(error.what()).starts_with("The backup takes up to "));
  CHECK(std::string(error.what()).find("Nothing was changed") != std::string::npos);
  const Error of_load = error_of([&] {
    store::check_room_for("A load", path, free / 2, free * 3 / 4, SpaceUse::kAdds, "Users stay.");
  });
  CHECK(std::string(of_load.what()).ends_with("(--disk-reserve). Users stay."));
  // What only makes smaller needs a quarter.
  CHECK_NOTHROW(
      store::check_room_for("Compacting", path, free / 2, free * 3 / 4, SpaceUse::kKeeps));
  CHECK_NOTHROW(store::check_room_for("The backup", path, 2 * free, 0));
}

// ---- the engine's store

namespace {

struct EngineWorld : World {
  EngineWorld() {
    std::filesystem::create_directory(folder / "engine");
    lmdb::create_store(folder / "engine", folder / "write.lock", {1, "test", kTestMachine});
    env = lmdb::Env::open(folder / "engine", folder / "write.lock", lmdb::OpenMode::kOpen);
    storage = lmdb::open_storage(env, &reserve);
    sign_up(*storage, 4);
    post = apply(Publish{UserNumber{2}, "text"}).post;
    (void)apply(Follow{UserNumber{1}, UserNumber{2}});
  }
  Outcome apply(const Change& change) { return storage->write({&change, 1}, kStart).front(); }
  bool is_refused(const std::function<void()>& call) {
    const auto error = thrown_by(call);
    return error && is_reserve_reached(*error);
  }

  TempFolder folder;
  std::shared_ptr<lmdb::Env> env;
  std::unique_ptr<Storage> storage;
  PostId post{};
};

}  // namespace

TEST_CASE("disk reserve: the engine refuses what adds, and takes what removes") {
  EngineWorld world;
  Storage& storage = *world.storage;
  world.leave(kReserve - 1);
  const UserNumber one{1};
  const UserNumber two{2};
  const Sequence log_end = storage.snapshot()->state().log_end;
  for (const Change& adding :
       {Change{Publish{one, "more"}}, Change{Repost{one, world.post}}, Change{Follow{two, one}},
        Change{React{one, world.post}}, Change{AddComment{one, world.post, "a word"}}}) {
    CAPTURE(adding.index());
    CHECK(world.is_refused([&] { (void)world.apply(adding); }));
  }
  const auto snapshot = storage.snapshot();
  const auto loads = std::vector<std::function<void()>>{
      [&] {
        const LoadedPost post{SourceId{9}, one, kStart, "text"};
        (void)rules::load_posts(storage, {&post, 1}, kStart);
      },
      [&] {
        const LoadedEdge edge{two, one};
        (void)rules::load_edges(storage, {&edge, 1}, kStart);
      },
      [&] { rules::load_cards(storage, {}, kStart); },
      [&] { (void)rules::commit(storage, fan_out_step(*snapshot, log_end), kStart); },
      [&] { (void)rules::commit(storage, counter_step(*snapshot, log_end), kStart); },
      [&] { (void)rules::commit(storage, notification_step(*snapshot, 10), kStart); },
      [&] { (void)rules::commit(storage, trend_step(*snapshot, {}, 10), kStart); },
      [&] {
        (void)rules::store(storage, built_timeline(*snapshot, one), Replace::kAlways, kStart);
      },
      [&] { rules::note_read(storage, one, kStart); },
  };
  for (std::size_t i = 0; i < loads.size(); ++i) {
    CAPTURE(i);
    CHECK(world.is_refused(loads[i]));
  }
  CHECK(storage.snapshot()->state().log_end == log_end);

  const auto done = [&](const Change& change) {
    return world.apply(change).result == Result::kDone;
  };
  CHECK(done(Unfollow{one, two}));
  CHECK(done(Relate{one, two, Relation::kMute}));
  CHECK(done(RemovePost{world.post}));
  CHECK(done(PutCard{card(5)}));  // its user was stored, and what is stored needs a card
  CHECK(done(MarkRemoved{UserNumber{3}}));
  while (!rules::remove_traces(storage, UserNumber{3}, 100, kStart)) continue;
  CHECK(rules::remove_post_traces(storage, 100, kStart));
  CHECK(rules::mark_feed(storage, one, world.post));
  CHECK(first_breach(storage) == "");

  world.leave(kQuarter - 1);
  CHECK(world.is_refused([&] { (void)world.apply(Relate{one, two, Relation::kBlock}); }));
  world.leave(kResume);
  CHECK(done(Publish{one, "more"}));
}

TEST_CASE("disk reserve: what a load has left that died is taken back") {
  EngineWorld world;
  Storage& storage = *world.storage;
  const EarlyEntry entry{UserNumber{1}, PostId{snowflake::make(5, snowflake::kLoadMachine, 0)}};
  {
    const auto held = storage.early_entries();
    REQUIRE(held);
    rules::put_early_entries(storage, {&entry, 1}, kStart);
  }
  world.leave(kReserve - 1);
  CHECK(world.is_refused([&] { rules::put_early_entries(storage, {&entry, 1}, kStart); }));
  // Everything that writes begins with it.
  CHECK_NOTHROW(storage.settle());
  CHECK(storage.snapshot()->state().early_below == PostId{});
  CHECK(first_breach(storage) == "");
}

TEST_CASE("disk reserve: the file of the engine does not grow below it") {
  EngineWorld world;
  // The turn takes the last of the disk: what it was admitted with is gone when the map is full.
  std::size_t turns = 0;
  CHECK(world.is_refused([&] {
    world.storage->decide(kStart, Purpose::kLoad, [&](Rows& rows) {
      if (++turns == 1) {
        world.leave(0);
        throw lmdb::MapFull{};
      }
      rows.state();
      return false;
    });
  }));
  CHECK(turns == 1);
}

TEST_CASE("disk reserve: pages are free for the engine once no reader needs them") {
  EngineWorld world;
  const std::string text(4'000, 'x');
  std::vector<PostId> posts;
  for (int i = 0; i < 200; ++i) {
    posts.push_back(world.apply(Publish{UserNumber{1}, text}).post);
  }
  constexpr std::uint64_t kAll = std::uint64_t{1} << 40;
  auto reader = world.storage->snapshot();
  (void)reader->state();
  const std::uint64_t before = world.env->reusable_bytes(kAll);
  std::vector<Change> removals;
  for (const PostId post : posts) removals.emplace_back(RemovePost{post});
  (void)world.storage->write(removals, kStart);
  for (int i = 0; i < 3; ++i) (void)world.apply(Publish{UserNumber{1}, "text"});
  const std::uint64_t held = world.env->reusable_bytes(kAll);
  CHECK(held < before + posts.size() * text.size() / 2);
  reader.reset();
  const std::uint64_t freed = world.env->reusable_bytes(kAll);
  CHECK(freed > held + posts.size() * text.size() / 2);
  CHECK(world.env->reusable_bytes(4'096) == 4'096);  // no more than is asked
}

// ---- the users' store

TEST_CASE("disk reserve: sign-ups, loads and uploads are refused, edits and removals are not") {
  const TempFolder folder;
  World world;
  const auto file = folder / "users.db";
  sqlite::create_user_directory(file, {std::string(kDirectoryUuid), kDirectoryMachine});
  const auto users = sqlite::open_user_directory(file);
  users->watch(nullptr, &world.reserve);
  const User mira = users->add(named("mira"), kNow);
  const User yuki = users->add(named("yuki"), kNow);
  const std::string picture(kReserve, 'p');
  const auto keep = [&](std::string_view bytes) {
    return users->media().keep(mira.number, {}, bytes, 10 * kReserve, kNow).result;
  };
  world.leave(kReserve + 100'000);
  // Too large alone.
  CHECK(is_reserve_reached(error_of([&] { (void)keep(picture); })));
  CHECK(keep("small") == KeptMedia::Result::kNew);

  world.leave(kReserve - 1);
  CHECK(is_reserve_reached(error_of([&] { (void)users->add(named("late"), kNow); })));
  CHECK(is_reserve_reached(error_of([&] { (void)load_one(*users, loaded(7)); })));
  CHECK(is_reserve_reached(error_of([&] { (void)keep("other"); })));
  CHECK(users->count() == 2);
  UserEdit edit;
  edit.display_name = "Mira";
  CHECK(users->edit(mira.number, edit).display_name == "Mira");
  CHECK_FALSE(users->add_token(mira.number, kNow, std::nullopt).empty());
  CHECK(users->remove(yuki.number));
  users->media().remove_of(mira.number);

  world.leave(kQuarter - 1);
  CHECK(is_reserve_reached(error_of([&] { (void)users->remove(mira.number); })));
  world.leave(kResume);
  CHECK(users->add(named("late"), kNow).username == "late");
  CHECK(users->problems().empty());
}

}  // namespace chirp::test::disk_reserve_test
