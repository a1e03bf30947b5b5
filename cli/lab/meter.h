// What work has cost this process: processor time, and bytes handed to calls that write.
#pragma once

#include <cstdint>

namespace chirp::cli::lab {

// Of all threads of this process since it began, in nanoseconds.
[[nodiscard]] std::int64_t processor_ns();

struct Spent {
  std::int64_t processor_ns = 0;
  std::uint64_t bytes_written = 0;  // as bench::bytes_handed_to_writes() counts
};

// Charges what is spent to the work that is under way. One thread.
class Meter {
 public:
  enum class Work : std::uint8_t { kAside, kPosts, kReads };

  // What is spent from here on is for this work. Cheap if it is so already.
  void turn_to(Work work);
  [[nodiscard]] const Spent& posts() const { return posts_; }
  [[nodiscard]] const Spent& reads() const { return reads_; }

 private:
  Work work_ = Work::kAside;
  Spent posts_;
  Spent reads_;
  Spent began_;  // the counts when this work began
};

}  // namespace chirp::cli::lab
