// `chirp feed`: the home feed, and the timelines behind it.
#include <algorithm>
#include <atomic>
#include <span>

#include <fmt/format.h>

#include "cli/app.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/process.h"
#include "cli/progress.h"
#include "cli/rehearsal.h"
#include "cli/social/post_text.h"
#include "core/feed/home_feed.h"
#include "core/limits.h"
#include "core/ports/reads.h"
#include "server/json/render.h"

namespace chirp::cli {
namespace {

struct MarkOptions {
  std::string name;
  std::string cursor;
};
struct RefreshOptions {
  std::string name;
  std::string since;
  std::optional<std::string> limit;
};
struct WhoOptions {
  std::string name;
  bool all = false;
};

struct RebuildOptions {
  WhoOptions who;
  bool dry_run = false;
};

using Viewers = std::span<const UserNumber>;

constexpr std::uint32_t kScan = 1000;

void run_mark(Context& context, const MarkOptions& options) {
  const PostId cursor = parse_post_cursor("CURSOR", options.cursor, context.now());
  Engine& engine = context.writing_engine();
  engine.feeds().mark(engine.accounts().resolve(options.name).number, cursor);
  Output& out = context.out();
  if (!out.wrote_json([&](api::JsonWriter& json) {
        json.begin_object().field("cursor", cursor).end_object();
      })) {
    out.note(fmt::format("Read up to {}.", cursor.value));
  }
}

void run_refresh(Context& context, const RefreshOptions& options) {
  feed::RefreshRequest request;
  request.since = parse_post_cursor("--since", options.since, context.now());
  request.limit = parse_limit(options.limit, kPostPage);
  Engine& engine = context.engine();
  request.viewer = engine.accounts().resolve(options.name).number;
  const feed::Refreshed refreshed = engine.feeds().refresh(request);
  Output& out = context.out();
  if (out.wrote_json([&](api::JsonWriter& json) { api::write_refreshed(json, refreshed); })) return;
  const bool all = refreshed.count == limits::kRefreshCountMax;
  out.print(fmt::format("{}{}\n", counted(refreshed.count, "new post", "new posts"),
                        all ? " or more" : ""));
  for (const feed::FeedItem& item : refreshed.items) {
    print_item(out, item, feed::Explain::kNo, refreshed.refreshed_at);
  }
}

// Calls `visit` for every user, several at once, with progress; or for the named user.
template <class Visit>
void for_each_viewer(Context& context, Engine& engine, const WhoOptions& options, Visit visit) {
  ProgressLine progress(context.out(), context.clock(), "users");
  if (!options.all) {
    const UserNumber one = engine.accounts().resolve(options.name).number;
    return visit({&one, 1}, progress);
  }
  Reach reach{.total = engine.directory().count()};
  UserNumber after = kNobody;
  for (;;) {
    const auto cards =
        reads::rows_above<tables::Cards>(*engine.storage().snapshot(), {after}, kScan);
    if (cards.empty()) return;
    std::vector<UserNumber> viewers;
    for (const AuthorCard& card : cards) {
      if (card.presence == Presence::kPresent) viewers.push_back(card.number);
    }
    for (std::span<const UserNumber> rest = viewers; !rest.empty();) {
      const auto some = rest.first(std::min(rest.size(), feed::kRebuiltAtOnce));
      visit(some, progress);
      reach.done = reach.rows += some.size();
      progress.show(reach);
      rest = rest.subspan(some.size());
    }
    after = cards.back().number;
  }
}

void check_who(const WhoOptions& options) {
  if (options.all == options.name.empty()) return;
  throw Error(ErrorCode::kInvalidArgument, "Name a user, or give --all.");
}

const char* rebuild_ends(bool dry_run) {
  return dry_run ? " timelines that would be rebuilt. Nothing was changed.\n"
                 : " timelines. They stay rebuilt; run it again for all of them.\n";
}

void run_rebuild(Context& context, const RebuildOptions& options) {
  check_who(options.who);
  Engine& engine = options.dry_run ? context.engine() : context.writing_engine();
  Rehearsal rehearsal(engine.storage());
  feed::Feeds rehearsed(rehearsal, engine.clock());
  feed::Feeds& feeds = options.dry_run ? rehearsed : engine.feeds();
  std::atomic<std::uint64_t> users = 0;
  {
    const LastWords words("\nchirp: Interrupted after ", &users, rebuild_ends(options.dry_run));
    for_each_viewer(context, engine, options.who, [&](Viewers viewers, ProgressLine& /*progress*/) {
      users += feeds.rebuild(viewers);
    });
  }
  Output& out = context.out();
  if (!out.wrote_json([&](api::JsonWriter& json) {
        json.begin_object();
        if (options.dry_run) json.field("dryRun", true);
        json.field("users", users.load()).end_object();
      })) {
    out.print(fmt::format("{} {}rebuilt\n", counted(users, "timeline", "timelines"),
                          options.dry_run ? "would be " : ""));
  }
}

struct Verified {
  std::atomic<std::uint64_t> users = 0;
  std::vector<feed::FeedError> wrong;
};

std::vector<std::optional<AuthorCard>> cards_of(Engine& engine,
                                                const std::vector<feed::FeedError>& wrong) {
  std::vector<UserNumber> numbers;
  for (const feed::FeedError& one : wrong) numbers.push_back(one.user);
  return reads::cards(*engine.storage().snapshot(), numbers);
}

// Prints at once, so that an interruption loses nothing. JSON is printed as one document.
void print_wrong(Context& context, const std::vector<feed::FeedError>& found) {
  Output& out = context.out();
  if (found.empty() || out.json()) return;
  const auto cards = cards_of(context.engine(), found);
  for (std::size_t i = 0; i < found.size(); ++i) {
    out.print(fmt::format("@{}\t{}\t{}\n", cards[i] ? safe(cards[i]->username) : "?",
                          found[i].post.value, safe(found[i].problem)));
  }
  out.flush();
}

void print_verified(Context& context, const Verified& result) {
  Output& out = context.out();
  if (!out.json()) {
    out.print(fmt::format("{} checked, {} wrong\n", counted(result.users, "feed", "feeds"),
                          result.wrong.empty() ? "none" : std::to_string(result.wrong.size())));
    return;
  }
  const auto cards = cards_of(context.engine(), result.wrong);
  api::JsonWriter json;
  json.begin_object().field("users", result.users.load()).key("wrong").begin_array();
  for (std::size_t i = 0; i < result.wrong.size(); ++i) {
    json.begin_object();
    json.field("userId", cards[i] ? cards[i]->id : UserId{});
    json.field("postId", result.wrong[i].post);
    json.field("problem", result.wrong[i].problem);
    json.end_object();
  }
  json.end_array().end_object();
  out.document(json);
}

Status run_verify(Context& context, const WhoOptions& options) {
  check_who(options);
  Engine& engine = context.engine();
  Verified result;
  const LastWords words("\nchirp: Interrupted after ", &result.users,
                        " feeds. Nothing was changed; run it again for all of them.\n");
  for_each_viewer(context, engine, options, [&](Viewers viewers, ProgressLine& progress) {
    for (const UserNumber viewer : viewers) {
      auto wrong = engine.feeds().verify(viewer);
      ++result.users;
      if (!wrong.empty()) progress.clear();
      print_wrong(context, wrong);
      std::move(wrong.begin(), wrong.end(), std::back_inserter(result.wrong));
    }
  });
  print_verified(context, result);
  return result.wrong.empty() ? Status::kDone : Status::kFailed;
}

void add_who(Command& verb, WhoOptions& options) {
  verb.add_option("NAME", options.name, "The owner of the feed");
  verb.add_flag("--all", options.all, "Everybody's");
}

}  // namespace

void add_feed(CommandLine& app) {
  Command& noun = app.noun({"feed", "Read home feeds, and verify them.",
                            "chirp feed show yuki --explain\n"
                            "chirp feed verify --all"});
  add_feed_show(app, noun);
  {
    auto [verb, options] = app.verb<RefreshOptions>(
        noun,
        {"refresh", "Show how many posts are new in the home feed, and the newest of them.",
         "chirp feed refresh yuki --since 3446953170100555779\n"
         "chirp feed refresh yuki --since 2h --json"},
        run_refresh);
    verb.add_option("NAME", options.name, "The owner of the feed")->required();
    verb.add_option(
            "--since", options.since,
            "Count posts above this: a page's prevCursor, a post id, a time, or 2h for 2 hours ago")
        ->required()
        ->option_text("CURSOR");
    add_limit(verb, options.limit, kPostPage);
  }
  {
    auto [verb, options] =
        app.verb<MarkOptions>(noun,
                              {"mark", "Store the reading position of a home feed.",
                               "chirp feed mark yuki 3446953170100555779\n"
                               "chirp feed mark yuki 0s"},
                              run_mark);
    verb.add_option("NAME", options.name, "The reader")->required();
    verb.add_option("CURSOR", options.cursor,
                    "The position: a page's prevCursor, a post id, a time, or 2h for 2 hours ago")
        ->required();
  }
  {
    auto [verb, options] =
        app.verb<RebuildOptions>(noun,
                                 {"rebuild", "Rebuild materialised timelines from the posts.",
                                  "chirp feed rebuild yuki\n"
                                  "chirp feed rebuild --all\n"
                                  "chirp feed rebuild --all --dry-run"},
                                 run_rebuild);
    add_who(verb, options.who);
    verb.add_flag("--dry-run", options.dry_run,
                  "Show how many would be rebuilt, and change nothing");
  }
  {
    auto [verb, options] = app.verb<WhoOptions>(
        noun,
        {"verify", "Compare feeds with their definition. The exit status is 1 if one differs.",
         "chirp feed verify yuki\nchirp feed verify --all --json"},
        run_verify);
    add_who(verb, options);
  }
}

}  // namespace chirp::cli
