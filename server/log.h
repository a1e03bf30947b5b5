// The server's log: one JSON object per line on stderr, with the time. Safe to call from any
// thread; never throws. Callers never pass secrets: no tokens, passwords, bodies or queries.
//
// A separate thread writes the lines, so callers never wait for the reader of the log. When the
// reader falls behind, the oldest lines are dropped and counted. The destructor waits at most two
// seconds for the remaining lines.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "core/ports/clock.h"

namespace chirp {

enum class Severity : std::uint8_t { kInfo, kWarning, kError };

struct LogField {
  std::string_view name;
  std::variant<std::string, std::int64_t> value;
};

class Log {
 public:
  enum class Requests : std::uint8_t { kLogged, kQuiet };
  // `clock` limits how long the destructor waits, and must outlive the log; default: the system
  // clock.
  explicit Log(Requests requests, const Clock* clock = nullptr);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  void write(Severity severity, std::string_view message,
             std::initializer_list<LogField> fields = {}) noexcept;
  // Logs an answered request, unless requests are kept quiet.
  void request(std::initializer_list<LogField> fields) noexcept;
  // Returns the number of lines dropped because the log's reader fell behind.
  [[nodiscard]] std::uint64_t dropped() const;

 private:
  class Sink;
  std::unique_ptr<Sink> sink_;
};

}  // namespace chirp
