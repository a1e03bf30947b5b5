#include "core/feed/ranked.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include "core/error.h"
#include "core/feed/folding.h"
#include "core/feed/home_feed.h"
#include "core/limits.h"
#include "core/ports/reads.h"

namespace chirp::feed {
namespace {

constexpr double kHalfLifeMs = 6.0 * kHourMs;
constexpr double kResponsesFull = 1000;  // this many make the part 1
constexpr double kPartneringHalf = 4;    // this many make the part 0.5
constexpr std::uint32_t kPartnersLooked = 200;

double recency(Time entered, Time now) {
  const double age = static_cast<double>(std::max<std::int64_t>(now.ms - entered.ms, 0));
  return std::exp2(-age / kHalfLifeMs);
}

double engagement(std::int64_t responses) {
  const double n = static_cast<double>(std::max<std::int64_t>(responses, 0));
  return std::min(1.0, std::log1p(n) / std::log1p(kResponsesFull));
}

double affinity(std::uint32_t partnering) { return partnering / (partnering + kPartneringHalf); }

// Each further item of an author counts less, but never nothing.
double variety(std::uint32_t above) { return 0.25 + 0.75 * std::exp2(-static_cast<double>(above)); }

// Candidates from a list in memory.
class ListedEntries final : public Candidates {
 public:
  explicit ListedEntries(std::vector<Entry> entries) : entries_(std::move(entries)) {}
  [[nodiscard]] std::optional<Candidate> next() override {
    if (position_ == entries_.size()) return std::nullopt;
    return Candidate{entries_[position_++], Source::kPulled};
  }
  [[nodiscard]] std::uint64_t sources() const override { return 0; }
  void leave_out(UserNumber /*author*/) override {}

 private:
  std::vector<Entry> entries_;
  std::size_t position_ = 0;
};

std::map<UserNumber, std::uint32_t> partners_of(const Snapshot& snapshot, UserNumber viewer) {
  std::map<UserNumber, std::uint32_t> partners;
  for (const UserNumber partner : reads::recent_partners(snapshot, viewer, kPartnersLooked)) {
    ++partners[partner];
  }
  const auto own = snapshot.author_entries({&viewer, 1}, {}, Direction::kDown, kPartnersLooked);
  for (const auto& post : snapshot.posts(own)) {
    if (post && post->is_repost()) ++partners[post->original_author];
  }
  partners.erase(viewer);
  return partners;
}

std::vector<RankFacts> facts_of(const Snapshot& snapshot, UserNumber viewer,
                                std::span<const FeedItem> items) {
  const auto partners = partners_of(snapshot, viewer);
  std::vector<ContentId> contents;
  contents.reserve(items.size());
  for (const FeedItem& item : items) contents.push_back(content_of(item.post->id));
  const auto counters = snapshot.content_counters(contents);
  std::vector<RankFacts> facts;
  facts.reserve(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    const ContentCounters& counted = counters[i];
    const auto found = partners.find(items[i].author->number);
    facts.push_back({snowflake::time_of(items[i].entry.value),
                     counted.reactions_in_all() + 2 * (counted.comments + counted.reposts),
                     found == partners.end() ? 0 : found->second, items[i].author->number});
  }
  return facts;
}

// All entries of an item, newest first.
std::vector<Entry> entries_of(const FeedItem& item) {
  std::vector<Entry> entries;
  for (const Reposter& reposter : item.reposted_by) {
    entries.push_back({reposter.post, reposter.user->number});
  }
  // The original may be an entry too, if its author is followed; the rules decide that.
  entries.push_back({item.post->id, item.post->author});
  std::sort(entries.begin(), entries.end(), newer);
  return entries;
}

std::uint64_t micros_since(const Clock& clock, std::int64_t start_ns) {
  return static_cast<std::uint64_t>(clock.steady_ns() - start_ns) / 1000;
}

}  // namespace

std::vector<Ranking> rank(std::span<const RankFacts> facts, Time now, const RankWeights& weights) {
  const double all = weights.recency + weights.engagement + weights.affinity + weights.variety;
  check(all > 0, "some part of a score weighs something");
  std::vector<Ranking> left;
  left.reserve(facts.size());
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const ScoreParts parts{recency(facts[i].entered, now), engagement(facts[i].responses),
                           affinity(facts[i].partnering), 0};
    const double base = weights.recency * parts.recency + weights.engagement * parts.engagement +
                        weights.affinity * parts.affinity;
    left.push_back({i, base, parts});
  }
  // Positions are filled in order, each with the item that scores highest there, because the score
  // depends on how many items of its author are above.
  std::map<UserNumber, std::uint32_t> above;
  std::vector<Ranking> ranking;
  ranking.reserve(left.size());
  while (!left.empty()) {
    const auto worth = [&](const Ranking& one) {
      return one.score + weights.variety * variety(above[facts[one.index].author]);
    };
    std::size_t best = 0;
    double most = worth(left[0]);
    for (std::size_t i = 1; i < left.size(); ++i) {
      const double here = worth(left[i]);
      if (here <= most) continue;
      best = i;
      most = here;
    }
    Ranking chosen = left[best];
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
    std::uint32_t& times = above[facts[chosen.index].author];
    chosen.parts.variety = variety(times++);
    chosen.score = most / all;
    ranking.push_back(chosen);
  }
  return ranking;
}

