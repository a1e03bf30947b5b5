#include "cli/load/archive/owner.h"

#include <array>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/load/names.h"
#include "core/load/people.h"
#include "core/load/post_check.h"
#include "core/model/account_address.h"
#include "core/model/names.h"
#include "core/ports/reads.h"

namespace chirp::cli::archive {
namespace {

std::string_view without_at(std::string_view name) {
  return name.starts_with('@') ? name.substr(1) : name;
}

// The id, as written in the archive or in the usual spelling, and the user who has it.
struct KnownUser {
  SourceKey id;
  std::optional<UserNumber> number;
};
KnownUser known_as(Engine& engine, const SourceKey& id) {
  const std::array keys{id, id.is_word() ? SourceKey(account_address(id.word)) : id};
  const auto snapshot = engine.storage().snapshot();
  const auto numbers = reads::numbers_of(*snapshot, std::span<const SourceKey>(keys));
  return numbers[0] ? KnownUser{keys[0], numbers[0]} : KnownUser{keys[1], numbers[1]};
}

// Whether a user has this name, suspended or not.
bool is_somebody(Engine& engine, const std::string& name) {
  try {
    (void)engine.accounts().resolve_kept(name);
    return true;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kNotFound) throw;
    return false;
  }
}

std::string who_is_unknown(const std::string& archive, const std::string& username) {
  if (username.empty()) return fmt::format("{} doesn't say whose it is.", archive);
  return fmt::format("{} says the name {} and no id, and whoever has that name may be another.",
                     archive, printable(username));
}

}  // namespace

Owner::Owner(Profile profile, std::string as, const std::string& archive)
    : profile_(std::move(profile)), as_(std::move(as)) {
  if (!as_.empty() || profile_.id) return;
  throw Error(ErrorCode::kBadInput,
              who_is_unknown(archive, profile_.username) + " Say whose it is with --as NAME.");
}

std::optional<User> Owner::there(Engine& engine) const {
  try {
    return engine.accounts().resolve(as_);
  } catch (const Error& error) {
    const bool could_be_new = error.code() == ErrorCode::kNotFound &&
                              is_username(without_at(as_)) && !is_somebody(engine, as_);
    if (!could_be_new) throw;
    return std::nullopt;
  }
}

std::optional<SourceKey> Owner::new_id(Engine& engine) const {
  if (!profile_.id) return std::nullopt;
  const KnownUser known = known_as(engine, *profile_.id);
  return !as_.empty() && known.number ? std::nullopt : std::optional(known.id);
}

User Owner::bring(Engine& engine, load::Counts& counts) const {
  if (!as_.empty()) {
    if (const auto user = there(engine)) return *user;
  }
  LoadedUser wanted = load::loaded_user({.id = {},
                                         .username = profile_.username,
                                         .display_name = profile_.display_name,
                                         .bio = profile_.bio});
  wanted.source = new_id(engine);
  if (!as_.empty()) wanted.username = without_at(as_);
  if (profile_.created_at && !load::time_problem(*profile_.created_at, engine.clock().now())) {
    wanted.created_at = profile_.created_at;
  }
  const LoadedUserResult result =
      load::bring_account(engine.storage(), engine.directory(), engine.clock(), wanted);
  counts.users_added += result.change == LoadedUserChange::kAdded ? 1 : 0;
  counts.users_renamed += result.change == LoadedUserChange::kRenamed ? 1 : 0;
  counts.names_changed += result.change != LoadedUserChange::kThere && result.cut ? 1 : 0;
  return result.user;
}

}  // namespace chirp::cli::archive
