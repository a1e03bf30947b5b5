#include "cli/load/rehearsal/rehearsal.h"

#include <limits>
#include <vector>

#include "core/model/names.h"
#include "core/social/card.h"
#include "store/data_directory.h"

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

}  // namespace chirp::cli::rehearsal
