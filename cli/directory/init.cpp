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

std::string in_words(const store::DataPlace& data, store::Created created) {
  const bool is_new = created == store::Created::kNew;
  if (!data.is_database()) {
    return is_new ? "Made a data directory" : "There is a data directory already";
  }
  return fmt::format("{} format {} in the database",
                     is_new ? "Made the tables of" : "There are already tables of",
                     store::kDatabaseFormatVersion);
}

Status run_init(Context& context, const InitOptions& options) {
  std::optional<std::uint32_t> machine;
  if (options.machine) {
    machine = static_cast<std::uint32_t>(parse_number(
        "--machine", *options.machine, snowflake::kMachineMin, snowflake::kMachineMax));
  }
  const store::DataPlace& data = context.globals().data;
  const store::Created created = store::make_data_directory(data, machine);
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
  } else {
    out.print(fmt::format("{}: {}\n", in_words(data, created), safe(data.text())));
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
