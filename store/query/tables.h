// The tables there are, by what they tell of.
#pragma once

#include <vector>

#include "store/query/table.h"

namespace chirp::query {

[[nodiscard]] std::vector<Table> tables_of_people();   // users, follows, relations, counters
[[nodiscard]] std::vector<Table> tables_of_content();  // posts and what is counted of them
[[nodiscard]] std::vector<Table> tables_of_talk();     // comments, reactions, hashtags

}  // namespace chirp::query
