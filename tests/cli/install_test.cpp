// Goal: `make install` puts everything where the system looks for it, below PREFIX and DESTDIR, for
// everybody to read, and of the same version throughout; uninstalling takes that away, and no more.
// Method: the project is installed below a folder of the test's own, and looked at.
#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "cli/app.h"
#include "cli/packaging/manual.h"
#include "cli/version.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/installed.h"
#include "tests/support/pattern.h"
#include "tests/support/source_tree.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

fs::perms permissions(const fs::path& path) { return fs::symlink_status(path).permissions(); }

Ended uninstall(const Installed& installed, const std::string& prefix) {
  return run(
      {.arguments = {"/usr/bin/env", "cmake", "-D", "LIST=" + installed.list().string(), "-D",
                     "PREFIX=" + prefix, "-P", CHIRP_SOURCE_DIR "/cli/packaging/uninstall.cmake"},
       .environment = {"DESTDIR=" + installed.root().string()}});
}

std::vector<std::string> lines_of(const fs::path& file) {
  std::vector<std::string> lines;
  std::istringstream in(read_file(file));
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool is_zsh_folder(const std::string& path) {
  return path.starts_with("share/zsh/site-functions/") ||
         path.starts_with("share/zsh/vendor-completions/");
}

}  // namespace

TEST_CASE("install: everything is below the prefix, where the system looks for it") {
  const Installed installed("/opt/somewhere");
  std::vector<std::string> expected{"bin/chirp",
                                    "lib/systemd/system/chirp.service",
                                    "lib/sysusers.d/chirp.conf",
                                    "share/bash-completion/completions/chirp",
                                    "share/fish/vendor_completions.d/chirp.fish",
                                    "share/zsh/site-functions/_chirp"};
  for (const auto& page : cli::manual_pages(cli::CommandLine().root())) {
    expected.push_back("share/man/man1/" + page.name + ".1");
  }
  for (const char* name : {"README.md", "CHANGELOG.md", "LICENSE"}) {
    expected.push_back(std::string("share/doc/chirp/") + name);
  }
  for (const std::string& name : files_below(CHIRP_SOURCE_DIR "/docs")) {
    expected.push_back("share/doc/chirp/docs/" + name);
  }
  for (std::string& path : expected) path.insert(0, "opt/somewhere/");
  std::sort(expected.begin(), expected.end());
  CHECK(installed.files() == expected);
}

TEST_CASE("install: everybody may read and list it, and only the program can be run") {
  const Installed installed("/usr/local");
  for (const auto& entry : fs::recursive_directory_iterator(installed / "")) {
    CAPTURE(entry.path().string());
    const bool runs = entry.is_directory() || entry.path() == installed / "bin/chirp";
    CHECK(permissions(entry.path()) == fs::perms(runs ? 0755 : 0644));
    CHECK_FALSE(entry.is_symlink());
  }
}

TEST_CASE("install: uninstalling removes every file that was installed, and says so") {
  const Installed installed("/opt/somewhere");
  const auto files = installed.files();
  auto listed = lines_of(installed.list());
  std::sort(listed.begin(), listed.end());
  REQUIRE(listed.size() == files.size());
  for (std::size_t i = 0; i < files.size(); ++i) CHECK(listed[i] == "/" + files[i]);

  const Ended gone = uninstall(installed, "/opt/somewhere");
  REQUIRE_MESSAGE(gone.ok(), to_string(gone));
  CHECK(installed.files().empty());
  for (const std::string& file : files) {
    CHECK(gone.out.find("Removed: " + (installed.root() / file).string() + "\n") !=
          std::string::npos);
  }
  CHECK(gone.out.find(fmt::format("{} files removed.", files.size())) != std::string::npos);
  CHECK_FALSE(fs::exists(installed / "share/doc/chirp"));
  CHECK(fs::is_directory(installed / "share/man/man1"));
  CHECK_FALSE(uninstall(installed, "/opt/somewhere").ok());
}

TEST_CASE("install: uninstalling leaves what is not its own") {
  const Installed installed("/opt/somewhere");
  const auto files = installed.files();
  CHECK_FALSE(uninstall(installed, "/opt/some").ok());
  CHECK(installed.files() == files);

  const std::vector<std::string> others{
      "etc/systemd/system/chirp.service.d/own.conf", "opt/somewhere/share/doc/chirp/docs/notes.txt",
      "opt/somewhere/share/man/man1/sparrow.1", "var/lib/chirp/data/users.db"};
  for (const std::string& other : others) {
    fs::create_directories((installed.root() / other).parent_path());
    write_file(installed.root() / other, "theirs");
  }
  fs::remove(installed / "bin/chirp");
  const Ended gone = uninstall(installed, "/opt/somewhere");
  REQUIRE_MESSAGE(gone.ok(), to_string(gone));
  CHECK(gone.out.find("Not there: " + (installed / "bin/chirp").string()) != std::string::npos);
  CHECK(installed.files() == others);
}

TEST_CASE("install: what it says of itself is the program's own") {
  const Installed installed("/usr");
  const std::string program = (installed / "bin/chirp").string();
  const auto said = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), program);
    const Ended ended = run({.arguments = arguments});
    CHECK_MESSAGE(ended.ok(), to_string(ended));
    return ended.out;
  };
  CHECK(said({"--version"}).starts_with(fmt::format("chirp {}\n", cli::program_version())));
  for (const auto& page : cli::manual_pages(cli::CommandLine().root())) {
    CHECK(read_file(installed / "share/man/man1" / (page.name + ".1")) == page.text);
    CHECK(page.text.find(fmt::format("\"chirp {}\"", cli::program_version())) != std::string::npos);
  }
  const auto share = installed / "share";
  CHECK(read_file(share / "bash-completion/completions/chirp") == said({"completion", "bash"}));
  CHECK(read_file(share / "fish/vendor_completions.d/chirp.fish") == said({"completion", "fish"}));
  std::size_t in_zsh = 0;
  for (const std::string& path : files_below(installed / "")) {
    if (!is_zsh_folder(path)) continue;
    CHECK(read_file(installed / path) == said({"completion", "zsh"}));
    ++in_zsh;
  }
  CHECK(in_zsh == 1);
}

TEST_CASE("install: links in the installed documents lead to installed files") {
  static const Pattern kLink(R"re(\]\(([^)#:\s]+)(?:#[^)]*)?\))re");
  const Installed installed("/usr/local");
  const fs::path documents = installed / "share/doc/chirp";
  std::size_t links = 0;
  for (const std::string& name : files_below(documents)) {
    if (!name.ends_with(".md")) continue;
    const std::string text = read_file(documents / name);
    for (const Match& link : kLink.all_in(text)) {
      ++links;
      const fs::path target = (documents / name).parent_path() / link[1];
      CHECK_MESSAGE(fs::exists(target), name, " links to ", link[1]);
    }
  }
  CHECK(links > 100);
}

TEST_CASE("install: the newest section of the changelog is of this version") {
  const std::string& changes = source_file("CHANGELOG.md").text;
  const std::string heading = fmt::format("# Changelog\n\n## {}\n", cli::program_version());
  CHECK(changes.starts_with(heading));
  CHECK(run({.arguments = {CHIRP_BINARY, "--version"}})
            .out.starts_with(fmt::format("chirp {}\nformat ", cli::program_version())));
}

}  // namespace chirp::test
