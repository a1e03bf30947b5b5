// Goal: row and card of a user end up equal, whoever changes them at the same time and wherever a
// change stops; the caller learns what has been done.
// Method: the use cases over the stores in memory, which run another change between two steps, or
// fail at one.
#include <array>
#include <functional>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/load/people.h"
#include "core/ports/reads.h"
#include "core/social/accounts.h"
#include "tests/model/storage.h"
#include "tests/model/user_directory.h"
#include "tests/support/fake_clock.h"
#include "tests/support/social_world.h"
#include "tests/support/thrown.h"

namespace chirp::social::account_cards_test {
namespace {

// Lets somebody in once, just before a write of cards.
class InterruptedStorage final : public model::ModelStorage {
 public:
  std::function<void()> before_write;

  bool decide(Time now, Purpose purpose, const Decision& decision) override {
    if (const auto somebody = std::exchange(before_write, {})) somebody();
    return ModelStorage::decide(now, purpose, decision);
  }
};

[[noreturn]] void fail() { throw Error(ErrorCode::kStorageFull, "The disk is full."); }

struct World {
  InterruptedStorage storage;
  model::ModelUserDirectory directory;
  test::PlainHasher hasher;
  test::FakeClock clock;
  Accounts accounts{storage, directory, hasher, clock};

  UserView add(const std::string& name) {
    SignUp sign_up;
    sign_up.username = name;
    return accounts.add(sign_up);
  }
  User user(std::string_view name) const { return accounts.resolve(name); }
  UserView rename(const std::string& name, const std::string& display_name) {
    AccountEdit edit;
    edit.display_name = display_name;
    return accounts.edit(user(name), edit);
  }
  [[nodiscard]] std::optional<AuthorCard> card(UserNumber number) const {
    return reads::cards(*storage.snapshot(), std::array{number}).front();
  }
  // Row and card say the same.
  [[nodiscard]] bool agree(UserNumber number) const {
    const auto user = directory.find(number);
    return user && card(number) == card_of(*user);
  }
};

}  // namespace

TEST_CASE("accounts: a sign-up whose card can't be written is kept, and says what is left to do") {
  World world;
  world.storage.before_write = fail;
  const UserView added = world.add("mira");
  CHECK(added.unfinished == "The disk is full.");
  CHECK(world.directory.find_name("mira"));
  CHECK(test::code_of([&] { world.add("mira"); }) == ErrorCode::kAlreadyExists);
  CHECK_FALSE(world.card(added.user.number));
  world.accounts.resume();
  CHECK(world.agree(added.user.number));
  CHECK(world.accounts.view(world.user("mira")).unfinished.empty());
}

TEST_CASE("accounts: somebody who comes between row and card of a sign-up completes it") {
  World world;
  world.storage.before_write = [&] { world.accounts.resume(); };
  const UserView added = world.add("mira");
  CHECK(added.unfinished.empty());
  CHECK(world.agree(added.user.number));
}

TEST_CASE("accounts: an edit whose card can't be written is kept; the next writer finishes it") {
  World world;
  const UserNumber mira = world.add("mira").user.number;
  for (int i = 0; i < 20; ++i) world.add("later" + std::to_string(i));  // no newcomer any more
  world.accounts.resume();
  world.storage.before_write = fail;
  const UserView edited = world.rename("mira", "Mira Okafor");
  CHECK(edited.user.display_name == "Mira Okafor");
  CHECK(edited.unfinished == "The disk is full.");
  CHECK(world.card(mira)->display_name == "mira");
  world.accounts.resume();
  CHECK(world.agree(mira));
}

TEST_CASE("accounts: of edits at the same time the last one leaves row and card alike") {
  World world;
  const UserNumber mira = world.add("mira").user.number;
  int edits = 0;
  const std::function<void()> another = [&] {
    if (++edits < 4) world.storage.before_write = another;
    world.rename("mira", "edit " + std::to_string(edits));
  };
  world.storage.before_write = another;
  world.rename("mira", "the first");
  CHECK(edits == 4);
  CHECK(world.agree(mira));
}

TEST_CASE("accounts: an edit beside a load that renames leaves row and card alike") {
  World world;
  load::Tally tally;
  load::Turns turns(world.clock, [] {});
  const auto meet = [&](const std::string& name) {
    load::People people(world.storage, world.directory, world.clock, turns, tally);
    people.slot_of(SourceId{7});
    if (!name.empty()) people.say({SourceId{7}, name, {}, {}});
    people.resolve();
  };
  SUBCASE("of somebody who has just come") {
    world.storage.before_write = [&] { world.rename("u7", "Edited"); };
    meet({});
  }
  SUBCASE("of somebody who gets a name") {
    meet({});
    world.storage.before_write = [&] { world.rename("mira", "Edited"); };
    meet("mira");
  }
  CHECK(world.agree(UserNumber{1}));
  CHECK(world.card(UserNumber{1})->display_name == "Edited");
}

TEST_CASE("accounts: cards that a load left undone are written by the next writer") {
  World world;
  std::vector<LoadedUser> users;
  for (std::uint64_t source = 1; source <= 2500; ++source) {
    LoadedUser user;
    user.source = SourceId{source};
    users.push_back(user);
  }
  world.directory.load(users, world.clock.now());  // and then nothing
  world.accounts.resume();
  for (std::uint32_t number = 1; number <= 2500; ++number) {
    REQUIRE(world.agree(UserNumber{number}));
  }
  CHECK(world.directory.due_cards(9).empty());
}

TEST_CASE("accounts: a removal holds from the mark on, whatever fails after it") {
  World world;
  const UserNumber mira = world.add("mira").user.number;
  world.storage.before_write = [&] { world.storage.before_write = fail; };  // at the first trace
  CHECK(world.accounts.remove(world.user("mira")) == "The disk is full.");
  CHECK_FALSE(world.accounts.find_name("mira"));
  CHECK(world.directory.find(mira));
  world.accounts.resume();
  CHECK_FALSE(world.directory.find(mira));
  CHECK(reads::unfinished_removals(*world.storage.snapshot()).empty());
}

TEST_CASE("accounts: a removal that can't begin changes nothing, and says so") {
  World world;
  const UserNumber mira = world.add("mira").user.number;
  world.storage.before_write = fail;
  CHECK(test::code_of([&] { world.accounts.remove(world.user("mira")); }) ==
        ErrorCode::kStorageFull);
  CHECK(world.agree(mira));
  CHECK(world.accounts.find_name("mira"));
}

TEST_CASE("accounts: nobody comes back by a card that is late") {
  World world;
  const UserNumber mira = world.add("mira").user.number;
  world.storage.before_write = [&] { world.accounts.remove(world.user("mira")); };
  world.rename("mira", "Too late");
  CHECK(world.card(mira)->presence == Presence::kRemoved);
  world.accounts.resume();
  CHECK(world.card(mira)->username.empty());
}

}  // namespace chirp::social::account_cards_test
