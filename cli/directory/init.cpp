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
  const std::filesystem::path& path = context.globals().data;
  const store::Created created = store::make_data_directory(path, machine);
  Output& out = context.out();
  if (out.json()) {
    api::JsonWriter json;
    json.begin_object();
    json.field("data", path.string());
    json.field("formatVersion", store::kFormatVersion);
    json.field("created", created == store::Created::kNew);
    json.end_object();
    out.document(json);
  } else if (created == store::Created::kNew) {
    out.print(fmt::format("Made a data directory: {}\n", safe(path.string())));
  } else {
    out.print(fmt::format("There is a data directory already: {}\n", safe(path.string())));
  }
  return Status::kDone;
}

}  // namespace

void add_init(App& app) {
  auto [verb, options] = app.verb<InitOptions>(app.root(),
                                               {"init", "Make a data directory.",
                                                "chirp init\n"
                                                "chirp --data ./world init\n"
                                                "chirp --data ./other init --machine 3"},
                                               run_init);
  add_text(verb, "--machine", options.machine, "N",
           "2 to 1023, 2 unless told: tells directories apart that are to be merged");
}

}  // namespace chirp::cli
