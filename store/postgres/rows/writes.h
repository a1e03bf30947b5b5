// The statements of one commit, each for the group whose rows it changes.
//
// In one database they run in the commit's transaction. With several, the commit stores them in its
// journal until each group has run its own (turn.h). An example:
//
//   Writes writes;
//   writes.add(placing.group_of(user), "delete from readers where usr = $1::int4", …);
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/postgres/connection/values.h"
#include "store/postgres/rows/placing.h"

namespace chirp::postgres {

struct Write {
  std::string sql;
  Params params;
  // Its result names timelines that have grown too long, to be compacted in the same transaction.
  bool delivers = false;
};

class Writes {
 public:
  void add(Group group, std::string_view sql, Params params, bool delivers = false) {
    of_groups_[group].push_back({std::string(sql), std::move(params), delivers});
  }
  // In the order they were added; home's come first.
  [[nodiscard]] const std::map<Group, std::vector<Write>>& of_groups() const { return of_groups_; }

  // Encodes all writes except home's, and decodes them. Throws Error{kCorrupt} for malformed bytes.
  [[nodiscard]] std::string journal() const;
  [[nodiscard]] static Writes from_journal(std::string_view bytes);

 private:
  std::map<Group, std::vector<Write>> of_groups_;
};

}  // namespace chirp::postgres
