#include "tests/support/temp_folder.h"

#include <cstdlib>
#include <iterator>
#include <stdexcept>
#include <string>

namespace chirp::test {

namespace fs = std::filesystem;

TempFolder::TempFolder() {
  std::string name = (fs::canonical(fs::temp_directory_path()) / "chirp-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  // What a test took the permissions of can be removed all the same.
  fs::permissions(path_, fs::perms::owner_all, fs::perm_options::add, ignored);
  for (auto at = fs::recursive_directory_iterator(path_, ignored);
       at != fs::recursive_directory_iterator(); at.increment(ignored)) {
    if (at->is_directory(ignored) && !at->is_symlink(ignored)) {
      fs::permissions(at->path(), fs::perms::owner_all, fs::perm_options::add, ignored);
    }
  }
  fs::remove_all(path_, ignored);
}

void copy_folder(const fs::path& from, const fs::path& to) {
  fs::copy(from, to, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
}

std::size_t entries_of(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace chirp::test
