// Goal: the Debian package holds what an installation does, says what it needs, and comes and goes
// without a trace but what people wrote.
// Method: the package is built as `make deb` does and taken apart by dpkg-deb; then it is installed
// and removed by dpkg, in a root of the test's own with the machine's list of packages.
#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "cli/version.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/installed.h"
#include "tests/support/pattern.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

bool is_there(const std::string& program) {
  return run({.arguments = {"/bin/sh", "-c", "command -v " + program + " > /dev/null"}}).ok();
}

bool has_tools() {
  if (is_there("dpkg-shlibdeps")) return true;
  MESSAGE("skipped: needs dpkg-dev");
  return false;
}

std::string said(std::vector<std::string> arguments, std::vector<std::string> environment = {}) {
  const Ended ended =
      run({.arguments = std::move(arguments), .environment = std::move(environment)});
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  return ended.out;
}

// The package, in a folder of its own.
class Package {
 public:
  Package() {
    const std::string build = fs::path(CHIRP_BINARY).parent_path().string();
    (void)said({"/usr/bin/env", "-u", "DESTDIR", "cpack", "-G", "DEB", "--config",
                build + "/CPackConfig.cmake", "-B", folder_.path().string()});
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      if (entry.path().extension() == ".deb") file_ = entry.path();
    }
    REQUIRE_FALSE(file_.empty());
  }

  [[nodiscard]] const fs::path& file() const { return file_; }
  [[nodiscard]] std::string field(const std::string& name) const {
    std::string text = said({"/usr/bin/env", "dpkg-deb", "--field", file_.string(), name});
    while (text.ends_with('\n')) text.pop_back();
    return text;
  }

 private:
  TempFolder folder_{TempFolder::Where::kDisk};
  fs::path file_;
};

bool has_package(const std::string& list, const std::string& package) {
  return Pattern("(^|, )" + package + "[a-z0-9.]*( \\([^)]*\\))?(,|$)").is_in(list);
}

void check_fields(const Package& package) {
  const std::string version(cli::program_version());
  CHECK(package.field("Package") == "chirp");
  CHECK(package.field("Version") == version + "-1");
  const std::string architecture = package.field("Architecture");
  CHECK(architecture + "\n" == said({"/usr/bin/env", "dpkg", "--print-architecture"}));
  CHECK(package.file().filename() == fmt::format("chirp_{}-1_{}.deb", version, architecture));
  CHECK(std::stoi(package.field("Installed-Size")) > 1000);
  CHECK(package.field("Maintainer").find('@') != std::string::npos);
  const std::string description = package.field("Description");
  CHECK(description.find("\n chirp keeps users") != std::string::npos);
  // The first line is a phrase of at most 80 characters, without the name of the package.
  const std::string synopsis = description.substr(0, description.find('\n'));
  CHECK(synopsis.size() <= 80);
  CHECK_FALSE(synopsis.ends_with('.'));
  CHECK_FALSE(synopsis.starts_with("chirp"));
  const std::string needs = package.field("Depends");
  CAPTURE(needs);
  // The last four are opened by name, where dpkg-shlibdeps does not see them.
  for (const char* library : {"libc6", "libstdc\\+\\+6", "libfmt", "libarchive", "libssl",
                              "libxml2", "libidn2-", "libzstd1"}) {
    CHECK_MESSAGE(has_package(needs, library), library);
  }
  CHECK(package.field("Pre-Depends") == "");
}

// By dpkg-deb's listing: everything is root's, folders and the program are 0755, files 0644.
void check_permissions(const Package& package) {
  std::istringstream lines(
      said({"/usr/bin/env", "dpkg-deb", "--contents", package.file().string()}));
  std::size_t seen = 0;
  for (std::string line; std::getline(lines, line); ++seen) {
    CAPTURE(line);
    const bool program = line.ends_with(" ./usr/bin/chirp");
    const char* const expected = line.front() == 'd' ? "drwxr-xr-x"
                                 : program           ? "-rwxr-xr-x"
                                                     : "-rw-r--r--";
    CHECK(line.starts_with(std::string(expected) + " root/root "));
  }
  CHECK(seen > 50);
}

