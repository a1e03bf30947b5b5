// `chirp config`: the settings of the data directory.
#include <fmt/format.h>

#include "cli/app.h"
#include "cli/commands.h"
#include "cli/lists/list.h"
#include "cli/table.h"
#include "core/settings.h"

namespace chirp::cli {
namespace {

struct KeyOptions {
  std::string key;
};
struct ConfigListOptions {
  bool csv = false;
};
struct SetOptions {
  std::string key;
  std::string value;
};

void write_value(api::JsonWriter& json, std::string_view key, const settings::SettingValue& value) {
  if (const auto* number = std::get_if<std::uint64_t>(&value)) {
    json.field(key, *number);
  } else {
    json.field(key, std::get<std::string>(value));
  }
}

void run_get(Context& context, const KeyOptions& options) {
  const settings::SettingValue value = settings::get(context.engine().storage(), options.key);
  Output& out = context.out();
  if (!out.wrote_json([&](api::JsonWriter& json) {
        json.begin_object();
        write_value(json, options.key, value);
        json.end_object();
      })) {
    out.print(settings::text_of(value) + "\n");
  }
}

void run_list(Context& context, const ConfigListOptions& options) {
  check_csv(context.out(), options.csv);
  const auto all = settings::all(context.engine().storage());
  Output& out = context.out();
  if (out.wrote_json([&](api::JsonWriter& json) {
        json.begin_object();
        for (const settings::Setting& setting : all) write_value(json, setting.key, setting.value);
        json.end_object();
      }))
    return;
  if (options.csv) {
    out.print(csv_row(std::vector<std::string>{"key", "value"}));
    for (const settings::Setting& setting : all) {
      out.print(csv_row(
          std::vector<std::string>{std::string(setting.key), settings::text_of(setting.value)}));
    }
    return;
  }
  std::vector<std::pair<std::string, std::string>> facts;
  for (const settings::Setting& setting : all) {
    facts.emplace_back(setting.key, settings::text_of(setting.value));
  }
  print_facts(out, facts);
}

void run_set(Context& context, const SetOptions& options) {
  Storage& storage = context.writing_engine().storage();
  settings::set(storage, options.key, options.value, context.now());
  context.out().note(fmt::format("{} is {} now.", options.key,
                                 settings::text_of(settings::get(storage, options.key))));
}

}  // namespace

void add_config(CommandLine& app) {
  Command& noun = app.noun({"config", "Read and change the settings of the data directory.",
                            "chirp config list\n"
                            "chirp config set feed.policy push"});
  {
    auto [verb, options] = app.verb<KeyOptions>(
        noun, {"get", "Print a setting.", "chirp config get feed.cap"}, run_get);
    verb.add_option("KEY", options.key, "A name from `chirp config list`")->required();
  }
  {
    auto [verb, options] = app.verb<SetOptions>(
        noun,
        {"set", "Change a setting. Every process uses the new value from its next read on.",
         "chirp config set feed.policy pull\nchirp config set log.keep 30d"},
        run_set);
    verb.add_option("KEY", options.key, "A name from `chirp config list`")->required();
    verb.add_option("VALUE", options.value, "The new value")->required();
  }
  auto [verb, options] = app.verb<ConfigListOptions>(
      noun, {"list", "Print every setting.", "chirp config list\nchirp config list --json"},
      run_list);
  verb.add_flag("--csv", options.csv, "Print CSV, with a header of column names");
  verb.page();
}

}  // namespace chirp::cli
