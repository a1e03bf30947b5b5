// Proving a user directory sound: what is wrong with rows, whatever store has them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/user.h"

namespace chirp::users {

// Lines for people; a store that is all damage does not fill the screen.
class Problems {
 public:
  void add(std::string line);
  // Runs a check; what can't even be read is a problem as well.
  void collect(std::string_view what, const std::function<void()>& check);
  [[nodiscard]] std::vector<std::string> take() &&;

 private:
  std::vector<std::string> lines_;
  std::uint64_t more_ = 0;
};

// `floor` is asked for after the row was read: it has risen before anybody got the id.
void check_user(const User& user, const std::optional<std::string>& hash,
                const std::function<std::uint64_t()>& floor, Problems& problems);

}  // namespace chirp::users
