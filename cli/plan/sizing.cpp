#include "cli/plan/sizing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "cli/output.h"

namespace chirp::cli::plan {
namespace {

constexpr double kSecondsADay = 86'400;
// The seconds of a day in mental arithmetic: a division only moves the point.
constexpr double kRoundSecondsADay = 100'000;
constexpr double kDaysAYear = 365;
constexpr double kBytesATerabyte = 1e12;

// The exact and the rounded value.
struct Both {
  double exact;
  double rounded;
};

Both operator*(const Both& a, const Both& b) { return {a.exact * b.exact, a.rounded * b.rounded}; }
Both operator/(const Both& a, const Both& b) { return {a.exact / b.exact, a.rounded / b.rounded}; }
Both operator+(const Both& a, const Both& b) { return {a.exact + b.exact, a.rounded + b.rounded}; }
Both same(double value) { return {value, value}; }

class StepList {
 public:
  Both add(const char* key, const char* what, const char* from, const Both& value) {
    return put(key, what, from, Unit::kNumber, value);
  }
  // Rounds bytes to two digits, except for plain products.
  Both add_bytes(const char* key, const char* what, const char* from, const Both& value) {
    return put(key, what, from, Unit::kBytes, value);
  }
  Both add_round_bytes(const char* key, const char* what, const char* from, const Both& value) {
    return add_bytes(key, what, from, {value.exact, to_two_digits(value.rounded)});
  }
  std::vector<SizingStep> take() { return std::move(steps_); }

 private:
  Both put(const char* key, const char* what, const char* from, Unit unit, const Both& value) {
    steps_.push_back({key, what, from, unit, value.exact, value.rounded});
    return value;
  }

