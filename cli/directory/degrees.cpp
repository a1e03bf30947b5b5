#include "cli/directory/degrees.h"

#include <algorithm>
#include <bit>

#include "core/ports/reads.h"

namespace chirp::cli {
namespace {

constexpr std::uint32_t kBlock = 1024;

std::uint64_t not_below_zero(std::int64_t n) { return n < 0 ? 0 : static_cast<std::uint64_t>(n); }

// The bucket of a number: one for 0, then one for each power of two.
std::size_t bucket_of(std::uint64_t n) { return static_cast<std::size_t>(std::bit_width(n)); }

Distribution::Bucket empty_bucket(std::size_t place) {
  if (place == 0) return {};
  const std::uint64_t from = std::uint64_t{1} << (place - 1);
  return {from, from * 2 - 1, 0};
}

}  // namespace

Distribution distribution_of(std::vector<std::uint64_t> numbers) {
  Distribution made;
  if (numbers.empty()) return made;
  std::sort(numbers.begin(), numbers.end());
  // The smallest number that this percentage of users does not exceed.
  const auto at = [&](std::size_t percent) {
    return numbers[(numbers.size() * percent + 99) / 100 - 1];
  };
  made.median = at(50);
  made.p90 = at(90);
  made.p99 = at(99);
  made.most = numbers.back();
  for (std::size_t place = 0; place <= bucket_of(made.most); ++place) {
    made.buckets.push_back(empty_bucket(place));
  }
  for (const std::uint64_t n : numbers) ++made.buckets[bucket_of(n)].users;
  return made;
}

Degrees degrees_of(const Snapshot& snapshot) {
  std::vector<std::uint64_t> followers;
  std::vector<std::uint64_t> following;
  tables::Cards::Key after{kNobody};
  for (;;) {
    const auto cards = reads::above<tables::Cards>(snapshot, after, kBlock);
    if (cards.empty()) break;
    after = cards.back().first;
    std::vector<UserNumber> users;
    for (const auto& [key, card] : cards) {
      if (card.presence != Presence::kRemoved) users.push_back(key.user);
    }
    for (const UserCounters& counted : snapshot.counters(users)) {
      followers.push_back(not_below_zero(counted.followers));
      following.push_back(not_below_zero(counted.following));
    }
  }
  return {distribution_of(std::move(followers)), distribution_of(std::move(following))};
}

}  // namespace chirp::cli