RankedSnapshot take_ranked(const Snapshot& snapshot, UserNumber viewer, const RankWeights& weights,
                           const Clock& clock) {
  const std::int64_t start = clock.steady_ns();
  FeedRead read(snapshot, viewer);
  const WalkPlan plan{{}, Direction::kDown, limits::kRankedMax + 1};
  FeedWalk walk(snapshot, read.sources, viewer, use_of_timeline(read.sources, std::nullopt), plan);
  Collector collector(read, walk, plan.direction, limits::kRankedMax);
  collector.run();
  RankedSnapshot result{viewer, {}, collector.cost(), weights};
  const std::vector<FeedItem> items = std::move(collector).items();

  for (const Ranking& one : rank(facts_of(snapshot, viewer, items), clock.now(), weights)) {
    result.ranked.push_back(
        {entries_of(items[one.index]), items[one.index].source, one.score, one.parts});
  }
  result.cost.micros = micros_since(clock, start);
  return result;
}

Refreshed refresh_ranked(const Snapshot& snapshot, const RefreshRequest& request,
                         const RankWeights& weights, const Clock& clock) {
  std::vector<FeedItem> items = new_items(snapshot, request);
  Refreshed result;
  result.count = static_cast<std::uint32_t>(items.size());
  result.refreshed_at = clock.now();
  if (items.size() > limits::kRankedMax) items.resize(limits::kRankedMax);
  const auto facts = facts_of(snapshot, request.viewer, items);
  for (const Ranking& one : rank(facts, result.refreshed_at, weights)) {
    if (result.items.size() == request.limit) break;
    result.items.push_back(std::move(items[one.index]));
    result.items.back().score = Score{one.score, one.parts};
  }
  return result;
}

RankedPage ranked_page(const Snapshot& snapshot, const RankedSnapshot& ranked, std::size_t from,
                       std::uint32_t limit, const Clock& clock) {
  check_page_limit(limit, limits::kPostPageMax, "posts");
  const std::int64_t start = clock.steady_ns();
  FeedRead read(snapshot, ranked.viewer);
  RankedPage result;
  Page& page = result.page;
  if (from == 0) page.cost = ranked.cost;
  result.next = from;
  // One more than the page holds shows whether there is more.
  for (; result.next < ranked.ranked.size(); ++result.next) {
    const RankedEntry& entry = ranked.ranked[result.next];
    ListedEntries listed(entry.entries);
    Collector collector(read, listed, Direction::kDown, 2);  // all entries fold into one item
    collector.run();
    if (from != 0) page.cost.examined += collector.cost().examined;  // else counted already
    auto found = std::move(collector).items();
    if (found.empty()) continue;
    page.has_more = page.items.size() == limit;
    if (page.has_more) break;
    page.items.push_back(std::move(found.front()));
    page.items.back().source = entry.source;
    page.items.back().score = Score{entry.score, entry.parts};
  }
  page.generated_at = clock.now();
  page.warm = use_of_timeline(read.sources, std::nullopt) == FeedWalk::Timeline::kUse;
  page.weights = ranked.weights;
  page.upkeep = upkeep_of(read.sources, page.generated_at);
  page.cost.micros += micros_since(clock, start);
  return result;
}

}  // namespace chirp::feed
