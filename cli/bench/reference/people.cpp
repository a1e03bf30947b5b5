#include "cli/bench/reference/people.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/ports/reads.h"

namespace chirp::cli::bench {
namespace {

constexpr std::uint32_t kPeopleAtOnce = 10'000;
constexpr double kPowerMax = 8;

std::vector<std::uint32_t> followers_of(const Snapshot& snapshot,
                                        const std::vector<UserNumber>& users) {
  std::vector<std::uint32_t> followers;
  followers.reserve(users.size());
  for (std::size_t at = 0; at < users.size(); at += kPeopleAtOnce) {
    const std::size_t count = std::min<std::size_t>(kPeopleAtOnce, users.size() - at);
    for (const UserCounters& counters : snapshot.counters({users.data() + at, count})) {
      followers.push_back(static_cast<std::uint32_t>(
          std::max<std::int64_t>(static_cast<std::int64_t>(counters.followers), 0)));
    }
  }
  return followers;
}

std::vector<UserNumber> readers_among(const Snapshot& snapshot, std::vector<UserNumber> users,
                                      std::size_t wanted) {
  Random random(5);
  std::vector<UserNumber> readers;
  while (readers.size() < wanted && !users.empty()) {
    std::swap(users[random.below(users.size())], users.back());
    if (!reads::following(snapshot, users.back(), kNobody, 1).edges.empty()) {
      readers.push_back(users.back());
    }
    users.pop_back();
  }
  if (readers.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "This world has no follows, so there is nothing to read. Ask for more follows.",
                "follows");
  }
  return readers;
}

std::vector<double> powers(const std::vector<std::uint32_t>& followers, double power) {
  std::vector<double> weights(followers.size());
  std::transform(followers.begin(), followers.end(), weights.begin(),
                 [&](std::uint32_t count) { return std::pow(1.0 + count, power); });
  return weights;
}

}  // namespace

Lots::Lots(const std::vector<double>& weights) : sums_(weights) {
  double sum = 0;
  for (double& each : sums_) each = sum += each;
}

std::size_t Lots::draw(Random& random) const {
  const double part = static_cast<double>(random.next() >> 11) / 9007199254740992.0;  // / 2^53
  const auto at = std::upper_bound(sums_.begin(), sums_.end(), part * sums_.back());
  return static_cast<std::size_t>(std::min(at, std::prev(sums_.end())) - sums_.begin());
}

std::vector<double> zipf_weights(std::size_t count) {
  std::vector<double> weights(count);
  for (std::size_t i = 0; i < count; ++i) weights[i] = 1.0 / static_cast<double>(i + 1);
  return weights;
}

double mean_by(const std::vector<double>& weights, const std::vector<std::uint32_t>& followers) {
  double sum = 0;
  double all = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    sum += weights[i] * followers[i];
    all += weights[i];
  }
  return all > 0 ? sum / all : 0;
}

// The mean grows with the exponent, so a bisection finds it.
std::vector<double> weights_for_mean(const std::vector<std::uint32_t>& followers, double wanted) {
  constexpr int kHalvings = 30;
  double low = -kPowerMax;
  double high = kPowerMax;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (mean_by(powers(followers, middle), followers) < wanted ? low : high) = middle;
  }
  return powers(followers, high);
}

Crowd crowd_of(const Snapshot& snapshot, std::size_t readers, double followers_a_post) {
  std::vector<UserNumber> users = all_users(snapshot);
  std::vector<std::uint32_t> followers = followers_of(snapshot, users);
  std::vector<UserNumber> reading = readers_among(snapshot, users, readers);
  const std::vector<double> weights = weights_for_mean(followers, followers_a_post);
  const double mean = mean_by(weights, followers);
  Lots reader_lots(zipf_weights(reading.size()));
  return {std::move(reading),   std::move(reader_lots), std::move(users),
          std::move(followers), Lots(weights),          mean};
}

}  // namespace chirp::cli::bench
