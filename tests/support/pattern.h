// Regular expressions for tests. <regex> adds a second to the compilation of each file that
// includes it, so only one does.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace chirp::test {

// The matched text, then that of each group; "" for an unused group. Empty if there is no match.
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
  // `text` with each match replaced by `with`, in which $1 is the first group.
  [[nodiscard]] std::string replaced_in(std::string_view text, const std::string& with) const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace chirp::test
