// Where a command's words go: data on stdout, everything else on stderr.
//
// stdout is gathered and written with few system calls. A reader who went away (EPIPE) ends the
// output quietly; any other failure throws Error{kIo} or {kStorageFull}. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "cli/fitted.h"
#include "cli/pager.h"
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
  // `columns` of the terminal, if it is one.
  Output(Audience audience, Colour colour, Verbosity verbosity, std::size_t columns = kNoWidth);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  // Shows at a terminal what was printed before an error, and waits until a pager has been left.
  ~Output();

  [[nodiscard]] Audience audience() const { return audience_; }
  [[nodiscard]] Verbosity verbosity() const { return verbosity_; }
  [[nodiscard]] bool json() const { return audience_ == Audience::kProgram; }
  [[nodiscard]] bool terminal() const { return audience_ == Audience::kTerminal; }
  // What a line may take; kNoWidth where it may take anything.
  [[nodiscard]] std::size_t columns() const { return terminal() ? columns_ : kNoWidth; }

  // From now on an answer of more lines than `rows` goes through a pager, with what is said about
  // it. For a terminal; nothing changes if the pager can't be started. See cli/pager.h.
  void page_with(std::string command, std::size_t rows);
  // What goes on until it is interrupted has no pager.
  void unpaged() { pager_command_.clear(); }
  // If a pager may be wanted, nothing is shown before flush(), so that who makes the answer waits
  // for no reader. An answer of more than 8 MiB has no pager: it is shown as it comes.
  void hold() { held_ = !pager_command_.empty(); }
  [[nodiscard]] bool held() const { return held_; }

  // ---- stdout
  void print(std::string_view text);
  void document(const api::JsonWriter& json);  // with a line end
  void flush();
  // The reader has gone: what follows is for nobody.
  [[nodiscard]] bool closed() const { return closed_; }

  // ---- stderr, with a line end; what was printed before stands before it
  void note(std::string_view text);    // unless --quiet or --json, or a pager was left before
  void detail(std::string_view text);  // with --verbose
  void warn(std::string_view text);    // always, after "chirp: "

  // `text` in a colour, where there is colour.
  [[nodiscard]] std::string ink(Ink ink, std::string_view text) const;

 private:
  void say(std::string_view text);
  void start_pager_if_long();
  void flush_to_pager();
  void flush_to_stdout();

  Audience audience_;
  Colour colour_;
  Verbosity verbosity_;
  std::size_t columns_;
  std::string pending_;
  std::string pager_command_;  // empty: none is wanted, or no more
  std::size_t rows_ = 0;       // of the terminal
  std::size_t lines_ = 0;      // of what is printed
  bool held_ = false;
  std::unique_ptr<Pager> pager_;
  std::size_t written_ = 0;  // bytes, to the pager
  std::string paged_;        // as long as nobody may have read it
  bool closed_ = false;
};

// ---- words for people

// Without control characters and invalid bytes, so that it may go to a terminal.
[[nodiscard]] std::string safe(std::string_view text);
// "just now", "5m ago", "3h ago", "2d ago", then the date.
[[nodiscard]] std::string relative(Time time, Time now);
// Relative for a person at a terminal, ISO 8601 otherwise.
[[nodiscard]] std::string when(const Output& out, Time time, Time now);
// "1,234".
[[nodiscard]] std::string grouped(std::uint64_t n);
// "1 follower", "2 followers", "1,234 followers".
[[nodiscard]] std::string counted(std::uint64_t n, std::string_view one, std::string_view many);

}  // namespace chirp::cli
