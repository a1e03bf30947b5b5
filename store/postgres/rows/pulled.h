// A cache of the authors who are not always pushed: every page needs those that its reader follows,
// and they rarely change.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/model/policy.h"
#include "store/postgres/rows/questions.h"
#include "store/postgres/rows/state.h"

namespace chirp::postgres {

[[nodiscard]] std::string pulled_schema();

// Safe to call from any thread.
class PulledMarks {
 public:
  // Marks by author, as of this commit.
  struct At {
    std::int64_t number = -1;
    std::vector<feed::AuthorMark> marks;
  };
  [[nodiscard]] std::shared_ptr<const At> newest() const;
  // Ignores marks older than the cached ones.
  void learn(std::shared_ptr<const At> marks);

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const At> newest_ = std::make_shared<const At>();
};

// Queries all marks.
void ask_pulled(Questions& questions, std::function<void(std::vector<feed::AuthorMark>)> then);

// Returns the marks of these authors, which are in ascending order, and of `viewer`.
[[nodiscard]] std::vector<feed::AuthorMark> marks_of(std::span<const feed::AuthorMark> all,
                                                     std::span<const UserNumber> authors,
                                                     UserNumber viewer);

}  // namespace chirp::postgres
