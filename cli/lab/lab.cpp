// `chirp lab`: finds the cheapest policy for this graph by trying them on copies.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/app.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/export/new_file.h"
#include "cli/lab/copies.h"
#include "cli/lab/findings.h"
#include "cli/lab/play.h"
#include "cli/lab/print.h"
#include "cli/lab/report.h"
#include "cli/lab/script.h"
#include "cli/lists/list.h"
#include "cli/process.h"
#include "cli/progress.h"
#include "core/error.h"
#include "core/hot/hot_set.h"
#include "core/model/timeline.h"

namespace chirp::cli {
namespace {

constexpr std::uint64_t kFollowersMax = 1'000'000'000;
constexpr std::size_t kThresholds = 4;
constexpr std::size_t kThresholdsMax = 20;

struct LabOptions {
  std::optional<std::string> day;
  std::optional<std::string> posts_per_day;
  double reads_per_user = 8;
  std::optional<std::string> thresholds;
  std::uint64_t max_posts = 2'000;
  std::uint64_t max_reads = 20'000;
  std::uint64_t cache_mb = hot::kMbDefault;
  std::uint64_t seed = 1;
  bool csv = false;
  std::optional<std::string> report;
};

lab::ScriptOptions script_options(const LabOptions& options, Time now) {
  lab::ScriptOptions script;
  if (options.day) script.day = start_of_day(parse_time("--day", *options.day, now));
  if (options.posts_per_day) {
    script.posts_per_day =
        parse_number("--posts-per-day", *options.posts_per_day, 1, chirp::lab::kPostsADayMax);
  }
  script.reads_per_user = options.reads_per_user;
  script.posts_max = options.max_posts;
  script.reads_max = options.max_reads;
  script.seed = options.seed;
  return script;
}

std::vector<std::uint64_t> thresholds_of(std::string_view text) {
  std::vector<std::uint64_t> thresholds;
  for (;;) {
    const std::size_t comma = text.find(',');
    thresholds.push_back(parse_number("--thresholds", text.substr(0, comma), 1, kFollowersMax));
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  std::sort(thresholds.begin(), thresholds.end());
  thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
  if (thresholds.size() <= kThresholdsMax) return thresholds;
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("--thresholds takes {} numbers at most, not {}.", kThresholdsMax,
                          thresholds.size()),
              "thresholds");
}

// The powers of ten below the highest number of followers, only the largest of them.
std::vector<std::uint64_t> thresholds_for(std::uint64_t most_followers) {
  std::vector<std::uint64_t> thresholds;
  for (std::uint64_t bound = 1; bound < most_followers; bound *= 10) thresholds.push_back(bound);
  if (thresholds.empty()) thresholds.push_back(1);
  if (thresholds.size() > kThresholds) {
    thresholds.erase(thresholds.begin(),
                     thresholds.end() - static_cast<std::ptrdiff_t>(kThresholds));
  }
  return thresholds;
}

std::vector<lab::Case> cases_for(const std::vector<std::uint64_t>& thresholds,
                                 std::uint64_t cache_bytes) {
  std::vector<lab::Case> cold{{feed::Policy::kPush, {}, 0}, {feed::Policy::kPull, {}, 0}};
  for (const std::uint64_t threshold : thresholds) {
    cold.push_back({feed::Policy::kHybrid, threshold, 0});
  }
  cold.push_back({feed::Policy::kCost, {}, 0});
  std::vector<lab::Case> cases;
  for (const lab::Case& each : cold) {
    cases.push_back(each);
    if (cache_bytes != 0) cases.push_back({each.policy, each.threshold, cache_bytes});
  }
  return cases;
}

// Checks before the work, which takes minutes.
void check_report(const std::optional<std::string>& report) {
  if (!report) return;
  const std::filesystem::path path(*report);
  std::error_code error;
  if (report->empty()) {
    throw Error(ErrorCode::kInvalidArgument, "--report takes the name of a file.", "report");
  }
  if (std::filesystem::exists(std::filesystem::symlink_status(path, error))) {
    throw Error(ErrorCode::kConflict,
                fmt::format("The report can't be written to \"{}\", because it exists. Name a file "
                            "that does not exist yet.",
                            safe(*report)),
                "report");
  }
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  if (!std::filesystem::is_directory(folder, error)) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("The report can't be written to \"{}\": there is no folder {}.",
                            safe(*report), safe(folder.string())),
                "report");
  }
  // Only creating the file shows whether it can be created.
  { const NewFile probe(path); }
  std::filesystem::remove(path, error);
}

lab::Script prepare(Context& context, lab::LabCopies& copies, const lab::ScriptOptions& options) {
  lab::Script script = lab::write_script(copies.whole(), context.clock(), options);
  ProgressLine progress(context.out(), context.clock(), "users");
  std::uint64_t users = 0;
  copies.make_masters(script, context.clock(), [&](std::uint64_t asked) {
    OrderlyEnd::check();
    users += asked;
    progress.show({.done = users, .total = script.users, .rows = users});
  });
  return script;
}

