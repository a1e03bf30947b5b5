// Which users of the store the ids of a load mean.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/load/words.h"
#include "core/ports/row_reader.h"

namespace chirp::load {

// Returns the number of each user who is there. An account that is not there in its usual spelling
// is looked for in the spellings that the load has seen.
[[nodiscard]] std::vector<std::optional<UserNumber>> user_numbers(const RowReader& rows,
                                                                  const Words& words,
                                                                  std::span<const SourceId> ids);

}  // namespace chirp::load
