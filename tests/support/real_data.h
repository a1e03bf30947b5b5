// Real graphs, posts and events, in the folder that CHIRP_TEST_DATA names, else beside the source
// in
// ../shared/data; and what scripts say of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace chirp::test {

[[nodiscard]] std::filesystem::path real_data();
// True, and said so, if there is none.
[[nodiscard]] bool no_real_data();

// What a script writes to stdout; the test fails if it fails.
std::string shell(const std::string& script);
// Runs the program on a data directory, through a shell, for what has to be cut off a file first.
std::string chirp_shell(const std::filesystem::path& data, const std::string& before,
                        const std::string& arguments);
// What tests/real/<script> says of the real data.
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

// Of digits; the test fails on others.
[[nodiscard]] std::uint64_t number_in(std::string_view text);

}  // namespace chirp::test
