#include "core/social/mentions.h"

#include <algorithm>

#include "core/limits.h"
#include "core/model/entities.h"

namespace chirp::social {

std::vector<UserNumber> mentioned_in(std::string_view text, UserNumber author, Accounts& accounts) {
  std::vector<UserNumber> found;
  for (const Entity& entity : entities_in(text)) {
    if (entity.type != EntityType::kMention) continue;
    if (found.size() == limits::kMentionsMax) break;
    const auto user = accounts.find_name(entity.value);
    if (!user || user->number == author) continue;
    if (std::find(found.begin(), found.end(), user->number) != found.end()) continue;
    accounts.ensure_card(*user);
    found.push_back(user->number);
  }
  return found;
}

}  // namespace chirp::social
