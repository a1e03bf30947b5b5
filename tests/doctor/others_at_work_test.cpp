// Goal: doctor finds nothing in a sound directory, whatever others do while it looks; and still
// finds what is wrong.
// Method: the users are behind a port that lets somebody work at each place where doctor looks at
// one of the two stores after the other: once, at every look in turn.
#include <functional>
#include <string>
#include <utility>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/doctor/doctor.h"
#include "core/rules/writing.h"
#include "store/layout.h"
#include "store/sqlite/user_directory.h"
#include "tests/support/doctor_village.h"

namespace chirp::test {
namespace {

using doctor::Finding;
using doctor::FindingKind;
using Work = std::function<void(Engine&)>;

// Before and after each look at the users somebody may work, through a connection of their own.
class BusyDirectory final : public sqlite::SqliteUserDirectory {
 private:
  template <class Look>
  auto between(Look look) const {
    somebody_();
    auto seen = look();
    somebody_();
    return seen;
  }

 public:
  BusyDirectory(const std::filesystem::path& file, std::function<void()> somebody)
      : SqliteUserDirectory(file), somebody_(std::move(somebody)) {}

  [[nodiscard]] std::vector<User> walk(UserNumber bound, Direction direction,
                                       std::uint32_t limit) const override {
    return between([&] { return SqliteUserDirectory::walk(bound, direction, limit); });
  }
  [[nodiscard]] std::optional<User> look_up(const SoughtUser& who) const override {
    return between([&] { return SqliteUserDirectory::look_up(who); });
  }
  [[nodiscard]] bool is_card_due(UserNumber user) const override {
    return between([&] { return SqliteUserDirectory::is_card_due(user); });
  }
  [[nodiscard]] std::vector<std::string> problems() const override {
    return between([&] { return SqliteUserDirectory::problems(); });
  }

 private:
  std::function<void()> somebody_;
};

// A village, somebody at work in it, and a doctor who looks through a directory that lets them.
class BusyVillage {
 public:
  explicit BusyVillage(Work work) : work_(std::move(work)) {}

  // The findings when somebody works at the `at`-th place, from 1; at every place, for 0.
  std::vector<Finding> examine(int at) {
    at_ = at;
    places_ = 0;
    return doctor::examine(doctor_, [](const doctor::Checked&) {});
  }
  // That the last examination came by.
  [[nodiscard]] int places() const { return places_; }
  [[nodiscard]] Engine& other() { return other_.engine(); }

 private:
  void somebody() {
    if (working_) return;
    ++places_;
    // Whoever signs up at every look there is would keep doctor looking for ever.
    if (at_ == 0 ? places_ > kWorkMost : places_ != at_) return;
    working_ = true;
    work_(other_.engine());
    working_ = false;
  }

  static constexpr int kWorkMost = 60;

