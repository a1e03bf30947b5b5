#include "cli/load/stopped.h"

#include <string>

#include <fmt/format.h>

#include "cli/output.h"

namespace chirp::cli {
namespace {

// Words that end a sentence, so that another clause can follow.
std::string_view without_stop(std::string_view words) {
  if (words.ends_with('.')) words.remove_suffix(1);
  return words;
}

}  // namespace

Error stopped_load(const Error& error, const StoppedLoad& load) {
  std::string words = fmt::format("{}. The load has stopped. Stored: {} {}",
                                  without_stop(error.what()), grouped(load.stored), load.rows);
  if (load.not_stored > 0) {
    words += fmt::format("; read but not stored: {}", grouped(load.not_stored));
  }
  words += ". ";
  if (error.field() == "outcome") {
    words += "The last batch is stored either as a whole or not at all. ";
  }
  words +=
      load.is_bad_line
          ? "Correct the line and run the same command again: it skips what is stored. Or skip "
            "bad lines with --max-errors N."
          : "Run the same command again when that is mended: it skips what is stored.";
  return Error(error.code(), words, error.field());
}

}  // namespace chirp::cli
