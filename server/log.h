// The server's log: a JSON object a line on stderr, with the time. Safe to call from any thread;
// never throws. Secrets are never handed to it: no tokens, passwords, bodies or queries.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

namespace chirp {

enum class Severity : std::uint8_t { kInfo, kWarning, kError };

struct LogField {
  std::string_view name;
  std::variant<std::string, std::int64_t> value;
};

class Log {
 public:
  enum class Requests : std::uint8_t { kLogged, kQuiet };
  explicit Log(Requests requests);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  void write(Severity severity, std::string_view message,
             std::initializer_list<LogField> fields = {}) noexcept;
  // A request that has been answered; nothing when requests are kept quiet.
  void request(std::initializer_list<LogField> fields) noexcept;

 private:
  class Sink;
  std::unique_ptr<Sink> sink_;
};

}  // namespace chirp
