// Goal: the unit that is installed starts what is installed, as a user that exists, and may do
// little else. Method: systemd's own judgement of the unit, offline; what one file says is held
// against the others; the unit's commands are run on a directory as systemd makes it.
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/installed.h"
#include "tests/support/pattern.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::service_test {
namespace {

namespace fs = std::filesystem;

// The exposure that systemd computes: 0 for none, 10 for all; in tenths.
constexpr const char* kExposureMax = "--threshold=13";

constexpr ::uid_t kNobody = 65534;

bool is_there(const std::string& program) {
  if (run({.arguments = {"/bin/sh", "-c", "command -v " + program + " > /dev/null"}}).ok()) {
    return true;
  }
  MESSAGE("skipped: needs " << program << ", of systemd");
  return false;
}

// The value of `key` in a unit, which has it once.
std::string value_of(const std::string& unit, const std::string& key) {
  const Pattern line("(?:^|\n)" + key + "=([^\n]*)");
  const std::vector<Match> found = line.all_in(unit);
  REQUIRE_MESSAGE(found.size() == 1, key);
  return found.front()[1];
}

}  // namespace

TEST_CASE("service: systemd finds nothing wrong in the unit, and little that it may do") {
  if (!is_there("systemd-analyze")) return;
  const TempFolder folder(TempFolder::Where::kDisk);
  const Installed installed(folder);
  const std::string unit = (installed / "lib/systemd/system/chirp.service").string();
  const bool has_man = run({.arguments = {"/bin/sh", "-c", "command -v man > /dev/null"}}).ok();
  const Ended verified = run({.arguments = {"/usr/bin/env", "systemd-analyze", "verify",
                                            has_man ? "--man=yes" : "--man=no", unit},
                              .environment = {"MANPATH=" + (installed / "share/man").string()}});
  CHECK_MESSAGE(verified.ok(), to_string(verified));
  CHECK(verified.err == "");
  const Ended judged = run({.arguments = {"/usr/bin/env", "systemd-analyze", "security",
                                          "--no-pager", "--offline=true", kExposureMax, unit}});
  CHECK_MESSAGE(judged.ok(), to_string(judged));
}

TEST_CASE("service: the unit, its user and its directory belong together") {
  const Installed installed("/usr");
  const std::string unit = read_file(installed / "lib/systemd/system/chirp.service");
  const std::string users = read_file(installed / "lib/sysusers.d/chirp.conf");
  CHECK(value_of(unit, "ExecStart") == "/usr/bin/chirp serve");
  CHECK(value_of(unit, "ExecStartPre").starts_with("/usr/bin/chirp init"));
  CHECK(value_of(unit, "Environment") ==
        "CHIRP_DATA=%S/" + value_of(unit, "StateDirectory") + "/data");
  CHECK(value_of(unit, "Documentation") == "man:chirp-serve(1)");
  CHECK(fs::exists(installed / "share/man/man1/chirp-serve.1"));
  const std::string user = value_of(unit, "User");
  CHECK(value_of(unit, "Group") == user);
  CHECK(users.find("\nu " + user + " - ") != std::string::npos);
  CHECK(users.ends_with(" /var/lib/" + value_of(unit, "StateDirectory") + "\n"));
  CHECK(unit.find('@') == unit.find("@system-service"));  // nothing is left to be filled in
}

TEST_CASE("service: its user makes the data where systemd has made an empty folder, and once") {
  const TempFolder folder(TempFolder::Where::kDisk);
  const Installed installed(folder);
  const std::string unit = read_file(installed / "lib/systemd/system/chirp.service");
  const fs::path state = folder / "chirp";
  fs::create_directory(state);
  fs::permissions(state, fs::perms::owner_all);
  // Nothing beside the folder is the user's to write, and root goes without its rights.
  std::vector<std::string> start{"/bin/sh", "-c", "exec " + value_of(unit, "ExecStartPre")};
  if (::geteuid() == 0) {
    REQUIRE(::chown(state.c_str(), kNobody, kNobody) == 0);
    const std::string id = std::to_string(kNobody);
    start.insert(start.begin(),
                 {"/usr/bin/env", "setpriv", "--reuid=" + id, "--regid=" + id, "--clear-groups"});
  }
  fs::permissions(folder.path(), fs::perms(0555));
  std::string variable = value_of(unit, "Environment");
  variable.replace(variable.find("%S"), 2, folder.path().string());
  for (int times = 0; times < 2; ++times) {
    const Ended made = run({.arguments = start, .environment = {variable}});
    CHECK_MESSAGE(made.ok(), to_string(made));
  }
  fs::permissions(folder.path(), fs::perms::owner_all);
  CHECK(fs::exists(state / "data/users.db"));
}

TEST_CASE("service: systemd makes the user") {
  if (!is_there("systemd-sysusers")) return;
  if (::geteuid() != 0) {
    MESSAGE("skipped: only root may write the files of users");
    return;
  }
  const Installed installed("/usr");
  fs::create_directory(installed.root() / "etc");
  const Ended made = run({.arguments = {"/usr/bin/env", "systemd-sysusers",
                                        "--root=" + installed.root().string(), "chirp.conf"}});
  CHECK_MESSAGE(made.ok(), to_string(made));
  const std::string users = read_file(installed.root() / "etc/passwd");
  CHECK(users.starts_with("chirp:x:"));
  CHECK(users.find(":/var/lib/chirp:/usr/sbin/nologin\n") != std::string::npos);
}

}  // namespace chirp::test::service_test
