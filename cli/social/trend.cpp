// `chirp trend`: hashtags on the rise.
#include <fmt/format.h>

#include "cli/app.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/lists/list.h"
#include "cli/social/field_names.h"
#include "core/model/names.h"
#include "server/json/render_notices.h"

namespace chirp::cli {
namespace trend_verbs {
namespace {

struct TrendListOptions {
  std::optional<std::string> window;
  ListArguments list;
};

// A number of hours or days: `1h` to `7d`.
std::int64_t parse_window(std::string_view text) {
  const bool unit = text.ends_with('h') || text.ends_with('d');
  const auto length = unit ? parse_duration(text) : std::nullopt;
  if (!length || *length < kHourMs || *length > kTagsKeptMs) {
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("--window takes hours or days, from 1h to 7d, not \"{}\".", printable(text)));
  }
  return *length;
}

void run_list(Context& context, const TrendListOptions& options) {
  const std::string window = options.window.value_or("24h");
  const std::int64_t length = parse_window(window);
  List<social::Trend> list;
  list.shape = {.key = "trends",
                .none = "No trends: no hashtag of this window was used by two or more users.",
                .paginated = false,
                .columns = {{"TAG"}, {"POSTS", Align::kRight}, {"SCORE", Align::kRight}}};
  list.page = [&](const auto& /*cursor*/, std::uint32_t limit) {
    social::TrendList found = context.engine().trends().list(length, limit);
    api::JsonWriter json;
    json.field("window", window).field("generatedAt", found.generated_at);
    return ListPage<social::Trend>{std::move(found.trends), {.fields = json.take()}};
  };
  list.write = api::write_trend;
  list.row = [](const social::Trend& trend) -> std::vector<std::string> {
    return {"#" + trend.tag, std::to_string(trend.posts), fmt::format("{:.1f}", trend.score)};
  };
  print_list(context.out(), options.list, list);
}

}  // namespace
}  // namespace trend_verbs

void add_trend(CommandLine& app) {
  using namespace trend_verbs;
  Command& noun = app.noun({"trend", "Show trending hashtags.", "chirp trend list --window 7d"});
  auto [verb, options] = app.verb<TrendListOptions>(
      noun,
      {"list",
       "List hashtags of public posts, by how many users use them and how recently. A hashtag "
       "needs at least two users.",
       "chirp trend list\nchirp trend list --window 1h --limit 5\nchirp trend list --json"},
      run_list);
  add_text(verb, "--window", options.window, "LENGTH",
           "How far back to look: 1h to 7d (default: 24h)");
  add_limit(verb, options.list.limit, kPostPage);
  add_form_arguments(verb, options.list, trend_fields());
}

}  // namespace chirp::cli
