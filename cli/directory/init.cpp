// `chirp init`: makes a data directory.
#include <fmt/format.h>

#include "cli/app.h"
#include "cli/arguments.h"
#include "cli/commands.h"

namespace chirp::cli {
namespace {

struct InitOptions {
  std::optional<std::string> machine;
  bool citus = false;
  std::optional<std::string> buckets;
};

constexpr std::uint64_t kBucketsLeast = 16;
constexpr std::uint64_t kBucketsMost = 1024;

std::string in_words(const store::DataPlace& data, store::Created created) {
  const bool is_new = created == store::Created::kNew;
  if (!data.is_database()) {
    return is_new ? "Made a data directory" : "There is a data directory already";
  }
  return fmt::format("{} format {} in the database",
                     is_new ? "Made the tables of" : "There are already tables of",
                     store::kDatabaseFormatVersion);
}

void run_init(Context& context, const InitOptions& options) {
  std::optional<std::uint32_t> machine;
  if (options.machine) {
    machine = static_cast<std::uint32_t>(parse_number(
        "--machine", *options.machine, snowflake::kMachineMin, snowflake::kMachineMax));
  }
  store::Spread spread{options.citus, std::nullopt};
  if (options.buckets) {
    spread.buckets = static_cast<std::uint32_t>(
        parse_number("--buckets", *options.buckets, kBucketsLeast, kBucketsMost));
  }
  const store::DataPlace& data = context.globals().data;
  const store::Created created = store::make_data_directory(data, machine, spread);
  Output& out = context.out();
  if (!out.wrote_json([&](api::JsonWriter& json) {
        json.begin_object();
        json.field("data", data.text());
        json.field("formatVersion",
                   data.is_database() ? store::kDatabaseFormatVersion : store::kFormatVersion);
        json.field("created", created == store::Created::kNew);
        json.end_object();
      })) {
    out.print(fmt::format("{}: {}\n", in_words(data, created), safe(data.text())));
  }
  if (!data.is_database()) return;
  for (const std::string& loss : context.directory().losses()) out.warn(safe(loss));
  for (const std::string& remark : context.directory().remarks()) out.warn(safe(remark));
}

}  // namespace

void add_init(CommandLine& app) {
  auto [verb, options] = app.verb<InitOptions>(
      app.root(),
      {"init", "Make a data directory: a folder, or tables in an empty PostgreSQL database.",
       "chirp init\n"
       "chirp --data ./world init\n"
       "chirp --data ./other init --machine 3\n"
       "chirp --data postgresql:///chirp init\n"
       "chirp --data postgresql://home/chirp init --citus"},
      run_init);
  add_text(verb, "--machine", options.machine, "N",
           "2 to 1023 (default: 2): give directories that will be merged different numbers");
  verb.add_flag("--citus", options.citus,
                "Spread the rows over the workers that the Citus extension of the database knows");
  add_text(verb, "--buckets", options.buckets, "N",
           "with --citus: the number of parts, a power of two from 16 to 1024, which can't be "
           "changed later (default: 64)");
}

}  // namespace chirp::cli