// What Debian packs otherwise than `make install` leaves it.
std::vector<std::string> as_packed(std::vector<std::string> files) {
  for (std::string& file : files) {
    if (file.ends_with(".1")) file += ".gz";
  }
  files.emplace_back("usr/share/doc/chirp/changelog.Debian.gz");
  files.emplace_back("usr/share/doc/chirp/changelog.gz");
  files.emplace_back("usr/share/doc/chirp/copyright");
  std::sort(files.begin(), files.end());
  return files;
}

// Notices of those whose code is in the program.
bool is_notice(const std::string& file) {
  return file.starts_with("usr/share/doc/chirp/copyright.");
}

void check_notices(const fs::path& documents) {
  for (const char* package : {"libcli11-dev", "liblmdb-dev", "libsqlite3-dev", "libxxhash-dev"}) {
    CHECK(read_file(documents / (std::string("copyright.") + package)) ==
          read_file(fs::path("/usr/share/doc") / package / "copyright"));
  }
}

// As gzip -n leaves it: neither a name nor a time, so that the same packs to the same.
void check_packed(const fs::path& file) {
  CAPTURE(file.string());
  const std::string bytes = read_file(file);
  REQUIRE(bytes.size() > 10);
  CHECK(bytes.substr(3, 5) == std::string(5, '\0'));
}

void check_changelog(const fs::path& documents) {
  const TempFolder folder;
  const std::string file = (folder / "changelog").string();
  write_file(file,
             said({"/usr/bin/env", "gzip", "-dc", (documents / "changelog.Debian.gz").string()}));
  for (const auto& [field, value] :
       {std::pair{"Source", std::string("chirp")},
        std::pair{"Version", fmt::format("{}-1", cli::program_version())}}) {
    const Ended read =
        run({.arguments = {"/usr/bin/env", "dpkg-parsechangelog", "-l", file, "-S", field}});
    CHECK_MESSAGE(read.ok(), to_string(read));
    CHECK(read.out == value + "\n");
    CHECK(read.err == "");  // it warns of dates and forms that are none
  }
}

void check_contents(const fs::path& root) {
  const Installed installed("/usr");
  auto packed_files = files_below(root);
  std::erase_if(packed_files, is_notice);
  CHECK(packed_files == as_packed(installed.files()));
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.is_directory()) CHECK_MESSAGE(!fs::is_empty(entry.path()), entry.path().string());
    if (entry.path().extension() == ".gz") check_packed(entry.path());
  }
  for (const std::string& name : installed.files()) {
    if (name == "usr/bin/chirp") continue;  // packed without its symbols
    CAPTURE(name);
    const std::string file = (root / name).string();
    const std::string packed = name.ends_with(".1")
                                   ? said({"/usr/bin/env", "gzip", "-dc", file + ".gz"})
                                   : read_file(file);
    CHECK(packed == read_file(installed.root() / name));
  }
  const fs::path documents = root / "usr/share/doc/chirp";
  CHECK(said({"/usr/bin/env", "gzip", "-dc", (documents / "changelog.gz").string()}) ==
        read_file(documents / "CHANGELOG.md"));
  check_changelog(documents);
  check_notices(documents);
  const std::string copyright = read_file(documents / "copyright");
  CHECK(copyright.find("\nCopyright: 2") != std::string::npos);
  CHECK(copyright.find("\nLicense: Expat\n Permission is hereby granted") != std::string::npos);
  CHECK(copyright.find("\n\n ") == std::string::npos);
  CHECK(copyright.find('@') == std::string::npos);
}

void check_program(const fs::path& root, const fs::path& data) {
  const std::string program = (root / "usr/bin/chirp").string();
  const std::vector<std::string> environment{"CHIRP_DATA=" + data.string()};
  CHECK(
      said({program, "--version"}).starts_with(fmt::format("chirp {}\n", cli::program_version())));
  (void)said({program, "init"}, environment);
  (void)said({program, "user", "add", "mira"}, environment);
  (void)said({program, "post", "add", "mira", "First frost on the allotment"}, environment);
  CHECK(said({program, "feed", "show", "mira"}, environment).find("First frost") !=
        std::string::npos);
  CHECK(said({program, "doctor"}, environment).ends_with("Everything is right.\n"));
}

