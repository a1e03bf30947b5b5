// Goal: a command loads the libraries that it uses, and what opens one says so when it is missing.
// Method: the loader tells what it starts (LD_DEBUG=libs); a command that unpacks shows that it
// does.
#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "core/error.h"
#include "store/shared_library.h"
#include "tests/support/child.h"
#include "tests/support/inputs.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

// Those that are opened by what needs them, and what they bring along.
constexpr std::array<std::string_view, 13> kOnDemand{
    "libpq.",   "libarchive.",   "libxml2.", "libicu",    "libnettle.",
    "libacl.",  "libcrypto.",    "libssl.",  "libbrotli", "libcpp-httplib",
    "libidn2.", "libunistring.", "libzstd."};

// Those of them that a command starts.
std::vector<std::string> loaded_by(const std::filesystem::path& data,
                                   std::vector<std::string> arguments) {
  Command command = chirp_command(data.string(), std::move(arguments));
  command.environment = {"LD_DEBUG=libs"};
  const Ended ended = run(command);
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  REQUIRE(ended.err.find("calling init: ") != std::string::npos);
  std::vector<std::string> loaded;
  for (const std::string_view library : kOnDemand) {
    const auto is_started = [&](std::string_view text) {
      constexpr std::string_view kStarted = "calling init: ";
      for (std::size_t at = text.find(kStarted); at != std::string_view::npos;
           at = text.find(kStarted, at + 1)) {
        const std::string_view line = text.substr(at, text.find('\n', at) - at);
        if (line.substr(line.rfind('/') + 1).starts_with(library)) return true;
      }
      return false;
    };
    if (is_started(ended.err)) loaded.emplace_back(library);
  }
  return loaded;
}

}  // namespace

TEST_CASE("starting: a command loads no library that it doesn't use") {
  const TempFolder folder;
  const auto data = folder / "chirp";
  CHECK(loaded_by(data, {"--version"}).empty());
  CHECK(loaded_by(data, {"init"}).empty());
  CHECK(loaded_by(data, {"user", "add", "mira"}).empty());
  CHECK(loaded_by(data, {"post", "add", "mira", "First frost"}).empty());
  CHECK(loaded_by(data, {"feed", "show", "mira"}).empty());
  CHECK(loaded_by(data, {"doctor"}).empty());
}

TEST_CASE("starting: what unpacks loads what it unpacks with") {
  const TempFolder folder;
  const auto data = folder / "chirp";
  REQUIRE(loaded_by(data, {"init"}).empty());
  const auto file = folder / "follows.csv.zst";
  std::ofstream(file, std::ios::binary) << packed("1,2\n", Packing::kZstd);
  const auto loaded = loaded_by(data, {"load", "graph", file.string()});
  CHECK(std::find(loaded.begin(), loaded.end(), "libzstd.") != loaded.end());
}

TEST_CASE("starting: a library that is missing is named, with what needs it") {
  const auto said_of = [](const char* file, const char* function) {
    try {
      (void)store::SharedLibrary(file, "Unpacking").function(function);
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kUnavailable);
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(said_of("libnothing.so.7", "any").starts_with("Unpacking needs a library"));
  CHECK(said_of("libnothing.so.7", "any").find("libnothing.so.7") != std::string::npos);
  CHECK(said_of("libc.so.6", "no_such_function").find("no_such_function") != std::string::npos);
  CHECK(said_of("libc.so.6", "abort").empty());
}

}  // namespace chirp::test
