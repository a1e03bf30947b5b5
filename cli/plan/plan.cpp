// `chirp plan`: computes the size of a fleet.
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/app.h"
#include "cli/commands.h"
#include "cli/lists/list.h"
#include "cli/plan/figures.h"
#include "cli/plan/sizing.h"
#include "cli/table.h"
#include "core/error.h"

namespace chirp::cli {
namespace {

struct PlanOptions {
  plan::Inputs inputs;
  std::optional<std::string> figures;
  bool csv = false;
};

struct Input {
  const char* option;
  const char* help;
  const char* key;   // in JSON
  const char* what;  // for people
  double plan::Inputs::*value;
  double most;
  plan::Unit unit = plan::Unit::kNumber;
};
constexpr std::array kInputs{
    Input{"--daily-users", "Users per day (default: 200000000)", "dailyUsers", "users of a day",
          &plan::Inputs::daily_users, 1e10},
    Input{"--reads-per-user", "Home feeds that each user reads per day (default: 50)",
          "readsPerUser", "reads a user and day", &plan::Inputs::reads_per_user, 1e4},
    Input{"--posts-per-day", "Posts that each user writes per day (default: 2.5)", "postsPerDay",
          "posts a user and day", &plan::Inputs::posts_per_day, 1e4},
    Input{"--follows", "Accounts that each user follows (default: 200)", "follows",
          "follows a user", &plan::Inputs::follows, 1e9},
    Input{"--post-bytes", "Bytes per post (default: 304)", "postBytes", "bytes a post",
          &plan::Inputs::post_bytes, 1e9, plan::Unit::kBytes},
    Input{"--years", "Years that posts are kept (default: 5)", "years", "years kept",
          &plan::Inputs::years, 100},
    Input{"--peak", "Load of the busiest second, as a multiple of the mean (default: 2)", "peak",
          "peak, times the mean", &plan::Inputs::peak, 100},
    Input{"--disk-tb", "Terabytes per machine (default: 4)", "diskTb", "TB a machine keeps",
          &plan::Inputs::disk_tb, 1e6},
};
constexpr double kLeast = 1e-6;

struct PlanInputs {
  plan::Inputs inputs;
  std::optional<plan::MeasuredFigures> figures;
  std::vector<plan::SizingStep> steps;

