#include "cli/directory/drop_damaged.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/isolated.h"
#include "cli/process.h"
#include "core/error.h"
#include "store/build_folder.h"
#include "store/data_directory.h"
#include "store/files.h"
#include "store/own_files.h"

namespace chirp::cli {
namespace {

namespace fs = std::filesystem;
using store::DamagedRecord;

// The users' words for the records of a table.
struct RecordWords {
  std::string_view table;
  std::string_view one;
  std::string_view many;
};
constexpr std::array kNames{
    RecordWords{"posts", "post", "posts"},
    RecordWords{"comments", "comment", "comments"},
    RecordWords{"reactions", "reaction", "reactions"},
    RecordWords{"relations", "block, mute or hidden repost", "blocks, mutes and hidden reposts"},
    RecordWords{"readers", "read position", "read positions"},
    RecordWords{"keys", "idempotency key", "idempotency keys"},
    RecordWords{"following", "part of a list of follows", "parts of lists of follows"}};

const fs::path& folder_of(const Context& context) {
  const store::DataPlace& data = context.globals().data;
  if (!data.is_database()) return data.folder();
  throw Error(ErrorCode::kInvalidArgument,
              "--drop-damaged needs a directory, but --data names a database. Restore the database "
              "as PostgreSQL's documentation says.",
              "drop-damaged");
}

constexpr const char* kDropEnds =
    "\nchirp: Dropping damaged records was interrupted. The copy has the records that were "
    "dropped; run it again.\n";

// Runs `work` in a process of its own, because damaged files may end it. `work` changes nothing if
// it throws Error{kCorrupt}.
void run_on_damaged(const fs::path& path, const std::function<void(const Send&)>& work,
                    const std::function<void(const std::string&)>& receive) {
  const OrderlyEnd end(kDropEnds);
  std::string why = "reading them ended early.";
  try {
    const Ended ended = run_isolated(work, receive);
    if (ended.complete) return;
    check_not_killed(ended);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kCorrupt) throw;
    why = without_advice(error.what());
  }
  throw Error(ErrorCode::kCorrupt,
              fmt::format("The files of {} are too damaged to drop single records. Nothing was "
                          "changed: {} Restore a backup with `chirp restore`.",
                          path.string(), why));
}

std::vector<DamagedRecord> lost_records(const fs::path& path) {
  std::vector<DamagedRecord> lost;
  run_on_damaged(
      path,
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
  return lost;
}

Loss loss_of(const std::vector<DamagedRecord>& lost) {
  std::map<std::string_view, std::uint64_t> counts;
  for (const DamagedRecord& record : lost) ++counts[record.table];
  Loss loss{.verb = "drop", .what = "damaged records", .counts = {}};
  for (const RecordWords& name : kNames) {
    if (counts.contains(name.table)) {
      loss.counts.push_back({name.table, name.one, name.many, counts[name.table]});
    }
  }
  return loss;
}

void list(Context& context, const std::vector<DamagedRecord>& lost) {
  for (const DamagedRecord& record : lost) {
    context.out().note(
        fmt::format("Record {} of table {} can't be read or rebuilt.", record.key, record.table));
  }
}

// The copy is put next to the directory, because everything inside is chirp's own.
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

std::string without_advice(std::string what) {
  for (const std::string_view advice :
       {" Run chirp doctor", " Run `chirp doctor`", " Restore a backup", "; restore a backup"}) {
    if (const std::size_t at = what.find(advice); at != std::string::npos) what.resize(at);
  }
  if (!what.ends_with('.')) what += '.';
  return what;
}

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
  run_on_damaged(
      path,
      [&](const Send& /*send*/) {
        (void)store::drop_damaged(path, now, [&](const std::vector<DamagedRecord>& records) {
          write_copy(copy, records);
        });
      },
      [](const std::string& /*line*/) {});
  context.out().note(fmt::format("Dropped {}. A copy is in {}.",
                                 counted(lost.size(), "damaged record", "damaged records"),
                                 safe(copy.string())));
  return std::nullopt;
}

std::optional<std::string> page_damage(const Context& context) {
  const store::DataPlace& data = context.globals().data;
  if (data.is_database()) return std::nullopt;
  try {
    return store::page_damage(data.folder());
  } catch (const Error& error) {
    // A copy of the store can be examined where its lock file can't be locked.
    if (error.code() != ErrorCode::kReadOnly) throw;
    return std::nullopt;
  }
}

std::optional<Fates> damaged_fates(const Context& context) {
  const store::DataPlace& data = context.globals().data;
  if (data.is_database()) return std::nullopt;
  Fates fates;
  const auto send_fates = [&](const Send& send) {
    for (const DamagedRecord& record : store::damaged_records(data.folder())) {
      send(
          fmt::format("{}{} of table {}", static_cast<int>(record.fate), record.key, record.table));
    }
  };
  const auto receive = [&](const std::string& line) {
    fates.emplace(line.substr(1), static_cast<DamagedRecord::Fate>(line.front() - '0'));
  };
  try {
    if (run_isolated(send_fates, receive).complete) return fates;
  } catch (const Error&) {
    // Dropping would fail the same way.
  }
  return std::nullopt;
}

std::optional<DamagedRecord::Fate> fate_in(const Fates& fates, std::string_view message) {
  constexpr std::string_view kBefore = "The record ";
  const std::size_t from = message.find(kBefore);
  const std::size_t to = message.find(" is damaged");
  if (from == std::string_view::npos || to == std::string_view::npos || to < from) {
    return std::nullopt;
  }
  const std::string_view named = message.substr(from + kBefore.size(), to - from - kBefore.size());
  // Some messages know the table only. All its records have the same fate, except follows.
  const auto found = std::ranges::find_if(fates, [&](const auto& fate) {
    return fate.first == named || (named.starts_with(' ') && fate.first.ends_with(named));
  });
  return found == fates.end() ? std::nullopt : std::optional(found->second);
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
