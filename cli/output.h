// Where a command's words go: data on stdout, everything else on stderr.
//
// stdout is gathered and written with few system calls. A reader who went away (EPIPE) ends the
// output quietly; any other failure throws Error{kIo} or {kStorageFull}. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/model/time.h"
#include "server/json/json_writer.h"

namespace chirp::cli {

// Whom stdout is for: aligned tables, relative times and colour; plain text; one JSON document.
enum class Audience : std::uint8_t { kTerminal, kPipe, kProgram };
enum class Colour : std::uint8_t { kNo, kYes };
enum class Verbosity : std::uint8_t { kQuiet, kNormal, kVerbose };

enum class Ink : std::uint8_t { kBold, kDim, kName, kGood, kBad };

class Output {
 public:
  Output(Audience audience, Colour colour, Verbosity verbosity);

  [[nodiscard]] Audience audience() const { return audience_; }
  [[nodiscard]] Verbosity verbosity() const { return verbosity_; }
  [[nodiscard]] bool json() const { return audience_ == Audience::kProgram; }
  [[nodiscard]] bool terminal() const { return audience_ == Audience::kTerminal; }

  // ---- stdout
  void print(std::string_view text);
  void document(const api::JsonWriter& json);  // with a line end
  void flush();
  // The reader has gone: what follows is for nobody.
  [[nodiscard]] bool closed() const { return closed_; }

  // ---- stderr, with a line end; what was printed before stands before it
  void note(std::string_view text);    // unless --quiet or --json
  void detail(std::string_view text);  // with --verbose
  void warn(std::string_view text);    // always, after "chirp: "

  // `text` in a colour, where there is colour.
  [[nodiscard]] std::string ink(Ink ink, std::string_view text) const;

 private:
  void say(std::string_view text);

  Audience audience_;
  Colour colour_;
  Verbosity verbosity_;
  std::string pending_;
  bool closed_ = false;
};

// Writes all of it to a file descriptor; the errno of a failure, or 0.
[[nodiscard]] int write_all(int fd, std::string_view text);

// ---- words for people

// Without control characters and invalid bytes, so that it may go to a terminal.
[[nodiscard]] std::string safe(std::string_view text);
// "just now", "5m ago", "3h ago", "2d ago", then the date.
[[nodiscard]] std::string relative(Time time, Time now);
// Relative for a person at a terminal, ISO 8601 otherwise.
[[nodiscard]] std::string when(const Output& out, Time time, Time now);
// "1 follower", "2 followers", "1,234 followers".
[[nodiscard]] std::string counted(std::uint64_t n, std::string_view one, std::string_view many);

}  // namespace chirp::cli
