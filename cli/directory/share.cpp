// `chirp share`: sets who may read a data directory besides its owner.
#include "store/share.h"

#include <fmt/format.h>

#include "cli/app.h"
#include "cli/commands.h"
#include "core/error.h"
#include "store/data_place.h"

namespace chirp::cli {
namespace {

struct ShareOptions {
  std::string readers;
};

store::FileReaders readers_of(const std::string& word) {
  if (word == "everyone") return store::FileReaders::kEveryone;
  return word == "group" ? store::FileReaders::kGroup : store::FileReaders::kOwner;
}

std::string told(const std::string& path, store::FileReaders readers) {
  switch (readers) {
    case store::FileReaders::kOwner:
      return fmt::format("Only the owner can read {} now.\n", path);
    case store::FileReaders::kGroup:
      return fmt::format("Members of its group can read {} now.\n", path);
    case store::FileReaders::kEveryone:
      return fmt::format("Every user of this machine can read {} now.\n", path);
  }
  return {};
}

void run_share(Context& context, const ShareOptions& options) {
  const store::DataPlace& data = context.globals().data;
  if (data.is_database()) {
    throw Error(ErrorCode::kInvalidArgument,
                "`chirp share` needs a directory, but --data names a database. In a database, "
                "`grant select` lets another role read.",
                "data");
  }
  const store::FileReaders readers = readers_of(options.readers);
  store::share_directory(data.folder(), readers);
  Output& out = context.out();
  if (!out.wrote_json([&](api::JsonWriter& json) {
        json.begin_object().field("path", data.folder().string()).field("readers", options.readers);
        json.end_object();
      })) {
    out.print(told(safe(data.folder().string()), readers));
  }
  if (readers != store::FileReaders::kOwner) {
    out.note(
        "They can read everything that is stored: private posts, e-mail addresses and the hashes "
        "of passwords and tokens. `chirp share owner` ends the sharing.");
  }
}

}  // namespace

void add_share(CommandLine& app) {
  auto [verb, options] = app.verb<ShareOptions>(
      app.root(),
      {"share", "Let other users of this machine read a data directory. They can't block writers.",
       "chirp share group\n"
       "chirp share everyone\n"
       "chirp share owner"},
      run_share);
  verb.add_option("READERS", options.readers, "The users who may read it besides its owner")
      ->required()
      ->one_of({"owner", "group", "everyone"});
}

}  // namespace chirp::cli
