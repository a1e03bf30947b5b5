// `chirp trend`: hashtags on the rise.
#include <fmt/format.h>

#include "cli/app.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/table.h"
#include "core/model/names.h"
#include "server/json/render_notices.h"

namespace chirp::cli {
namespace {

struct ListOptions {
  std::optional<std::string> window;
  std::optional<std::string> limit;
};

// Hours or days: `1h` to `7d`.
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

Status run_list(Context& context, const ListOptions& options) {
  const std::string window = options.window.value_or("24h");
  const std::uint32_t limit = parse_limit(options.limit, kPostPage);
  const social::TrendList list = context.engine().trends().list(parse_window(window), limit);
  Output& out = context.out();
  if (out.json()) {
    api::JsonWriter json;
    api::write_trends(json, list, window);
    out.document(json);
    return Status::kDone;
  }
  Table table({{"TAG"}, {"POSTS", Align::kRight}, {"SCORE", Align::kRight}});
  for (const social::Trend& trend : list.trends) {
    table.row({"#" + trend.tag, std::to_string(trend.posts), fmt::format("{:.1f}", trend.score)});
  }
  if (table.empty()) {
    out.note("No trends: no hashtag of this window is by two people or more.");
  } else {
    table.print(out);
  }
  return Status::kDone;
}

}  // namespace

void add_trend(App& app) {
  Command& noun = app.noun({"trend", "Hashtags on the rise.", "chirp trend list --window 7d"});
  auto [verb, options] = app.verb<ListOptions>(
      noun,
      {"list",
       "Hashtags of public posts, by how many people use them and how lately; one alone makes "
       "none.",
       "chirp trend list\nchirp trend list --window 1h --limit 5\nchirp trend list --json"},
      run_list);
  add_text(verb, "--window", options.window, "LENGTH", "How far back: 1h to 7d, 24h unless told");
  add_limit(verb, options.limit, kPostPage);
}

}  // namespace chirp::cli
