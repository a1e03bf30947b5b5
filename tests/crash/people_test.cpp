// Goal: a change of an account that fails or is killed says truly what it has done, and the next
// writer finishes it. Method: the program under the fault injector, once for every call that
// changes files; then a command of another user, and the directory is as if nothing had happened.

#include <doctest/doctest.h>

#include "core/doctor/doctor.h"
#include "tests/support/data_directories.h"
#include "tests/support/doctor_village.h"
#include "tests/support/sweep.h"

namespace chirp::test {
namespace {

constexpr const char* kRest = "The next command that writes does the rest.";

// Somebody else writes, and changes nothing by it.
void write_something(const Hit& hit) {
  const Ended ended = run(chirp_command(hit.data().string(), {"follow", "add", "a0", "a1"}));
  CHECK_MESSAGE(ended.ok(), to_string(ended));
}

void check_doctor(const Hit& hit) {
  Opened opened(hit.data(), test_clock());
  CHECK(words(opened.examine()).empty());
}

// Status 0 if the change is made, and 1 if not; the next writer does the rest.
void check_told(const Stage& stage, const Hit& hit) {
  CHECK(hit.ended.signal == 0);
  check_doctor(hit);
  write_something(hit);
  const Contents found = contents(hit.data());
  if (hit.ended.ok()) {
    CHECK(found == stage.after());
  } else {
    CHECK(hit.ended.status == 1);
    CHECK(hit.ended.out.empty());
    CHECK(hit.ended.err.find(kRest) == std::string::npos);
    CHECK(found == stage.before());
  }
  check_sound(hit);
  check_doctor(hit);
}

}  // namespace

TEST_CASE("crash: changes of accounts that fail at any call say whether they were made") {
  if (skipped()) return;
  struct Sweep {
    std::vector<std::string> arguments;
    const char* mode;
  };
  for (const auto& [arguments, mode] :
       {Sweep{{"user", "add", "newcomer", "--display-name", "Somebody New"}, "eio"},
        Sweep{{"user", "edit", "a2", "--display-name", "Another Name"}, "enospc"},
        Sweep{{"user", "remove", "a2"}, "eio"}}) {
    CAPTURE(arguments[1]);
    const Stage stage(in_world(arguments));
    REQUIRE(stage.before() != stage.after());
    int left = 0;
    sweep_all(stage, mode, [&](const Hit& hit) {
      check_told(stage, hit);
      left += hit.ended.err.find(kRest) == std::string::npos ? 0 : 1;
    });
    CHECK(left > 0);
  }
}

TEST_CASE("crash: an edit that is killed at any call is finished by the next writer") {
  if (skipped()) return;
  const Stage stage(in_world({"user", "edit", "a2", "--display-name", "Another Name"}));
  sweep(stage, "kill", [&](const Hit& hit) {
    check_doctor(hit);
    write_something(hit);
    const Contents found = contents(hit.data());
    if (!hit.ended.out.empty()) CHECK(found == stage.after());
    CHECK((found == stage.before() || found == stage.after()));
    check_sound(hit);
    check_doctor(hit);
  });
}

}  // namespace chirp::test
