// The tables, by subject.
#pragma once

#include <vector>

#include "store/query/table.h"

namespace chirp::query {

[[nodiscard]] std::vector<QueryTable> tables_of_people();   // users, follows, relations, counters
[[nodiscard]] std::vector<QueryTable> tables_of_content();  // posts and their counters
[[nodiscard]] std::vector<QueryTable> tables_of_talk();     // comments, reactions, hashtags

}  // namespace chirp::query
