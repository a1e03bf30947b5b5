// The server's log: a JSON object a line on stderr, with the time. Safe to call from any thread;
// never throws. Secrets are never handed to it: no tokens, passwords, bodies or queries.
//
// Lines are written by a thread of their own. Callers never wait for whoever reads the log: when
// the reader falls behind, the oldest lines are dropped and counted, and the end waits two seconds
// at most for the rest.
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
  // `clock` says how long the end waits, and must outlive it; without one it goes by the machine's.
  explicit Log(Requests requests, const Clock* clock = nullptr);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  void write(Severity severity, std::string_view message,
             std::initializer_list<LogField> fields = {}) noexcept;
  // A request that has been answered; nothing when requests are kept quiet.
  void request(std::initializer_list<LogField> fields) noexcept;
  // Lines that nobody will read, since whoever reads the log fell behind.
  [[nodiscard]] std::uint64_t dropped() const;

 private:
  class Sink;
  std::unique_ptr<Sink> sink_;
};

}  // namespace chirp