// dpkg on a root of its own that has every package of the machine, as far as dpkg knows.
class Root {
 public:
  Root() {
    fs::create_directories(folder_ / "etc");
    fs::create_directories(folder_ / "var/lib/dpkg/info");
    fs::create_directories(folder_ / "var/lib/dpkg/updates");
    fs::create_directories(folder_ / "var/lib/dpkg/triggers");
    fs::copy_file("/var/lib/dpkg/status", folder_ / "var/lib/dpkg/status");
  }

  [[nodiscard]] const fs::path& path() const { return folder_.path(); }
  Ended dpkg(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(),
                     {"/usr/bin/env", "dpkg", "--root=" + folder_.path().string(),
                      "--force-script-chrootless", "--log=/dev/null"});
    return run({.arguments = arguments});
  }
  [[nodiscard]] std::string state() const {
    return run({.arguments = {"/usr/bin/env", "dpkg-query",
                              "--admindir=" + (folder_ / "var/lib/dpkg").string(), "--show",
                              "--showformat=${db:Status-Status}", "chirp"}})
        .out;
  }

 private:
  TempFolder folder_{TempFolder::Where::kDisk};
};

// It comes, and goes but for what people wrote.
void check_installing(const Package& package) {
  if (::geteuid() != 0) {
    MESSAGE("skipped: only root installs packages");
    return;
  }
  const Root root;
  const Ended installed = root.dpkg({"--install", package.file().string()});
  REQUIRE_MESSAGE(installed.ok(), to_string(installed));
  CHECK(root.state() == "installed");
  CHECK(read_file(root.path() / "etc/passwd").find("chirp:x:") != std::string::npos);
  const fs::path data = root.path() / "var/lib/chirp/data";
  fs::create_directories(data.parent_path());
  check_program(root.path(), data);

  const fs::path wanted = root.path() / "etc/systemd/system/multi-user.target.wants/chirp.service";
  CHECK_FALSE(fs::is_symlink(wanted));  // it enables nothing
  const bool enabled = is_there("systemctl");
  if (enabled) {
    (void)said(
        {"/usr/bin/env", "systemctl", "--root=" + root.path().string(), "enable", "chirp.service"});
    REQUIRE(fs::is_symlink(wanted));
  }

  const Ended again = root.dpkg({"--install", package.file().string()});
  CHECK_MESSAGE(again.ok(), to_string(again));
  CHECK(fs::is_symlink(wanted) == enabled);
  const Ended removed = root.dpkg({"--remove", "chirp"});
  CHECK_MESSAGE(removed.ok(), to_string(removed));
  CHECK_FALSE(fs::is_symlink(wanted));
  const Ended purged = root.dpkg({"--purge", "chirp"});
  CHECK_MESSAGE(purged.ok(), to_string(purged));
  CHECK(root.state() != "installed");
  for (const std::string& left : files_below(root.path())) {
    const bool own = left.starts_with("var/lib/chirp/");
    const bool of_the_system = left.starts_with("var/lib/dpkg/") || left.starts_with("etc/");
    CHECK_MESSAGE((own || of_the_system), left);
  }
  CHECK(fs::exists(data / "users.db"));
}

}  // namespace

TEST_CASE("package: it holds what is installed, says what it needs, runs, and is removed") {
  if (!has_tools()) return;
  const Package package;
  check_fields(package);
  check_permissions(package);
  const TempFolder folder(TempFolder::Where::kDisk);
  (void)said({"/usr/bin/env", "dpkg-deb", "--extract", package.file().string(),
              (folder / "root").string()});
  check_contents(folder / "root");
  check_program(folder / "root", folder / "data");
  check_installing(package);
}

}  // namespace chirp::test
