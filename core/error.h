// What a caller can't handle where it happens.
//
// Expected outcomes are values (an empty optional, "already followed"). An Error is thrown for the
// rest and caught once at each edge: the command line turns the code into an exit status, the
// server into an HTTP status. The message says what happened to what, and what to do next.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace chirp {

enum class ErrorCode {
  kInvalidArgument,  // a value breaks a rule
  kNotFound,         // no such user or post
  kAlreadyExists,    // username or e-mail address taken
  kForbidden,        // seen, but not allowed
  kConflict,         // contradicts what is stored
  kUnavailable,      // busy, stopping, or the clock is at the end of time
  kStorageFull,      // disk, quota or map
  kReadOnly,         // the directory can't be written
  kNotLetIn,         // a database refuses this process: its role, its password, or their rights
  kIo,               // reading or writing failed
  kCorrupt,          // what is stored fails its check
  kVersion,          // a data directory of another format version
  kBadInput,         // an input file that can't be read or holds a bad line
  kInternal,         // a fault of ours
};

class Error : public std::runtime_error {
 public:
  // `field` names the field or parameter to blame, if one is.
  Error(ErrorCode code, const std::string& message, std::string field = {})
      : std::runtime_error(message), code_(code), field_(std::move(field)) {}

  [[nodiscard]] ErrorCode code() const noexcept { return code_; }
  [[nodiscard]] const std::string& field() const noexcept { return field_; }

 private:
  ErrorCode code_;
  std::string field_;
};

// The field of an Error{kStorageFull} that says that the disk reserve is reached.
inline constexpr std::string_view kReserveField = "reserve";
// Whether an Error is such a refusal: nothing was changed, and nothing is broken.
[[nodiscard]] bool is_reserve_reached(const Error& error) noexcept;

// Ends the process when a rule of our own is broken; on in release builds too. `rule` is a literal.
void check(bool holds, const char* rule) noexcept;

}  // namespace chirp
