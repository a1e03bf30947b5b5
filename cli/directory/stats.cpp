// `chirp stats`: how much there is of what.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "cli/app.h"
#include "cli/commands.h"
#include "cli/table.h"

namespace chirp::cli {
namespace {

struct Stats {
  std::vector<std::pair<std::string, std::uint64_t>> counts;
  store::StoreBytes bytes;
  std::vector<std::pair<std::string, std::uint64_t>> pending;
};

Stats gather(Context& context) {
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
                  {"posts", of("posts")},
                  {"reposts", of("reposts")},
                  {"follows", of("follows")},
                  {"likes", of("reactions")},
                  {"comments", of("comments_by")},
                  {"notifications", of("notifications")},
                  {"timelines", of("timelines")},
                  {"events", of("events")}};
  stats.bytes = context.directory().bytes();
  stats.pending = {{"fanout", state.log_end.value - state.fan_out.value + state.fan_out_queue},
                   {"counters", state.log_end.value - state.counters.value},
                   {"notifications", state.log_end.value - state.notifications.value},
                   {"trends", state.log_end.value - state.trends.value}};
  return stats;
}

Status run_stats(Context& context, const NoOptions& /*options*/) {
  const Stats stats = gather(context);
  Output& out = context.out();
  if (out.json()) {
    api::JsonWriter json;
    json.begin_object();
    for (const auto& [name, n] : stats.counts) json.field(name, n);
    json.key("bytes").begin_object();
    json.field("users", stats.bytes.users);
    json.field("engine", stats.bytes.engine);
    json.field("media", stats.bytes.media);
    json.end_object().key("pending").begin_object();
    for (const auto& [name, n] : stats.pending) json.field(name, n);
    json.end_object().end_object();
    out.document(json);
    return Status::kDone;
  }
  std::vector<std::pair<std::string, std::string>> facts;
  for (const auto& [name, n] : stats.counts) facts.emplace_back(name, std::to_string(n));
  facts.emplace_back("bytes of users", std::to_string(stats.bytes.users));
  facts.emplace_back("bytes of engine", std::to_string(stats.bytes.engine));
  facts.emplace_back("bytes of media", std::to_string(stats.bytes.media));
  for (const auto& [name, n] : stats.pending) {
    facts.emplace_back("pending for " + name, std::to_string(n));
  }
  print_facts(out, facts);
  return Status::kDone;
}

}  // namespace

void add_stats(App& app) {
  app.verb<NoOptions>(app.root(),
                      {"stats", "How much there is of what, and how much is pending.",
                       "chirp stats\nchirp stats --json"},
                      run_stats);
}

}  // namespace chirp::cli
