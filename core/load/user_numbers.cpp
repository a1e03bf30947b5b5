#include "core/load/user_numbers.h"

#include <algorithm>

#include "core/ports/reads.h"

namespace chirp::load {

std::vector<std::optional<UserNumber>> user_numbers(const RowReader& rows, const Words& words,
                                                    std::span<const SourceId> ids) {
  if (std::ranges::none_of(ids, Words::is_word)) return reads::numbers_of(rows, ids);
  auto numbers = reads::numbers_of(rows, std::span<const SourceKey>(words.keys_of(ids)));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (numbers[i]) continue;
    const auto spellings = words.spellings_of(ids[i]);
    for (const auto& other : reads::numbers_of(rows, std::span<const SourceKey>(spellings))) {
      if (!numbers[i]) numbers[i] = other;
    }
  }
  return numbers;
}

}  // namespace chirp::load
