// `chirp backup`, `restore`, `compact` and `migrate`: whole copies of a data directory.
#include "cli/directory/copies.h"

#include <optional>

#include <fmt/format.h>

#include "cli/app.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/danger.h"
#include "cli/process.h"
#include "cli/progress.h"
#include "core/error.h"
#include "store/data_place.h"
#include "store/manifest.h"

namespace chirp::cli {
namespace {

constexpr const char* kCompactEnds =
    "\nchirp: Compacting was interrupted. All data is kept, but some free space may remain; run it "
    "again.\n";
constexpr const char* kMigrateEnds =
    "\nchirp: The migration was interrupted. Run `chirp migrate` again to continue it. Until then "
    "no other command can open the data.\n";

struct BackupOptions {
  std::optional<std::string> path;
  std::optional<std::string> mark;
};
struct RestoreOptions {
  std::string path;
  Consent consent;
};
struct MigrateOptions {
  Consent consent;
};

// The folder that a command works on. Throws Error{kInvalidArgument} for a database; `instead` says
// what to do there.
const std::filesystem::path& folder_of(const Context& context, std::string_view command,
                                       std::string_view instead) {
  const store::DataPlace& data = context.globals().data;
  if (!data.is_database()) return data.folder();
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("`chirp {}` needs a directory, but --data names a database. {}", command,
                          instead),
              "data");
}

Status run_mark(Context& context, const std::string& mark) {
  const auto servers = context.directory().mark(mark);
  Output& out = context.out();
  if (out.wrote_json([&](api::JsonWriter& json) {
        json.begin_object();
        json.field("mark", mark);
        json.key("servers").begin_array();
        for (const std::string& server : servers) json.string(server);
        json.end_array().end_object();
      })) {
    return Status::kDone;
  }
  out.print(fmt::format("Marked {}:\n", safe(mark)));
  for (const std::string& server : servers) out.print(fmt::format("  {}\n", safe(server)));
  out.print(fmt::format("Restore {} to it with recovery_target_name = '{}'.\n",
                        servers.size() == 1 ? "the server" : "all of these servers", safe(mark)));
  return Status::kDone;
}

Status run_backup(Context& context, const BackupOptions& options) {
  if (options.mark.has_value() == options.path.has_value()) {
    throw Error(ErrorCode::kInvalidArgument,
                "Name DEST for the copy of a directory, or --mark NAME for a database.", "DEST");
  }
  if (options.mark) return run_mark(context, *options.mark);
  (void)folder_of(context, "backup",
                  "Back up one server with `pg_dump --format=custom --file=FILE URL`. Back up "
                  "several servers with base backups, and restore them to the mark that `chirp "
                  "backup --mark NAME` sets. `chirp export DIR` writes the data as text.");
  const auto copied = context.directory().backup(directory_argument("DEST", *options.path));
  print_copied(context, "Backed up to", *options.path, copied);
  if (copied.missing == 0) return Status::kDone;
  context.out().warn(
      fmt::format("{} of uploads {} missing, so the backup does not have {}: {}{}. Run `chirp "
                  "doctor`, or take {} from an older backup.",
                  counted(copied.missing, "file", "files"), copied.missing == 1 ? "is" : "are",
                  copied.missing == 1 ? "it" : "them", safe(copied.first_missing.string()),
                  copied.missing == 1 ? "" : " is the first", copied.missing == 1 ? "it" : "them"));
  return Status::kUnrepaired;
}

// What restoring would replace, as far as it can be read: the directory may be damaged. Closes it
// again, because restoring needs exclusive access.
Loss loss_of_directory(const std::filesystem::path& data) {
  Loss loss{.verb = "replace", .what = data.string(), .counts = {}};
  try {
    const auto directory = store::DataDirectory::open(data);
    const auto rows = directory->storage().snapshot()->table_rows();
    const auto of = [&](const char* table) {
      const auto found = rows.find(table);
      return found == rows.end() ? 0 : found->second;
    };
    loss.counts = {{"users", "user", "users", directory->users().count()},
                   {"posts", "post", "posts", of("posts")},
                   {"follows", "follow", "follows", of("follows")},
                   {"comments", "comment", "comments", of("comments_by")},
                   {"reactions", "reaction", "reactions", of("reactions")}};
  } catch (const Error& error) {
    loss.what += fmt::format(" (which can't be read: {})", error.what());
  }
  return loss;
}

bool is_there(const std::filesystem::path& data) {
  std::error_code unknown;
  return std::filesystem::exists(data, unknown) && !std::filesystem::is_empty(data, unknown);
}

Status run_restore(Context& context, const RestoreOptions& options) {
  const std::filesystem::path& data =
      folder_of(context, "restore",
                "Restore a dump of one server into an empty database with `pg_restore --dbname=URL "
                "FILE`. Restore several servers from base backups to one mark. To move a backup of "
                "a directory into a database, restore it to a directory, run `chirp export DIR`, "
                "and load that with `chirp --data URL load export DIR`.");
  const std::string& backup = directory_argument("SRC", options.path);
  const auto loss = [&] {
    (void)store::read_manifest(backup);  // refuses a wrong backup before it asks the user
    return is_there(data) ? loss_of_directory(data)
                          : Loss{.verb = "make", .what = data.string(), .counts = {}};
  };
  if (is_there(data) || options.consent.dry_run) {
    if (const auto ended = ended_before(context, options.consent, loss)) return *ended;
  }
  const auto copied = store::restore_backup(backup, data);
  print_copied(context, "Restored to", data, copied);
  if (copied.left_over) {
    context.out().warn(
        fmt::format("The old data could not be removed completely: {} is left. Remove it, or "
                    "restore there once more.",
                    safe(copied.left_over->string())));
  }
  return Status::kDone;
}

void run_compact(Context& context, const NoOptions& /*options*/) {
  const std::filesystem::path& data =
      folder_of(context, "compact",
                "PostgreSQL reuses free space by itself (autovacuum). To give it back to the "
                "system, run `VACUUM FULL` in psql while no other process uses the database.");
  const OrderlyEnd end(kCompactEnds);
  ProgressLine progress(context.out(), context.clock(), "bytes");
  const auto watched = progress.watched();
  const auto copied = store::compact(data, [&](std::uint64_t done, std::uint64_t total) {
    OrderlyEnd::check();
    watched(done, total);
  });
  progress.clear();
  print_copied(context, "Compacted", data, copied);
  if (was_interrupted()) context.out().flush();
}

std::string in_words(const std::string& part) {
  if (part == "users") return "the users";
  if (part == "engine") return "the engine's store";
  return "the directory's version";
}

void print_migrated(Output& out, const std::string& path, std::uint32_t to,
                    const store::Migrated& done) {
  if (out.wrote_json([&](api::JsonWriter& json) {
        json.begin_object();
        json.field("path", path);
        json.field("from", done.from);
        json.field("to", to);
        json.key("changed").begin_array();
        for (const std::string& part : done.changed) json.string(part);
        json.end_array().end_object();
      }))
    return;
  if (done.changed.empty()) {
    out.print(fmt::format("{} has format {}. There is nothing to do.\n", safe(path), to));
    return;
  }
  std::string parts;
  for (const std::string& part : done.changed) {
    parts += (parts.empty() ? "" : ", ") + in_words(part);
  }
  out.print(
      fmt::format("Migrated {} from format {} to {}: {}\n", safe(path), done.from, to, parts));
}

Loss migration(const std::string& place, std::uint32_t from, std::uint32_t to) {
  return {.verb = "migrate",
          .what = fmt::format("{} from format {} to {}", place, from, to),
          .counts = {}};
}

Status migrate_database(Context& context, const MigrateOptions& options) {
  const store::DataPlace& place = context.globals().data;
  constexpr std::uint32_t kTo = store::kDatabaseFormatVersion;
  if (const std::uint32_t from = store::check_migration_of_database(place); from != kTo) {
    const auto change = [&] { return migration(place.text(), from, kTo); };
    if (const auto ended = ended_before(context, options.consent, change)) return *ended;
  }
  print_migrated(context.out(), place.text(), kTo, store::migrate_database(place));
  return Status::kDone;
}

Status run_migrate(Context& context, const MigrateOptions& options) {
  if (context.globals().data.is_database()) return migrate_database(context, options);
  const std::filesystem::path& data = context.globals().data.folder();
  // A directory of the current format has nothing to lose; a missing one is reported below.
  if (store::older_format(data)) {
    const auto change = [&] {
      return migration(data.string(), store::check_migration(data), store::kFormatVersion);
    };
    if (const auto ended = ended_before(context, options.consent, change)) return *ended;
  }
  const LastWords words(kMigrateEnds);
  ProgressLine progress(context.out(), context.clock(), "rows");
  const auto done = store::migrate(data, progress.watched());
  progress.clear();
  print_migrated(context.out(), data.string(), store::kFormatVersion, done);
  return Status::kDone;
}

}  // namespace

