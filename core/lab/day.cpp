#include "core/lab/day.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/model/timeline.h"
#include "core/ports/reads.h"

namespace chirp::lab {
namespace {

constexpr std::uint32_t kBatch = 4096;

// Leaves out posts of removed and hidden authors.
void append_present(const Snapshot& snapshot, const RowPairs<tables::Posts>& rows,
                    std::vector<PostId>& ids) {
  std::vector<UserNumber> authors;
  for (const auto& [key, post] : rows) authors.push_back(post.author);
  const auto cards = reads::cards(snapshot, authors);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (cards[i] && cards[i]->presence == Presence::kPresent) ids.push_back(rows[i].first.id);
  }
}

std::vector<PostId> posts_of_day(const Snapshot& snapshot, Time day) {
  std::vector<PostId> ids;
  const PostId last{snowflake::floor_of(Time{day.ms + kDayMs}) - 1};
  for (PostId next{snowflake::floor_of(day)};;) {
    const auto rows =
        snapshot.range(tables::Posts::Key{next}, tables::Posts::Key{last}, Direction::kUp, kBatch);
    if (rows.empty()) return ids;
    append_present(snapshot, rows, ids);
    next = PostId{rows.back().first.id.value + 1};
    if (next > last) return ids;
  }
}

// The n-th post of the day, and its time.
class Order {
 public:
  Order(const std::vector<PostId>& ids, const DayOptions& options)
      : ids_(ids),
        day_(options.day),
        count_(options.posts_per_day.value_or(ids.size())),
        evenly_(options.posts_per_day.has_value()) {}

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] PostId post(std::uint64_t n) const {
    return evenly_ ? ids_[static_cast<std::size_t>(n * ids_.size() / count_)]
                   : ids_[static_cast<std::size_t>(n)];
  }
  [[nodiscard]] Time time(std::uint64_t n) const {
    if (!evenly_) return snowflake::time_of(post(n).value);
    // In the middle of its slot.
    const std::uint64_t halves = static_cast<std::uint64_t>(kDayMs) * (2 * n + 1);
    return Time{day_.ms + static_cast<std::int64_t>(halves / (2 * count_))};
  }

 private:
  const std::vector<PostId>& ids_;
  Time day_;
  std::uint64_t count_;
  bool evenly_;
};

void check_length(const PlayedDay& day) {
  if (day.to.ms - day.from.ms >= kSecondMs) return;
  throw Error(
      ErrorCode::kInvalidArgument,
      fmt::format(
          "The {} posts to replay fall within a second of {}, so there are no reads between them. "
          "Spread them over the day with --posts-per-day, or replay more of them with --max-posts.",
          day.posts.size(), iso8601(day.from)),
      "posts-per-day");
}

}  // namespace

std::optional<Time> last_day_with_posts(const Snapshot& snapshot) {
  const auto newest = snapshot.range(tables::Posts::Key{kBelowAllPosts},
                                     tables::Posts::Key{kAboveAllPosts}, Direction::kDown, 1);
  if (newest.empty()) return std::nullopt;
  return start_of_day(snowflake::time_of(newest.front().first.id.value));
}

PlayedDay day_to_play(const Snapshot& snapshot, const DayOptions& options) {
  const std::vector<PostId> ids = posts_of_day(snapshot, options.day);
  if (ids.empty()) {
    throw Error(ErrorCode::kNotFound,
                fmt::format("No existing user posted on {}. Name another day with --day.",
                            iso8601(options.day).substr(0, 10)),
                "day");
  }
  const Order order(ids, options);
  PlayedDay day;
  day.posts_of_day = order.count();
  const std::uint64_t count = std::min(order.count(), options.posts_max);
  const std::uint64_t first = (order.count() - count) / 2;
  const bool whole = count == order.count();
  day.from = whole ? options.day : order.time(first);
  day.to = whole ? Time{options.day.ms + kDayMs} : order.time(first + count);

  std::vector<PostId> chosen;
  for (std::uint64_t n = first; n < first + count; ++n) chosen.push_back(order.post(n));
  auto posts = snapshot.posts_at(chosen);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (posts[i]) day.posts.push_back({order.time(first + i), std::move(*posts[i])});
  }
  check_length(day);
  return day;
}

}  // namespace chirp::lab
