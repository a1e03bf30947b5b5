// Maps the ids of an export's users to their numbers here: 12 bytes per user.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/model/ids.h"

namespace chirp::cli {

// The message for a row that names a user who is not in the export.
[[nodiscard]] std::string unknown_user(UserId id);

class ImportNumbers {
 public:
  // Accepts any order; the order of ids is fast.
  void add(UserId id, UserNumber number);
  // Call it after the last add() and before the first find().
  void finish();
  [[nodiscard]] std::optional<UserNumber> find(UserId id) const;

 private:
  void sort();

  // Ascending by id. An id between ids_.front() and ids_.back() is at firsts_[part] or later, below
  // firsts_[part + 1], where the part is its distance from the front, shifted.
  std::vector<UserId> ids_;
  std::vector<UserNumber> numbers_;
  std::vector<std::uint32_t> firsts_;
  unsigned shift_ = 0;
};

}  // namespace chirp::cli
