#include "tests/support/pattern.h"

#include <iterator>
#include <regex>

namespace chirp::test {
namespace {

using At = std::string_view::const_iterator;

Match groups_of(const std::match_results<At>& found) { return Match(found.begin(), found.end()); }

}  // namespace

struct Pattern::Compiled {
  std::regex regex;
};

Pattern::Pattern(std::string_view expression)
    : compiled_(
          std::make_shared<Compiled>(Compiled{std::regex(expression.begin(), expression.end())})) {}

Match Pattern::match_all_of(std::string_view text) const {
  std::match_results<At> found;
  std::regex_match(text.begin(), text.end(), found, compiled_->regex);
  return groups_of(found);
}

Match Pattern::first_in(std::string_view text) const {
  std::match_results<At> found;
  std::regex_search(text.begin(), text.end(), found, compiled_->regex);
  return groups_of(found);
}

std::vector<Match> Pattern::all_in(std::string_view text) const {
  std::vector<Match> all;
  using Matches = std::regex_iterator<At>;
  for (Matches at(text.begin(), text.end(), compiled_->regex); at != Matches(); ++at) {
    all.push_back(groups_of(*at));
  }
  return all;
}

std::string Pattern::replaced_in(std::string_view text, const std::string& with) const {
  std::string replaced;
  std::regex_replace(std::back_inserter(replaced), text.begin(), text.end(), compiled_->regex,
                     with);
  return replaced;
}

}  // namespace chirp::test
