#include "cli/progress.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <thread>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "cli/terminal.h"
#include "cli/write_all.h"

namespace chirp::cli {
namespace {

constexpr std::int64_t kNsASecond = 1'000'000'000;
constexpr std::int64_t kFirstNs = kNsASecond;
constexpr std::int64_t kBarNs = kNsASecond / 5;
constexpr std::int64_t kLineNs = 5 * kNsASecond;
constexpr std::size_t kBarCells = 24;

double share_of(const Reach& reach) {
  if (!reach.total || *reach.total == 0) return 0;
  return std::min(1.0, static_cast<double>(reach.done) / static_cast<double>(*reach.total));
}

void to_stderr(std::string_view text) { (void)write_all(STDERR_FILENO, text); }

}  // namespace

ProgressLine::ProgressLine(const Output& out, const Clock& clock, std::string rows)
    : clock_(clock),
      rows_(std::move(rows)),
      on_(out.verbosity() != Verbosity::kQuiet),
      terminal_(::isatty(STDERR_FILENO) == 1),
      started_(clock.steady_ns()),
      next_(started_ + kFirstNs) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::show(const Reach& reach) {
  const std::int64_t now = clock_.steady_ns();
  if (!on_ || now < next_.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(mutex_);
  if (now < next_.load(std::memory_order_relaxed)) return;
  next_ = now + (terminal_ ? kBarNs : kLineNs);
  const double seconds = static_cast<double>(now - started_) / kNsASecond;
  if (terminal_) {
    const std::string words = progress_words(reach, rows_, seconds);
    to_stderr(
        fmt::format("\r{}\x1b[K", progress_line(reach, words, window_size(STDERR_FILENO).columns)));
    drawn_ = true;
  } else {
    to_stderr(progress_words(reach, rows_, seconds) + "\n");
  }
}

void ProgressLine::clear() {
  const std::lock_guard lock(mutex_);
  if (drawn_) to_stderr("\r\x1b[K");
  drawn_ = false;
}

std::string progress_line(const Reach& reach, const std::string& words, std::size_t columns) {
  constexpr std::size_t kAround = 3;                                     // two brackets and a blank
  constexpr std::size_t kLeast = 4;                                      // fewer cells say nothing
  const std::size_t room = columns - std::min<std::size_t>(columns, 1);  // for the cursor
  const std::size_t cells = std::min(kBarCells, room - std::min(room, words.size() + kAround));
  if (!reach.total || cells < kLeast) return words.substr(0, room);
  const auto full = static_cast<std::size_t>(share_of(reach) * static_cast<double>(cells));
  return fmt::format("[{}{}] {}", std::string(full, '#'), std::string(cells - full, '.'), words);
}

Reach reach_of(std::uint64_t bytes, std::optional<std::uint64_t> total, std::uint64_t read,
               std::uint64_t settled) {
  settled = std::min(settled, read);
  const double share = read == 0 ? 1 : static_cast<double>(settled) / static_cast<double>(read);
  return {.done = static_cast<std::uint64_t>(share * static_cast<double>(bytes)),
          .total = total,
          .rows = settled};
}

std::string progress_words(const Reach& reach, std::string_view rows, double seconds) {
  const double rate = static_cast<double>(reach.rows) / seconds;
  const std::string users = counted(reach.users, "new user", "new users");
  const std::string_view one = rows.substr(0, rows.size() - (rows.ends_with('s') ? 1 : 0));
  std::string text = fmt::format("{}, {}/s", counted(reach.rows, one, rows), short_number(rate));
  const bool are_users_made =
      reach.read == 0 && reach.rows <= reach.users / 1000;  // a few self-loops may come first
  if (reach.read > 0) text = counted(reach.read, one, rows) + " read";
  if (reach.users > 0) text = are_users_made ? users : fmt::format("{}, {}", text, users);
  const double share = share_of(reach);
  if (share > 0) {
    text = fmt::format("{:3.0f} %  {}", std::floor(share * 100), text);
    // Below one percent the estimate would be useless.
    if (share >= 0.01)
      text += fmt::format("  {} left", short_seconds(std::ceil(seconds / share * (1 - share))));
  }
  if (!reach.doing.empty()) text += fmt::format("  {}", reach.doing);
  return text;
}

void give_way() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

std::string short_number(double value) {
  static constexpr std::array<const char*, 5> kUnits{"", " K", " M", " G", " T"};
  std::size_t unit = 0;
  while (value >= 999.95 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f}", value) : fmt::format("{:.1f}{}", value, kUnits[unit]);
}

std::string short_bytes(std::uint64_t bytes) {
  if (bytes < 1000) return counted(bytes, "byte", "bytes");
  return short_number(static_cast<double>(bytes)) + "B";
}

std::string short_seconds(double seconds) {
  if (seconds < 10) return fmt::format("{:.2g} s", seconds);
  const auto whole = static_cast<std::uint64_t>(std::lround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

}  // namespace chirp::cli
