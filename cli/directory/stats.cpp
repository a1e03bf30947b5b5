// `chirp stats`: counts of everything in a data directory.
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/app.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/directory/degrees.h"
#include "cli/directory/pending.h"
#include "cli/process.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "core/error.h"
#include "core/model/names.h"
#include "core/model/policy.h"
#include "core/ports/reads.h"

namespace chirp::cli {
namespace {

struct StatsOptions {
  bool full = false;
  bool watch = false;
  std::optional<std::string> every;
  std::optional<std::string> times;
};

constexpr std::int64_t kEveryMs = 2000;
constexpr std::int64_t kEveryMostMs = kDayMs;

struct Stats {
  Numbers counts;
  Numbers tiers;
  store::StoreBytes bytes;
  Numbers pending;
  // With --full.
  std::optional<Degrees> degrees;
  std::vector<store::TableBytes> tables;
};

// A user without a mark is regular.
Numbers count_tiers(const Snapshot& snapshot, std::uint64_t users) {
  constexpr std::uint32_t kBlock = 1024;
  std::uint64_t influencers = 0;
  std::uint64_t celebrities = 0;
  tables::Marks::Key after{kNobody};
  for (;;) {
    const auto marks = reads::above<tables::Marks>(snapshot, after, kBlock);
    if (marks.empty()) break;
    after = marks.back().first;
    for (const auto& [key, mark] : marks) {
      if (mark.tier == feed::Tier::kInfluencer) ++influencers;
      if (mark.tier == feed::Tier::kCelebrity) ++celebrities;
    }
  }
  const std::uint64_t others = influencers + celebrities;
  return {{"regular", users < others ? 0 : users - others},
          {"influencer", influencers},
          {"celebrity", celebrities}};
}

Stats gather(Context& context, const StatsOptions& options) {
  Engine& engine = context.engine();
  const auto snapshot = engine.storage().snapshot();
  const auto rows = snapshot->table_rows();
  const auto of = [&](const char* table) {
    const auto found = rows.find(table);
    return found == rows.end() ? 0 : found->second;
  };
  const StoreState state = snapshot->state();
  Stats stats;
  stats.counts = {{"users", engine.directory().count()},
                  {"suspended", engine.directory().count_suspended()},
                  {"posts", of("posts")},
                  {"reposts", of("reposts")},
                  {"follows", of("follows")},
                  {"likes", of("reactions")},
                  {"comments", of("comments_by")},
                  {"notifications", of("notifications")},
                  {"timelines", of("timelines")},
                  {"events", of("events")}};
  stats.tiers = count_tiers(*snapshot, stats.counts.front().second);
  stats.bytes = context.directory().bytes();
  stats.pending = pending_in(state);
  if (options.full) {
    stats.degrees = degrees_of(*snapshot);
    stats.tables = context.directory().table_bytes();
  }
  return stats;
}

// ---- as JSON

void write_numbers(api::JsonWriter& json, const char* key, const Numbers& numbers) {
  json.key(key).begin_object();
  for (const auto& [name, n] : numbers) json.field(name, n);
  json.end_object();
}

void write_distribution(api::JsonWriter& json, const char* key, const Distribution& made) {
  json.key(key).begin_object();
  json.field("median", made.median).field("p90", made.p90).field("p99", made.p99);
  json.field("most", made.most).key("buckets").begin_array();
  for (const auto& bucket : made.buckets) {
    json.begin_object().field("from", bucket.from).field("to", bucket.to);
    json.field("users", bucket.users).end_object();
  }
  json.end_array().end_object();
}

void write_tables(api::JsonWriter& json, const std::vector<store::TableBytes>& tables) {
  json.key("tables").begin_array();
  for (const store::TableBytes& table : tables) {
    json.begin_object().field("store", table.store).field("table", table.table);
    json.field("bytes", table.bytes).end_object();
  }
  json.end_array();
}

void print_json(Output& out, const Stats& stats) {
  api::JsonWriter json;
  json.begin_object();
  for (const auto& [name, n] : stats.counts) json.field(name, n);
  write_numbers(json, "tiers", stats.tiers);
  json.key("bytes").begin_object();
  json.field("users", stats.bytes.users);
  json.field("engine", stats.bytes.engine);
  json.field("media", stats.bytes.media);
  json.end_object();
  write_numbers(json, "pending", stats.pending);
  if (stats.degrees) {
    json.key("degrees").begin_object();
    write_distribution(json, "followers", stats.degrees->followers);
    write_distribution(json, "following", stats.degrees->following);
    json.end_object();
    write_tables(json, stats.tables);
  }
  json.end_object();
  out.document(json);
}

// ---- for people

using FactRows = std::vector<std::pair<std::string, std::string>>;

void add_distribution(FactRows& facts, const char* what, const Distribution& made) {
  facts.emplace_back(fmt::format("{}, half of the users", what), std::to_string(made.median));
  facts.emplace_back(fmt::format("{}, 90 of 100", what), std::to_string(made.p90));
  facts.emplace_back(fmt::format("{}, 99 of 100", what), std::to_string(made.p99));
  facts.emplace_back(fmt::format("{}, the most", what), std::to_string(made.most));
  for (const auto& bucket : made.buckets) {
    const std::string range = bucket.from == bucket.to
                                  ? std::to_string(bucket.from)
                                  : fmt::format("{} to {}", bucket.from, bucket.to);
    facts.emplace_back(fmt::format("users with {} {}", range, what), std::to_string(bucket.users));
  }
}

void print_text(Output& out, const Stats& stats) {
  FactRows facts;
  for (const auto& [name, n] : stats.counts) facts.emplace_back(name, std::to_string(n));
  for (const auto& [name, n] : stats.tiers) facts.emplace_back(name + " users", std::to_string(n));
  facts.emplace_back("bytes of users", std::to_string(stats.bytes.users));
  facts.emplace_back("bytes of engine", std::to_string(stats.bytes.engine));
  facts.emplace_back("bytes of media", std::to_string(stats.bytes.media));
  for (const auto& [name, n] : stats.pending) {
    facts.emplace_back("pending for " + name, std::to_string(n));
  }
  if (stats.degrees) {
    add_distribution(facts, "followers", stats.degrees->followers);
    add_distribution(facts, "following", stats.degrees->following);
    for (const store::TableBytes& table : stats.tables) {
      facts.emplace_back(fmt::format("bytes of {} {}", table.store, table.table),
                         std::to_string(table.bytes));
    }
  }
  print_facts(out, facts);
}

void print(Output& out, const Stats& stats) {
  if (out.json()) return print_json(out, stats);
  print_text(out, stats);
}

// ---- repeated output

std::int64_t pause_of(const StatsOptions& options) {
  if (!options.every) return kEveryMs;
  const auto length = parse_duration(*options.every);
  if (length && *length <= kEveryMostMs) return *length;
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("--every takes a length of time up to a day, such as 10s or 5m, not "
                          "\"{}\".",
                          printable(*options.every)));
}

void watch(Context& context, const StatsOptions& options) {
  const std::int64_t pause = pause_of(options);
  std::uint64_t left = std::numeric_limits<std::uint64_t>::max();
  if (options.times) left = parse_number("--times", *options.times, 1, 1'000'000);
  catch_interrupts();
  Output& out = context.out();
  out.unpaged();
  for (bool first = true; !out.closed(); first = false) {
    const Stats stats = gather(context, options);
    if (out.terminal() && can_steer()) {
      out.print("\x1b[H\x1b[2J");  // clears the screen
    } else if (!first && !out.json()) {
      out.print("\n");
    }
    print(out, stats);
    out.flush();
    if (--left == 0 || pause_ms(static_cast<int>(pause)) != PauseEnd::kOver) return;
  }
}

void run_stats(Context& context, const StatsOptions& options) {
  if (!options.watch && (options.every || options.times)) {
    throw Error(ErrorCode::kInvalidArgument, "--every and --times need --watch.");
  }
  if (options.watch) {
    watch(context, options);
  } else {
    print(context.out(), gather(context, options));
  }
}

}  // namespace

void add_stats(CommandLine& app) {
  auto [verb, options] = app.verb<StatsOptions>(
      app.root(),
      {"stats",
       "Show how many users, posts and other rows there are, and how much work is pending.",
       "chirp stats\n"
       "chirp stats --full --json\n"
       "chirp stats --watch --every 10s"},
      run_stats);
  verb.page();
  verb.add_flag(
      "--full", options.full,
      "Also show the distribution of follows and the bytes of each table; reads every user");
  verb.add_flag("--watch", options.watch, "Repeat with new figures, until interrupted");
  add_text(verb, "--every", options.every, "T", "Time between figures with --watch (default: 2s)");
  add_text(verb, "--times", options.times, "N", "End --watch after this many figures");
}

}  // namespace chirp::cli
