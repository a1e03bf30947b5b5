// Several concurrent processes, each in a numbered place, waited for as they end.
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
  // Sends SIGKILL at once.
  void kill(std::size_t place);

  struct Done {
    std::size_t place = 0;
    Ended ended;
  };
  // The next process that ends; if nothing moves any more, one that was killed as late. Empty if
  // there are none.
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
