#include "cli/load/left_out_files.h"

#include <string>

#include <fmt/format.h>

namespace chirp::cli {

void LeftOutFiles::add(std::string_view name, std::string_view why) {
  const std::string words = fmt::format("{}: left out: {}", name, why);
  ++count_;
  if (count_ <= kNamed) session_.warn(words);
  session_.count("otherMembers", count_ <= kNamed ? std::string_view() : words);
}

}  // namespace chirp::cli
