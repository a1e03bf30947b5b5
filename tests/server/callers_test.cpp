// Goal: the cached user of a token is the one that the stores name, at every moment, whoever
// changes them.
// Method: two sets of callers, each over a directory of its own on one file and one engine's store,
// beside the stores read directly; random changes by either or by plain SQLite. Changes planted
// between a look at the directory and what is kept of it. A clock that the test moves.

#include "server/api/callers.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <sqlite3.h>

#include "core/engine.h"
#include "core/ports/forwarding_storage.h"
#include "store/sqlite/user_directory.h"
#include "tests/model/storage.h"
#include "tests/support/api_client.h"
#include "tests/support/directories.h"
#include "tests/support/seeds.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

constexpr std::size_t kRoom = 1 << 20;

// An engine's store that does something once, at its first read: when the user of a token has just
// been read from the directory.
class Interrupted final : public ForwardingStorage {
 public:
  explicit Interrupted(Storage& inner) : ForwardingStorage(inner) {}
  [[nodiscard]] std::unique_ptr<Snapshot> snapshot() const override {
    if (const auto happens = std::exchange(meanwhile, nullptr)) happens();
    return ForwardingStorage::snapshot();
  }

  [[nodiscard]] std::uint64_t version() const override {
    if (const auto happens = std::exchange(before_look, nullptr)) happens();
    return ForwardingStorage::version();
  }

  mutable std::function<void()> meanwhile;
  mutable std::function<void()> before_look;  // likewise, when its version is asked for
};

// What is on disk, and what two processes share.
struct Shared {
  Shared() {
    sqlite::create_user_directory(file, {std::string(kDirectoryUuid), kDirectoryMachine});
    std::filesystem::create_directory(folder / "media");
  }
  TempFolder folder;
  std::filesystem::path file = folder / "users.db";
  model::ModelStorage storage;
  StillClock clock;
  CountingHasher hasher;
};

struct Process {
  explicit Process(Shared& shared, std::size_t bytes = kRoom)
      : directory(sqlite::open_user_directory(shared.file)),
        storage(shared.storage),
        engine(storage, *directory, shared.hasher, shared.clock),
        accounts(engine.accounts()),
        tokens(engine.tokens()),
        callers(engine, bytes) {
    directory->tell_version();
  }

  User add(const std::string& name) {
    social::SignUp sign_up;
    sign_up.username = name;
    return accounts.add(sign_up).user;
  }
  std::string log_in(const User& user, std::optional<std::int64_t> lifetime_ms = std::nullopt) {
    return tokens.mint(user, lifetime_ms).token;
  }
  // How often users of tokens were read from the stores.
  [[nodiscard]] std::uint64_t looks() const { return callers.use().from_stores; }
  [[nodiscard]] bool knows(const std::string& token) { return callers.known(token) != nullptr; }

  std::unique_ptr<sqlite::SqliteUserDirectory> directory;
  Interrupted storage;
  Engine engine;
  social::Accounts& accounts;
  social::Tokens& tokens;
  api::Callers callers;
};

struct CallersWorld : Shared {
  Process server{*this};
  Process shell{*this};
  User mira = server.add("mira");
  std::string token = server.log_in(mira);
};

void run_plain(const std::filesystem::path& file, const std::string& sql) {
  sqlite3* handle = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &handle) == SQLITE_OK);
  CHECK(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(handle);
}

}  // namespace

TEST_CASE("callers: a user who was looked up once is cached") {
  CallersWorld world;
  CHECK_FALSE(world.server.knows(world.token));
  REQUIRE(world.server.callers.find(world.token));
  const std::uint64_t looks = world.server.looks();
  for (int i = 0; i < 10; ++i) CHECK(*world.server.callers.find(world.token) == world.mira);
  CHECK(*world.server.callers.known(world.token) == world.mira);
  CHECK(world.server.looks() == looks);
  CHECK(world.server.callers.use().from_stores == 1);
  CHECK(world.server.callers.use().from_memory == 11);
}

TEST_CASE("callers: an invalid token is looked up each time, and is not cached") {
  CallersWorld world;
  CHECK_FALSE(world.server.callers.find(""));
  CHECK_FALSE(world.server.callers.find("nonsense"));
  CHECK_FALSE(world.server.callers.find("nonsense"));
  CHECK(world.server.callers.use().from_stores == 3);
  CHECK(world.server.callers.use().bytes == 0);
}

TEST_CASE("callers: without room nothing is kept") {
  CallersWorld world;
  Process bare(world, 0);
  for (int i = 0; i < 3; ++i) CHECK(bare.callers.find(world.token)->number == world.mira.number);
  CHECK_FALSE(bare.knows(world.token));
  CHECK(bare.looks() == 3);
}

