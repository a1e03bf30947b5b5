#include "cli/load/archive/owner.h"

#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/load/account.h"
#include "core/load/names.h"
#include "core/load/times.h"
#include "core/model/names.h"
#include "core/ports/reads.h"

namespace chirp::cli::archive {
namespace {

std::string_view without_at(std::string_view name) {
  return name.starts_with('@') ? name.substr(1) : name;
}

std::optional<UserNumber> number_of(Engine& engine, const SourceKey& id) {
  const auto snapshot = engine.storage().snapshot();
  return reads::numbers_of(*snapshot, std::span<const SourceKey>(&id, 1)).front();
}

// Whether somebody is called so, suspended or not.
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
  if (as_.empty()) {
    const auto number = number_of(engine, *profile_.id);
    return number ? engine.accounts().present(*number) : std::nullopt;
  }
  try {
    return engine.accounts().resolve(as_);
  } catch (const Error& error) {
    const bool could_be_new = error.code() == ErrorCode::kNotFound &&
                              is_username(without_at(as_)) && !is_somebody(engine, as_);
    if (!could_be_new) throw;
    return std::nullopt;
  }
}

std::optional<SourceKey> Owner::new_id(Engine* engine) const {
  const bool taken =
      !as_.empty() && profile_.id && engine != nullptr && number_of(*engine, *profile_.id);
  return taken ? std::nullopt : profile_.id;
}

User Owner::bring(Engine& engine, load::Counts& counts) const {
  if (!as_.empty()) {
    if (const auto user = there(engine)) return *user;
  }
  LoadedUser wanted = load::loaded_user({.id = {},
                                         .username = profile_.username,
                                         .display_name = profile_.display_name,
                                         .bio = profile_.bio});
  wanted.source = new_id(&engine);
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
