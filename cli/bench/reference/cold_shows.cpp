#include "cli/bench/reference/cold_shows.h"

#include "cli/bench/own_program.h"

namespace chirp::cli::bench {
namespace {

constexpr std::int64_t kEvery = 1'000'000'000;

}  // namespace

void ColdShows::run(RunClock& clock, std::int64_t end) {
  for (std::size_t n = 0; n == 0 || static_cast<std::int64_t>(n) * kEvery < end; ++n) {
    clock.await(static_cast<std::int64_t>(n) * kEvery);
    const std::int64_t start = clock.now();
    if (run_own_program({"--data", data_.string(), "feed", "show", names_[n % names_.size()]})) {
      times_.add(static_cast<std::uint64_t>(clock.now() - start));
    } else {
      ++failed_;
    }
  }
}

}  // namespace chirp::cli::bench