void print_copied(Context& context, std::string_view what, const std::filesystem::path& path,
                  const store::Copied& copied) {
  Output& out = context.out();
  if (!out.json()) {
    out.print(fmt::format("{} {}: {}, {}\n", what, safe(path.string()),
                          counted(copied.files, "file", "files"),
                          counted(copied.bytes, "byte", "bytes")));
    return;
  }
  api::JsonWriter json;
  json.begin_object();
  json.field("path", path.string());
  json.field("files", copied.files);
  json.field("bytes", copied.bytes);
  if (copied.missing != 0) json.field("missing", copied.missing);
  json.end_object();
  out.document(json);
}

void add_copies(CommandLine& app) {
  {
    auto [verb, options] =
        app.verb<BackupOptions>(app.root(),
                                {"backup",
                                 "Make a consistent copy of the data, even while other processes "
                                 "write; or mark a point to which a database can be restored.",
                                 "chirp backup /mnt/backups/monday\nchirp backup --mark monday"},
                                run_backup);
    verb.add_option("DEST", options.path, "A directory that does not exist yet");
    verb.add_option(
        "--mark", options.mark,
        "For a database: set a restore point of this name on all its servers, between two changes");
  }
  {
    auto [verb, options] = app.verb<RestoreOptions>(
        app.root(),
        {"restore", "Replace the data with a backup. No other process may have the data open.",
         "chirp restore /mnt/backups/monday --dry-run\n"
         "chirp restore /mnt/backups/monday --yes"},
        run_restore);
    verb.add_option("SRC", options.path, "A backup made by `chirp backup`")->required();
    add_consent(verb, options.consent);
  }
  app.verb<NoOptions>(
      app.root(),
      {"compact", "Give free space back to the system. No other process may have the data open.",
       "chirp compact"},
      run_compact);
  {
    auto [verb, options] = app.verb<MigrateOptions>(
        app.root(),
        {"migrate",
         "Convert data of an older format to this program's format. No other process may have the "
         "data open. Copy the directory first. After a crash, run the command again.",
         "chirp migrate --dry-run\n"
         "cp -a ~/.local/share/chirp ~/chirp-before-migrating\nchirp migrate"},
        run_migrate);
    add_consent(verb, options.consent, "Show the format of the data, and change nothing");
  }
}

}  // namespace chirp::cli
