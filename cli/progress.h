// Tells on stderr how far a long command is: a bar with rate and time left on a terminal, a line
// every few seconds otherwise; nothing in the first second, nothing with --quiet.
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

// How far it is, in whatever unit the total is known in.
struct Reach {
  std::uint64_t done = 0;
  std::optional<std::uint64_t> total;
  std::uint64_t rows = 0;
  std::uint64_t users = 0;   // made on the way, before the rows that name them
  std::string_view doing{};  // what it is at, if there is more than one thing
  std::uint64_t read = 0;    // rows, if they are read or sorted now, and not stored
};

class Progress {
 public:
  // `rows` is the word for what is counted, such as "posts".
  Progress(const Output& out, const Clock& clock, std::string rows);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  // Takes the bar away.
  ~Progress();

  // Shows the reach if it is time to. Cheap otherwise; from any thread.
  void show(const Reach& reach);
  // For work of a store that counts what it does in these rows.
  [[nodiscard]] store::Watched watched() {
    return [this](std::uint64_t done, std::uint64_t total) {
      if (total != 0) show({.done = done, .total = total, .rows = done});
    };
  }
  // Takes the bar away, so that other words have the line.
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

// Of a load that has read so many rows in so many bytes of `total`, where `settled` rows are stored
// or passed over: what is read and waits to be stored is not done.
[[nodiscard]] Reach reach_of(std::uint64_t bytes, std::optional<std::uint64_t> total,
                             std::uint64_t read, std::uint64_t settled);

// How much is done, how fast, and how long it takes yet, once that can be told. As long as users
// alone are made, these.
[[nodiscard]] std::string progress_words(const Reach& reach, std::string_view rows, double seconds);

// What stands on a line of `columns`: a bar of how much is done, if there is a total, as long as
// there is room for it, and the words, cut where there is not.
[[nodiscard]] std::string progress_line(const Reach& reach, const std::string& words,
                                        std::size_t columns);

// Lets other writers take a turn: sleeps for a millisecond.
void give_way();

// "3.2 M", "81.8 K", "999".
[[nodiscard]] std::string short_number(double value);
// "1.5 GB", "81 KB", "12 bytes".
[[nodiscard]] std::string short_bytes(std::uint64_t bytes);
// "1 h 02 min", "3 min 20 s", "12 s", "0.34 s".
[[nodiscard]] std::string short_seconds(double seconds);

}  // namespace chirp::cli
