// `chirp seed`: generates a plausible network.
#include "core/load/seed.h"

#include <atomic>
#include <limits>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "cli/app.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/danger.h"
#include "cli/load/summary.h"
#include "cli/process.h"
#include "cli/progress.h"

namespace chirp::cli {
namespace {

constexpr std::uint64_t kShowEveryRows = 1024;

struct LoadSeedOptions {
  std::optional<std::string> users;
  std::optional<std::string> follows;
  std::optional<std::string> posts;
  std::optional<std::string> seed;
  std::optional<std::string> until;
  Consent consent;
  bool alive = false;
};

load::SeedOptions world_of(const LoadSeedOptions& options, Time now) {
  load::SeedOptions world;
  const auto number = [](const char* name, const std::optional<std::string>& text,
                         std::uint64_t max, std::uint64_t fallback) {
    return text ? parse_number(name, *text, 0, max) : fallback;
  };
  world.users = number("--users", options.users, load::kSeedUsersMax, world.users);
  world.follows = number("--follows", options.follows, load::kSeedRowsMax, world.follows);
  world.posts = number("--posts", options.posts, load::kSeedRowsMax, world.posts);
  world.seed =
      number("--seed", options.seed, std::numeric_limits<std::uint64_t>::max(), world.seed);
  world.alive = options.alive;
  if (world.alive) world.until = now;
  if (options.until) world.until = parse_time("--until", *options.until, now);
  load::check_seed(world, now);
  return world;
}

// The rows that it creates. Existing rows of the same world are skipped.
Loss addition_of(const load::SeedOptions& world, std::uint64_t rows, std::uint64_t users_before,
                 const store::DataPlace& data) {
  const std::string there =
      users_before == 0 ? "" : fmt::format("the {} of ", counted(users_before, "user", "users"));
  Loss addition{.verb = "add",
                .what = fmt::format("a made-up network to {}{}", there, data.text()),
                .counts = {{"users", "user", "users", world.users},
                           {"follows", "follow", "follows", world.follows},
                           {"posts", "post", "posts", world.posts}},
                .key = "comes"};
  // Includes answers, reactions, and the celebrity's followers.
  if (world.alive) addition.counts.push_back({"rows", "row", "rows", rows});
  return addition;
}

Status run_seed(Context& context, const LoadSeedOptions& options) {
  const load::SeedOptions world = world_of(options, context.now());
  Engine& engine = options.consent.dry_run ? context.engine() : context.writing_engine();
  // In an empty directory there is nothing to mix with.
  const std::uint64_t users_before = engine.directory().count();
  // A lively world is generated once for counting, which takes some 5 % of the time to store it.
  const std::uint64_t total = load::rows_of(world);
  if (users_before > 0 || options.consent.dry_run) {
    const auto addition = [&] {
      return addition_of(world, total, users_before, context.globals().data);
    };
    if (const auto ended = ended_before(context, options.consent, addition)) return *ended;
  }
  const Clock& clock = context.clock();
  const std::int64_t started = clock.steady_ns();
  std::atomic<std::uint64_t> made{0};
  const LastWords words(
      "\nchirp: Interrupted. What is made so far is safe; run the same again, and it goes on.\n");
  ProgressLine progress(context.out(), clock, "rows");
  const auto show = [&] {
    progress.show({.done = made.load(), .total = total, .rows = made.load()});
  };
  const load::Counts counts =
      load::plant(world, engine.storage(), engine.directory(), clock,
                  {.made =
                       [&](std::uint64_t rows) {
                         const std::uint64_t before = made.fetch_add(rows);
                         if (before / kShowEveryRows != (before + rows) / kShowEveryRows) show();
                       },
                   .pause =
                       [&] {
                         give_way();
                         show();
                       }});
  progress.clear();
  print_summary(context.out(),
                {.rows = "rows",
                 .read = total,
                 .counts = counts,
                 .skipped = skipped_of({{"duplicates", counts.duplicates}},
                                       {{"gone", counts.missing},
                                        {"blocked", counts.severed},
                                        {"unknownOriginals", counts.unknown_originals}}),
                 .errors = 0,
                 .bytes = 0,
                 .seconds = static_cast<double>(clock.steady_ns() - started) / 1e9});
  return Status::kDone;
}

}  // namespace

void add_seed(CommandLine& app) {
  auto [verb, options] = app.verb<LoadSeedOptions>(
      app.root(),
      {"seed", "Make up a believable network: the same options give the same one.",
       "chirp seed\n"
       "chirp seed --users 200000 --follows 20000000 --posts 2000000\n"
       "chirp seed --seed 7 --until 2025-06-30\n"
       "chirp seed --alive\n"
       "chirp seed --dry-run"},
      run_seed);
  add_text(verb, "--users", options.users, "N", "How many in all (default: 1000)");
  add_text(verb, "--follows", options.follows, "N", "How many in all (default: 20000)");
  add_text(verb, "--posts", options.posts, "N", "How many in all (default: 10000)");
  add_text(verb, "--seed", options.seed, "S", "Another number, another world (default: 1)");
  add_text(verb, "--until", options.until, "T",
           "When it all ends (default: 2026-01-01; with --alive: now)");
  verb.add_flag("--alive", options.alive,
                "People answer, repost and react, up to now, so that there are trends and counts");
  add_consent(verb, options.consent, "Show what would be added, and change nothing");
}

}  // namespace chirp::cli
