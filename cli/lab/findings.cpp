#include "cli/lab/findings.h"

#include <algorithm>

namespace chirp::cli::lab {
namespace {

double real(std::uint64_t n) { return static_cast<double>(n); }

// 0 if `whole` is 0.
double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

std::optional<double> positive_ratio(double part, double whole) {
  if (part <= 0 || whole <= 0) return std::nullopt;
  return part / whole;
}

double difference(std::uint64_t more, std::uint64_t less) { return real(more) - real(less); }

double ns_for_posts(const Played& run) { return static_cast<double>(run.for_posts.processor_ns); }
double ns_for_reads(const Played& run) { return static_cast<double>(run.for_reads.processor_ns); }

// The run of this policy without a hot set, or null.
const Played* cold_run(std::span<const Played> runs, feed::Policy policy) {
  const auto found = std::find_if(runs.begin(), runs.end(), [&](const Played& run) {
    return run.what.policy == policy && run.what.cache_bytes == 0;
  });
  return found == runs.end() ? nullptr : &*found;
}

template <class Measure>
std::size_t least(const std::vector<Figures>& runs, Measure measure) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    if (measure(runs[i]) < measure(runs[best])) best = i;
  }
  return best;
}

void compare_pages(std::span<const Played> runs, Findings& findings) {
  const auto& pages = runs.front().pages;
  for (const Played& run : runs) {
    findings.pages_compared += run.pages.size();
    findings.pages_wrong += run.wrong_pages;
    for (std::size_t i = 0; i < run.pages.size(); ++i) {
      if (i >= pages.size() || run.pages[i] != pages[i]) ++findings.pages_different;
    }
  }
}

}  // namespace

Share share_of(const Script& script) {
  Share share;
  if (!script.day.posts.empty()) {
    share.posts =
        real(script.day.posts_of_day) / real(script.day.posts.size() + script.without_author);
  }
  if (!script.reads.empty()) share.reads = script.reads_of_day / real(script.reads.size());
  return share;
}

Figures figures_of(const Played& played, const Share& share) {
  Figures figures;
  figures.name = name_of(played.what);
  figures.what = played.what;
  figures.hot = played.what.cache_bytes != 0;
  figures.deliveries = real(played.deliveries) * share.posts;
  figures.timeline_bytes = real(played.timeline_bytes);
  figures.bytes_written = real(played.for_posts.bytes_written) * share.posts +
                          real(played.for_reads.bytes_written) * share.reads;
  if (played.disk_bytes) figures.disk_bytes = real(*played.disk_bytes);
  figures.amplification = ratio(real(played.for_posts.bytes_written), real(played.post_bytes));
  figures.sources = ratio(real(played.sources), real(played.reads));
  figures.examined = ratio(real(played.examined), real(played.reads));
  figures.from_memory = ratio(real(played.from_memory), real(played.reads));
  figures.p50_micros = real(played.latency.percentile(0.5)) / 1e3;
  figures.p99_micros = real(played.latency.percentile(0.99)) / 1e3;
  figures.post_seconds = ns_for_posts(played) / 1e9 * share.posts;
  figures.read_seconds = ns_for_reads(played) / 1e9 * share.reads;
  return figures;
}

std::optional<double> BreakEven::by_follower() const {
  if (!delivery_ns || !source_ns) return std::nullopt;
  return positive_ratio(*delivery_ns, *source_ns);
}

std::optional<double> BreakEven::rule_by_follower() const {
  return positive_ratio(rule_delivery_ns, rule_source_ns);
}

BreakEven break_even_of(const Played& push, const Played& pull, const Played& rule,
                        double reads_a_post) {
  BreakEven turn;
  turn.reads_a_post = reads_a_post;
  turn.rule_delivery_ns = rule.delivery_ns;
  turn.rule_source_ns = rule.source_ns;
  // The additional cost of pushing for posts, and its saving for reads.
  const double added = ns_for_posts(push) - ns_for_posts(pull);
  const double saved = ns_for_reads(pull) - ns_for_reads(push);
  turn.turns_at = positive_ratio(ratio(added, real(push.posts)), ratio(saved, real(push.reads)));
  turn.delivery_ns = positive_ratio(added, difference(push.deliveries, pull.deliveries));
  turn.source_ns = positive_ratio(saved, difference(pull.sources, push.sources));
  return turn;
}

Findings findings_of(const Script& script, std::span<const Played> runs) {
  Findings findings;
  findings.share = share_of(script);
  for (const Played& run : runs) findings.runs.push_back(figures_of(run, findings.share));
  findings.cheapest = least(findings.runs, [](const Figures& run) { return run.seconds(); });
  findings.fewest_bytes =
      least(findings.runs, [](const Figures& run) { return run.bytes_written; });
  findings.refused = runs.front().refused;
  const Played* push = cold_run(runs, feed::Policy::kPush);
  const Played* pull = cold_run(runs, feed::Policy::kPull);
  const Played* cost = cold_run(runs, feed::Policy::kCost);
  if (push != nullptr && pull != nullptr) {
    findings.turn = break_even_of(*push, *pull, cost != nullptr ? *cost : *push,
                                  ratio(script.reads_of_day, real(script.day.posts_of_day)));
  }
  compare_pages(runs, findings);
  return findings;
}

}  // namespace chirp::cli::lab
