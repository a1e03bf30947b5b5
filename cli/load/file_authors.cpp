#include "cli/load/file_authors.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli {
namespace {

constexpr std::size_t kLongest = 15;  // username

}  // namespace

std::string FileAuthors::username_of(const std::string& stem) {
  if (stem.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "--author-from file: standard input has no name that could be its author's.");
  }
  if (const auto known = known_.find(stem); known != known_.end()) return known->second;
  std::string username = made_of(stem);
  taken_.insert(folded(username));
  if (username != stem) {
    session_.warn(
        fmt::format("{}: the author is called {}, since a username has 1 to 15 of A-Z "
                    "a-z 0-9 _",
                    printable(stem), username));
  }
  known_.emplace(stem, username);
  return username;
}

std::string FileAuthors::made_of(const std::string& stem) const {
  std::string plain;
  for (const char c : stem) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (good || (plain.empty() ? c == '_' : plain.back() != '_')) plain += good ? c : '_';
  }
  std::string name = plain.substr(0, kLongest);
  for (unsigned number = 2; taken_.contains(folded(name)); ++number) {
    const std::string end = fmt::format("_{}", number);
    name = plain.substr(0, kLongest - end.size()) + end;
  }
  return name;
}

}  // namespace chirp::cli
