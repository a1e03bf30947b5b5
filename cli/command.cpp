#include "cli/command.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>

#include "core/model/nearest.h"

namespace chirp::cli {

Option* Option::listing(std::vector<std::string> words) {
  listed_ = std::move(words);
  return this;
}

Option* Option::required() {
  option_.required();
  return this;
}

Option* Option::option_text(const std::string& text) {
  option_.option_text(text);
  return this;
}

Option* Option::type_name(const std::string& name) {
  option_.type_name(name);
  return this;
}

Option* Option::envname(const std::string& variable) {
  option_.envname(variable);
  return this;
}

Option* Option::expected(int values) {
  option_.expected(values);
  return this;
}

Option* Option::take_all() {
  option_.take_all();
  return this;
}

Option* Option::one_of(std::vector<std::string> words) {
  const std::string name = option_.get_name();
  option_.check([name, words = std::move(words)](const std::string& typed) -> std::string {
    const std::vector<std::string_view> choices(words.begin(), words.end());
    if (std::ranges::find(choices, typed) == choices.end()) {
      throw no_such_choice(name, choices, typed);
    }
    return {};
  });
  return this;
}

Option* Option::between(std::uint64_t least, std::uint64_t most) {
  option_.check(CLI::Range(least, most));
  return this;
}

Option* Option::between_reals(double least, double most) {
  option_.check(CLI::Range(least, most));
  // A text that is not a number gets its own message, not one about the range.
  option_.check([](const std::string& typed) -> std::string {
    return std::isnan(std::strtod(typed.c_str(), nullptr)) ? typed + " is not a number" : "";
  });
  return this;
}

Option* Command::kept(CLI::Option* option) { return &options_.emplace_back(*option); }

Option* Command::add_option(const std::string& name, std::string& target,
                            const std::string& description) {
  return kept(app_.add_option(name, target, description));
}

Option* Command::add_option(const std::string& name, std::vector<std::string>& target,
                            const std::string& description) {
  return kept(app_.add_option(name, target, description));
}

Option* Command::add_option(const std::string& name, std::uint64_t& target,
                            const std::string& description) {
  return kept(app_.add_option(name, target, description));
}

Option* Command::add_option(const std::string& name, double& target,
                            const std::string& description) {
  return kept(app_.add_option(name, target, description));
}

// Replaces the library's handling of optionals, which treats an empty text as missing.
Option* Command::add_option(const std::string& name, std::optional<std::string>& target,
                            const std::string& description) {
  return kept(app_.add_option_function<std::string>(
      name, [&target](const std::string& text) { target = text; }, description));
}

Option* Command::add_flag(const std::string& name, bool& target, const std::string& description) {
  return kept(app_.add_flag(name, target, description));
}

Option* add_text(Command& verb, const std::string& name, std::optional<std::string>& target,
                 const std::string& value, const std::string& description) {
  return verb.add_option(name, target, description)->option_text(value);
}

}  // namespace chirp::cli