  Work work_;
  int at_ = 0;
  int places_ = 0;
  bool working_ = false;
  Village village_;
  Opened other_{village_.path()};
  std::unique_ptr<Clock> clock_ = store::system_clock();
  std::unique_ptr<PasswordHasher> hasher_ = store::bcrypt_hasher();
  // With connections of the doctor's own, as another process has them.
  BusyDirectory busy_{store::Layout(village_.path()).users(), [this] { somebody(); }};
  Engine doctor_{other_.directory().storage(), busy_, *hasher_, *clock_};
};

// Somebody works at each place in turn, then at all of them.
void check_undisturbed(const Work& work) {
  BusyVillage village(work);
  int places = 1;
  for (int at = 1; at <= places && at <= 40; ++at) {
    CAPTURE(at);
    CHECK(words(village.examine(at)) == "");
    places = village.places();
  }
  CHECK(places > 3);
  CHECK(words(village.examine(0)).empty());
}

std::string fresh_name() {
  static int n = 0;
  return fmt::format("new{}", ++n);
}

void sign_up_one(Engine& engine) {
  social::SignUp sign_up;
  sign_up.username = fresh_name();
  engine.accounts().add(sign_up);
}

void rename_one(Engine& engine) {
  social::AccountEdit edit;
  edit.display_name = fresh_name();
  engine.accounts().edit(engine.accounts().resolve("a1"), edit);
}

void settle_all(Engine& engine) {
  engine.directory().settle_cards(engine.directory().due_cards(1'000'000));
}

}  // namespace

TEST_CASE("doctor: sign-ups meanwhile are no findings") {
  check_undisturbed(sign_up_one);
  check_undisturbed([](Engine& engine) {
    sign_up_one(engine);
    settle_all(engine);
  });
}

TEST_CASE("doctor: edits meanwhile are no findings") {
  check_undisturbed(rename_one);
  check_undisturbed([](Engine& engine) {
    rename_one(engine);
    settle_all(engine);
  });
}

TEST_CASE("doctor: sign-ups and edits that are half done are no findings") {
  const auto edit_row = [](Engine& engine) {
    UserEdit edit;
    edit.display_name = fresh_name();
    engine.directory().edit(engine.directory().find_name("a2")->number, edit);
  };
  check_undisturbed(edit_row);
  check_undisturbed([](Engine& engine) {
    engine.directory().add({fresh_name(), {}, {}, {}, {}}, engine.clock().now());
  });
  // The next look comes after they are done.
  int calls = 0;
  check_undisturbed([&](Engine& engine) {
    if (++calls % 2 == 1) return edit_row(engine);
    engine.accounts().resume();
    settle_all(engine);
  });
}

TEST_CASE("doctor: loads meanwhile are no findings") {
  std::uint64_t source = 0;
  check_undisturbed([&](Engine& engine) {
    LoadedUser user;
    user.source = SourceId{++source};
    const auto result = engine.directory().load({&user, 1}, engine.clock().now());
    if (source % 2 == 0) return;  // cut off before the card
    const AuthorCard card = social::card_of(result.front().user);
    rules::load_cards(engine.storage(), {&card, 1}, engine.clock().now());
    const LoadedPost post{SourceId{source + 1'000'000}, card.number, engine.clock().now(), "text"};
    rules::load_posts(engine.storage(), {&post, 1}, engine.clock().now());
    const PendingCard settled{result.front().due, card.number};
    engine.directory().settle_cards({&settled, 1});
  });
}

TEST_CASE("doctor: removals meanwhile are no findings, whole or half-way") {
  check_undisturbed([](Engine& engine) {
    sign_up_one(engine);
    const User newest = engine.directory().newest(1).front();
    engine.accounts().remove(engine.accounts().resolve(newest.username));
  });
  check_undisturbed([](Engine& engine) {
    sign_up_one(engine);
    const Change mark = MarkRemoved{engine.directory().newest(1).front().number};
    engine.storage().write({&mark, 1}, engine.clock().now());
  });
}

TEST_CASE("doctor: a lasting difference is found, whatever others do") {
  for (const bool is_edited : {true, false}) {
    BusyVillage village(sign_up_one);
    settle_all(village.other());
    const User a2 = *village.other().directory().find_name("a2");
    if (is_edited) {
      AuthorCard card = social::card_of(a2);
      card.display_name = "somebody else";
      const Change change = PutCard{card};
      village.other().storage().write({&change, 1}, village.other().clock().now());
    } else {
      village.other().directory().remove(a2.number);
    }
    const auto findings = village.examine(0);
    INFO(words(findings));
    REQUIRE(findings.size() == 1);
    CHECK(findings.front().kind == FindingKind::kCard);
    CHECK(findings.front().subject == a2.number);
  }
}

TEST_CASE("doctor: a difference in the users that only one look finds is not reported") {
  class Wavering final : public sqlite::SqliteUserDirectory {
   public:
    using SqliteUserDirectory::SqliteUserDirectory;
    [[nodiscard]] std::vector<std::string> problems() const override {
      return {fmt::format("look {}", ++looks_), "always"};
    }

   private:
    mutable int looks_ = 0;
  };
  const Village village;
  Opened opened(village.path());
  Wavering users(store::Layout(village.path()).users());
  const auto clock = store::system_clock();
  const auto hasher = store::bcrypt_hasher();
  Engine engine(opened.directory().storage(), users, *hasher, *clock);
  CHECK(words(doctor::examine(engine, [](const doctor::Checked&) {})) == "users: always\n");
}

}  // namespace chirp::test
