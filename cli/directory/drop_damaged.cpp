#include "cli/directory/drop_damaged.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/isolated.h"
#include "core/error.h"
#include "store/build_folder.h"
#include "store/damage.h"
#include "store/data_directory.h"
#include "store/files.h"
#include "store/own_files.h"

namespace chirp::cli {
namespace {

namespace fs = std::filesystem;
using store::DamagedRecord;

// What users call the records of a table.
struct Name {
  std::string_view table;
  std::string_view one;
  std::string_view many;
};
constexpr std::array kNames{
    Name{"posts", "post", "posts"},
    Name{"comments", "comment", "comments"},
    Name{"reactions", "reaction", "reactions"},
    Name{"relations", "block, mute or hidden repost", "blocks, mutes and hidden reposts"},
    Name{"readers", "read position", "read positions"},
    Name{"keys", "idempotency key", "idempotency keys"},
    Name{"following", "part of a list of follows", "parts of lists of follows"}};

const fs::path& folder_of(const Context& context) {
  const store::DataPlace& data = context.globals().data;
  if (!data.is_database()) return data.folder();
  throw Error(ErrorCode::kInvalidArgument,
              "--drop-damaged is for folders, and --data names a database. Restore it as "
              "PostgreSQL's documentation says.",
              "drop-damaged");
}

std::vector<DamagedRecord> lost_records(const fs::path& path) {
  std::vector<DamagedRecord> lost;
  const Ended ended = run_isolated(
      [&](const Send& send) {
        for (const DamagedRecord& record : store::damaged_records(path)) {
          if (record.fate == DamagedRecord::Fate::kLost) {
            send(fmt::format("{}\t{}", record.table, record.key));
          }
        }
      },
      [&](const std::string& line) {
        const std::size_t tab = line.find('\t');
        lost.push_back({line.substr(0, tab), line.substr(tab + 1), {}, {}});
      });
  if (ended.complete) return lost;
  throw Error(
      ErrorCode::kCorrupt,
      fmt::format("The files of {} are damaged beyond reading. Restore a backup with `chirp "
                  "restore`.",
                  path.string()));
}

Loss loss_of(const std::vector<DamagedRecord>& lost) {
  std::map<std::string_view, std::uint64_t> counts;
  for (const DamagedRecord& record : lost) ++counts[record.table];
  Loss loss{.verb = "drop", .what = "damaged records", .counts = {}};
  for (const Name& name : kNames) {
    if (counts.contains(name.table)) {
      loss.counts.push_back({name.table, name.one, name.many, counts[name.table]});
    }
  }
  return loss;
}

void list(Context& context, const std::vector<DamagedRecord>& lost) {
  for (const DamagedRecord& record : lost) {
    context.out().note(fmt::format("Can't be read or made again: record {} of table {}.",
                                   record.key, record.table));
  }
}

// The copy goes beside the directory, because everything inside is chirp's own.
fs::path copy_path(const fs::path& data, const DropOptions& options, Time now) {
  if (options.copy) return *options.copy;
  std::string time = iso8601(now).substr(0, 19);
  std::erase_if(time, [](char c) { return c == '-' || c == ':'; });
  return store::plain_path(data).string() + ".dropped-" + time + ".jsonl";
}

void write_copy(const fs::path& path, const std::vector<DamagedRecord>& lost) {
  std::string text;
  for (const DamagedRecord& record : lost) {
    api::JsonWriter json;
    json.begin_object().field("table", record.table).field("key", record.key);
    json.field("value", record.value).field("why", record.why).end_object();
    text += json.take() + "\n";
  }
  store::write_new_file(path, text);
  const fs::path folder = fs::absolute(path).parent_path();
  store::sync_folder(folder);
}

}  // namespace

std::optional<Status> drop_damaged(Context& context, const DropOptions& options) {
  const fs::path& path = folder_of(context);
  const auto lost = lost_records(path);
  if (lost.empty()) {
    context.out().note("No damaged record has to be dropped.");
    return options.consent.dry_run ? std::optional(Status::kDone) : std::nullopt;
  }
  list(context, lost);
  if (const auto ended = ended_before(context, options.consent, [&] { return loss_of(lost); })) {
    return ended;
  }
  const Time now = store::system_clock()->now();
  const fs::path copy = copy_path(path, options, now);
  const Ended ended = run_isolated(
      [&](const Send& /*send*/) {
        (void)store::drop_damaged(path, now, [&](const std::vector<DamagedRecord>& records) {
          write_copy(copy, records);
        });
      },
      [](const std::string& /*line*/) {});
  if (!ended.complete) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("The files of {} are damaged beyond writing. Restore a backup with "
                            "`chirp restore`.",
                            path.string()));
  }
  context.out().note(fmt::format("Dropped {}. A copy is in {}.",
                                 counted(lost.size(), "damaged record", "damaged records"),
                                 safe(copy.string())));
  return std::nullopt;
}

void remove_rebuilt(const Context& context) {
  const store::DataPlace& data = context.globals().data;
  if (data.is_database()) return;
  try {
    (void)store::drop_damaged(data.folder(), store::system_clock()->now());
  } catch (const Error& error) {
    // The repair itself reports what can't be written, and the examination reports damage.
    if (error.code() != ErrorCode::kReadOnly && error.code() != ErrorCode::kCorrupt) throw;
  }
}

}  // namespace chirp::cli
