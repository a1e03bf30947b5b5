// `chirp doctor`: compares derived data with its source, and repairs it.
#include "core/doctor/doctor.h"

#include <algorithm>
#include <limits>
#include <signal.h>
#include <string.h>

#include <fmt/format.h>

#include "cli/app.h"
#include "cli/commands.h"
#include "cli/directory/drop_damaged.h"
#include "cli/isolated.h"
#include "cli/process.h"
#include "cli/progress.h"
#include "core/ports/reads.h"

namespace chirp::cli {
namespace {

struct DoctorOptions {
  bool repair = false;
  bool all_timelines = false;
  DropOptions drop;
};

enum class Repair : std::uint8_t { kNo, kYes };
enum class Repaired : std::uint8_t { kNo, kYes };

struct ProblemRow {
  std::string kind;
  std::string what;
  bool repaired = false;
  std::uint64_t count = 1;  // checks that found it
};

struct CheckedRow {
  std::string what;
  std::uint64_t count = 0;
  std::uint64_t of = 0;  // total, if only some were checked
};

struct Report {
  std::vector<CheckedRow> checked;
  std::vector<ProblemRow> problems;
  std::vector<std::string> notes;
  bool complete = true;
};

constexpr const char* kExaminationEnds =
    "\nchirp: The examination was interrupted. Nothing was changed, and part of the data was not "
    "checked; run it again.\n";
constexpr const char* kRepairEnds =
    "\nchirp: The repair was interrupted. Every step that it made is complete; run it again for "
    "the others.\n";

// ---- the child's side. Lines are `c<tab>what<tab>n<tab>of`, `p<tab>kind<tab>what<tab>0|1`,
// `n<tab>note`, and `g<tab>done<tab>total` for the progress.

std::string line_of(const doctor::Finding& finding, Repaired repaired) {
  return fmt::format("p\t{}\t{}\t{}", doctor::name(finding.kind), safe(finding.what),
                     repaired == Repaired::kYes ? 1 : 0);
}

void send_checked(const Send& send, const doctor::Checked& checked) {
  send(fmt::format("c\t{}\t{}\t{}", checked.what, checked.count, checked.of));
}

doctor::ExamineOptions examine_options(const DoctorOptions& options, const Send& send) {
  doctor::ExamineOptions examine;
  examine.checked = [&send](const doctor::Checked& checked) { send_checked(send, checked); };
  examine.walk.reached = [&send](std::uint64_t done, std::uint64_t total) {
    send(fmt::format("g\t{}\t{}", done, total));
  };
  if (options.all_timelines) examine.timelines_max = std::numeric_limits<std::uint64_t>::max();
  return examine;
}

// Notes ids that are later than the clock. This is not damage, because ids continue above the last
// one, but it may point to a wrong clock.
void mention_clock(Engine& engine, const Send& send) {
  const PostId last = engine.storage().snapshot()->state().last_id;
  const Time newest = snowflake::time_of(last.value);
  if (newest.ms <= engine.clock().now().ms + kMinuteMs) return;
  send(fmt::format("n\tThe clock ({}) is earlier than the newest post ({}). Set the clock right.",
                   iso8601(engine.clock().now()), iso8601(newest)));
}

// Notes unfinished removals. They are not damage: the process that runs one goes on, or the next
// command that writes finishes it.
void mention_removals(Engine& engine, const Send& send) {
  const auto removals = reads::unfinished_removals(*engine.storage().snapshot()).size();
  if (removals == 0) return;
  send(fmt::format("n\t{} unfinished; the next command that writes continues.",
                   removals == 1 ? std::string("The removal of a user is")
                                 : fmt::format("The removals of {} users are", removals)));
}

// A first finding counts as repaired if the second examination does not find it.
void examine_and_repair(Engine& engine, const doctor::ExamineOptions& options, const Send& send) {
  doctor::finish_half_done(engine);
  const auto before = doctor::examine(engine, options);
  if (before.empty()) return;
  const auto after = doctor::repair(engine, before, options);
  for (const doctor::Finding& finding : before) {
    const bool left = std::find(after.begin(), after.end(), finding) != after.end();
    send(line_of(finding, left ? Repaired::kNo : Repaired::kYes));
  }
  for (const doctor::Finding& finding : after) {
    if (std::find(before.begin(), before.end(), finding) == before.end()) {
      send(line_of(finding, Repaired::kNo));
    }
  }
}

void examine(Context& context, Repair repair, const DoctorOptions& options, const Send& send) {
  bool is_broken = false;
  try {
    if (const auto broken = page_damage(context)) {
      is_broken = true;
      // Writing to damaged pages would cause more damage.
      repair = Repair::kNo;
      send(fmt::format("p\tdamage\t{}\t0", safe(*broken)));
    }
    if (repair == Repair::kYes) remove_rebuilt(context);
    Engine& engine = context.engine();
    mention_clock(engine, send);
    for (const std::string& loss : context.directory().losses()) {
      send(fmt::format("p\tdurability\t{}\t0", safe(loss)));
    }
    const doctor::ExamineOptions examine = examine_options(options, send);
    if (repair == Repair::kYes) return examine_and_repair(engine, examine, send);
    for (const auto& finding : doctor::examine(engine, examine)) {
      send(line_of(finding, Repaired::kNo));
    }
    mention_removals(engine, send);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kCorrupt && !is_broken) throw;
    send(fmt::format("p\tdamage\t{}\t0", safe(error.what())));
  }
}

// ---- the parent's side

// Every check that reads a damaged record finds it. It is reported once.
void add_problem(Report& report, ProblemRow problem) {
  const auto same = std::ranges::find_if(report.problems, [&](const ProblemRow& known) {
    return known.what == problem.what && known.repaired == problem.repaired;
  });
  if (same == report.problems.end()) {
    report.problems.push_back(std::move(problem));
  } else {
    ++same->count;
  }
}

// Returns advice on what can still be done about a damaged record.
std::string advice(const std::string& what, const Fates* fates, const DoctorOptions& options) {
  const auto fate = fates == nullptr ? std::nullopt : fate_in(*fates, what);
  if (fate == store::DamagedRecord::Fate::kRebuilt && !options.repair && !options.drop.drop) {
    return " Run `chirp doctor --repair`, which rebuilds it.";
  }
  if (fate == store::DamagedRecord::Fate::kLost && !options.drop.drop) {
    return " Restore a backup from before the damage, or run `chirp doctor --drop-damaged`.";
  }
  return " Restore a backup from before the damage.";
}

// Replaces the advice of stores to run `chirp doctor`, since that is this command.
void replace_advice(Report& report, const Context& context, const DoctorOptions& options) {
  std::optional<std::optional<Fates>> fates;  // looked up for the first damaged record
  for (ProblemRow& problem : report.problems) {
    for (const std::string_view sent : {" Run chirp doctor", " Run `chirp doctor`"}) {
      const std::size_t at = problem.what.find(sent);
      if (at == std::string::npos) continue;
      const std::string rest = problem.what.substr(at + sent.size());
      problem.what.resize(at);
      if (rest.starts_with("; a")) problem.what += " A" + rest.substr(3);
      if (!rest.starts_with(", or restore a backup") || problem.repaired) continue;
      if (!fates) fates = damaged_fates(context);
      problem.what += advice(problem.what, *fates ? &**fates : nullptr, options);
    }
  }
}

void receive(Report& report, ProgressLine& progress, const std::string& line) {
  std::vector<std::string> parts(1);
  for (const char c : line) {
    if (c == '\t') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  if (parts[0] == "c" && parts.size() == 4) {
    report.checked.push_back({parts[1], std::stoull(parts[2]), std::stoull(parts[3])});
  } else if (parts[0] == "g" && parts.size() == 3) {
    const std::uint64_t done = std::stoull(parts[1]);
    progress.show({.done = done, .total = std::stoull(parts[2]), .rows = done});
  } else if (parts[0] == "p" && parts.size() == 4) {
    add_problem(report, {parts[1], parts[2], parts[3] == "1"});
  } else if (parts[0] == "n" && parts.size() == 2) {
    report.notes.push_back(parts[1]);
  }
}

void print_json(Output& out, const Report& report) {
  api::JsonWriter json;
  json.begin_object().key("checked").begin_object();
  for (const CheckedRow& checked : report.checked) json.field(checked.what, checked.count);
  json.end_object();
  if (std::ranges::any_of(report.checked, &CheckedRow::of)) {
    json.key("sampled").begin_object();
    for (const CheckedRow& checked : report.checked) {
      if (checked.of != 0) json.field(checked.what, checked.of);
    }
    json.end_object();
  }
  json.key("problems").begin_array();
  for (const ProblemRow& problem : report.problems) {
    json.begin_object();
    json.field("kind", problem.kind);
    json.field("what", problem.what);
    json.field("repaired", problem.repaired);
    json.field("count", problem.count);
    json.end_object();
  }
  json.end_array().end_object();
  out.document(json);
}

void print_report(Output& out, const Report& report) {
  if (out.json()) return print_json(out, report);
  for (const ProblemRow& problem : report.problems) {
    const std::string times =
        problem.count == 1 ? "" : fmt::format(", found {} times", problem.count);
    out.print(fmt::format(
        "{}: {} ({}{})\n", problem.kind, problem.what,
        problem.repaired ? out.ink(Ink::kGood, "repaired") : out.ink(Ink::kBad, "not repaired"),
        times));
  }
  std::string checked;
  for (const CheckedRow& one : report.checked) {
    const std::string of = one.of == 0 ? "" : fmt::format(" of {}", one.of);
    checked += fmt::format("{}{}{} {}", checked.empty() ? "" : ", ", one.count, of, one.what);
  }
  if (!checked.empty()) {
    out.print(fmt::format("Checked {}{}.\n", report.complete ? "" : "so far: ", checked));
  }
  if (report.complete && report.problems.empty()) out.print("Everything is right.\n");
}

// Explains why the examination ended early, if unreadable files are the reason.
ProblemRow early_end(const Ended& ended) {
  const std::string how =
      ended.signal == 0 ? "early"
                        : fmt::format("by signal {} ({})", ended.signal, ::strsignal(ended.signal));
  return {"damage",
          fmt::format("reading the files ended {}: {}", how,
                      ended.faulted ? "they are damaged or truncated, or the disk has failed; "
                                      "restore a backup"
                                    : "the rest was not checked; run it again"),
          false};
}

Status examine_apart(Context& context, Repair repair, const DoctorOptions& options) {
  const OrderlyEnd end(repair == Repair::kYes ? kRepairEnds : kExaminationEnds);
  Report report;
  ProgressLine progress(context.out(), context.clock(), "steps");
  const Ended ended =
      run_isolated([&](const Send& send) { examine(context, repair, options, send); },
                   [&](const std::string& line) { receive(report, progress, line); });
  progress.clear();
  report.complete = ended.complete;
  try {
    check_not_killed(ended);
  } catch (const Error&) {
    // Prints what was found so far. JSON output would look like a complete report.
    if (!context.out().json()) print_report(context.out(), report);
    context.out().flush();
    throw;
  }
  if (!ended.complete) report.problems.push_back(early_end(ended));
  replace_advice(report, context, options);
  OrderlyEnd::check();
  print_report(context.out(), report);
  for (const std::string& note : report.notes) context.out().note(note);
  if (was_interrupted()) context.out().flush();
  const bool right = std::all_of(report.problems.begin(), report.problems.end(),
                                 [](const ProblemRow& problem) { return problem.repaired; });
  return right ? Status::kDone : Status::kUnrepaired;
}

Status run_doctor(Context& context, const DoctorOptions& options) {
  const DropOptions& drop = options.drop;
  if (!drop.drop && (drop.copy || drop.consent.yes || drop.consent.dry_run)) {
    throw Error(ErrorCode::kInvalidArgument, "--copy, --yes and --dry-run need --drop-damaged.",
                "drop-damaged");
  }
  if (drop.drop) {
    if (const auto ended = drop_damaged(context, drop)) return *ended;
  }
  return examine_apart(context, options.repair || drop.drop ? Repair::kYes : Repair::kNo, options);
}

}  // namespace

void add_doctor(CommandLine& app) {
  auto [verb, options] =
      app.verb<DoctorOptions>(app.root(),
                              {"doctor",
                               "Check all derived data against its source. The exit status is 5 if "
                               "something wrong remains.",
                               "chirp doctor\nchirp doctor --repair\nchirp doctor --json\n"
                               "chirp doctor --drop-damaged --dry-run"},
                              run_doctor);
  verb.add_flag("--repair", options.repair, "Rebuild derived data that is wrong");
  verb.add_flag(
      "--all-timelines", options.all_timelines,
      "Check all timelines, even if there are more than 100,000 (default: a sample of them)");
  verb.add_flag("--drop-damaged", options.drop.drop,
                "List, copy and remove damaged records that can't be rebuilt; then repair. Use it "
                "only if there is no backup to restore");
  add_text(verb, "--copy", options.drop.copy, "FILE",
           "with --drop-damaged: where the copies go (default: beside the directory)");
  add_consent(verb, options.drop.consent,
              "with --drop-damaged: show what would be lost, and change nothing");
}

}  // namespace chirp::cli
