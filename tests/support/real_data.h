// Real graphs, posts and events, in the folder CHIRP_TEST_DATA, else in ../shared/data beside the
// source; and scripts that evaluate them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace chirp::test {

[[nodiscard]] std::filesystem::path real_data();
// Returns true, with a message, if the data are missing.
[[nodiscard]] bool no_real_data();

// The stdout of a shell script; fails the test if the script fails.
std::string shell(const std::string& script);
// Runs the program on a data directory, through a shell, so that inputs can be cut from files.
std::string chirp_shell(const std::filesystem::path& data, const std::string& before,
                        const std::string& arguments);
// The output of tests/real/<script> for the real data.
[[nodiscard]] std::string said_by(const std::string& script, const std::string& what);

// Takes words and lines from the front of a text.
class WordReader {
 public:
  explicit WordReader(std::string_view text) : rest_(text) {}
  [[nodiscard]] bool done() const { return rest_.empty(); }
  std::string_view until(char end);

 private:
  std::string_view rest_;
};

// Parses decimal digits; fails the test for any other text.
[[nodiscard]] std::uint64_t number_in(std::string_view text);

}  // namespace chirp::test
