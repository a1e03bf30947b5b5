#include "server/engine/store_gauges.h"

#include <algorithm>
#include <string>

#include "core/model/policy.h"
#include "core/ports/reads.h"
#include "server/limits.h"

namespace chirp {
namespace {

constexpr std::uint32_t kMarksAtOnce = 10'000;
constexpr int kShareOfTime = 100;

}  // namespace

StoreGauges::StoreGauges(Storage& storage, const UserRows& directory, const Clock& clock,
                         Metrics& metrics)
    : storage_(storage), directory_(directory), clock_(clock) {
  const auto gauge = [&](const char* name, const char* help, const Metrics::Labels& labels,
                         const std::atomic<std::uint64_t>& count) {
    metrics.gauge(name, help, labels,
                  [keep = counts_, &count] { return static_cast<double>(count.load()); });
  };
  gauge("chirp_users", "Accounts, counted from time to time", {}, counts_->users);
  gauge("chirp_posts", "Posts, counted from time to time", {}, counts_->posts);
  gauge("chirp_follows", "Follow edges, counted from time to time", {}, counts_->follows);
  for (const auto tier : {feed::Tier::kRegular, feed::Tier::kInfluencer, feed::Tier::kCelebrity}) {
    gauge("chirp_authors", "Accounts by how their posts are delivered, counted from time to time",
          {{"tier", std::string(feed::name(tier))}},
          counts_->authors[static_cast<std::size_t>(tier)]);
  }
}

void StoreGauges::update_if_due() {
  const std::int64_t start = clock_.steady_ns();
  if ((next_ns_ && start < *next_ns_) || counted_version_ == storage_.version()) return;
  update();
  const std::int64_t end = clock_.steady_ns();
  next_ns_ = end + std::max((end - start) * kShareOfTime, limits::kGaugesMs * 1'000'000);
}

void StoreGauges::update() {
  storage_.settle();
  counted_version_ = storage_.version();
  counts_->users = directory_.count();
  const auto snapshot = storage_.snapshot();
  const auto rows = snapshot->table_rows();
  counts_->posts = rows.at("posts");
  counts_->follows = rows.at("follows");
  count_authors(*snapshot);
}

// Few authors have a mark; the others are regular.
void StoreGauges::count_authors(const RowReader& snapshot) {
  std::array<std::uint64_t, 3> count{};
  UserNumber after = kNobody;
  for (;;) {
    const auto marks = reads::rows_above<tables::Marks>(snapshot, {after}, kMarksAtOnce);
    for (const feed::AuthorMark& mark : marks) ++count[static_cast<std::size_t>(mark.tier)];
    if (marks.size() < kMarksAtOnce) break;
    after = marks.back().author;
  }
  const std::uint64_t users = counts_->users;
  const std::uint64_t marked = count[1] + count[2];
  count[0] = users > marked ? users - marked : 0;
  for (std::size_t tier = 0; tier < count.size(); ++tier) counts_->authors[tier] = count[tier];
}

}  // namespace chirp
