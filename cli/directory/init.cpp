// `chirp init`: makes a data directory.
#include <fmt/format.h>

#include "cli/app.h"
#include "cli/arguments.h"
#include "cli/commands.h"

namespace chirp::cli {
namespace {

struct InitOptions {
  std::optional<std::string> machine;
};

Status run_init(Context& context, const InitOptions& options) {
  std::optional<std::uint32_t> machine;
  if (options.machine) {
    machine = static_cast<std::uint32_t>(parse_number(
        "--machine", *options.machine, snowflake::kMachineMin, snowflake::kMachineMax));
  }
  const store::DataPlace& data = context.globals().data;
  const store::Created created = store::make_data_directory(data, machine);
  const char* const what = data.is_database() ? "database" : "data directory";
  Output& out = context.out();
  if (out.json()) {
    api::JsonWriter json;
    json.begin_object();
    json.field("data", data.text());
    json.field("formatVersion",
               data.is_database() ? store::kDatabaseFormatVersion : store::kFormatVersion);
    json.field("created", created == store::Created::kNew);
    json.end_object();
    out.document(json);
  } else if (created == store::Created::kNew) {
    out.print(fmt::format("Made a {}: {}\n", what, safe(data.text())));
  } else {
    out.print(fmt::format("There is a {} already: {}\n", what, safe(data.text())));
  }
  return Status::kDone;
}

}  // namespace

void add_init(App& app) {
  auto [verb, options] = app.verb<InitOptions>(app.root(),
                                               {"init",
                                                "Make a data directory: a folder, or the tables "
                                                "in a database of PostgreSQL that holds nothing.",
                                                "chirp init\n"
                                                "chirp --data ./world init\n"
                                                "chirp --data ./other init --machine 3\n"
                                                "chirp --data postgresql:///chirp init"},
                                               run_init);
  add_text(verb, "--machine", options.machine, "N",
           "2 to 1023, 2 unless told: tells directories apart that are to be merged");
}

}  // namespace chirp::cli
