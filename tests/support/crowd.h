// Many processes at once, one in each of a number of places, waited for as they end.
#pragma once

#include <cstddef>
#include <optional>
#include <sys/types.h>
#include <vector>

#include "tests/support/child.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {

class Crowd {
 public:
  explicit Crowd(std::size_t places) : members_(places) {}
  ~Crowd();
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;

  [[nodiscard]] std::size_t places() const { return members_.size(); }
  [[nodiscard]] bool is_free(std::size_t place) const { return members_[place].pid < 0; }
  [[nodiscard]] bool empty() const;

  void start(std::size_t place, const Command& command);
  // With SIGKILL, wherever it is just now.
  void kill(std::size_t place);

  struct Done {
    std::size_t place = 0;
    Ended ended;
  };
  // The next one that ends; if nothing moves any more, one that is late and was killed. Empty if
  // there is nobody.
  [[nodiscard]] std::optional<Done> wait();

 private:
  struct Member {
    pid_t pid = -1;
  };
  [[nodiscard]] std::filesystem::path file(std::size_t place, const char* what) const;
  [[nodiscard]] std::optional<Done> take(std::size_t place, bool late);

  std::vector<Member> members_;
  TempFolder folder_;
};

}  // namespace chirp::test
