// Output of a command: data on stdout, everything else on stderr.
//
// stdout is buffered. If the reader closes it (EPIPE), output ends quietly; any other failure
// throws Error{kIo} or {kStorageFull}. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "cli/fitted.h"
#include "cli/pager.h"
#include "core/model/time.h"
#include "server/json/json_writer.h"

namespace chirp::cli {

// Terminal: aligned tables, relative times, colour. Pipe: plain text. Program: one JSON document.
enum class OutputAudience : std::uint8_t { kTerminal, kPipe, kProgram };
enum class Colour : std::uint8_t { kNo, kYes };
enum class Verbosity : std::uint8_t { kQuiet, kNormal, kVerbose };

enum class Ink : std::uint8_t { kBold, kDim, kName, kGood, kBad };

class Output {
 public:
  // `columns` is the width of the terminal, if there is one.
  Output(OutputAudience audience, Colour colour, Verbosity verbosity,
         std::size_t columns = kNoWidth);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  // Flushes what was printed before an error to the terminal, and waits until the pager has ended.
  ~Output();

  [[nodiscard]] OutputAudience audience() const { return audience_; }
  [[nodiscard]] Verbosity verbosity() const { return verbosity_; }
  [[nodiscard]] bool json() const { return audience_ == OutputAudience::kProgram; }
  [[nodiscard]] bool terminal() const { return audience_ == OutputAudience::kTerminal; }
  // The maximum width of a line; kNoWidth if there is no limit.
  [[nodiscard]] std::size_t columns() const { return terminal() ? columns_ : kNoWidth; }

  // Sends later answers of more than `rows` lines, with their notes, through a pager. For a
  // terminal. Nothing changes if the pager can't be started. See cli/pager.h.
  void page_with(std::string command, std::size_t rows);
  // For output that goes on until it is interrupted: uses no pager.
  void unpaged() { pager_command_.clear(); }
  // If a pager is possible, shows nothing before flush(), so that the command never waits for a
  // reader. An answer of more than 8 MiB gets no pager: it is shown as it is printed.
  void hold() { held_ = !pager_command_.empty(); }
  [[nodiscard]] bool held() const { return held_; }

  // ---- stdout
  void print(std::string_view text);
  void document(const api::JsonWriter& json);  // with a line end
  // For programs: prints the document that `write` makes, and returns true.
  bool wrote_json(const std::function<void(api::JsonWriter&)>& write);
  void flush();
  // Whether the reader has closed the output; further output is discarded.
  [[nodiscard]] bool closed() const { return closed_; }

  // ---- stderr, with a line end; printed after all earlier output of stdout
  void note(std::string_view text);    // unless --quiet or --json, or after a pager was left early
  void detail(std::string_view text);  // with --verbose
  void warn(std::string_view text);    // always, after "chirp: "

  // `text` in a colour, where there is colour.
  [[nodiscard]] std::string ink(Ink ink, std::string_view text) const;

 private:
  void say(std::string_view text);
  void start_pager_if_long();
  void flush_to_pager();
  void leave_pager();
  void flush_to_stdout();

  OutputAudience audience_;
  Colour colour_;
  Verbosity verbosity_;
  std::size_t columns_;
  std::string pending_;
  std::string pager_command_;  // empty: no pager
  std::size_t rows_ = 0;       // of the terminal
  std::size_t lines_ = 0;      // printed so far
  bool held_ = false;
  std::unique_ptr<Pager> pager_;
  std::string paged_;  // kept while the pager may not have read it
  bool closed_ = false;
};

// ---- words for people

// Escapes control characters and invalid bytes, so that the text can go to a terminal.
[[nodiscard]] std::string safe(std::string_view text);
// "just now", "5m ago", "3h ago", "2d ago", then the date.
[[nodiscard]] std::string relative(Time time, Time now);
// Relative at a terminal, ISO 8601 otherwise.
[[nodiscard]] std::string when(const Output& out, Time time, Time now);
// "1,234".
[[nodiscard]] std::string grouped(std::uint64_t n);
// "1 follower", "2 followers", "1,234 followers".
[[nodiscard]] std::string counted(std::uint64_t n, std::string_view one, std::string_view many);

}  // namespace chirp::cli