  std::vector<SizingStep> steps_;
};

struct Rates {
  Both reads;
  Both posts;
  Both deliveries;
};

Rates add_rates(StepList& steps, const Inputs& inputs) {
  const Both seconds =
      steps.add("secondsPerDay", "seconds a day", "24 × 3,600", {kSecondsADay, kRoundSecondsADay});
  const Both users = same(inputs.daily_users);
  const Both follows = same(inputs.follows);
  const Both reads_a_day =
      steps.add("readsPerDay", "reads a day", "users × reads", users * same(inputs.reads_per_user));
  const Both reads =
      steps.add("readsPerSecond", "reads/s", "reads a day ÷ seconds", reads_a_day / seconds);
  const Both posts_a_day =
      steps.add("postsPerDay", "posts a day", "users × posts", users * same(inputs.posts_per_day));
  const Both posts =
      steps.add("postsPerSecond", "posts/s", "posts a day ÷ seconds", posts_a_day / seconds);
  steps.add("readsPerPost", "reads a post", "reads/s ÷ posts/s", reads / posts);
  const Both deliveries =
      steps.add("deliveriesPerSecond", "deliveries/s", "posts/s × follows", posts * follows);
  steps.add("lookupsPerSecond", "lookups/s if pulled", "reads/s × follows", reads * follows);
  return {reads, posts, deliveries};
}

Both add_all_bytes(StepList& steps, const Inputs& inputs, const Both& posts) {
  const Both post =
      steps.add_round_bytes("bytesPerPost", "bytes a post", "given", same(inputs.post_bytes));
  const Both second =
      steps.add_bytes("bytesPerSecond", "bytes/s", "posts/s × bytes a post", posts * post);
  const Both day = steps.add_round_bytes("bytesPerDay", "bytes a day", "bytes/s × 86,400",
                                         second * same(kSecondsADay));
  const Both year = steps.add_round_bytes("bytesPerYear", "bytes a year", "bytes a day × 365",
                                          day * same(kDaysAYear));
  return steps.add_bytes("bytesKept", "bytes kept", "bytes a year × years",
                         year * same(inputs.years));
}

Rates add_peaks(StepList& steps, const Inputs& inputs, const Rates& mean) {
  const Both peak = same(inputs.peak);
  const Both reads =
      steps.add("peakReadsPerSecond", "reads/s at peak", "reads/s × peak", mean.reads * peak);
  const Both posts =
      steps.add("peakPostsPerSecond", "posts/s at peak", "posts/s × peak", mean.posts * peak);
  const Both deliveries = steps.add("peakDeliveriesPerSecond", "deliveries/s at peak",
                                    "deliveries/s × peak", mean.deliveries * peak);
  return {reads, posts, deliveries};
}

// Each rate was measured with the whole machine, so the shares of a machine add up.
std::optional<Both> add_load(StepList& steps, const Rates& peak, const MeasuredRates& measured) {
  std::optional<Both> reads;
  std::optional<Both> posts;
  std::optional<Both> deliveries;
  if (measured.reads) {
    reads = steps.add("machinesToRead", "machines to read", "at peak ÷ measured",
                      peak.reads / same(measured.reads->rate));
  }
  if (measured.posts) {
    posts = steps.add("machinesToPost", "machines to post", "at peak ÷ measured",
                      peak.posts / same(measured.posts->rate));
  }
  if (measured.deliveries) {
    deliveries = steps.add("machinesToDeliver", "machines to deliver", "at peak ÷ measured",
                           peak.deliveries / same(measured.deliveries->rate));
  }
  if (!reads || !posts || !deliveries) return std::nullopt;
  return steps.add("machinesForLoad", "machines for load", "the sum of these",
                   *reads + *posts + *deliveries);
}

}  // namespace

double SizingStep::off_percent() const { return (rounded / exact - 1) * 100; }

double to_two_digits(double value) {
  if (value == 0) return value;
  const double digit = std::pow(10, std::floor(std::log10(std::abs(value))) - 1);
  return std::round(value / digit) * digit;
}

std::vector<SizingStep> steps_of(const Inputs& inputs, const MeasuredRates& measured) {
  StepList steps;
  const Rates mean = add_rates(steps, inputs);
  const Both bytes = add_all_bytes(steps, inputs, mean.posts);
  const Rates peak = add_peaks(steps, inputs, mean);
  const std::optional<Both> load = add_load(steps, peak, measured);
  const Both disks = steps.add("machinesForBytes", "machines for bytes", "bytes kept ÷ disk",
                               bytes / same(inputs.disk_tb * kBytesATerabyte));
  if (load) {
    steps.add("machines", "machines", "the larger, rounded up",
              {std::ceil(std::max(load->exact, disks.exact)),
               std::ceil(std::max(load->rounded, disks.rounded))});
  }
  return steps.take();
}

namespace {

constexpr double kThousand = 1000;
constexpr double kWholeMax = 1e18;
constexpr std::array<std::string_view, 4> kNumbers{"", " K", " M", " bn"};
constexpr std::array<std::string_view, 7> kBytes{" B", " KB", " MB", " GB", " TB", " PB", " EB"};

std::span<const std::string_view> units_of(Unit unit) {
  if (unit == Unit::kBytes) return kBytes;
  return kNumbers;
}

// Formats this many significant digits for a number below a thousand; beyond the largest unit, all
// digits before the point.
std::string scaled(double value, int digits, std::span<const std::string_view> units) {
  std::size_t unit = 0;
  // A number that would be rounded to 1000 gets the next unit.
  const double limit = kThousand - 0.5 * std::pow(10, 3 - digits);
  while (value >= limit && unit + 1 < units.size()) {
    value /= kThousand;
    ++unit;
  }
  if (value >= limit) return fmt::format("{:.0f}{}", value, units[unit]);
  return fmt::format("{:.{}g}{}", value, digits, units[unit]);
}

}  // namespace

std::string exact_text(double value, Unit unit) {
  if (unit == Unit::kBytes) return scaled(value, 4, kBytes);
  const double whole = std::round(value);
  if (whole < kThousand || whole > kWholeMax) return scaled(value, 4, kNumbers);
  return grouped(static_cast<std::uint64_t>(whole));
}

std::string short_text(double value, Unit unit) { return scaled(value, 3, units_of(unit)); }

std::string percent_text(double percent) {
  if (std::abs(percent) < 0.05) return "0 %";
  return fmt::format("{:+.1f} %", percent);
}

}  // namespace chirp::cli::plan
