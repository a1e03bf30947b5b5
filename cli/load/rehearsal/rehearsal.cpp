#include "cli/load/rehearsal/rehearsal.h"

#include <limits>

#include "core/model/names.h"
#include "core/social/card.h"
#include "store/data_directory.h"
#include "store/secrets.h"
#include "store/users/changes.h"

namespace chirp::cli::rehearsal {

LoadRehearsal::LoadRehearsal(Engine* below, const Clock& clock, std::size_t most_bytes)
    : is_bare_(below == nullptr),
      users_(below == nullptr ? nullptr : &below->storage(),
             below == nullptr ? nullptr : &below->directory(), words_),
      directory_(below == nullptr ? nullptr : &below->directory(), users_),
      storage_(below == nullptr ? nullptr : &below->storage(), users_, words_, most_bytes),
      hasher_(store::bcrypt_hasher()),
      engine_(storage_, directory_, *hasher_, clock) {
  // After a crash cards may be missing. Each writer adds these first.
  std::vector<UserNumber> due;
  for (const PendingCard& card : directory_.due_cards(std::numeric_limits<std::uint32_t>::max())) {
    due.push_back(card.user);
  }
  if (!due.empty()) social::bring_cards(storage_, directory_, clock, due);
}

User LoadRehearsal::user(const std::string& name) {
  if (!is_bare_) return engine_.accounts().resolve(name);
  const LoadedUser user{.source = std::nullopt,
                        .username = is_username(name) ? name : "somebody",
                        .display_name = std::nullopt,
                        .bio = {},
                        .created_at = std::nullopt};
  return directory_.load({&user, 1}, engine_.clock().now()).front().user;
}

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
