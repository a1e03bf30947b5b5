// The users of one state of the engine's store whose posts and follows are exported.
#pragma once

#include <vector>

#include "core/ports/snapshot.h"

namespace chirp::cli {

class ExportedUsers {
 public:
  struct Entry {
    UserId id;
    UserNumber number;
  };

  explicit ExportedUsers(const RowReader& snapshot);

  [[nodiscard]] const std::vector<Entry>& by_id() const { return by_id_; }
  // 0 for a user who is not exported.
  [[nodiscard]] UserId id(UserNumber number) const {
    return number.value < ids_.size() ? ids_[number.value] : UserId{};
  }
  [[nodiscard]] bool has(UserNumber number) const { return id(number).value != 0; }

 private:
  void add(UserNumber number, UserId id);

  std::vector<Entry> by_id_;
  std::vector<UserId> ids_;  // by number; numbers are dense
};

}  // namespace chirp::cli
