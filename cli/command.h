// A node in the tree of commands (the program, a noun or a verb) with its arguments.
//
// This header hides the library that parses command lines, because the library's header takes
// longer to compile than most of our files.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace chirp::cli {

// A declared argument or option. Each call returns the option again.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(option) {}

  // The value is a list of words with commas between them; completions offer these.
  Option* listing(std::vector<std::string> words);
  [[nodiscard]] const std::vector<std::string>& listed() const { return listed_; }
  [[nodiscard]] const CLI::Option& library() const { return option_; }

  Option* required();
  // The placeholder of the value in the help; words between bars are the choices in completions.
  Option* option_text(const std::string& text);
  Option* type_name(const std::string& name);
  Option* envname(const std::string& variable);
  Option* expected(int values);  // for each use
  Option* take_all();            // keeps the values of all uses
  Option* one_of(std::vector<std::string> words);
  Option* between(std::uint64_t least, std::uint64_t most);
  Option* between_reals(double least, double most);

 private:
  CLI::Option& option_;
  std::vector<std::string> listed_;
};

// Names are in the library's form: `--since`, or `NAME` for an argument. The parser writes to a
// target when it reads the command line, so the target must live until then.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(app) {}

  Option* add_option(const std::string& name, std::string& target, const std::string& description);
  Option* add_option(const std::string& name, std::vector<std::string>& target,
                     const std::string& description);
  Option* add_option(const std::string& name, std::uint64_t& target,
                     const std::string& description);
  Option* add_option(const std::string& name, double& target, const std::string& description);
  Option* add_option(const std::string& name, std::optional<std::string>& target,
                     const std::string& description);
  Option* add_flag(const std::string& name, bool& target, const std::string& description);

  // Marks output that may be long: at a terminal it goes through a pager.
  void page() { pages_ = true; }
  [[nodiscard]] bool pages() const { return pages_; }

  [[nodiscard]] const std::deque<Option>& options() const { return options_; }

  [[nodiscard]] CLI::App& library() { return app_; }
  [[nodiscard]] const CLI::App& library() const { return app_; }

 private:
  Option* kept(CLI::Option* option);

  CLI::App& app_;
  std::deque<Option> options_;
  bool pages_ = false;
};

// An option with a text, which may be empty. `value` is its placeholder in the help.
Option* add_text(Command& verb, const std::string& name, std::optional<std::string>& target,
                 const std::string& value, const std::string& description);

}  // namespace chirp::cli