  [[nodiscard]] plan::MeasuredRates measured() const {
    return figures ? figures->measured : plan::MeasuredRates{};
  }
  // The step with that key, or null.
  [[nodiscard]] const plan::SizingStep* step(std::string_view key) const {
    for (const plan::SizingStep& made : steps) {
      if (made.key == key) return &made;
    }
    return nullptr;
  }
};

// A measured kind of work, and its names in JSON and for people.
struct PlanKind {
  const char* key;
  const char* what;
  std::optional<plan::Rate> plan::MeasuredRates::*rate;
};
constexpr std::array kKinds{
    PlanKind{"reads", "reads/s measured", &plan::MeasuredRates::reads},
    PlanKind{"posts", "posts/s measured", &plan::MeasuredRates::posts},
    PlanKind{"deliveries", "deliveries/s measured", &plan::MeasuredRates::deliveries},
};

// Two decimals are enough for a percentage, and equal on all machines.
double hundredths(double percent) {
  const double rounded = std::round(percent * 100) / 100;
  return rounded == 0 ? 0 : rounded;  // avoids -0
}

// ---- for programs

void print_json(Output& out, const PlanInputs& made) {
  api::JsonWriter json;
  json.begin_object().key("inputs").begin_object();
  for (const Input& input : kInputs) json.field(input.key, made.inputs.*input.value);
  json.end_object().key("measured").begin_object();
  const plan::MeasuredRates measured = made.measured();
  for (const PlanKind& kind : kKinds) {
    const std::optional<plan::Rate>& rate = measured.*kind.rate;
    if (!rate) continue;
    json.key(kind.key).begin_object().field("name", rate->name).field("policy", rate->policy);
    json.field("threads", rate->threads).field("rate", rate->rate).end_object();
  }
  json.end_object().key("needed").begin_object();
  for (const plan::SizingStep& step : made.steps) {
    json.key(step.key).begin_object().field("exact", step.exact).field("rounded", step.rounded);
    json.field("offPercent", hundredths(step.off_percent())).end_object();
  }
  json.end_object().end_object();
  out.document(json);
}

void print_csv(Output& out, const PlanInputs& made) {
  using Cells = std::vector<std::string>;
  out.print(csv_row(Cells{"name", "from", "exact", "rounded", "offPercent"}));
  for (const plan::SizingStep& step : made.steps) {
    out.print(
        csv_row(Cells{step.key, step.from, fmt::to_string(step.exact), fmt::to_string(step.rounded),
                      fmt::to_string(hundredths(step.off_percent()))}));
  }
}

// ---- for people

std::string text_of(const plan::Rate& rate) {
  return fmt::format("{} ({}, {})", plan::exact_text(rate.rate, plan::Unit::kNumber), rate.name,
                     counted(rate.threads, "thread", "threads"));
}

void print_inputs(Output& out, const PlanInputs& made) {
  std::vector<std::pair<std::string, std::string>> facts;
  for (const Input& input : kInputs) {
    facts.emplace_back(input.what, plan::exact_text(made.inputs.*input.value, input.unit));
  }
  const plan::MeasuredRates measured = made.measured();
  for (const PlanKind& kind : kKinds) {
    const std::optional<plan::Rate>& rate = measured.*kind.rate;
    if (rate) facts.emplace_back(kind.what, text_of(*rate));
  }
  print_facts(out, facts);
}

void print_steps(Output& out, const PlanInputs& made) {
  TextTable table({{"step"},
                   {"from"},
                   {"exact", Align::kRight},
                   {"rounded", Align::kRight},
                   {"off", Align::kRight}});
  for (const plan::SizingStep& step : made.steps) {
    table.row({step.what, step.from, plan::exact_text(step.exact, step.unit),
               plan::short_text(step.rounded, step.unit), plan::percent_text(step.off_percent())});
  }
  table.print(out);
}

std::string off_of(const PlanInputs& made, std::string_view key) {
  return plan::percent_text(made.step(key)->off_percent());
}

void say_what_is_loose(Output& out, const PlanInputs& made) {
  out.note(
      fmt::format("Rounded, a day has 100,000 seconds for rates and 86,400 for bytes, which are "
                  "kept to two digits: deliveries are off by {}, bytes kept by {}.",
                  off_of(made, "deliveriesPerSecond"), off_of(made, "bytesKept")));
}

void say_of_machines(Output& out, const PlanInputs& made) {
  if (made.figures && made.step("machines") == nullptr) {
    std::vector<std::string> missing;
    const plan::MeasuredRates measured = made.measured();
    for (const PlanKind& kind : kKinds) {
      if (!(measured.*kind.rate)) missing.emplace_back(kind.key);
    }
    out.note(
        fmt::format("The figures do not include {}, so the number of machines for the load is not "
                    "known. `chirp bench http --json` measures reads and posts, `chirp bench "
                    "fanout --json` deliveries.",
                    fmt::join(missing, ", ")));
  } else if (made.step("machines") == nullptr) {
    out.note(
        "To get the number of machines for the load, measure this machine: `chirp bench http "
        "--json > figures.jsonl`, `chirp bench fanout --json >> figures.jsonl`, then `chirp plan "
        "--figures figures.jsonl`.");
  } else {
    out.note(
        "chirp runs on one machine. A larger number assumes that the work could be split evenly "
        "among machines at no cost.");
  }
  if (made.figures && made.figures->unused > 0) {
    out.note(fmt::format("{} of other figures ignored.",
                         counted(made.figures->unused, "figure", "figures")));
  }
}

void print_text(Output& out, const PlanInputs& made) {
  print_inputs(out, made);
  out.print("\n");
  print_steps(out, made);
  say_what_is_loose(out, made);
  say_of_machines(out, made);
}

// ---- the command

void check_inputs(const plan::Inputs& inputs) {
  for (const Input& input : kInputs) {
    const double value = inputs.*input.value;
    if (value >= kLeast && value <= input.most) continue;
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{} takes a number from {:f} to {}.", input.option, kLeast,
                            grouped(static_cast<std::uint64_t>(input.most))),
                input.option);
  }
}

void run_plan(Context& context, const PlanOptions& options) {
  Output& out = context.out();
  check_csv(out, options.csv);
  check_inputs(options.inputs);
  PlanInputs made{options.inputs, std::nullopt, {}};
  if (options.figures) made.figures = plan::read_figures(*options.figures);
  made.steps = plan::steps_of(made.inputs, made.measured());
  if (out.json()) {
    print_json(out, made);
  } else if (options.csv) {
    print_csv(out, made);
  } else {
    print_text(out, made);
  }
}

}  // namespace

void add_plan(CommandLine& app) {
  auto [verb, options] = app.verb<PlanOptions>(
      app.root(),
      {"plan", "Work out what a network needs: rates, bytes and machines, step by step.",
       "chirp plan\n"
       "chirp plan --daily-users 3000000 --reads-per-user 20 --posts-per-day 0.5 --follows 80\n"
       "chirp bench all --json | chirp plan --figures -\n"
       "chirp plan --csv > plan.csv"},
      run_plan);
  for (const Input& input : kInputs) {
    verb.add_option(input.option, options.inputs.*input.value, input.help)->option_text("N");
  }
  add_text(verb, "--figures", options.figures, "FILE",
           "Lines of `chirp bench --json` with the figures of a machine; - reads standard input");
  verb.add_flag("--csv", options.csv, "Print CSV, with a header of column names");
  verb.page();
}

}  // namespace chirp::cli
