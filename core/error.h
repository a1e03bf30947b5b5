// Errors that the direct caller can't handle.
//
// Expected outcomes are values (an empty optional, "already followed"). Other failures throw an
// Error, which each edge of the program catches: the command line turns the code into an exit
// status, the server into an HTTP status. The message says what happened to what, and what to do
// next.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace chirp {

enum class ErrorCode {
  kInvalidArgument,  // a value breaks a rule
  kNotFound,         // no such user or post
  kAlreadyExists,    // username or e-mail address taken
  kForbidden,        // the user sees the target, but may not do this
  kConflict,         // contradicts what is stored
  kUnavailable,      // busy, stopping, or the clock is past the last valid time
  kStorageFull,      // disk, quota or memory map
  kReadOnly,         // the directory can't be written
  kNotLetIn,         // a database refuses access: wrong role, password or rights
  kIo,               // reading or writing failed
  kCorrupt,          // stored data fails its check
  kVersion,          // a data directory of another format version
  kBadInput,         // an input file that can't be read or has a bad line
  kInternal,         // a bug in chirp
};

class Error : public std::runtime_error {
 public:
  // `field` names the invalid field or parameter, if there is one.
  Error(ErrorCode code, const std::string& message, std::string field = {})
      : std::runtime_error(message), code_(code), field_(std::move(field)) {}

  [[nodiscard]] ErrorCode code() const noexcept { return code_; }
  [[nodiscard]] const std::string& field() const noexcept { return field_; }

 private:
  ErrorCode code_;
  std::string field_;
};

// The field of an Error{kStorageFull} that means that the disk reserve is reached.
inline constexpr std::string_view kReserveField = "reserve";
// Whether an Error means that: nothing was changed, and nothing is damaged.
[[nodiscard]] bool is_reserve_reached(const Error& error) noexcept;

// Throws Error{kInvalidArgument} with field `limit` unless the `limit` of a page is from 1 to
// `most`. `items` names the contents of the page: "users".
void check_page_limit(std::uint32_t limit, std::uint32_t most, std::string_view items);

// Ends the process when an internal rule is broken, in release builds too. `rule` is a literal.
void check(bool holds, const char* rule) noexcept;

}  // namespace chirp
