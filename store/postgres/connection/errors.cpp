#include "store/postgres/connection/errors.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace chirp::postgres {
namespace {

// By the first two characters of an SQLSTATE, or by all five.
struct Code {
  std::string_view state;
  ErrorCode code;
};
constexpr std::array kCodes{
    Code{"08", ErrorCode::kUnavailable},     // connection
    Code{"23505", ErrorCode::kConflict},     // unique violation
    Code{"25006", ErrorCode::kReadOnly},     // a standby, or set to read only
    Code{"25P", ErrorCode::kUnavailable},    // idle-in-transaction timeout
    Code{"28", ErrorCode::kNotLetIn},        // failed authentication
    Code{"3D000", ErrorCode::kIo},           // no such database
    Code{"3F000", ErrorCode::kNotLetIn},     // no schema with privileges for the role
    Code{"40", ErrorCode::kUnavailable},     // rolled back because of other transactions
    Code{"42501", ErrorCode::kNotLetIn},     // missing privilege
    Code{"42703", ErrorCode::kCorrupt},      // undefined column
    Code{"42P01", ErrorCode::kCorrupt},      // undefined table
    Code{"53100", ErrorCode::kStorageFull},  //
    Code{"53", ErrorCode::kUnavailable},     // out of memory or connections
    Code{"55", ErrorCode::kUnavailable},     // locked, in use
    Code{"57", ErrorCode::kUnavailable},     // shutting down, cancelled, starting
    Code{"58", ErrorCode::kIo},              //
    Code{"XX001", ErrorCode::kCorrupt},      //
    Code{"XX002", ErrorCode::kCorrupt},      //
};

// The advice for an error caused by a setting or a missing privilege.
struct Advice {
  std::string_view state;
  std::string_view text;
};
constexpr std::array kAdvice{
    Advice{
        "25006",
        " The server is a copy, or `default_transaction_read_only` is on: `alter role {role} set "
        "default_transaction_read_only = off`."},
    Advice{"25P03",
           " The setting `idle_in_transaction_session_timeout` has ended the session: `alter role "
           "{role} set idle_in_transaction_session_timeout = 0`."},
    Advice{"25P04",
           " The setting `transaction_timeout` has ended the session: `alter role {role} set "
           "transaction_timeout = 0`."},
    Advice{
        "3F000",
        " `search_path` names no schema that is there: `alter role {role} reset search_path`, or "
        "make the schema."},
    Advice{
        "42501",
        " See the role's rights: `alter database {database} owner to {role}` or `grant create on "
        "schema public to {role}` lets it make tables, `grant select, insert, update, delete on "
        "all tables in schema public to {role}` lets it use them."},
    Advice{"53300",
           " Raise the server's `max_connections`, or the role's own limit: `alter role {role} "
           "connection limit -1`."},
    Advice{
        "57014",
        " The setting `statement_timeout` or a call of pg_cancel_backend has ended the statement. "
        "For the first: `alter role {role} set statement_timeout = 0`."},
    Advice{"57P05",
           " The setting `idle_session_timeout` has ended the session: `alter role {role} set "
           "idle_session_timeout = 0`."},
};

constexpr std::string_view kOutcome = "outcome";
constexpr std::string_view kNotKnown =
    " Whether the change is stored is not known: look before you try again.";

// Returns a name quoted for SQL.
std::string quoted(std::string_view name, std::string_view unknown) {
  const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  const auto goes_on = [&](char c) { return is_plain(c) || (c >= '0' && c <= '9'); };
  if (name.empty()) return std::string(unknown);
  if (is_plain(name.front()) && std::ranges::all_of(name, goes_on)) return std::string(name);
  std::string text = "\"";
  for (const char c : name) text.append(c == '"' ? 2 : 1, c);
  return text + '"';
}

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

std::string advice(std::string_view state, const Role& role) {
  const auto* const known =
      std::ranges::find_if(kAdvice, [&](const Advice& one) { return one.state == state; });
  if (known != kAdvice.end()) {
    return fmt::format(fmt::runtime(known->text), fmt::arg("role", quoted(role.name, "ROLE")),
                       fmt::arg("database", quoted(role.database, "DATABASE")));
  }
  switch (code_of(state)) {
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
  while (words.ends_with('.')) words.pop_back();  // the caller's sentence continues
  return words;
}

PostgresError outcome_unknown(const Error& lost) {
  std::string what = lost.what();
  if (lost.field() != kOutcome) what += kNotKnown;
  return {ErrorCode::kUnavailable, what, "", "", std::string(kOutcome)};
}

PostgresError outcome_nothing(const Error& lost) {
  std::string what = lost.what();
  if (lost.field() == kOutcome) what.resize(what.size() - kNotKnown.size());
  return {ErrorCode::kUnavailable, what, "", ""};
}

}  // namespace chirp::postgres
