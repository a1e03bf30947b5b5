#include "tests/support/temp_folder.h"

#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <stdexcept>
#include <string>
#include <system_error>
#include <unistd.h>

namespace chirp::test {

namespace fs = std::filesystem;

namespace {

constexpr const char* kMemory = "/dev/shm";
// Containers often have 64 MiB there, which tests beside each other fill.
constexpr std::uintmax_t kRoom = std::uintmax_t{1} << 30;

bool has_room(const char* folder) {
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  return !error && space.available >= kRoom && ::access(folder, W_OK) == 0;
}

fs::path parent(TempFolder::Where where) {
  const fs::path usual = fs::temp_directory_path();
  // A folder for temporary files that is in memory already may be cleared up by whoever named it.
  const bool is_there = usual.native().starts_with(kMemory);
  const bool in_memory = where == TempFolder::Where::kMemory && !is_there && has_room(kMemory);
  return fs::canonical(in_memory ? fs::path(kMemory) : usual);
}

}  // namespace

TempFolder::TempFolder(Where where) {
  std::string name = (parent(where) / "chirp-test-XXXXXX").string();
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
