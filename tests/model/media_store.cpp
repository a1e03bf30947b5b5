#include "tests/model/media_store.h"

#include <algorithm>

#include "core/error.h"
#include "core/ports/user_directory.h"
#include "store/secrets.h"

namespace chirp::model {
namespace {

class MemoryFile final : public MediaFile {
 public:
  explicit MemoryFile(std::shared_ptr<const std::string> bytes) : bytes_(std::move(bytes)) {}

  void read(std::uint64_t offset, std::span<char> into) const override {
    if (offset > bytes_->size() || into.size() > bytes_->size() - offset) {
      throw Error(ErrorCode::kCorrupt, "The file is not so long.");
    }
    bytes_->copy(into.data(), into.size(), static_cast<std::size_t>(offset));
  }

 private:
  std::shared_ptr<const std::string> bytes_;
};

}  // namespace

KeptMedia ModelMediaStore::keep(UserNumber owner, const MediaFacts& facts, std::string_view bytes,
                                std::uint64_t most, Time now) {
  using Result = KeptMedia::Result;
  const auto leaving = users_.removals();
  if (!users_.find(owner) || std::find(leaving.begin(), leaving.end(), owner) != leaving.end()) {
    throw Error(ErrorCode::kNotFound, "That user is not there any more.");
  }
  const std::string hash = store::sha256(bytes);
  std::uint64_t held = 0;
  for (auto& [id, row] : rows_) {
    if (row.upload.owner != owner) continue;
    held += row.upload.bytes;
    if (row.upload.hash != hash) continue;
    row.upload.created_at = row.upload.idle_since = std::max(row.upload.idle_since, now);
    return {Result::kThereBefore, row.upload};
  }
  if (bytes.size() > most || held > most - bytes.size()) return {Result::kTooMuch, {}};
  const Upload upload{MediaId{store::random_id()}, owner, hash, facts, bytes.size(), now, now};
  rows_[upload.id] = {upload, std::make_shared<const std::string>(bytes)};
  return {Result::kNew, upload};
}

void ModelMediaStore::restore(const Upload& upload, std::string_view bytes) {
  if (!rows_.emplace(upload.id, Row{upload, std::make_shared<const std::string>(bytes)}).second) {
    throw Error(ErrorCode::kAlreadyExists, "There is an upload of that id already.");
  }
}

std::optional<Upload> ModelMediaStore::find(MediaId id) const {
  const auto found = rows_.find(id);
  if (found == rows_.end()) return std::nullopt;
  return found->second.upload;
}

std::shared_ptr<const MediaFile> ModelMediaStore::open(const Upload& upload) const {
  return std::make_shared<MemoryFile>(rows_.at(upload.id).bytes);
}

std::vector<Upload> ModelMediaStore::scan(MediaId after, std::uint32_t limit) const {
  std::vector<Upload> uploads;
  for (auto at = rows_.upper_bound(after); at != rows_.end() && uploads.size() < limit; ++at) {
    uploads.push_back(at->second.upload);
  }
  return uploads;
}

bool ModelMediaStore::touch_all(std::optional<UserNumber> owner, std::span<const MediaId> uploads,
                                Time now) {
  const auto is_theirs = [&](MediaId id) {
    const auto found = rows_.find(id);
    return found != rows_.end() && found->second.upload.owner == owner;
  };
  if (owner && !std::ranges::all_of(uploads, is_theirs)) return false;
  for (const MediaId id : uploads) {
    const auto found = rows_.find(id);
    if (found == rows_.end()) continue;
    Upload& upload = found->second.upload;
    upload.idle_since = std::max({upload.idle_since, now, Time{upload.created_at.ms + 1}});
  }
  return true;
}

std::vector<MediaId> ModelMediaStore::idle(Time before, std::uint32_t limit) const {
  std::vector<Upload> uploads;
  for (const auto& [id, row] : rows_) {
    if (row.upload.idle_since < before) uploads.push_back(row.upload);
  }
  std::stable_sort(uploads.begin(), uploads.end(),
                   [](const Upload& a, const Upload& b) { return a.idle_since < b.idle_since; });
  if (uploads.size() > limit) uploads.resize(limit);
  std::vector<MediaId> ids;
  for (const Upload& upload : uploads) ids.push_back(upload.id);
  return ids;
}

std::uint64_t ModelMediaStore::remove_idle(std::span<const MediaId> uploads, Time before) {
  std::uint64_t removed = 0;
  for (const MediaId id : uploads) {
    const auto found = rows_.find(id);
    if (found == rows_.end() || found->second.upload.idle_since >= before) continue;
    const auto owner = users_.find(found->second.upload.owner);
    if (owner && owner->picture == id) continue;
    rows_.erase(found);
    ++removed;
  }
  return removed;
}

void ModelMediaStore::remove_of(UserNumber owner) {
  std::erase_if(rows_, [&](const auto& row) { return row.second.upload.owner == owner; });
}

bool ModelMediaStore::begin_sweep(Time now, Time since) {
  return !rows_.empty() && swept_.begin(now, since);
}

}  // namespace chirp::model
