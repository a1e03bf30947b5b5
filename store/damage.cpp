#include "store/damage.h"

#include <algorithm>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include "core/error.h"
#include "store/build_folder.h"
#include "store/data_directory.h"
#include "store/lmdb/page_check.h"
#include "store/lmdb/unreadable.h"
#include "store/parts.h"

namespace chirp::store {
namespace {

using lmdb::UnreadableRecord;

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

DamagedRecord::Fate fate_of(UnreadableRecord::Fate fate) {
  switch (fate) {
    case UnreadableRecord::Fate::kRebuilt:
      return DamagedRecord::Fate::kRebuilt;
    case UnreadableRecord::Fate::kLost:
      return DamagedRecord::Fate::kLost;
    case UnreadableRecord::Fate::kNeeded:
      break;
  }
  return DamagedRecord::Fate::kNeeded;
}

bool is_needed(const UnreadableRecord& record) {
  return record.fate == UnreadableRecord::Fate::kNeeded;
}

std::vector<DamagedRecord> told(const std::vector<UnreadableRecord>& records) {
  std::vector<DamagedRecord> damaged;
  for (const UnreadableRecord& record : records) {
    damaged.push_back({lmdb::kTableNames[static_cast<unsigned>(record.table)], hex(record.key),
                       hex(record.value), record.why, fate_of(record.fate)});
  }
  return damaged;
}

// Opens only the engine's store, and keeps others from replacing the directory.
class OpenEngine {
 public:
  explicit OpenEngine(const std::filesystem::path& path) : layout_(plain_path(path)) {
    (void)identity_at(layout_);
    lock_ = LockFile::lock(layout_.open_lock(), LockFile::Kind::kShared);
    if (!lock_) {
      throw Error(ErrorCode::kUnavailable,
                  fmt::format("{} is being restored or compacted by another process. Try again.",
                              layout_.root.string()));
    }
    const Identity identity = identity_at(layout_);
    check_format_version(identity.format_version, layout_.root);
    env_ = lmdb::Env::open(layout_.engine(), layout_.write_lock(), lmdb::OpenMode::kOpen);
    check_engine(env_, identity, layout_);
  }
  [[nodiscard]] const std::shared_ptr<lmdb::Env>& env() const { return env_; }

  [[nodiscard]] std::optional<std::string> page_damage() const {
    const auto fault = lmdb::page_fault(env_);
    if (!fault) return std::nullopt;
    return fmt::format("{} is damaged: {}. Restore a backup with `chirp restore`.",
                       (layout_.engine() / "data.mdb").string(), *fault);
  }

  // LMDB trusts its pages, so nothing may be erased while one is damaged.
  [[nodiscard]] std::vector<UnreadableRecord> unreadable_records() const {
    if (const auto damage = page_damage()) throw Error(ErrorCode::kCorrupt, *damage);
    return lmdb::unreadable_records(env_);
  }

 private:
  Layout layout_;
  std::optional<LockFile> lock_;
  std::shared_ptr<lmdb::Env> env_;
};

}  // namespace

std::optional<std::string> page_damage(const std::filesystem::path& path) {
  return OpenEngine(path).page_damage();
}

std::vector<DamagedRecord> damaged_records(const std::filesystem::path& path) {
  const OpenEngine engine(path);
  const std::vector<UnreadableRecord> records = engine.unreadable_records();
  std::vector<UnreadableRecord> dropped = records;
  std::erase_if(dropped, is_needed);
  try {
    if (!dropped.empty()) lmdb::try_erasing(engine.env(), dropped, system_clock()->now());
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kReadOnly) throw;  // says nothing about damage
  }
  return told(records);
}

std::vector<DamagedRecord> drop_damaged(
    const std::filesystem::path& path, Time now,
    const std::function<void(const std::vector<DamagedRecord>&)>& keep) {
  const OpenEngine engine(path);
  std::vector<UnreadableRecord> records = engine.unreadable_records();
  std::erase_if(records, [&](const UnreadableRecord& record) {
    return is_needed(record) || (record.fate == UnreadableRecord::Fate::kLost && !keep);
  });
  if (records.empty()) return {};
  lmdb::try_erasing(engine.env(), records, now);
  std::vector<DamagedRecord> damaged = told(records);
  if (keep) {
    std::vector<DamagedRecord> lost = damaged;
    std::erase_if(lost, [](const DamagedRecord& record) {
      return record.fate != DamagedRecord::Fate::kLost;
    });
    if (!lost.empty()) keep(lost);
  }
  (void)lmdb::erase_records(engine.env(), records, now);
  return damaged;
}

}  // namespace chirp::store
