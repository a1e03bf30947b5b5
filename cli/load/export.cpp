// `chirp load export`: loads the output of `chirp export`, and keeps ids and times.
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/app.h"
#include "cli/commands.h"
#include "cli/load/bulk.h"
#include "cli/load/import.h"
#include "cli/load/session.h"
#include "cli/load/summary.h"
#include "cli/process.h"
#include "cli/progress.h"

namespace chirp::cli {
namespace {

struct LoadOptions {
  std::string path;
  std::string bulk = "auto";
  bool settings = false;
};

std::uint64_t bytes_of_rows(const std::filesystem::path& from) {
  std::uint64_t bytes = 0;
  std::error_code unreadable;
  for (const auto& entry : std::filesystem::directory_iterator(from, unreadable)) {
    if (entry.path().extension() == ".jsonl") bytes += entry.file_size(unreadable);
  }
  return bytes;
}

void run_load_export(Context& context, const LoadOptions& options) {
  const load::Bulk bulk = bulk_of(context, options.bulk);
  Engine& engine = context.writing_engine();
  const LastWords words(
      "\nchirp: Interrupted. The data directory holds a part of the export now: remove it and load "
      "into a new one.\n");
  const std::int64_t start = context.clock().steady_ns();
  const std::uint64_t total = bytes_of_rows(options.path);
  ProgressLine progress(context.out(), context.clock(), "bytes");
  ImportOptions how{.settings = options.settings ? Settings::kAll : Settings::kHarmless,
                    .bulk = bulk};
  how.watched = [&](const ImportReach& reach) {
    Reach shown{.done = reach.bytes, .total = total, .rows = reach.bytes};
    if (reach.bulk) shown.doing = words_of(reach.bulk->phase);
    progress.show(shown);
  };
  bool has_waited = false;
  how.waiting = [&](std::string_view who) {
    if (std::exchange(has_waited, true)) return;
    progress.clear();
    context.out().warn(words_of_waiting(who));
  };
  const Imported imported = import_from(engine, options.path, std::move(how));
  progress.clear();
  LoadSummary summary;
  summary.rows = "rows";
  summary.read = imported.rows;
  summary.bytes = imported.bytes;
  summary.counts.stored = imported.rows - imported.gone - imported.blocked;
  summary.skipped = skipped_of({}, {{"gone", imported.gone}, {"blocked", imported.blocked}});
  summary.seconds = static_cast<double>(context.clock().steady_ns() - start) / 1e9;
  print_summary(context.out(), summary);
  if (!imported.is_known_complete) {
    context.out().warn(
        "The export has no export.json, as those of older versions, so nothing could tell whether "
        "it is complete.");
  }
  if (!imported.settings_left.empty()) {
    context.out().warn(fmt::format(
        "These settings of the export differ and are not taken: {}. --settings takes them.",
        fmt::join(imported.settings_left, ", ")));
  }
}

}  // namespace

void add_load_export(CommandLine& app) {
  auto [verb, options] = app.verb<LoadOptions>(
      load_noun(app),
      {"export", "Load what `chirp export` wrote into an empty data directory, ids and times kept.",
       "chirp --data ./other init\nchirp --data ./other load export ./world"},
      run_load_export);
  verb.add_option("DIR", options.path, "What `chirp export` made")->required();
  verb.add_flag("--settings", options.settings, "Take http.* and auth.* settings, too");
  verb.add_option("--bulk", options.bulk,
                  "Load follows in bulk, and posts in two steps: auto where that is quicker")
      ->option_text("auto|always|never");
}

}  // namespace chirp::cli
