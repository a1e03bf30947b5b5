#include "tests/support/tour.h"

#include <doctest/doctest.h>

#include "tests/support/child.h"
#include "tests/support/pattern.h"
#include "tests/support/source_tree.h"

namespace chirp::test {

std::vector<TourStep> tour_steps(std::string_view document, std::string_view heading) {
  std::vector<TourStep> steps;
  bool here = false;
  bool block = false;
  for (const std::string_view line : source_file(document).lines()) {
    if (line.starts_with("## ")) here = line == heading;
    if (!here) continue;
    if (line.starts_with("```")) {
      block = !block;
    } else if (block && line.starts_with("$ ")) {
      steps.push_back({std::string(line.substr(2)), ""});
    } else if (block && !steps.empty()) {
      steps.back().said += std::string(line) + "\n";
    }
  }
  return steps;
}

std::string tour_with(std::string_view document, const std::vector<std::string>& said) {
  std::string text;
  std::size_t step = 0;
  bool block = false;
  bool shown = false;  // the line belongs to what a command says
  for (const std::string_view line : source_file(document).lines()) {
    if (line.starts_with("```")) block = !block;
    const bool command = block && line.starts_with("$ ");
    shown = block && shown && !command;
    if (!shown) text += std::string(line) + "\n";
    if (!command) continue;
    REQUIRE(step < said.size());
    text += said[step++];
    shown = true;
  }
  return text;
}

bool can_tour() {
  if (run({.arguments = {"/bin/sh", "-c", "command -v script > /dev/null"}}).ok()) return true;
  MESSAGE("skipped: needs script, of bsdutils");
  return false;
}

TourShell::TourShell(const std::string& bin, const TempFolder& folder)
    : folder_(folder.path().string()),
      variables_{{"PATH", bin + ":/usr/bin:/bin"},
                 {"HOME", folder_},
                 {"CHIRP_TEST_CLOCK", "2026-01-15T18:30:00Z"},
                 {"SHELL", "/bin/sh"},
                 {"NO_COLOR", "1"},
                 {"TERM", "dumb"},
                 {"PAGER", "cat"},
                 {"XDG_DATA_HOME", ""}} {}

void TourShell::set_clock(Time time) { variables_["CHIRP_TEST_CLOCK"] = iso8601(time); }

std::string TourShell::run_line(const std::string& command) {
  constexpr std::string_view kExport = "export ";
  if (command.starts_with(kExport)) {
    const std::size_t equals = command.find('=');
    REQUIRE_MESSAGE(equals != std::string::npos, command);
    variables_[command.substr(kExport.size(), equals - kExport.size())] =
        command.substr(equals + 1);
    return "";
  }
  std::vector<std::string> environment;
  for (const auto& [name, value] : variables_) environment.push_back(name + "=" + value);
  const std::string script = "cd '" + folder_ + "' && exec script -qec \"$0\" /dev/null";
  const Ended ended =
      run({.arguments = {"/bin/sh", "-c", script, command}, .environment = environment});
  CHECK_MESSAGE(ended.ok(), command, ": ", to_string(ended));
  std::string said;
  for (const char c : ended.out) {
    if (c != '\r') said += c;
  }
  return said;
}

std::string without_time_taken(const std::string& said) {
  static const Pattern kTook(R"re((^|\n)time +[^\n]*)re");
  return kTook.replaced_in(said, "$1time");
}

}  // namespace chirp::test
