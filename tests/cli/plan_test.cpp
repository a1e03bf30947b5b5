// Goal: `chirp plan` has the numbers that one gets on paper, exact and rounded, and takes from
// benchmarks the figures that it says. Method: sums done by hand, those of a well-known sketch of
// such a network among them; files of figures that are made up, and one that is measured.
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "cli/plan/figures.h"
#include "cli/plan/sizing.h"
#include "core/error.h"
#include "tests/support/child.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

namespace plan = cli::plan;

const plan::SizingStep* step_of(const std::vector<plan::SizingStep>& steps, std::string_view key) {
  for (const plan::SizingStep& step : steps) {
    if (step.key == key) return &step;
  }
  return nullptr;
}

void check_step(const std::vector<plan::SizingStep>& steps, std::string_view key, double exact,
                double rounded) {
  CAPTURE(key);
  const plan::SizingStep* step = step_of(steps, key);
  REQUIRE(step != nullptr);
  CHECK(step->exact == doctest::Approx(exact).epsilon(1e-9));
  CHECK(step->rounded == doctest::Approx(rounded).epsilon(1e-9));
}

plan::Rate rate(double value) { return {.name = "x", .policy = "", .rate = value}; }

class FigureFile {
 public:
  explicit FigureFile(std::string_view text) { std::ofstream(path(), std::ios::binary) << text; }
  [[nodiscard]] plan::MeasuredFigures read() const { return plan::read_figures(path()); }

 private:
  [[nodiscard]] std::string path() const { return (folder_ / "figures.jsonl").string(); }
  TempFolder folder_;
};

constexpr std::string_view kPages =
    R"({"name":"json, warm","policy":"hybrid","threads":1,"rate":160000})"
    "\n"
    R"({"name":"json, warm","policy":"pull","threads":2,"rate":900000})"
    "\n"
    R"({"name":"json, warm","policy":"hybrid","threads":2,"rate":250000})"
    "\n"
    R"({"name":"feed, warm","policy":"hybrid","threads":2,"rate":800000})"
    "\n";

}  // namespace

// 200 million users a day who read 50 pages each, write 500 million posts of some 300 bytes, and
// follow 200: the sketch says 100 K reads, 5 K posts and 1 M deliveries a second, 20 M look-ups
// where nothing is delivered, 1.5 MB/s, 130 GB a day, 47 TB a year and 235 TB in five years.
TEST_CASE("plan: the round numbers of the sketch come out of its inputs, beside the exact ones") {
  const auto steps = plan::steps_of({}, {});
  check_step(steps, "secondsPerDay", 86'400, 100'000);
  check_step(steps, "readsPerDay", 10'000'000'000, 10'000'000'000);
  check_step(steps, "readsPerSecond", 115'740.740740741, 100'000);
  check_step(steps, "postsPerDay", 500'000'000, 500'000'000);
  check_step(steps, "postsPerSecond", 5'787.037037037, 5'000);
  check_step(steps, "readsPerPost", 20, 20);
  check_step(steps, "deliveriesPerSecond", 1'157'407.407407407, 1'000'000);
  check_step(steps, "lookupsPerSecond", 23'148'148.148148148, 20'000'000);
  check_step(steps, "bytesPerPost", 304, 300);
  check_step(steps, "bytesPerSecond", 1'759'259.259259259, 1'500'000);
  check_step(steps, "bytesPerDay", 152e9, 130e9);
  check_step(steps, "bytesPerYear", 55.48e12, 47e12);
  check_step(steps, "bytesKept", 277.4e12, 235e12);
  check_step(steps, "peakReadsPerSecond", 231'481.481481481, 200'000);
  check_step(steps, "peakPostsPerSecond", 11'574.074074074, 10'000);
  check_step(steps, "peakDeliveriesPerSecond", 2'314'814.814814815, 2'000'000);
  check_step(steps, "machinesForBytes", 69.35, 58.75);
  CHECK(steps.size() == 17);
}

TEST_CASE("plan: each step says how far its rounding is from the exact number") {
  const auto steps = plan::steps_of({}, {});
  // 86,400 / 100,000 = 0.864; 47 / 55.48 = 0.847…
  CHECK(step_of(steps, "readsPerSecond")->off_percent() == doctest::Approx(-13.6));
  CHECK(step_of(steps, "deliveriesPerSecond")->off_percent() == doctest::Approx(-13.6));
  CHECK(step_of(steps, "bytesKept")->off_percent() == doctest::Approx(-15.2848).epsilon(1e-4));
  CHECK(step_of(steps, "readsPerPost")->off_percent() == 0);
}

// A million users, 8.64 reads and 0.864 posts each: 100 reads and 10 posts a second.
TEST_CASE("plan: what is measured adds up, and the larger of load and disk counts") {
  const plan::Inputs inputs{.daily_users = 1e6,
                            .reads_per_user = 8.64,
                            .posts_per_day = 0.864,
                            .follows = 100,
                            .post_bytes = 1000,
                            .years = 1,
                            .peak = 3,
                            .disk_tb = 0.5};
  plan::MeasuredRates measured{rate(200), rate(50), rate(4000)};
  const auto steps = plan::steps_of(inputs, measured);
  check_step(steps, "machinesToRead", 1.5, 1.296);
  check_step(steps, "machinesToPost", 0.6, 0.5184);
  check_step(steps, "machinesToDeliver", 0.75, 0.648);
  check_step(steps, "machinesForLoad", 2.85, 2.4624);
  // A year has 31,536,000 seconds of 10 KB; rounded, 365 days of 0.75 GB are 273.75 GB.
  check_step(steps, "machinesForBytes", 0.63072, 0.54);
  check_step(steps, "machines", 3, 3);

  SUBCASE("more bytes than load") {
    plan::Inputs small = inputs;
    small.disk_tb = 0.01;
    check_step(plan::steps_of(small, measured), "machines", 32, 27);
  }
  SUBCASE("without one of the three there is no sum") {
    measured.posts.reset();
    const auto fewer = plan::steps_of(inputs, measured);
    check_step(fewer, "machinesToRead", 1.5, 1.296);
    for (const char* const key : {"machinesToPost", "machinesForLoad", "machines"}) {
      CHECK(step_of(fewer, key) == nullptr);
    }
  }
}

