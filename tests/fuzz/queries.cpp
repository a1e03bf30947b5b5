// The SQL of `chirp query`: every statement is answered or refused, and only reads. A statement
// that is answered gets the same answer again, because the state has not changed.
#include <string>
#include <vector>

#include "core/error.h"
#include "store/query/query.h"
#include "tests/fuzz/targets.h"
#include "tests/support/query_world.h"

namespace chirp::fuzz {
namespace {

constexpr std::size_t kRowsMost = 200;
constexpr std::size_t kBytesMost = std::size_t{64} << 10;

// Each look at the clock advances it by this much, so that a query without an end reaches its time
// limit.
constexpr std::int64_t kLookNs = 20'000'000;

struct Answer {
  std::vector<std::string> cells;  // names of columns first
  std::string end;
};

bool is_refusal(ErrorCode code) {
  return code == ErrorCode::kInvalidArgument || code == ErrorCode::kUnavailable;
}

Answer ask(const Snapshot& snapshot, const UserRows& users, Bytes text) {
  const test::FakeClock clock(Time{snowflake::kEpochMs + 100 * kDayMs}, kLookNs);
  Answer answer;
  try {
    query::Query query(snapshot, users, clock, {.seconds = 1, .memory_mb = 16});
    query.ask(text);
    answer.cells = query.columns();
    const std::size_t columns = answer.cells.size();
    std::size_t bytes = 0;
    for (std::size_t row = 0; row < kRowsMost && bytes < kBytesMost && query.next(); ++row) {
      for (std::size_t i = 0; i < columns; ++i) {
        answer.cells.push_back(test::value_of(query, i));
        bytes += answer.cells.back().size();
      }
    }
  } catch (const Error& error) {
    holds(is_refusal(error.code()) && *error.what() != '\0', "what is not answered is refused");
    answer.end = error.what();
  }
  return answer;
}

// Whether the answer may differ the next time, or be cut at another place by a limit.
bool may_differ(Bytes text, const Answer& answer) {
  std::string folded(text);
  for (char& c : folded) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
  for (const char* const word : {"random", "now", "current_", "unixepoch", "julianday", "strftime",
                                 "date", "time", "localtime"}) {
    if (folded.find(word) != std::string::npos) return true;
  }
  return !answer.end.empty();
}

}  // namespace

void queries(Bytes input) {
  static test::QueryWorld world(1, 6);
  const auto snapshot = world.storage.snapshot();
  const auto version = snapshot->state().version;
  const Answer first = ask(*snapshot, world.directory, input);
  for (const std::string& cell : first.cells) {
    holds(cell.find("the secret of ") == std::string::npos, "no table has a password");
  }
  holds(world.storage.snapshot()->state().version == version, "a query changes nothing");
  if (may_differ(input, first)) return;
  const Answer second = ask(*snapshot, world.directory, input);
  holds(first.cells == second.cells && second.end.empty(), "the same is answered the same way");
}

}  // namespace chirp::fuzz
