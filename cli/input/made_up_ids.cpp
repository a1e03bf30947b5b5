#include "cli/input/made_up_ids.h"

#include <cstddef>

#include "core/load/made_up.h"

namespace chirp::cli::input {

SourceId MadeUpIds::id(std::string_view author, Time when, std::string_view text) {
  constexpr std::size_t kRemembered = std::size_t{8} << 20;
  const SourceId id = load::made_up_post(author, when, text, 0);
  if (equal_rows_.size() >= kRemembered && !equal_rows_.contains(id.value)) return id;
  const std::uint32_t before = equal_rows_[id.value]++;
  return before == 0 ? id : load::made_up_post(author, when, text, before);
}

}  // namespace chirp::cli::input
