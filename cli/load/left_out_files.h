// Files of folders and archives that a load leaves out, because they hold something else.
#pragma once

#include <cstdint>
#include <string_view>

#include "cli/load/session.h"

namespace chirp::cli {

// Names the first files with the reason. The others are counted, and named with --verbose.
class LeftOutFiles {
 public:
  explicit LeftOutFiles(LoadSession& session) : session_(session) {}

  // `why` is a clause, such as "it has no column createdAt".
  void add(std::string_view name, std::string_view why);
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  static constexpr std::uint64_t kNamed = 10;

  LoadSession& session_;
  std::uint64_t count_ = 0;
};

}  // namespace chirp::cli
