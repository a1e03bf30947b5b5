// `chirp load events`: who liked, reposted, answered and mentioned whom, from files.
#include "cli/input/events.h"

#include <fmt/format.h>

#include "cli/app.h"
#include "cli/commands.h"
#include "cli/load/session.h"
#include "core/error.h"
#include "core/load/event_loader.h"
#include "core/model/names.h"

namespace chirp::cli {
namespace {

// Rows between two looks at the clock: cheap beside reading them.
constexpr std::uint64_t kShowEvery = 256;

struct EventOptions {
  std::vector<std::string> files;
  std::string format = "auto";
  std::optional<std::string> max_errors;
  std::string encoding = "utf-8";
};

class EventLoad {
 public:
  EventLoad(Context& context, const EventOptions& options)
      : format_(format_of(options)),
        session_(context, "events", options.files, parse_max_errors(options.max_errors),
                 options.encoding),
        loader_(context.writing_engine().storage(), context.clock(), session_.pause()) {}

  void run() {
    session_.run({.work = [this] { read_all(); },
                  .finish =
                      [this] {
                        show();
                        loader_.finish();
                      },
                  .abandon =
                      [this] {
                        show();
                        loader_.abandon();
                      },
                  .counts = [this] { return loader_.counts(); },
                  .settled =
                      [](const load::Counts& counts) {
                        return counts.stored + counts.duplicates + counts.missing +
                               counts.self_loops + counts.unknown_users;
                      },
                  .skipped = [](const load::Counts& counts) { return skipped(counts); }});
  }

 private:
  static input::EventFormat format_of(const EventOptions& options) {
    if (const auto format = input::event_format_named(options.format)) return *format;
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("--format takes auto, activity or interactions, not \"{}\".",
                            printable(options.format)));
  }

  void read_all() {
    session_.each_member([this](const input::Source& source, input::TextBuffer& buffer) {
      input::read_events(buffer, source.name(), format_, session_.bad(),
                         [this](std::span<const load::SourceEvent> events) { return add(events); });
      show();
    });
  }

  std::optional<std::string> add(std::span<const load::SourceEvent> events) {
    auto problem = loader_.add(events);
    if (problem) return problem;
    for (const load::SourceEvent& event : events) unshown_ += event.count;
    if (unshown_ >= kShowEvery) show();
    return std::nullopt;
  }
  void show() { session_.read(std::exchange(unshown_, 0)); }

  static std::vector<std::pair<std::string, std::uint64_t>> skipped(const load::Counts& counts) {
    std::vector<std::pair<std::string, std::uint64_t>> why{{"duplicates", counts.duplicates},
                                                           {"selfLoops", counts.self_loops},
                                                           {"unknownUsers", counts.unknown_users}};
    if (counts.missing > 0) why.emplace_back("gone", counts.missing);
    return why;
  }

  input::EventFormat format_;
  LoadSession session_;
  load::EventLoader loader_;
  std::uint64_t unshown_ = 0;
};

Status run_events(Context& context, const EventOptions& options) {
  EventLoad(context, options).run();
  return Status::kDone;
}

}  // namespace

void add_load_events(App& app) {
  auto [verb, options] = app.verb<EventOptions>(
      load_noun(app),
      {"events",
       "Load likes, reposts, replies and mentions between users who are there: a row an event "
       "(activity), or rows of counts (interactions); packed or not.",
       "chirp load events higgs-activity_time.txt.gz\n"
       "chirp load events favorite_list.csv.gz retweet_list.csv.gz reply_list.csv.gz\n"
       "printf '1 2 1341100972 RT\\n' | chirp load events -"},
      run_events);
  verb.add_option("FILE", options.files, "What to load; - is standard input")->required();
  verb.add_option("--format", options.format, "Of the files; auto unless told")
      ->option_text("auto|activity|interactions");
  add_encoding(verb, options.encoding);
  add_text(verb, "--max-errors", options.max_errors, "N", "Pass over up to N bad lines");
}

}  // namespace chirp::cli
