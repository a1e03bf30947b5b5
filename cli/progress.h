// Progress of a long command, on stderr: a bar with rate and time left on a terminal, a line every
// few seconds otherwise. Prints nothing in the first second, and nothing with --quiet.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "cli/output.h"
#include "core/ports/clock.h"
#include "store/watched.h"

namespace chirp::cli {

// The progress so far, in the unit of the total.
struct Reach {
  std::uint64_t done = 0;
  std::optional<std::uint64_t> total;
  std::uint64_t rows = 0;
  std::uint64_t users = 0;   // made up by the load, before the rows that name them
  std::string_view doing{};  // the current step, if there are several
  std::uint64_t read = 0;    // rows read or sorted, if they are not being stored yet
};

class ProgressLine {
 public:
  // `rows` names what is counted, such as "posts".
  ProgressLine(const Output& out, const Clock& clock, std::string rows);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  // Erases the bar.
  ~ProgressLine();

  // Shows the progress if it is due. Cheap otherwise. Any thread may call it.
  void show(const Reach& reach);
  // For a store operation that counts its work in these rows.
  [[nodiscard]] store::Watched watched() {
    return [this](std::uint64_t done, std::uint64_t total) {
      if (total != 0) show({.done = done, .total = total, .rows = done});
    };
  }
  // Erases the bar, so that other output can use the line.
  void clear();

 private:
  const Clock& clock_;
  std::string rows_;
  bool on_ = false;
  bool terminal_ = false;
  std::int64_t started_;
  std::atomic<std::int64_t> next_;
  std::mutex mutex_;
  bool drawn_ = false;
};

// For a load that has read `read` rows in `bytes` of `total`. Rows count as done when they are
// settled, that is, stored or skipped; rows that wait to be stored do not count.
[[nodiscard]] Reach reach_of(std::uint64_t bytes, std::optional<std::uint64_t> total,
                             std::uint64_t read, std::uint64_t settled);

// How much is done, the rate and, once it can be estimated, the time left. Counts only the users
// until rows that name them follow.
[[nodiscard]] std::string progress_words(const Reach& reach, std::string_view rows, double seconds);

// A line of at most `columns`: a bar if there is a total and room for it, and the words, cut if
// needed.
[[nodiscard]] std::string progress_line(const Reach& reach, const std::string& words,
                                        std::size_t columns);

// Sleeps for a millisecond, so that other writers get a turn.
void give_way();

// "3.2 M", "81.8 K", "999".
[[nodiscard]] std::string short_number(double value);
// "1.5 GB", "81 KB", "12 bytes".
[[nodiscard]] std::string short_bytes(std::uint64_t bytes);
// "1 h 02 min", "3 min 20 s", "12 s", "0.34 s".
[[nodiscard]] std::string short_seconds(double seconds);

}  // namespace chirp::cli
