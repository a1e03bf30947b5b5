// Checks of user rows, for any store.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/user.h"

namespace chirp::users {

// Collects the problems as lines of text. The number of lines is bounded.
class Problems {
 public:
  void add(std::string line);
  // Runs a check; unreadable data counts as a problem too.
  void collect(std::string_view what, const std::function<void()>& check);
  [[nodiscard]] std::vector<std::string> take() &&;

 private:
  std::vector<std::string> lines_;
  std::uint64_t more_ = 0;
};

// `floor` is called after the row was read, because the floor is raised before an id is given out.
void check_user(const User& user, const std::optional<std::string>& hash,
                const std::function<std::uint64_t()>& floor, Problems& problems);

}  // namespace chirp::users
