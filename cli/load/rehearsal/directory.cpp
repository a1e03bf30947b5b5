#include "cli/load/rehearsal/directory.h"

#include "store/secrets.h"
#include "store/users/changes.h"

namespace chirp::cli::rehearsal {
namespace {

constexpr std::uint32_t kLookedAtOnce = 4'096;

}  // namespace

RehearsedMedia::Owned& RehearsedMedia::owned_by(UserNumber owner) {
  const auto [at, fresh] = owned_.try_emplace(owner);
  Owned& owned = at->second;
  if (!fresh || below_ == nullptr) return owned;
  for (MediaId after{0};;) {
    const auto some = below_->scan(after, kLookedAtOnce);
    for (const Upload& upload : some) {
      if (upload.owner == owner && upload.idle_since != Time{}) owned[upload.hash] = upload;
    }
    if (some.size() < kLookedAtOnce) return owned;
    after = some.back().id;
  }
}

KeptMedia RehearsedMedia::keep(UserNumber owner, const MediaFacts& facts, std::string_view bytes,
                               std::uint64_t most, Time now) {
  Owned& owned = owned_by(owner);
  std::string hash = store::sha256(bytes);
  if (const auto there = owned.find(hash); there != owned.end()) {
    return {KeptMedia::Result::kThereBefore, there->second};
  }
  std::uint64_t held = 0;
  for (const auto& [other, upload] : owned) held += upload.bytes;
  if (bytes.size() > most || held > most - bytes.size()) {
    return {KeptMedia::Result::kTooMuch, {}};
  }
  const Upload upload{MediaId{last_id_--}, owner, hash, facts, bytes.size(), now, now};
  owned.emplace(std::move(hash), upload);
  return {KeptMedia::Result::kNew, upload};
}

std::vector<LoadedUserResult> RehearsedDirectory::load(std::span<const LoadedUser> users,
                                                       Time now) {
  if (users.empty()) return {};
  users_.expect(users);
  return users::load(users_, snowflake::kMachineDefault, users, now);
}

User RehearsedDirectory::edit(UserNumber number, const UserEdit& edit) {
  return users::edit(users_, number, edit);
}

}  // namespace chirp::cli::rehearsal
