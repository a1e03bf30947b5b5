// Shell sessions in a document: its commands with their output, and a shell that runs them again.
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

// The commands below a heading of a document, up to the next one of its level, each with its
// output. Skips blocks without a prompt, which are left to the reader.
[[nodiscard]] std::vector<TourStep> tour_steps(std::string_view document, std::string_view heading);

// The document with the outputs of its commands replaced by `said`, in order.
[[nodiscard]] std::string tour_with(std::string_view document,
                                    const std::vector<std::string>& said);

// Whether terminals can be made; prints a message if not.
[[nodiscard]] bool can_tour();

class TourShell {
 public:
  // `bin` is the folder of the program; commands run in `folder`.
  TourShell(const std::string& bin, const TempFolder& folder);

  void set_clock(Time time);
  // The output as shown in a terminal without colours. Fails the test if the command fails.
  [[nodiscard]] std::string run_line(const std::string& command);

 private:
  std::string folder_;
  std::map<std::string, std::string> variables_;
};

// Removes the durations of loads, which vary.
[[nodiscard]] std::string without_time_taken(const std::string& said);

}  // namespace chirp::test
