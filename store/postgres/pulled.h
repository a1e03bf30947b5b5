// Authors who are not always pushed, as a process keeps them: each page asks for those among whom
// its reader follows, and they change seldom.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/model/policy.h"
#include "store/postgres/questions.h"
#include "store/postgres/state.h"

namespace chirp::postgres {

[[nodiscard]] std::string pulled_schema();

// Safe to call from any thread.
class PulledMarks {
 public:
  // By author, as the commit of this number has left them.
  struct At {
    std::int64_t number = -1;
    std::vector<feed::AuthorMark> marks;
  };
  [[nodiscard]] std::shared_ptr<const At> newest() const;
  // What is older than what is kept is not taken.
  void learn(std::shared_ptr<const At> marks);

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const At> newest_ = std::make_shared<const At>();
};

// Asks for all of them.
void ask_pulled(Questions& questions, std::function<void(std::vector<feed::AuthorMark>)> then);

// Those of some authors, who are in ascending order, and of `viewer`.
[[nodiscard]] std::vector<feed::AuthorMark> marks_of(std::span<const feed::AuthorMark> all,
                                                     std::span<const UserNumber> authors,
                                                     UserNumber viewer);

}  // namespace chirp::postgres
