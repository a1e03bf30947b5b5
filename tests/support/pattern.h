// Regular expressions for tests. <regex> takes a second to compile in each file that includes it:
// one file does.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace chirp::test {

// The text that matched, then that of each group; "" for a group that took no part. Empty for no
// match.
using Match = std::vector<std::string>;

// An ECMAScript regular expression.
class Pattern {
 public:
  explicit Pattern(std::string_view expression);

  [[nodiscard]] bool is_all_of(std::string_view text) const { return !match_all_of(text).empty(); }
  [[nodiscard]] bool is_in(std::string_view text) const { return !first_in(text).empty(); }

  [[nodiscard]] Match match_all_of(std::string_view text) const;
  [[nodiscard]] Match first_in(std::string_view text) const;
  [[nodiscard]] std::vector<Match> all_in(std::string_view text) const;
  // `text` with `with` for every match; $1 in it is the first group.
  [[nodiscard]] std::string replaced_in(std::string_view text, const std::string& with) const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace chirp::test
