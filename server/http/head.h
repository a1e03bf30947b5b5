// The head of a request: where it ends, what it says, and how its body is framed. Strict: what two
// programs could read in two ways is refused. Pure, but for what a scanner remembers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "server/http/exchange.h"

namespace chirp::http {

// Why a request is refused, as in Refusal.
struct Fault {
  int status = 400;
  std::string detail;
};
[[nodiscard]] inline Fault bad(std::string detail) { return {400, std::move(detail)}; }

// Finds the end of a head in bytes that arrive in parts, and detects at once what can't become one:
// control characters, invalid line ends, anything beyond a limit.
class HeadScanner {
 public:
  struct More {};
  struct Whole {
    std::size_t bytes;  // with the empty line at the end
  };
  using Result = std::variant<More, Whole, Fault>;

  // `text` is everything received of this head; bytes that were scanned before are not scanned
  // again. Removes cookies from it: other programs on the host set them, and chirp never reads
  // them.
  [[nodiscard]] Result scan(std::string& text);

 private:
  [[nodiscard]] bool is_cookie(std::string_view text) const;

  std::size_t bytes_ = 0;  // scanned, cookies included
  std::size_t position_ = 0;
  std::size_t line_ = 0;  // where it begins
  std::size_t lines_ = 0;
};

enum class After : std::uint8_t { kKeep, kClose };         // the connection, after the answer
enum class Expect : std::uint8_t { kNothing, kContinue };  // `Expect: 100-continue`
enum class Coding : std::uint8_t { kIdentity, kGzip };     // best that the client accepts

struct ParsedHead {
  Head head;  // without the address
  std::uint64_t body_bytes = 0;
  bool is_chunked = false;  // the body's length is not known yet
  After after = After::kKeep;
  Expect expect = Expect::kNothing;
  Coding coding = Coding::kIdentity;
};

// `text` is what HeadScanner found.
[[nodiscard]] std::variant<ParsedHead, Fault> parse_head(std::string_view text);

}  // namespace chirp::http
