// Lists of files for messages, such as the files of folders and archives that a load skips because
// they have other contents.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/output.h"

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

}  // namespace chirp::cli
