// The cost of work in this process: processor time, and bytes passed to calls that write.
#pragma once

#include <cstdint>

namespace chirp::cli::lab {

// Processor time of all threads of this process since its start, in nanoseconds.
[[nodiscard]] std::int64_t processor_ns();

struct Spent {
  std::int64_t processor_ns = 0;
  std::uint64_t bytes_written = 0;  // as in bench::bytes_handed_to_writes()
};

// Charges costs to the current kind of work. One thread.
class Meter {
 public:
  enum class Work : std::uint8_t { kAside, kPosts, kReads };

  // Charges later costs to this kind of work. Cheap if it is the current one.
  void turn_to(Work work);
  [[nodiscard]] const Spent& posts() const { return posts_; }
  [[nodiscard]] const Spent& reads() const { return reads_; }

 private:
  Work work_ = Work::kAside;
  Spent posts_;
  Spent reads_;
  Spent began_;  // the counts at the start of the current work
};

}  // namespace chirp::cli::lab