TEST_CASE("plan: two digits are the nearest two") {
  CHECK(plan::to_two_digits(304) == 300);
  CHECK(plan::to_two_digits(129.6e9) == 130e9);
  CHECK(plan::to_two_digits(47.45e12) == 47e12);
  CHECK(plan::to_two_digits(12.5) == 13);
  CHECK(plan::to_two_digits(99.6) == 100);
  CHECK(plan::to_two_digits(7) == 7);
  CHECK(plan::to_two_digits(0) == 0);
}

TEST_CASE("plan: numbers for people have few digits, and never a thousand of a unit") {
  using plan::Unit;
  CHECK(plan::exact_text(1'157'407.4, Unit::kNumber) == "1,157,407");
  CHECK(plan::exact_text(999.6, Unit::kNumber) == "1,000");
  CHECK(plan::exact_text(3.25117, Unit::kNumber) == "3.251");
  CHECK(plan::exact_text(277.4e12, Unit::kBytes) == "277.4 TB");
  CHECK(plan::exact_text(304, Unit::kBytes) == "304 B");
  CHECK(plan::exact_text(999'990, Unit::kBytes) == "1 MB");
  CHECK(plan::short_text(100'000, Unit::kNumber) == "100 K");
  CHECK(plan::short_text(10e9, Unit::kNumber) == "10 bn");
  CHECK(plan::short_text(5e15, Unit::kNumber) == "5000000 bn");
  CHECK(plan::short_text(999.7, Unit::kNumber) == "1 K");
  CHECK(plan::short_text(1.5e6, Unit::kBytes) == "1.5 MB");
  CHECK(plan::short_text(58.75, Unit::kNumber) == "58.8");
  CHECK(plan::percent_text(-13.6) == "-13.6 %");
  CHECK(plan::percent_text(15.74) == "+15.7 %");
  CHECK(plan::percent_text(-0.04) == "0 %");
}

TEST_CASE("plan: of several figures of a name the fastest counts, and pulled pages never") {
  const plan::MeasuredFigures figures = FigureFile(kPages).read();
  REQUIRE(figures.measured.reads);
  CHECK(figures.measured.reads->rate == 250'000);
  CHECK(figures.measured.reads->threads == 2);
  CHECK_FALSE(figures.measured.posts);
  CHECK(figures.unused == 2);
}

TEST_CASE("plan: pages over HTTP go before pages as JSON, wherever they stand") {
  const std::string http = R"({"name":"feed over http","threads":16,"rate":71200})";
  for (const std::string& text : {std::string(kPages) + http, http + "\n" + std::string(kPages)}) {
    const plan::MeasuredFigures figures = FigureFile(text).read();
    REQUIRE(figures.measured.reads);
    CHECK(figures.measured.reads->name == "feed over http");
    CHECK(figures.measured.reads->rate == 71'200);
  }
}

TEST_CASE("plan: what benchmarks print is what a plan takes") {
  const TempFolder folder;
  const std::string script = fmt::format(
      "cd '{}' && '{}' bench http --json --seconds 0.05 --users 80 --posts 500 > figures && '{}' "
      "bench fanout --json --users 80 --follows 800 --posts 100 >> figures",
      folder.path().string(), CHIRP_BINARY, CHIRP_BINARY);
  const Ended ended = run({.arguments = {"/bin/sh", "-c", script}});
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  const plan::MeasuredFigures figures = plan::read_figures((folder / "figures").string());
  REQUIRE(figures.measured.reads);
  CHECK(figures.measured.reads->name == "feed over http");
  REQUIRE(figures.measured.posts);
  CHECK(figures.measured.posts->name == "posts over http");
  REQUIRE(figures.measured.deliveries);
  CHECK(step_of(plan::steps_of({}, figures.measured), "machines") != nullptr);
  CHECK(figures.unused == 1);  // the feed in a crowd
}

TEST_CASE("plan: a line that is not a figure is reported with its number") {
  const auto told = [](std::string_view text) -> std::string {
    try {
      (void)FigureFile(text).read();
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kBadInput);
      return error.what();
    }
    return "";
  };
  const std::string good = R"({"name":"fanout","rate":1000})";
  CHECK(told(good).empty());
  CHECK(told(good + "\n[]").find("figures.jsonl:2: this is not one JSON object") !=
        std::string::npos);
  CHECK(told(R"({"rate":1})").find(":1: no name") != std::string::npos);
  CHECK(told(R"({"name":"fanout","rate":-1})").find(":1: the rate is not a number") !=
        std::string::npos);
  CHECK(told(R"({"name":"fanout","rate":1e-300})")
            .find(":1: the rate is too low or too high for a machine") != std::string::npos);
  CHECK(told(R"({"name":"fanout","rate":1e300})")
            .find(":1: the rate is too low or too high for a machine") != std::string::npos);
}

}  // namespace chirp::test
