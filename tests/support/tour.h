// Sessions in a shell that a document shows: its commands with what they say, and a shell in which
// they are run again.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/time.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {

struct TourStep {
  std::string command;
  std::string said;
};

// The commands below a heading of a document, up to the next one of its kind, each with what stands
// below it. Blocks without a prompt show what is left to the reader.
[[nodiscard]] std::vector<TourStep> tour_steps(std::string_view document, std::string_view heading);

// The document with `said` below its commands, in their order, in the place of what stands there.
[[nodiscard]] std::string tour_with(std::string_view document,
                                    const std::vector<std::string>& said);

// Whether there is what makes a terminal; says so if there is not.
[[nodiscard]] bool can_tour();

class TourShell {
 public:
  // `bin` is a folder with the program in it; commands run in `folder`.
  TourShell(const std::string& bin, const TempFolder& folder);

  void set_clock(Time time);
  // What a person sees, in a terminal without colours. Fails the test if the command fails.
  [[nodiscard]] std::string run_line(const std::string& command);

 private:
  std::string folder_;
  std::map<std::string, std::string> variables_;
};

// How long a load took is no promise.
[[nodiscard]] std::string without_time_taken(const std::string& said);

}  // namespace chirp::test