TEST_CASE("callers: after any change to a token or its user, the next look is at the stores") {
  CallersWorld world;
  const auto changed = [&](const auto& change, bool good) {
    for (Process* who : {&world.server, &world.shell}) {
      CAPTURE(who == &world.shell);
      const User user = who->add("u" + std::to_string(world.hasher.hashed++));
      const std::string token = world.server.log_in(user);
      REQUIRE(world.server.callers.find(token));
      REQUIRE(world.server.knows(token));
      change(*who, user, token);
      CHECK_FALSE(world.server.knows(token));
      const auto found = world.server.callers.find(token);
      CHECK((found != nullptr) == good);
      if (found) CHECK(*found == *who->directory->find(user.number));
    }
  };
  changed([](Process& who, const User&, const auto& token) { who.tokens.revoke_this(token); },
          false);
  changed([](Process& who, const User& user, const auto&) { who.tokens.revoke(user); }, false);
  changed([](Process& who, const User& user,
             const auto&) { who.accounts.set_password(user, "a new password"); },
          false);
  changed([](Process& who, const User& user, const auto&) { who.accounts.remove(user); }, false);
  changed([](Process& who, const User& user, const auto&) { who.accounts.hide(user); }, false);
  changed(
      [](Process& who, const User& user, const auto&) {
        social::AccountEdit edit;
        edit.display_name = "Someone else";
        who.accounts.edit(user, edit);
      },
      true);
  changed([&](Process&, const User&,
              const auto&) { run_plain(world.file, "UPDATE users SET bio = 'changed'"); },
          true);
}

TEST_CASE("callers: log-ins and sign-ups of this process leave others known") {
  CallersWorld world;
  REQUIRE(world.server.callers.find(world.token));
  const User yuki = world.server.add("yuki");
  (void)world.server.log_in(yuki, 1000);
  // The card of a sign-up is a commit of the engine's store: one look there, none at the directory.
  const std::uint64_t looks = world.server.looks();
  CHECK(world.server.callers.find(world.token));
  CHECK(world.server.looks() == looks);
  CHECK(world.server.knows(world.token));
}

TEST_CASE("callers: when a token ends is judged at each use, and a clock may step back") {
  CallersWorld world;
  const std::string token = world.server.log_in(world.mira, 1000);
  REQUIRE(world.server.callers.find(token));
  world.clock.advance(999);
  CHECK(world.server.knows(token));
  world.clock.advance(1);
  CHECK_FALSE(world.server.knows(token));
  CHECK_FALSE(world.server.callers.find(token));
  world.clock.advance(-1);
  CHECK(world.server.callers.find(token));
}

TEST_CASE("callers: a removal that has only begun, in the engine's store, is a removal") {
  CallersWorld world;
  REQUIRE(world.server.callers.find(world.token));
  const Change mark = MarkRemoved{world.mira.number};
  (void)world.storage.write({&mark, 1}, world.clock.now());
  CHECK_FALSE(world.server.knows(world.token));
  CHECK_FALSE(world.server.callers.find(world.token));
  CHECK_FALSE(world.server.knows(world.token));
}

TEST_CASE("callers: a removal that is over between two looks at the stores is a removal") {
  CallersWorld world;
  const User yuki = world.server.add("yuki");
  const std::string other = world.server.log_in(yuki);
  REQUIRE(world.server.callers.find(world.token));
  REQUIRE(world.server.callers.find(other));
  world.server.storage.before_look = [&] {
    world.shell.accounts.remove(world.mira);
    CHECK(world.server.callers.find(other));  // so that the engine's store has been looked at
  };
  CHECK_FALSE(world.server.knows(world.token));
  CHECK_FALSE(world.server.storage.before_look);
  CHECK(world.server.knows(other));
}

TEST_CASE("callers: what changes while a token is looked up is not kept as it was") {
  CallersWorld world;
  (void)world.server.callers.find("nonsense");  // so that the engine's store has been looked at
  world.server.storage.meanwhile = [&] { world.shell.tokens.revoke_this(world.token); };
  CHECK(world.server.callers.find(world.token));  // as it was when it was looked up
  CHECK_FALSE(world.server.knows(world.token));
  CHECK_FALSE(world.server.callers.find(world.token));
}

