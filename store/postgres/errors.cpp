#include "store/postgres/errors.h"

#include <algorithm>
#include <array>

namespace chirp::postgres {
namespace {

// By the first two characters of an SQLSTATE, or by all five.
struct Code {
  std::string_view state;
  ErrorCode code;
};
constexpr std::array kCodes{
    Code{"08", ErrorCode::kUnavailable},     // connection
    Code{"23505", ErrorCode::kConflict},     // there already
    Code{"25006", ErrorCode::kReadOnly},     // a copy, or set to be read only
    Code{"25P", ErrorCode::kUnavailable},    // a transaction that was idle for too long
    Code{"28", ErrorCode::kNotLetIn},        // who are you
    Code{"3D000", ErrorCode::kIo},           // no such database
    Code{"40", ErrorCode::kUnavailable},     // undone for the sake of others
    Code{"42501", ErrorCode::kNotLetIn},     // no right
    Code{"42703", ErrorCode::kCorrupt},      // a column is gone
    Code{"42P01", ErrorCode::kCorrupt},      // a table is gone
    Code{"53100", ErrorCode::kStorageFull},  //
    Code{"53", ErrorCode::kUnavailable},     // out of memory, connections
    Code{"55", ErrorCode::kUnavailable},     // locked, in use
    Code{"57", ErrorCode::kUnavailable},     // stopping, cancelled, starting
    Code{"58", ErrorCode::kIo},              //
    Code{"XX001", ErrorCode::kCorrupt},      //
    Code{"XX002", ErrorCode::kCorrupt},      //
};

std::string trimmed(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  return std::string(text);
}

}  // namespace

ErrorCode code_of(std::string_view state) {
  if (state.empty()) return ErrorCode::kUnavailable;
  const auto* const found =
      std::ranges::find_if(kCodes, [&](const Code& code) { return state.starts_with(code.state); });
  return found == kCodes.end() ? ErrorCode::kInternal : found->code;
}

std::string_view advice(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUnavailable:
      return " Try again, and see whether the server is there.";
    case ErrorCode::kStorageFull:
      return " Make room on the server's disk.";
    case ErrorCode::kNotLetIn:
      return " See the role's rights, pg_hba.conf, and the password in PGPASSFILE.";
    default:
      return "";
  }
}

std::string in_one_line(std::string_view message) {
  std::string words;
  while (!message.empty()) {
    const std::string_view line = message.substr(0, message.find('\n'));
    message.remove_prefix(std::min(line.size() + 1, message.size()));
    if (line.empty() || line.front() == '\t') continue;
    words += (words.empty() ? "" : "; ") + trimmed(line);
  }
  while (words.ends_with('.')) words.pop_back();  // a sentence goes on, or ends, behind it
  return words;
}

Error outcome_unknown(const Error& lost) {
  return {ErrorCode::kUnavailable,
          std::string(lost.what()) +
              " Whether the change stands is not known: look before you try again.",
          "outcome"};
}

}  // namespace chirp::postgres
