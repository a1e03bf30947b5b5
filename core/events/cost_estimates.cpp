#include "core/events/cost_estimates.h"

#include <algorithm>
#include <vector>

#include "core/ports/reads.h"

namespace chirp::events {
namespace {

constexpr std::int64_t kWeighEveryMs = 10 * kMinuteMs;
constexpr std::size_t kRemembered = 65'536;
constexpr std::uint32_t kRecentPosts = 20;
// Samples followers at a few offsets that grow by a factor, so that old and new accounts are
// included.
constexpr int kPlaces = 4;
constexpr std::uint32_t kEachPlace = 8;
constexpr std::uint64_t kFurther = 4;
// Timelines keep only the day of the last read; on such a day a feed is opened several times.
constexpr double kReadsADay = 8;

double seconds(std::int64_t ms) { return static_cast<double>(ms) / kSecondMs; }

double posts_per_second(const Snapshot& snapshot, UserNumber author, Time now) {
  const auto recent =
      snapshot.author_entries({{&author, 1}, kSharedLevels}, {}, Direction::kDown, kRecentPosts);
  if (recent.empty()) return 0;
  const Time oldest = snowflake::time_of(recent.back().id.value);
  // The rate covers at least a day, because a first post or a burst says little.
  const std::int64_t window = std::max(now.ms - oldest.ms, kDayMs);
  return static_cast<double>(recent.size()) / seconds(window);
}

std::vector<UserNumber> sample_followers(const Snapshot& snapshot, UserNumber author) {
  std::vector<UserNumber> sample;
  std::uint64_t after = 0;
  for (int place = 0; place < kPlaces && after <= 0xffff'ffff; ++place) {
    const EdgePage page = reads::followers(
        snapshot, author, UserNumber{static_cast<std::uint32_t>(after)}, kEachPlace);
    for (const Edge& edge : page.edges) sample.push_back(edge.other);
    if (!page.more || page.edges.empty()) break;
    after = page.edges.back().other.value * kFurther;
  }
  return sample;
}

class RatesByLastRead final : public ReadRates {
 public:
  [[nodiscard]] double reads_per_second(UserNumber /*reader*/, Time last_read,
                                        Time now) const override {
    const std::int64_t days = std::max<std::int64_t>(now.ms - last_read.ms, 0) / kDayMs;
    return kReadsADay / static_cast<double>(days + 1) / seconds(kDayMs);
  }
};

}  // namespace

const ReadRates& rates_by_last_read() {
  static const RatesByLastRead kRates;
  return kRates;
}

feed::AuthorCost estimate(const Snapshot& snapshot, const StoreState& state, UserNumber author,
                          std::int64_t followers, Time now, const ReadRates& rates) {
  feed::AuthorCost cost;
  cost.delivery_ns = state.delivery_ns;
  cost.source_ns = state.source_ns;
  cost.posts_per_second = posts_per_second(snapshot, author, now);
  const auto sample = sample_followers(snapshot, author);
  if (sample.empty()) return cost;
  double active = 0;
  double reads = 0;
  for (const UserNumber follower : sample) {
    const auto timeline = snapshot.timeline(follower);
    if (!timeline) continue;  // without a timeline there is no delivery
    active += 1;
    reads += rates.reads_per_second(follower, timeline->last_read, now);
  }
  const double scale = static_cast<double>(followers) / static_cast<double>(sample.size());
  cost.active_followers = active * scale;
  cost.reads_per_second = reads * scale;
  return cost;
}

bool EstimateSchedule::take_due(UserNumber author, Time now) {
  if (weighed_.size() >= kRemembered) weighed_.clear();
  const auto [at, is_new] = weighed_.try_emplace(author, now);
  // A clock that stepped back must not delay the next estimate.
  if (!is_new && now >= at->second && now.ms - at->second.ms < kWeighEveryMs) return false;
  at->second = now;
  return true;
}

std::optional<feed::AuthorMark> weighed(const Snapshot& snapshot, const StoreState& state,
                                        const feed::AuthorMark& current, std::int64_t followers,
                                        Time now, const ReadRates& rates) {
  const auto is = current.push_from == feed::kNeverPushed ? feed::DeliveryMode::kPull
                                                          : feed::DeliveryMode::kPush;
  const auto wanted =
      feed::cheaper(estimate(snapshot, state, current.author, followers, now, rates), is);
  if (wanted == is) return std::nullopt;
  feed::AuthorMark mark = current;
  // Above every stored id, so that posts pulled so far stay pulled.
  mark.push_from =
      wanted == feed::DeliveryMode::kPull ? feed::kNeverPushed : PostId{state.last_id.value + 1};
  return mark;
}

}  // namespace chirp::events
