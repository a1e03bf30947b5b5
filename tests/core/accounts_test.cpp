// Goal: people sign up, are looked up, edited and removed as the command line promises, crash or
// not. Method: the use cases over the stores in memory, with a hasher that costs nothing; a crash
// is the state that the steps done so far leave.
#include "core/social/accounts.h"

#include <array>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "tests/model/storage.h"
#include "tests/model/user_directory.h"
#include "tests/support/fake_clock.h"
#include "tests/support/thrown.h"

namespace chirp::social::accounts_test {
namespace {

using test::blamed_by;
using test::code_of;

class PlainHasher final : public PasswordHasher {
 public:
  [[nodiscard]] std::string hash(std::string_view password, unsigned cost) const override {
    return std::to_string(cost) + ":" + std::string(password);
  }
  [[nodiscard]] bool matches(std::string_view password, std::string_view hash,
                             unsigned cost) const override {
    checked.emplace_back(hash);
    costs.push_back(cost);
    return hash.ends_with(":" + std::string(password));
  }

  mutable std::vector<std::string> checked;
  mutable std::vector<unsigned> costs;
};

// Fails at the n-th look, which is how a write that fails is had without a disk.
class FailingClock final : public Clock {
 public:
  explicit FailingClock(int looks) : looks_(looks) {}
  [[nodiscard]] Time now() const override {
    if (--looks_ < 0) throw Error(ErrorCode::kStorageFull, "The disk is full.");
    return Time{snowflake::kEpochMs + kDayMs};
  }
  [[nodiscard]] std::int64_t steady_ns() const override { return 0; }

 private:
  mutable int looks_;
};

struct World {
  model::ModelStorage storage;
  model::ModelUserDirectory directory;
  PlainHasher hasher;
  test::FakeClock clock;
  Accounts accounts{storage, directory, hasher, clock};

