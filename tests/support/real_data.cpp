#include "tests/support/real_data.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/child.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

}  // namespace

fs::path real_data() {
  const char* named = std::getenv("CHIRP_TEST_DATA");
  return named != nullptr ? fs::path(named) : fs::path(CHIRP_SOURCE_DIR) / ".." / "shared" / "data";
}

bool no_real_data() {
  std::error_code error;
  if (fs::is_directory(real_data() / "graphs", error)) return false;
  MESSAGE("skipped: no real data in " << real_data().string() << "; CHIRP_TEST_DATA names it");
  return true;
}

std::string shell(const std::string& script) {
  const Ended ended = run({{"/bin/sh", "-c", script}});
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  return ended.out;
}

std::string chirp_shell(const fs::path& data, const std::string& before,
                        const std::string& arguments) {
  return shell(
      fmt::format("{}'{}' --data '{}' {}", before, CHIRP_BINARY, data.string(), arguments));
}

std::string said_by(const std::string& script, const std::string& what) {
  return shell(fmt::format("python3 '{}/tests/real/{}' {} '{}'", CHIRP_SOURCE_DIR, script, what,
                           real_data().string()));
}

std::string_view WordReader::until(char end) {
  const auto at = std::min(rest_.find(end), rest_.size());
  const auto taken = rest_.substr(0, at);
  rest_.remove_prefix(std::min(at + 1, rest_.size()));
  return taken;
}

std::uint64_t number_in(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  REQUIRE(error == std::errc{});
  REQUIRE(end == text.data() + text.size());
  return value;
}

}  // namespace chirp::test