std::vector<lab::Played> play_all(Context& context, lab::LabCopies& copies,
                                  const lab::Script& script, const std::vector<lab::Case>& cases) {
  std::vector<lab::Played> runs;
  ProgressLine progress(context.out(), context.clock(), "runs");
  for (const lab::Case& each : cases) {
    progress.show({.done = runs.size(), .total = cases.size(), .rows = runs.size()});
    const auto copy = copies.fresh(each.policy);
    runs.push_back(lab::play(*copy, script, each, copies.settings(), context.clock()));
    const lab::Played& run = runs.back();
    context.out().detail(fmt::format("{}: {} posts, {} refused; {} of the {} authors are pulled",
                                     lab::name_of(each), run.posts, run.refused, run.pulled_authors,
                                     script.authors.size()));
  }
  return runs;
}

struct Tried {
  lab::Script script;
  std::vector<lab::Played> runs;
  std::uint32_t cap = 0;  // of a timeline
};

// The copies are removed on return and on interruption.
Tried try_out(Context& context, const lab::ScriptOptions& wanted,
              std::vector<std::uint64_t> thresholds, std::uint64_t cache_bytes) {
  const OrderlyEnd end;
  lab::LabCopies copies(context.directory(), context.clock());
  context.close();
  lab::Script script = prepare(context, copies, wanted);
  if (thresholds.empty()) thresholds = thresholds_for(script.degrees.followers.most);
  auto runs = play_all(context, copies, script, cases_for(thresholds, cache_bytes));
  return {std::move(script), std::move(runs), copies.settings().cap};
}

Status run_lab(Context& context, const LabOptions& options) {
  Output& out = context.out();
  check_csv(out, options.csv);
  check_report(options.report);
  const lab::ScriptOptions wanted = script_options(options, context.now());
  std::vector<std::uint64_t> thresholds;
  if (options.thresholds) thresholds = thresholds_of(*options.thresholds);

  const auto [script, runs, cap] =
      try_out(context, wanted, std::move(thresholds), options.cache_mb << 20);
  const lab::Findings findings = lab::findings_of(script, runs);

  if (out.json()) {
    lab::print_json(out, script, findings);
  } else if (options.csv) {
    lab::print_csv(out, findings);
  } else {
    lab::print_text(out, script, findings);
  }
  if (options.report) {
    out.flush();  // the results took minutes, so they come before the report, which may fail
    NewFile file(*options.report);
    file.write(lab::report(script, runs, findings, cap));
    file.finish();
    out.note(fmt::format("The report is in {}.", safe(*options.report)));
  }
  const bool same = findings.pages_different == 0 && findings.pages_wrong == 0;
  return same ? Status::kDone : Status::kFailed;
}

}  // namespace

void add_lab(CommandLine& app) {
  auto [verb, options] =
      app.verb<LabOptions>(app.root(),
                           {"lab",
                            "Find out, on copies of the data, which policy is cheapest for this "
                            "graph, and what would change that.",
                            "chirp lab\n"
                            "chirp lab --day 2026-01-15 --reads-per-user 20\n"
                            "chirp lab --posts-per-day 100000 --thresholds 100,1000,10000\n"
                            "chirp lab --report lab.html"},
                           run_lab);
  add_text(verb, "--day", options.day, "DAY",
           "The day whose posts are replayed, in UTC (default: the last day with posts)");
  add_text(verb, "--posts-per-day", options.posts_per_day, "N",
           "Replay this many posts, spread evenly over the day, instead of the day's own posts");
  verb.add_option(
          "--reads-per-user", options.reads_per_user,
          "Mean number of reads per user and day (default: 8); a few users read far more than most")
      ->option_text("N")
      ->between_reals(0.001, 10'000);
  add_text(verb, "--thresholds", options.thresholds, "N,N",
           "Numbers of followers above which hybrid pulls, one run each (default: powers of ten)");
  verb.add_option("--max-posts", options.max_posts,
                  "Replay at most this many posts, from the middle of the day (default: 2000)")
      ->option_text("N")
      ->between(1, chirp::lab::kPostsADayMax);
  verb.add_option("--max-reads", options.max_reads,
                  "Replay at most about this many reads, of some users (default: 20000)")
      ->option_text("N")
      ->between(1, 1'000'000'000);
  verb.add_option("--cache-mb", options.cache_mb,
                  "Size limit of the hot set (default: 256; 0: no runs with a hot set)")
      ->option_text("N")
      ->between(0, hot::kMbMax);
  verb.add_option("--seed", options.seed, "Another seed makes another set of readers")
      ->option_text("N")
      ->between(0, 1'000'000'000);
  verb.add_flag("--csv", options.csv, "Print CSV, with a header of column names");
  add_text(verb, "--report", options.report, "FILE",
           "Also write the findings as one HTML file with charts");
}

}  // namespace chirp::cli
