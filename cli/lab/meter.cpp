#include "cli/lab/meter.h"

#include <ctime>

#include "cli/bench/reference/written.h"

namespace chirp::cli::lab {

std::int64_t processor_ns() {
  timespec time{};
  if (::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0) return 0;
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

void Meter::turn_to(Work work) {
  if (work == work_) return;
  // Reading the system's counters takes longer than a feed read, so it is charged to no work.
  const std::int64_t ended = processor_ns();
  const std::uint64_t bytes = bench::bytes_handed_to_writes();
  if (work_ != Work::kAside) {
    Spent& spent = work_ == Work::kPosts ? posts_ : reads_;
    spent.processor_ns += ended - began_.processor_ns;
    spent.bytes_written += bytes - began_.bytes_written;
  }
  work_ = work;
  began_ = {processor_ns(), bytes};
}

}  // namespace chirp::cli::lab
