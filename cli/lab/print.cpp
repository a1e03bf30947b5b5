#include "cli/lab/print.h"

#include <cstdint>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/progress.h"
#include "cli/table.h"
#include "server/json/json_writer.h"

namespace chirp::cli::lab {
namespace {

constexpr double kNear = 1.1;  // two plays of the same day may easily differ by this

std::string bytes_text(double bytes) { return short_bytes(static_cast<std::uint64_t>(bytes)); }

std::string clock_text(Time time) { return iso8601(time).substr(0, 19) + "Z"; }

std::string compared(const Findings& findings) {
  if (findings.pages_different == 0 && findings.pages_wrong == 0) {
    return fmt::format(
        "All {} pages that were compared at the end are the same under all policies, and match the "
        "definition of a feed.",
        grouped(findings.pages_compared));
  }
  return fmt::format(
      "Of {} pages that were compared at the end, {} differ from those of the first run and {} do "
      "not match the definition of a feed.",
      findings.pages_compared, findings.pages_different, findings.pages_wrong);
}

std::string called(const Figures& run) { return run.name + (run.hot ? " with a hot set" : ""); }

std::string cheapest_text(const Findings& findings) {
  const Figures& best = findings.runs[findings.cheapest];
  std::string text = fmt::format("Cheapest: {}, with {:.3g} s of processor time a day.",
                                 called(best), best.seconds());
  std::vector<std::string> near;
  const Figures* cold = nullptr;
  for (const Figures& run : findings.runs) {
    if (&run != &best && run.seconds() <= kNear * best.seconds()) near.push_back(called(run));
    if (!run.hot && (cold == nullptr || run.seconds() < cold->seconds())) cold = &run;
  }
  if (!near.empty()) {
    text += fmt::format(" Within a tenth of that, so another run may choose them: {}.",
                        fmt::join(near, ", "));
  }
  if (best.hot && cold != nullptr) {
    text += fmt::format(" Without a hot set: {}, with {:.3g} s.", cold->name, cold->seconds());
  }
  return text;
}

std::string turning_text(const BreakEven& turn) {
  if (!turn.turns_at) {
    return "The point where pushing begins to pay is not known: without a hot set, pushed posts "
           "cost no more here, or pulled reads cost no more.";
  }
  const bool pushes = turn.reads_a_post >= *turn.turns_at;
  return fmt::format(
      "Without a hot set, pushing to everybody begins to pay at {:.3g} reads per post; this day "
      "has {:.3g}, so {} everybody is cheaper than {}.",
      *turn.turns_at, turn.reads_a_post, pushes ? "pushing to" : "pulling from",
      pushes ? "pulling" : "pushing");
}

std::string rule_text(const BreakEven& turn) {
  const auto measured = turn.by_follower();
  const auto rule = turn.rule_by_follower();
  if (!measured || !rule) {
    return fmt::format(
        "These runs do not show what a delivery and a source cost; the cost rule uses {:.0f} and "
        "{:.0f} ns.",
        turn.rule_delivery_ns, turn.rule_source_ns);
  }
  return fmt::format(
      "For one author, a delivery adds {:.0f} ns of processor time and a source {:.0f} ns, so "
      "pushing pays from {:.3g} reads per follower and post. The cost rule, which measures both by "
      "the clock, uses {:.0f} and {:.0f} ns, so {:.3g}, which is {:.2g} times as much.",
      *turn.delivery_ns, *turn.source_ns, *measured, turn.rule_delivery_ns, turn.rule_source_ns,
      *rule, *rule / *measured);
}

// ---- JSON

void optional_field(api::JsonWriter& json, const char* name, const std::optional<double>& value) {
  if (value) {
    json.field(name, *value);
  } else {
    json.key(name).null();
  }
}

void write_case_fields(api::JsonWriter& json, const Figures& figures) {
  json.field("policy", feed::name(figures.what.policy));
  if (figures.what.threshold) json.field("threshold", *figures.what.threshold);
  json.field("hotSet", figures.hot);
}

void write_run(api::JsonWriter& json, const Figures& figures) {
  json.begin_object();
  write_case_fields(json, figures);
  json.field("deliveries", figures.deliveries).field("timelineBytes", figures.timeline_bytes);
  json.field("bytesWritten", figures.bytes_written);
  optional_field(json, "diskBytesWritten", figures.disk_bytes);
  json.field("writeAmplification", figures.amplification);
  json.field("sourcesARead", figures.sources).field("entriesARead", figures.examined);
  json.field("fromMemory", figures.from_memory);
  json.field("p50Micros", figures.p50_micros).field("p99Micros", figures.p99_micros);
  json.field("postSeconds", figures.post_seconds).field("readSeconds", figures.read_seconds);
  json.field("processorSeconds", figures.seconds()).end_object();
}

void write_turn(api::JsonWriter& json, const Findings& findings) {
  json.key("breakEven");
  if (!findings.turn) {
    json.null();
    return;
  }
  const BreakEven& turn = *findings.turn;
  json.begin_object().field("readsAPost", turn.reads_a_post);
  optional_field(json, "turnsAtReadsAPost", turn.turns_at);
  optional_field(json, "deliveryNanos", turn.delivery_ns);
  optional_field(json, "sourceNanos", turn.source_ns);
  optional_field(json, "readsByFollower", turn.by_follower());
  json.field("ruleDeliveryNanos", turn.rule_delivery_ns);
  json.field("ruleSourceNanos", turn.rule_source_ns);
  optional_field(json, "ruleReadsByFollower", turn.rule_by_follower());
  json.end_object();
}

void write_script_fields(api::JsonWriter& json, const Script& script) {
  json.field("from", script.day.from).field("to", script.day.to);
  json.field("postsOfDay", script.day.posts_of_day);
  json.field("postsPlayed", std::uint64_t{script.day.posts.size()});
  json.field("readsOfDay", script.reads_of_day);
  json.field("readsPlayed", std::uint64_t{script.reads.size()});
  json.field("users", script.users).field("readers", script.readers);
  json.field("withoutAuthor", script.without_author).field("withoutFiles", script.with_files);
}

}  // namespace

std::vector<std::string> statements(const Script& script, const Findings& findings) {
  std::vector<std::string> all;
  all.push_back(fmt::format("Played from {} to {}: {} of the day's {}, and {} of {} of the {}.",
                            clock_text(script.day.from), clock_text(script.day.to),
                            grouped(script.day.posts.size()),
                            counted(script.day.posts_of_day, "post", "posts"),
                            counted(script.reads.size(), "read", "reads"), grouped(script.readers),
                            counted(script.users, "user", "users")));
  if (findings.share.posts != 1 || findings.share.reads != 1) {
    all.push_back(
        fmt::format("Not the whole day was played: deliveries, bytes and seconds are scaled "
                    "to it, by {:.4g} where they come from posts and by {:.4g} where they come "
                    "from reads.",
                    findings.share.posts, findings.share.reads));
  }
  if (script.without_author != 0) {
    all.push_back(fmt::format("Left out: {} by users who can't post.",
                              counted(script.without_author, "post", "posts")));
  }
  if (findings.refused != 0) {
    all.push_back(
        fmt::format("Refused when they were replayed: {}, such as reposts of removed posts, "
                    "repeated reposts, and posts with files only.",
                    counted(findings.refused, "post", "posts")));
  }
  if (script.with_files != 0) {
    all.push_back(fmt::format("Replayed without their files: {}.",
                              counted(script.with_files, "post", "posts")));
  }
  all.emplace_back(
      "Measured: deliveries, bytes, sources, entries, microseconds and processor time, of this "
      "machine. Made up: who reads and when (docs/lab.md). Timelines are as many bytes as they "
      "took "
      "at the end.");
  return all;
}

std::vector<std::string> conclusions(const Findings& findings) {
  std::vector<std::string> all;
  const Figures& sparing = findings.runs[findings.fewest_bytes];
  all.push_back(cheapest_text(findings));
  all.push_back(fmt::format("Least is written by {}: {} a day.", called(sparing),
                            bytes_text(sparing.bytes_written)));
  if (findings.turn) {
    all.push_back(turning_text(*findings.turn));
    all.push_back(rule_text(*findings.turn));
  }
  all.push_back(compared(findings));
  return all;
}

std::vector<std::string> titles() {
  return {"POLICY",  "HOT SET", "DELIVERIES", "TIMELINES", "WRITTEN", "AMPLIFIED",
          "SOURCES", "ENTRIES", "P50 US",     "P99 US",    "CPU S"};
}

std::vector<std::string> cells(const Figures& run) {
  return {run.name,
          run.hot ? "on" : "off",
          short_number(run.deliveries),
          bytes_text(run.timeline_bytes),
          bytes_text(run.bytes_written),
          fmt::format("{:.0f}", run.amplification),
          fmt::format("{:.1f}", run.sources),
          fmt::format("{:.1f}", run.examined),
          fmt::format("{:.1f}", run.p50_micros),
          fmt::format("{:.1f}", run.p99_micros),
          fmt::format("{:.3g}", run.seconds())};
}

void print_text(Output& out, const Script& script, const Findings& findings) {
  for (const std::string& statement : statements(script, findings)) out.print(statement + "\n");
  std::vector<TextColumn> columns;
  for (std::string& title : titles()) {
    const bool words = columns.size() < 2;
    columns.push_back({std::move(title), words ? Align::kLeft : Align::kRight});
  }
  TextTable table(std::move(columns));
  for (const Figures& run : findings.runs) table.row(cells(run));
  table.print(out);
  for (const std::string& sentence : conclusions(findings)) out.print(sentence + "\n");
}

void print_csv(Output& out, const Findings& findings) {
  out.print(csv_row(std::vector<std::string>{
      "policy", "threshold", "hotSet", "deliveries", "timelineBytes", "bytesWritten",
      "writeAmplification", "sourcesARead", "entriesARead", "fromMemory", "p50Micros", "p99Micros",
      "postSeconds", "readSeconds", "processorSeconds"}));
  for (const Figures& run : findings.runs) {
    const auto& threshold = run.what.threshold;
    std::vector<std::string> row{std::string(feed::name(run.what.policy)),
                                 threshold ? std::to_string(*threshold) : "",
                                 run.hot ? "true" : "false"};
    for (const double value :
         {run.deliveries, run.timeline_bytes, run.bytes_written, run.amplification, run.sources,
          run.examined, run.from_memory, run.p50_micros, run.p99_micros, run.post_seconds,
          run.read_seconds, run.seconds()}) {
      row.push_back(fmt::format("{}", value));
    }
    out.print(csv_row(row));
  }
}

void print_json(Output& out, const Script& script, const Findings& findings) {
  api::JsonWriter json;
  json.begin_object();
  write_script_fields(json, script);
  json.field("refused", findings.refused);
  json.field("postsScale", findings.share.posts).field("readsScale", findings.share.reads);
  json.key("runs").begin_array();
  for (const Figures& run : findings.runs) write_run(json, run);
  json.end_array();
  const Figures& best = findings.runs[findings.cheapest];
  json.key("cheapest").begin_object();
  write_case_fields(json, best);
  json.end_object();
  write_turn(json, findings);
  json.field("pagesCompared", findings.pages_compared);
  json.field("pagesDifferent", findings.pages_different);
  json.field("pagesWrong", findings.pages_wrong).end_object();
  out.document(json);
}

}  // namespace chirp::cli::lab
