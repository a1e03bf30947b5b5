// A place in the tree of commands (the program, a noun or a verb) and what it takes.
//
// The door to the library that parses command lines: its header takes longer to compile than most
// of our files, so it stands behind this one.
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

// An argument or option that has been declared. Each call returns it again.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(option) {}

  // The value is a list of words with commas between them; completions offer these.
  Option* listing(std::vector<std::string> words);
  [[nodiscard]] const std::vector<std::string>& listed() const { return listed_; }
  [[nodiscard]] const CLI::Option& library() const { return option_; }

  Option* required();
  // What stands for the value in the help; words between bars are the choices in completions.
  Option* option_text(const std::string& text);
  Option* type_name(const std::string& name);
  Option* envname(const std::string& variable);
  Option* expected(int values);  // at each use
  Option* take_all();            // of all uses
  Option* one_of(std::vector<std::string> words);
  Option* between(std::uint64_t least, std::uint64_t most);
  Option* between_reals(double least, double most);

 private:
  CLI::Option& option_;
  std::vector<std::string> listed_;
};

// Names are the library's: `--since`, or `NAME` for an argument. A target is written when the
// command line is read, and must live until then.
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

  // What it prints may be long: at a terminal it goes through a pager then.
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

// An option whose text, empty or not, lands in `target`; `value` stands for it in the help.
Option* add_text(Command& verb, const std::string& name, std::optional<std::string>& target,
                 const std::string& value, const std::string& description);

}  // namespace chirp::cli
