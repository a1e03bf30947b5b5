// Goal: `make figures` puts medians between the marks, and leaves all else as it is.
// Method: the script, on lines of three runs that are made up.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/child.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

constexpr std::string_view kPage =
    "Before.\n<!-- figures: by `make figures` -->\nold\n<!-- figures: end -->\nAfter.\n";

class Figures {
 public:
  Figures() {
    std::filesystem::create_directories(folder_ / "docs");
    write("README.md", kPage);
    write("docs/benchmarks.md", kPage);
  }

  void write(const std::string& name, std::string_view text) const {
    std::ofstream(folder_ / name) << text;
  }
  // A line of a run, as `chirp bench --json` prints it.
  void say(const char* command, int run, std::string_view line, double rate, double ratio) const {
    write(fmt::format("{}.{}.jsonl", command, run),
          fmt::format(R"({{{},"rate":{},"p50Micros":2.5,"p99Micros":1500,)"
                      R"("reference":{{"name":"bare","rate":1000}},"ratio":{}}})"
                      "\n",
                      line, rate, ratio));
  }
  [[nodiscard]] Ended run() const {
    const std::string folder = folder_.path().string();
    return test::run(
        {{CHIRP_SOURCE_DIR "/.ci/figures", "--from", folder, "--into", folder, "chirp"}});
  }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream in(folder_ / name);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  TempFolder folder_;
};

}  // namespace

TEST_CASE("figures: the page and the front page have the medians of all runs") {
  const Figures figures;
  const std::vector<double> rates{9'000'000, 1'000, 2'500'000};
  for (int run = 1; run <= 3; ++run) {
    const double rate = rates[static_cast<std::size_t>(run - 1)];
    const double ratio = run == 2 ? 5 : 0.25;
    figures.say("feed", run, R"("name":"feed, warm","policy":"hybrid","threads":1)", rate, ratio);
    figures.say("http", run, R"("name":"posts over http","policy":"","threads":64)", rate, ratio);
    figures.say("fanout", run, R"("name":"fanout","policy":"hybrid","threads":1)", rate, ratio);
  }
  const Ended ended = figures.run();
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));

  const std::string page = figures.read("docs/benchmarks.md");
  CHECK(page.starts_with("Before.\n<!-- figures: by `make figures` -->\nMachine: "));
  CHECK(page.ends_with("\n<!-- figures: end -->\nAfter.\n"));
  CHECK(page.find("old") == std::string::npos);
  CHECK(page.find("median of 3 runs") != std::string::npos);
  CHECK(page.find("| posts over http | 64 | 2.5 M/s | 2.5 us | 1.5 ms | bare: 1 K/s | 0.25 |") !=
        std::string::npos);
  const std::string front = figures.read("README.md");
  CHECK(
      front.starts_with("Before.\n<!-- figures: by `make figures` -->\n- 2.5 M pages per second "));
  CHECK(front.find("2.5 M durable posts per second over HTTP with 64 connections: 0.25 times") !=
        std::string::npos);
  CHECK(front.ends_with("\n<!-- figures: end -->\nAfter.\n"));
}

TEST_CASE("figures: without a line that is needed, nothing is written") {
  const Figures figures;
  figures.say("feed", 1, R"("name":"feed, warm","policy":"hybrid","threads":1)", 1, 1);
  const Ended ended = figures.run();
  CHECK_FALSE(ended.ok());
  CHECK(ended.err.find("posts over http") != std::string::npos);
  CHECK(figures.read("README.md") == kPage);
  CHECK(figures.read("docs/benchmarks.md") == kPage);
}

TEST_CASE("figures: the documents of the project have the marks") {
  for (const char* name : {"/README.md", "/docs/benchmarks.md"}) {
    std::ifstream in(std::string(CHIRP_SOURCE_DIR) + name);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    CHECK(text.find("<!-- figures: by `make figures` -->\n") != std::string::npos);
    CHECK(text.find("\n<!-- figures: end -->\n") != std::string::npos);
  }
}

}  // namespace chirp::test
