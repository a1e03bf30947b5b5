// Goal: nobody but the owner can read what the program makes, whatever the umask lets through.
// Method: the program makes and copies a directory in every way it has while the umask is 0; then
// the permissions of every file and folder there are looked at.
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/pictures.h"
#include "tests/support/source_tree.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

class OpenUmask {
 public:
  OpenUmask() : before_(::umask(0)) {}
  OpenUmask(const OpenUmask&) = delete;
  OpenUmask& operator=(const OpenUmask&) = delete;
  ~OpenUmask() { ::umask(before_); }

 private:
  mode_t before_;
};

// What others than the owner may do anything with.
std::vector<std::string> open_to_others(const fs::path& folder) {
  std::vector<std::string> open;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const fs::perms others = entry.status().permissions() & fs::perms(0077);
    if (others != fs::perms::none) open.push_back(entry.path().lexically_relative(folder).string());
  }
  return open;
}

}  // namespace

TEST_CASE("private files: whatever is made is for its owner alone, under any umask") {
  const TempFolder folder;
  const fs::path made = folder / "made";
  fs::create_directory(made);
  write_file(folder / "picture.png", png());
  const OpenUmask umask;
  const auto chirp = [&](const std::string& data, std::vector<std::string> arguments) {
    const Ended ended = run(chirp_command((made / data).string(), std::move(arguments)));
    REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  };
  const std::string picture = (folder / "picture.png").string();
  chirp("first", {"init"});
  chirp("first", {"user", "add", "ada"});
  chirp("first", {"user", "edit", "ada", "--picture", picture});
  chirp("first", {"post", "add", "ada", "one", "--media", picture});
  chirp("first", {"export", (made / "export").string()});
  chirp("first", {"backup", (made / "copies" / "backup").string()});
  chirp("restored", {"restore", (made / "copies" / "backup").string()});
  chirp("loaded", {"init"});
  chirp("loaded", {"load", "export", (made / "export").string()});
  chirp("loaded", {"compact"});
  chirp("seeded", {"init"});
  chirp("seeded", {"seed", "--users", "20", "--follows", "40", "--posts", "40"});
  CHECK(fs::exists(made / "export" / "media"));
  CHECK(fs::exists(made / "copies" / "backup" / "media"));
  CHECK(open_to_others(made) == std::vector<std::string>{});
}

}  // namespace chirp::test