TEST_CASE("callers: a bound holds, and who is read stays") {
  CallersWorld world;
  constexpr std::size_t kSmall = 20'000;
  Process small(world, kSmall);
  REQUIRE(small.callers.find(world.token));
  std::vector<std::string> tokens;
  for (int i = 0; i < 100; ++i) {
    tokens.push_back(world.server.log_in(world.server.add("user" + std::to_string(i))));
  }
  for (const std::string& token : tokens) {
    CHECK(small.callers.find(token));
    CHECK(small.callers.find(world.token));
    CHECK(small.callers.use().bytes <= kSmall);
  }
  CHECK(small.callers.use().bytes > kSmall / 2);
  CHECK(small.knows(world.token));
  CHECK_FALSE(small.knows(tokens.front()));
}

// ---------------------------------------------------------------- random worlds

namespace {

class RandomWorld {
 public:
  explicit RandomWorld(std::uint64_t seed)
      : random_(seed),
        processes_{{std::make_unique<Process>(shared_, draw(2) == 0 ? kRoom : 3000),
                    std::make_unique<Process>(shared_, kRoom)}},
        oracle_(shared_, 0) {}

  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      change(process());
      for (int asked = 0; asked < 3 && !tokens_.empty(); ++asked) check();
    }
  }

 private:
  std::size_t draw(std::size_t below) { return random_() % below; }
  Process& process() { return *processes_[draw(2)]; }

  void change(Process& who) {
    const std::size_t what = draw(12);
    if (what == 0 || people_.empty()) {
      people_.push_back(who.add("u" + std::to_string(next_++)));
      return;
    }
    const User user = people_[draw(people_.size())];
    if (what <= 4) return log_in(who, user);
    if (tokens_.empty()) return;
    const std::string& token = tokens_[draw(tokens_.size())];
    if (draw(4) == 0) {
      // Happens while a token is being looked up.
      process().storage.meanwhile = [this, &who, what, user, token] {
        end(who, what, user, token);
      };
      return;
    }
    end(who, what, user, token);
  }

  void log_in(Process& who, const User& user) {
    if (!who.accounts.present(user.number)) return;
    std::optional<std::int64_t> lifetime;
    if (draw(2) == 0) lifetime = 1 + static_cast<std::int64_t>(draw(20));
    tokens_.push_back(who.log_in(user, lifetime));
  }

  void end(Process& who, std::size_t what, const User& user, const std::string& token) {
    const bool there = who.accounts.present(user.number).has_value();
    if (what == 5) who.tokens.revoke_this(token);
    if (what == 6 && there) who.accounts.set_password(user, "another password", token);
    if (what == 7) (void)who.tokens.revoke(user);
    if (what == 8) shared_.clock.advance(static_cast<std::int64_t>(draw(5)));
    if (what == 9 && there) edit(who, user);
    if (what == 10 && there && draw(3) == 0) leave(who, user);
    if (what == 11) run_plain(shared_.file, "UPDATE users SET bio = bio || 'x'");
  }

  void edit(Process& who, const User& user) {
    social::AccountEdit edit;
    edit.display_name = "Name " + std::to_string(next_++);
    (void)who.accounts.edit(user, edit);
  }

  // All at once, or so far as a kill lets it.
  void leave(Process& who, const User& user) {
    const std::size_t how = draw(3);
    if (how == 0) (void)who.accounts.remove(user);
    if (how == 1) who.accounts.hide(user);
    if (how == 2) {
      const Change mark = MarkRemoved{user.number};
      (void)shared_.storage.write({&mark, 1}, shared_.clock.now());
    }
    if (draw(2) == 0) who.accounts.resume_removals();
  }

  void check() {
    const std::string token = tokens_[draw(tokens_.size())];
    Process& who = process();
    const bool disturbed = static_cast<bool>(who.storage.meanwhile);
    const auto expected = oracle_.tokens.authenticate(token);
    if (const auto known = who.callers.known(token)) {
      REQUIRE(expected);
      CHECK(*known == *expected);
    }
    const auto found = who.callers.find(token);
    // If the token changes meanwhile, both answers are right.
    if (disturbed) return;
    REQUIRE((found != nullptr) == expected.has_value());
    if (found) CHECK(*found == *expected);
  }

  Shared shared_;
  std::mt19937_64 random_;
  std::array<std::unique_ptr<Process>, 2> processes_;
  Process oracle_;
  std::vector<User> people_;
  std::vector<std::string> tokens_;
  int next_ = 0;
};

}  // namespace

TEST_CASE("callers: in random worlds memory and stores say the same") {
  const std::uint64_t worlds = worlds_or(60);
  for (std::uint64_t seed = first_seed(); seed < first_seed() + worlds; ++seed) {
    CAPTURE(seed);
    RandomWorld world(seed);
    world.run(150);
  }
}

}  // namespace chirp::test
