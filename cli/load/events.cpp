// `chirp load events`: likes, reposts, answers and mentions from files.
#include "cli/input/events.h"

#include "cli/app.h"
#include "cli/commands.h"
#include "cli/input/edges.h"
#include "cli/load/session.h"
#include "core/error.h"
#include "core/load/event_loader.h"
#include "core/model/names.h"
#include "core/model/nearest.h"

namespace chirp::cli {
namespace {

struct LoadEventsOptions {
  LoadInput input;
  std::string format = "auto";
  std::optional<std::string> kind;
  std::string ids = "auto";
  TableOptions table;
};

PreviewRow row_of(const load::SourceEvent& event, const load::Words& words) {
  const auto shown = [&](SourceId id) { return printable(text_of(words.key_of(id))); };
  PreviewRow row{{"user", shown(event.actor)},
                 {"other", shown(event.other)},
                 {"kind", std::string(input::event_kind_name(event.kind))}};
  if (event.time) row.emplace_back("time", iso8601(*event.time));
  if (event.count > 1) row.emplace_back("count", std::to_string(event.count));
  return row;
}

class EventLoad final : private LoadSession::Load {
 public:
  EventLoad(Context& context, const LoadEventsOptions& options)
      : format_(choice_of("--format", input::kEventFormats, options.format)),
        kind_(kind_of(options)),
        id_kind_(parse_id_kind(options.ids)),
        layout_(layout_of(options)),
        session_(context, "events", options.input),
        clock_(context.clock()),
        loader_(session_.engine().storage(), clock_, session_.pause()) {}

  void run() { session_.run(*this); }

 private:
  static std::optional<load::EventKind> kind_of(const LoadEventsOptions& options) {
    if (!options.kind) return std::nullopt;
    const load::EventKind kind = choice_of("--kind", input::kEventKindNames, *options.kind);
    if (options.format == "auto") return kind;
    throw Error(ErrorCode::kInvalidArgument,
                "--kind is of rows that don't say it, and --format of others.");
  }

  static input::TableLayout layout_of(const LoadEventsOptions& options) {
    input::TableLayout layout = tie_layout(options.table, options.format);
    if (!options.table.columns) return layout;
    if (layout.has(input::Field::kKind) == options.kind.has_value()) {
      throw Error(ErrorCode::kInvalidArgument,
                  "What each row is, either a column kind says, or --kind.");
    }
    return layout;
  }

  void work() override {
    session_.each_member([this](const input::InputSource& source, input::TextBuffer& buffer) {
      if (source.is_one_of_many() &&
          !input::looks_like_edges(input::edges_head(buffer), id_kind_, layout_)) {
        session_.leave_out(source.name(), "its first row is not an event");
        return;
      }
      input::read_events(
          buffer, source.name(),
          {.format = format_,
           .kind = kind_,
           .ids = input::IdCells(&loader_.words(), id_kind_),
           .layout = layout_},
          session_.bad(), [this](std::span<const load::SourceEvent> events) { return add(events); },
          session_.tell_understood());
      session_.show_taken();
    });
  }

  std::optional<std::string> add(std::span<const load::SourceEvent> events) {
    if (auto problem = loader_.add(events)) return problem;
    for (const load::SourceEvent& event : events) {
      if (session_.is_dry() && session_.preview().wants_row()) {
        session_.preview().row(row_of(event, loader_.words()));
      }
      session_.take(event.count);
    }
    return std::nullopt;
  }
  void finish() override {
    session_.show_taken();
    loader_.finish();
  }

  void abandon() override {
    session_.show_taken();
    loader_.abandon();
  }

  [[nodiscard]] load::Counts counts() const override { return loader_.counts(); }

  [[nodiscard]] std::uint64_t settled(const load::Counts& counts) const override {
    return counts.stored + counts.duplicates + counts.missing + counts.self_loops +
           counts.unknown_users;
  }

  [[nodiscard]] Skipped skipped(const load::Counts& counts) const override {
    return skipped_of({{"duplicates", counts.duplicates},
                       {"selfLoops", counts.self_loops},
                       {"unknownUsers", counts.unknown_users}},
                      {{"gone", counts.missing}});
  }

  input::EventFormat format_;
  std::optional<load::EventKind> kind_;  // of every row, if the user sets it
  input::IdKind id_kind_;
  input::TableLayout layout_;  // the user's description of the columns
  LoadSession session_;
  const Clock& clock_;
  load::EventLoader loader_;
};

void run_events(Context& context, const LoadEventsOptions& options) {
  EventLoad(context, options).run();
}

}  // namespace

void add_load_events(CommandLine& app) {
  auto [verb, options] = app.verb<LoadEventsOptions>(
      load_noun(app),
      {"events",
       "Load likes, reposts, replies and mentions between users who are there: a row an event "
       "(activity), or rows of counts (interactions); packed or not.",
       "chirp load events higgs-activity_time.txt.gz\n"
       "chirp load events favorite_list.csv.gz retweet_list.csv.gz reply_list.csv.gz\n"
       "chirp load events higgs-retweet_network.edgelist.gz --kind retweet\n"
       "chirp load events likes.csv --columns time,from,to --kind like\n"
       "printf '1 2 1341100972 RT\\n' | chirp load events -"},
      run_events);
  add_input(verb, options.input);
  add_text(verb, "--kind", options.kind, "like|retweet|reply|mention",
           "What each row is, of an edge list: A B, and perhaps how often");
  verb.add_option("--format", options.format, "Format of the files (default: auto)")
      ->option_text("auto|activity|interactions");
  add_ids(verb, options.ids);
  add_table(verb, options.table, HasTimes::kYes, "from,to,kind,time,count; - is left out");
}

}  // namespace chirp::cli
