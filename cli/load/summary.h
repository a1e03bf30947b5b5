// The summary at the end of a load.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/load/preview.h"
#include "cli/output.h"
#include "core/error.h"
#include "core/load/tally.h"

namespace chirp::cli {

// Counts names and remembers the first ones.
class FirstNames {
 public:
  void add(const std::string& name);
  [[nodiscard]] bool empty() const { return count_ == 0; }
  // Returns `a, b, c and 7 more`.
  [[nodiscard]] std::string words() const;

 private:
  std::vector<std::string> names_;
  std::uint64_t count_ = 0;
};

// Files of folders and archives that a load leaves out, because they hold something else.
class LeftOutFiles {
 public:
  // With `for_json` it remembers every file.
  explicit LeftOutFiles(bool for_json) : for_json_(for_json) {}

  // `why` is a clause. Returns true for the first ten, which are named at once.
  bool add(std::string_view name, std::string_view why);
  [[nodiscard]] std::uint64_t count() const { return count_; }
  // Returns the counts by reason of all files after the first ten, or an empty text.
  [[nodiscard]] std::string others() const;
  // Writes the field `leftOut` of the object that is open, if there is a file.
  void write(api::JsonWriter& json) const;

 private:
  bool for_json_;
  std::uint64_t count_ = 0;
  std::vector<std::pair<std::string, std::string>> files_;    // names and reasons
  std::map<std::string, std::uint64_t, std::less<>> others_;  // all but the first ten, by reason
};

// Describes a load that an error has ended.
struct StoppedLoad {
  std::string_view rows;  // the word for what was loaded, such as "posts"
  std::uint64_t stored;
  std::uint64_t not_stored;  // rows that it has read and neither stored nor skipped
  bool is_bad_line;          // which --max-errors would skip
};

// Returns the error with what is stored and what to do next.
[[nodiscard]] Error stopped_load(const Error& error, const StoppedLoad& load);

// Reasons for skipped rows or members, with their counts: names for programs, such as
// "selfLoops".
using Skipped = std::vector<std::pair<std::string, std::uint64_t>>;

// The reasons that are always named, and those of the others that there are.
[[nodiscard]] Skipped skipped_of(Skipped always, const Skipped& others);

struct LoadSummary {
  std::string rows;  // the word for what was loaded, such as "posts"
  std::uint64_t read = 0;
  load::Counts counts;
  Skipped skipped;
  std::uint64_t errors = 0;  // bad lines
  std::uint64_t bytes = 0;   // of input, as stored on disk
  double seconds = 0;
  Preview* preview = nullptr;              // only in a dry run
  const LeftOutFiles* left_out = nullptr;  // only for loads of files
  // Rows that a stopped load has read and neither stored nor skipped; empty for a complete load.
  std::optional<std::uint64_t> not_stored{};
};

// Prints a table for people, or the documented object as JSON.
void print_summary(Output& out, const LoadSummary& summary);

}  // namespace chirp::cli