  User add(const std::string& name) {
    SignUp sign_up;
    sign_up.username = name;
    return accounts.add(sign_up).user;
  }
  User user(std::string_view name) const { return accounts.resolve(name); }
  Outcome write(const Change& change) {
    return storage.write(std::array{change}, clock.now()).front();
  }
  std::optional<AuthorCard> card(UserNumber number) const {
    return reads::cards(*storage.snapshot(), std::array{number}).front();
  }
};

std::vector<std::string> names(const UserViewPage& page) {
  std::vector<std::string> out;
  for (const UserView& view : page.users) out.push_back(view.user.username);
  return out;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("accounts: a sign-up is kept in both stores, the password hashed") {
  World world;
  SignUp sign_up;
  sign_up.username = "Mira";
  sign_up.email = "mira@example.org";
  sign_up.display_name = "Zoe\xcc\x88";
  sign_up.bio = "hello";
  sign_up.password = "seven wet geese";
  const UserView view = world.accounts.add(sign_up);
  CHECK(view.user.display_name == "Zoë");
  CHECK(view.user.created_at == world.clock.now());
  CHECK(view.counters == UserCounters{});
  CHECK(world.card(view.user.number) == card_of(view.user));
  CHECK(world.directory.password_hash(view.user.number) == "12:seven wet geese");
  rules::set_plain(world.storage, "auth.bcrypt_cost", "4");
  world.accounts.set_password(world.user("mira"), "eight dry geese");
  CHECK(world.directory.password_hash(view.user.number) == "4:eight dry geese");
  for (const char* broken : {"3", "32", "", "4x", "-4"}) {
    rules::set_plain(world.storage, "auth.bcrypt_cost", broken);
    CHECK(code_of([&] { world.accounts.set_password(world.user("mira"), "eight dry geese"); }) ==
          ErrorCode::kCorrupt);
  }
}

TEST_CASE("accounts: a bad value is refused by its field, and nothing changes") {
  World world;
  const auto refused = [&](auto&& change) {
    SignUp sign_up;
    sign_up.username = "mira";
    change(sign_up);
    return blamed_by([&] { world.accounts.add(sign_up); });
  };
  CHECK(refused([](SignUp& s) { s.username = "not a name"; }) == "username");
  CHECK(refused([](SignUp& s) { s.email = "nobody"; }) == "email");
  CHECK(refused([](SignUp& s) { s.email = ""; }) == "email");
  CHECK(refused([](SignUp& s) { s.display_name = " "; }) == "displayName");
  CHECK(refused([](SignUp& s) { s.bio = std::string(161, 'x'); }) == "bio");
  CHECK(refused([](SignUp& s) { s.password = "short"; }) == "password");
  CHECK(refused([](SignUp& s) { s.password = std::string(73, 'x'); }) == "password");
  CHECK(world.directory.count() == 0);
  world.add("mira");
  CHECK(code_of([&] { world.add("MIRA"); }) == ErrorCode::kAlreadyExists);
  CHECK(blamed_by([&] { world.accounts.set_password(world.user("mira"), "x"); }) == "password");
  AccountEdit edit;
  edit.email = "nobody";
  CHECK(blamed_by([&] { world.accounts.edit(world.user("mira"), edit); }) == "email");
  edit = {};
  edit.display_name = "";
  CHECK(blamed_by([&] { world.accounts.edit(world.user("mira"), edit); }) == "displayName");
}

TEST_CASE("accounts: a name is a username in any case, with or without @, or an id") {
  World world;
  const User mira = world.add("Mira");
  const User digits = world.add("123456789012345");
  for (const std::string& name : {std::string("Mira"), std::string("mIRA"), std::string("@mira"),
                                  std::to_string(mira.id.value)}) {
    CHECK(world.accounts.resolve(name) == mira);
  }
  CHECK(world.accounts.resolve("123456789012345") == digits);
  CHECK(world.accounts.resolve("@123456789012345") == digits);
  for (const std::string& nobody :
       {std::string(), std::string("@"), std::string("@@mira"), std::string("mir"),
        std::string("mira "), "@" + std::to_string(mira.id.value), std::string("1234567890123456"),
        std::string("99999999999999999999999"), std::string("mi\x1bra")}) {
    CAPTURE(nobody);
    CHECK(code_of([&] { (void)world.accounts.resolve(nobody); }) == ErrorCode::kNotFound);
  }
}

TEST_CASE("accounts: an edit changes the row and the card") {
  World world;
  const User mira = world.add("mira");
  AccountEdit edit;
  edit.display_name = "Mira O.";
  edit.email = "mira@example.org";
  const UserView edited = world.accounts.edit(world.user("MIRA"), edit);
  CHECK(edited.user.display_name == "Mira O.");
  CHECK(edited.user.email == "mira@example.org");
  CHECK(world.card(mira.number)->display_name == "Mira O.");
  edit = {};
  edit.email = "";
  CHECK_FALSE(world.accounts.edit(world.user("mira"), edit).user.email);
  CHECK(world.accounts.view(world.user("mira")).user.display_name == "Mira O.");
  CHECK(code_of([&] { world.accounts.edit(world.user("bob"), {}); }) == ErrorCode::kNotFound);
}

TEST_CASE("accounts: a password is checked once, whether the user exists or not") {
  World world;
  SignUp sign_up;
  sign_up.username = "mira";
  sign_up.password = "seven wet geese";
  const User mira = world.accounts.add(sign_up).user;
  const User plain = world.add("plain");
  struct Question {
    std::optional<User> user;
    const char* password;
    bool right;
  };
  for (const Question& question :
       {Question{mira, "seven wet geese", true}, Question{mira, "eight dry geese", false},
        Question{plain, "seven wet geese", false},
        Question{std::nullopt, "seven wet geese", false}}) {
    world.hasher.checked.clear();
    CHECK(world.accounts.is_password(question.user, question.password) == question.right);
    REQUIRE(world.hasher.checked.size() == 1);
    CHECK((world.hasher.checked.front() == "12:seven wet geese" ||
           world.hasher.checked.front().starts_with("$2b$12$")));
  }
  rules::set_plain(world.storage, "auth.bcrypt_cost", "5");
  CHECK_FALSE(world.accounts.is_password(std::nullopt, "seven wet geese"));
  CHECK(world.hasher.checked.back().starts_with("$2b$05$"));
  CHECK(world.hasher.checked.back().size() == 60);
  CHECK(world.accounts.is_password(mira, "seven wet geese"));
  CHECK(world.hasher.costs == std::vector<unsigned>{12, 12, 12, 12, 5, 5});
}

TEST_CASE("accounts: a password that is right is hashed anew when another cost is set") {
  World world;
  SignUp sign_up;
  sign_up.username = "mira";
  sign_up.password = "seven wet geese";
  const User mira = world.accounts.add(sign_up).user;
  const std::string token = world.directory.add_token(mira.number, world.clock.now(), {});
  const auto hash = [&] { return world.directory.password_hash(mira.number).value(); };
  const auto keep = [&](const std::string& kept) {
    CHECK(world.directory.replace_hash(mira.number, hash(), kept));
  };
  // As bcrypt writes it: the method, the cost, the rest.
  keep("$2b$12$:seven wet geese");
  world.accounts.renew_hash(mira, "seven wet geese");
  CHECK(hash() == "$2b$12$:seven wet geese");
  for (const char* cost : {"13", "4"}) {
    rules::set_plain(world.storage, "auth.bcrypt_cost", cost);
    keep("$2b$12$:seven wet geese");
    world.accounts.renew_hash(mira, "seven wet geese");
    CHECK(hash() == std::string(cost) + ":seven wet geese");
  }
  CHECK(world.directory.token_owner(token, world.clock.now()) == mira.number);
  const User plain = world.add("plain");
  world.accounts.renew_hash(plain, "anything at all");
  CHECK_FALSE(world.directory.password_hash(plain.number));
}

TEST_CASE("accounts: an edit with a password is made whole or not at all") {
  World world;
  SignUp sign_up;
  sign_up.username = "mira";
  sign_up.email = "mira@example.org";
  sign_up.password = "seven wet geese";
  const User mira = world.accounts.add(sign_up).user;
  const std::string kept = world.directory.add_token(mira.number, world.clock.now(), {});
  const std::string other = world.directory.add_token(mira.number, world.clock.now(), {});
  AccountEdit edit;
  edit.bio = "hello";
  edit.password = "short";
  CHECK(blamed_by([&] { world.accounts.edit(world.user("mira"), edit); }) == "password");
  CHECK(world.accounts.view(world.user("mira")).user.bio.empty());
  edit.password = "eight dry geese";
  edit.kept_token = kept;
  CHECK(world.accounts.edit(world.user("mira"), edit).user.bio == "hello");
  CHECK(world.accounts.is_password(mira, "eight dry geese"));
  CHECK(world.directory.token_owner(kept, world.clock.now()) == mira.number);
  CHECK_FALSE(world.directory.token_owner(other, world.clock.now()));
  CHECK(world.accounts.find_email("MIRA@example.org")->number == mira.number);
  CHECK(world.accounts.find_id(mira.id)->number == mira.number);
  world.write(MarkRemoved{mira.number});
  CHECK_FALSE(world.accounts.find_email("mira@example.org"));
  CHECK_FALSE(world.accounts.find_id(mira.id));
}

TEST_CASE("accounts: a removal takes everything and frees the name") {
  World world;
  const User mira = world.add("mira");
  const User bob = world.add("bob");
  world.write(Publish{mira.number, "hello", Privacy::kPublic});
  world.write(Follow{mira.number, bob.number});
  world.write(Follow{bob.number, mira.number});
  world.accounts.remove(world.user("@Mira"));
  CHECK(code_of([&] { (void)world.user("mira"); }) == ErrorCode::kNotFound);
  CHECK(code_of([&] { world.accounts.remove(world.user("mira")); }) == ErrorCode::kNotFound);
  CHECK_FALSE(world.directory.find(mira.number));
  CHECK(world.directory.removals().empty());
  const auto snapshot = world.storage.snapshot();
  CHECK(reads::unfinished_removals(*snapshot).empty());
  CHECK(snapshot->table_rows()["posts"] == 0);
  CHECK(snapshot->table_rows()["follows"] == 0);
  CHECK(world.accounts.view(bob).counters == UserCounters{});
  const User again = world.add("mira");
  CHECK(again.number != mira.number);
  CHECK(again.id > mira.id);
}

TEST_CASE("accounts: a user who is being removed is hidden from everybody") {
  World world;
  for (const char* name : {"a", "b", "c", "d", "e"}) world.add(name);
  for (const char* name : {"b", "c", "e"}) {
    world.write(MarkRemoved{world.directory.find_name(name)->number});
  }
  CHECK(code_of([&] { (void)world.accounts.resolve("b"); }) == ErrorCode::kNotFound);
  UserQuery query;
  CHECK(names(world.accounts.list(query)) == Names{"a", "d"});
  query.limit = 1;
  const UserViewPage first = world.accounts.list(query);
  CHECK(names(first) == Names{"a"});
  CHECK(first.more);
  query.after = "a";
  const UserViewPage second = world.accounts.list(query);
  CHECK(names(second) == Names{"d"});
  CHECK_FALSE(second.more);
}

TEST_CASE("accounts: lists say what they can't answer") {
  World world;
  world.add("mira");
  UserQuery query;
  for (const std::uint32_t limit : {0u, limits::kUserPageMax + 1, 1'000'000'000u}) {
    query.limit = limit;
    CHECK(blamed_by([&] { (void)world.accounts.list(query); }) == "limit");
  }
  query.limit = limits::kUserPageMax;
  CHECK(names(world.accounts.list(query)) == Names{"mira"});
  query.match = std::string(limits::kMatchMax + 1, 'x');
  CHECK(blamed_by([&] { (void)world.accounts.list(query); }) == "match");
  query.match = "\xff";
  CHECK(blamed_by([&] { (void)world.accounts.list(query); }) == "match");
  query.match = std::nullopt;
  query.after = "not a name";
  CHECK(blamed_by([&] { (void)world.accounts.list(query); }) == "cursor");
}

TEST_CASE("accounts: somebody is hidden with the mark, whatever can be removed after it") {
  World world;
  const User mira = world.add("mira");
  world.write(Publish{mira.number, "hello", Privacy::kPublic});
  const FailingClock clock(1);  // for the mark
  Accounts accounts{world.storage, world.directory, world.hasher, clock};
  accounts.hide(accounts.resolve("mira"));
  CHECK_FALSE(accounts.find_name("mira"));
  CHECK(world.directory.find(mira.number));
  world.accounts.resume();
  CHECK_FALSE(world.directory.find(mira.number));
}

TEST_CASE("accounts: a removal is taken up wherever a crash left it") {
  for (int done = 0; done < 4; ++done) {
    CAPTURE(done);
    World world;
    const User mira = world.add("mira");
    world.write(Publish{mira.number, "hello", Privacy::kPublic});
    world.write(MarkRemoved{mira.number});
    if (done >= 1) world.directory.begin_removal(mira.number);
    if (done >= 2) rules::remove_traces(world.storage, mira.number, 1, world.clock.now());
    while (done >= 3 && !rules::remove_traces(world.storage, mira.number, 100, world.clock.now())) {
    }
    world.accounts.resume();
    CHECK_FALSE(world.directory.find(mira.number));
    CHECK(world.directory.removals().empty());
    CHECK(reads::unfinished_removals(*world.storage.snapshot()).empty());
    CHECK(world.storage.snapshot()->table_rows()["posts"] == 0);
    world.add("mira");
  }
}

TEST_CASE("accounts: a removal that hid nobody is called off") {
  World world;
  const User mira = world.add("mira");
  world.directory.begin_removal(mira.number);
  world.accounts.resume();
  CHECK(world.directory.removals().empty());
  CHECK(world.user("mira") == mira);
}

TEST_CASE("accounts: a sign-up that a crash cut short is completed") {
  World world;
  NewUser user;
  user.username = "mira";
  const User mira = world.directory.add(user, world.clock.now());
  CHECK(world.user("mira") == mira);
  SUBCASE("by who resumes") { world.accounts.resume(); }
  SUBCASE("when the card is needed") { world.accounts.ensure_card(mira); }
  CHECK(world.card(mira.number) == card_of(mira));
  const auto version = world.storage.version();
  world.accounts.resume();
  world.accounts.ensure_card(mira);
  CHECK(world.storage.version() == version);
}

TEST_CASE("accounts: a user without a card can be removed") {
  World world;
  NewUser user;
  user.username = "mira";
  const User mira = world.directory.add(user, world.clock.now());
  world.accounts.remove(world.user("mira"));
  CHECK_FALSE(world.directory.find(mira.number));
  CHECK(world.card(mira.number)->presence == Presence::kRemoved);
}

}  // namespace chirp::social::accounts_test
