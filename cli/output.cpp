#include "cli/output.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <limits>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "cli/write_all.h"
#include "core/error.h"
#include "core/model/names.h"
#include "store/room.h"

namespace chirp::cli {
namespace {

constexpr std::size_t kGather = std::size_t{64} << 10;
constexpr std::size_t kHeld = std::size_t{8} << 20;
constexpr std::size_t kPipe = std::size_t{64} << 10;  // bytes that a pipe can hold unread

void to_stderr(std::string_view text) {
  std::string line(text);
  line += '\n';
  // There is no way left to report a failure of this.
  (void)write_all(STDERR_FILENO, line);
}

}  // namespace

Output::Output(OutputAudience audience, Colour colour, Verbosity verbosity, std::size_t columns)
    : audience_(audience), colour_(colour), verbosity_(verbosity), columns_(columns) {}

Output::~Output() {
  if (terminal()) {
    try {
      flush();
    } catch (const std::exception&) {
      closed_ = true;  // the earlier error has been reported already, which is enough
    }
  }
  leave_pager();
}

// Prints the answer without the pager if the pager failed before it read anything. If it has read
// some, nothing says how much it has shown, so this only warns.
void Output::leave_pager() {
  if (!pager_) return;
  if (!pager_->left() && pager_->written() <= kPipe) {
    (void)write_all(STDOUT_FILENO, paged_);
  } else if (!pager_->failure().empty()) {
    to_stderr("chirp: the pager " + pager_->failure() +
              ", and may not have shown all; --no-pager shows it without one.");
  }
}

void Output::page_with(std::string command, std::size_t rows) {
  if (!terminal()) return;
  pager_command_ = std::move(command);
  rows_ = rows;
}

void Output::print(std::string_view text) {
  if (closed_) return;
  pending_ += text;
  if (!pager_command_.empty()) {
    lines_ += static_cast<std::size_t>(std::ranges::count(text, '\n'));
    if (!held_) start_pager_if_long();
  }
  if (held_ && pending_.size() >= kHeld) unpaged();
  if (pending_.size() >= (held_ ? kHeld : kGather)) flush();
}

void Output::start_pager_if_long() {
  if (pager_command_.empty() || lines_ < rows_) return;
  pager_ = Pager::start(pager_command_);
  pager_command_.clear();
}

void Output::document(const api::JsonWriter& json) {
  print(json.text());
  print("\n");
}

bool Output::wrote_json(const std::function<void(api::JsonWriter&)>& write) {
  if (!json()) return false;
  api::JsonWriter json;
  write(json);
  document(json);
  return true;
}

void Output::flush() {
  if (std::exchange(held_, false)) start_pager_if_long();
  if (closed_ || pending_.empty()) return;
  pager_command_.clear();  // once output has begun without a pager, it goes on without one
  if (pager_) {
    flush_to_pager();
  } else {
    flush_to_stdout();
  }
}

void Output::flush_to_pager() {
  const std::string text = std::exchange(pending_, {});
  for (std::size_t at = 0; at < text.size(); at += kPipe) {
    const std::string_view piece = std::string_view(text).substr(at, kPipe);
    const bool read = pager_->written() > kPipe;
    if (!read) paged_ += piece;
    if (pager_->write(piece) == 0) continue;
    if (read || pager_->left()) {
      closed_ = true;
      return;
    }
    pager_.reset();
    pending_ = std::move(paged_) + text.substr(at + piece.size());
    return flush_to_stdout();
  }
}

void Output::flush_to_stdout() {
  const int error = write_all(STDOUT_FILENO, pending_);
  pending_.clear();
  if (error == 0) return;
  closed_ = true;
  if (error == EPIPE) return;
  if (error == EBADF) {  // it was closed before the start: see prepare_process
    throw Error(ErrorCode::kIo, "Standard output is closed. The answer is lost.");
  }
  const bool full = store::is_no_room(error);
  throw Error(
      full ? ErrorCode::kStorageFull : ErrorCode::kIo,
      fmt::format("Standard output can't be written: {}. Part of the answer is lost.{}{}",
                  std::strerror(error), full ? " " : "", full ? store::room_advice(error) : ""));
}

void Output::note(std::string_view text) {
  if (verbosity_ == Verbosity::kQuiet || audience_ == OutputAudience::kProgram) return;
  if (pager_ && closed_) return;  // the user has quit the pager
  say(text);
}

void Output::detail(std::string_view text) {
  if (verbosity_ == Verbosity::kVerbose) say(text);
}

void Output::warn(std::string_view text) { say(fmt::format("chirp: {}", text)); }

void Output::say(std::string_view text) {
  // Written at once, it would disturb the pager's screen.
  if ((pager_ || !pager_command_.empty()) && !closed_ && ::isatty(STDERR_FILENO) == 1) {
    print(text);
    return print("\n");
  }
  flush();
  to_stderr(text);
}

std::string Output::ink(Ink ink, std::string_view text) const {
  if (colour_ == Colour::kNo) return std::string(text);
  const char* code = "0";
  switch (ink) {
    case Ink::kBold:
      code = "1";
      break;
    case Ink::kDim:
      code = "2";
      break;
    case Ink::kName:
      code = "1;36";
      break;
    case Ink::kGood:
      code = "32";
      break;
    case Ink::kBad:
      code = "1;31";
      break;
  }
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

std::string safe(std::string_view text) {
  return printable(text, std::numeric_limits<std::size_t>::max());
}

std::string relative(Time time, Time now) {
  const std::int64_t ago = now.ms - time.ms;
  if (ago < -kMinuteMs) return iso8601(time).substr(0, 16);
  if (ago < kMinuteMs) return "just now";
  if (ago < kHourMs) return fmt::format("{}m ago", ago / kMinuteMs);
  if (ago < kDayMs) return fmt::format("{}h ago", ago / kHourMs);
  if (ago < 7 * kDayMs) return fmt::format("{}d ago", ago / kDayMs);
  return iso8601(time).substr(0, 10);
}

std::string when(const Output& out, Time time, Time now) {
  return out.terminal() ? relative(time, now) : iso8601(time);
}

std::string grouped(std::uint64_t n) {
  const std::string digits = std::to_string(n);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string counted(std::uint64_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", grouped(n), n == 1 ? one : many);
}

}  // namespace chirp::cli
