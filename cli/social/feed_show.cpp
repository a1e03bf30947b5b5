// `chirp feed show`: pages of the home feed, down from the top or up from a cursor.
#include <algorithm>

#include <fmt/format.h>

#include "cli/app.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/lists/list.h"
#include "cli/social/field_names.h"
#include "cli/social/post_text.h"
#include "core/error.h"
#include "core/model/nearest.h"
#include "server/json/render.h"

namespace chirp::cli {
namespace {

struct ShowOptions {
  std::string name;
  ListArguments list;
  std::optional<std::string> after;
  std::optional<std::string> policy;
  bool explain = false;
  bool unread = false;
  bool ranked = false;
};

// The request for the first page, without the position of --cursor and --unread.
feed::PageRequest request_of(const ShowOptions& options, Time now) {
  const bool below = options.list.cursor || options.list.older_cursor;
  if (below && options.after) {
    throw Error(
        ErrorCode::kInvalidArgument,
        "--cursor and --after exclude each other: a page goes down or up. Give one of them.");
  }
  if (options.ranked &&
      (below || options.after || options.unread || options.policy || options.list.all)) {
    throw Error(ErrorCode::kInvalidArgument,
                "--ranked shows the first page by score and takes no cursor, --all, --unread or "
                "--policy.");
  }
  if (options.unread && (below || options.after)) {
    throw Error(ErrorCode::kInvalidArgument,
                "--unread starts at the reading position; leave --cursor and --after out.");
  }
  feed::PageRequest request;
  if (options.after) request.after = parse_post_cursor("--after", *options.after, now);
  if (options.policy) {
    request.as_if = feed::policy_named(*options.policy);
    if (!request.as_if) {
      throw no_such_choice("--policy", {"push", "pull", "hybrid", "cost"}, *options.policy);
    }
  }
  request.explain = options.explain ? feed::Explain::kYes : feed::Explain::kNo;
  return request;
}

std::string hint(const feed::Page& page, bool upwards) {
  if (upwards && page.has_more && page.prev_cursor) {
    return fmt::format("There is more above: --after {}", page.prev_cursor->value);
  }
  if (!upwards && page.has_more && page.next_cursor) {
    return fmt::format("There is more: --cursor {}", page.next_cursor->value);
  }
  return {};
}

// Reads successive pages of a feed, down or up.
class PageWalk {
 public:
  PageWalk(Context& context, const ShowOptions& options)
      : context_(context),
        options_(options),
        upwards_(options.unread || options.after),
        request_(request_of(options, context.now())) {
    // Order is newest first, except for people who read upwards.
    oldest_first_ = upwards_ && (options.list.all ||
                                 (options.unread && !for_programs(context.out(), options.list)));
  }

  ListPage<feed::FeedItem> page(const std::optional<ListCursor>& cursor, std::uint32_t limit) {
    if (cursor) {
      (upwards_ ? request_.after : request_.before) =
          parse_post_cursor(cursor->option, cursor->text, context_.now());
    }
    request_.limit = limit;
    Engine& engine = context_.engine();
    request_.viewer = engine.accounts().resolve(options_.name).number;
    if (options_.unread && !request_.after) {
      request_.after = engine.feeds().marked(request_.viewer).value_or(kBelowAllPosts);
    }
    return listed(options_.ranked ? engine.feeds().ranked(request_.viewer, limit)
                                  : engine.feeds().page(request_));
  }
  void print(const feed::FeedItem& item) const {
    print_item(context_.out(), item, request_.explain, last_.generated_at);
  }
  [[nodiscard]] feed::Explain explain() const { return request_.explain; }

 private:
  // Merges the cursors and costs of several pages into the last one.
  ListPage<feed::FeedItem> listed(feed::Page page) {
    if (!read_) {
      context_.later([&engine = context_.engine(), viewer = request_.viewer, upkeep = page.upkeep] {
        engine.feeds().after_read(viewer, upkeep);
      });
    } else {
      (upwards_ ? page.next_cursor : page.prev_cursor) =
          upwards_ ? last_.next_cursor : last_.prev_cursor;
      page.cost.sources = std::max(page.cost.sources, last_.cost.sources);
      page.cost.examined += last_.cost.examined;
      page.cost.micros += last_.cost.micros;
      page.cost.from_memory = page.cost.from_memory && last_.cost.from_memory;
    }
    read_ = true;
    ListPage<feed::FeedItem> items{std::move(page.items)};
    if (oldest_first_) std::reverse(items.items.begin(), items.items.end());
    last_ = std::move(page);
    const auto next = upwards_ ? last_.prev_cursor : last_.next_cursor;
    if (last_.has_more && next) items.end.next = std::to_string(next->value);
    items.end.hint = hint(last_, upwards_);
    api::JsonWriter json;
    api::write_feed_end_fields(json, last_, request_.explain);
    items.end.fields = json.take();
    if (request_.explain == feed::Explain::kYes) items.end.text = cost();
    return items;
  }
  [[nodiscard]] std::string cost() const {
    const feed::ReadCost& cost = last_.cost;
    return context_.out().ink(
               Ink::kDim, fmt::format("{}, {}, {} us", counted(cost.sources, "source", "sources"),
                                      counted(cost.examined, "entry examined", "entries examined"),
                                      cost.micros)) +
           "\n";
  }

  Context& context_;
  const ShowOptions& options_;
  bool upwards_;
  feed::PageRequest request_;
  bool oldest_first_ = false;
  bool read_ = false;
  feed::Page last_;  // without its items
};

void run_show(Context& context, const ShowOptions& options) {
  PageWalk walk(context, options);
  List<feed::FeedItem> list;
  list.shape = {.key = "posts", .none = "Nothing here.", .paginated = false};
  list.page = [&](const auto& cursor, std::uint32_t limit) { return walk.page(cursor, limit); };
  list.write = [&](api::JsonWriter& json, const feed::FeedItem& item) {
    api::write_feed_item(json, item, walk.explain());
  };
  list.print = [&](const feed::FeedItem& item) { walk.print(item); };
  // Narrows the declared fields to those that this kind of page can have.
  ListArguments arguments = options.list;
  arguments.known = item_fields(options.ranked ? Ranked::kYes : Ranked::kNo, walk.explain());
  print_list(context.out(), arguments, list);
}

}  // namespace

void add_feed_show(CommandLine& app, Command& noun) {
  auto [verb, options] = app.verb<ShowOptions>(
      noun,
      {"show", "Show a home feed: the posts of a user and of the accounts they follow.",
       "chirp feed show yuki\n"
       "chirp feed show yuki --explain --limit 5\n"
       "chirp feed show yuki --cursor 2026-01-31\n"
       "chirp feed show yuki --after 3446953170100555779 --json\n"
       "chirp feed show yuki --unread\n"
       "chirp feed show yuki --ranked --explain"},
      run_show);
  verb.add_option("NAME", options.name, "The owner of the feed")->required();
  add_list_arguments(verb, options.list, {kPostPage, "--before", kPostCursorHelp},
                     item_fields(Ranked::kYes, feed::Explain::kYes));
  add_text(verb, "--after", options.after, "CURSOR", "Show the entries directly above this");
  verb.add_flag(
      "--ranked", options.ranked,
      "Order the newest posts by score: recency, reactions of others, and yours to the author");
  verb.add_flag("--unread", options.unread,
                "Show what is above the reading position, oldest first; see chirp feed mark");
  verb.add_flag("--explain", options.explain,
                "Show why each post is there, and what the page cost");
  add_text(verb, "--policy", options.policy, "push|pull|hybrid|cost",
           "Read with this policy instead of the configured one");
}

}  // namespace chirp::cli
