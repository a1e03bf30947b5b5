#include "store/users/match.h"

#include "core/model/names.h"
#include "core/model/taken.h"
#include "core/model/utf8.h"

namespace chirp::users {
namespace {

constexpr std::size_t kGram = 3;

Walk walk_of(const UserQuery& query, MatchCounts& counts) {
  if (query.email || (!query.since && !query.until)) return Walk::kNames;
  return counts.are_few_sign_ups(query) ? Walk::kSignUps : Walk::kNames;
}

// What starts a display name stands behind a line feed in the text that is indexed.
Plan quick_plan(const std::string& match, MatchCounts& counts) {
  Plan plan{Walk::kTrigrams, Place::kAnywhere, search_folded(match)};
  const std::size_t length = utf8::length(*plan.part);
  if (length >= kGram && !counts.is_common(*plan.part)) {
    plan.walked = plan.part;
    return plan;
  }
  if (is_username(*plan.part)) {
    plan.walk = Walk::kNames;
    plan.place = Place::kUsernames;
    return plan;
  }
  if (length + 1 == kGram) plan.walked = '\n' + *plan.part;
  if (!plan.walked || counts.is_common(*plan.walked)) throw match_too_common(match);
  plan.place = Place::kDisplayNames;
  return plan;
}

}  // namespace

Plan plan_of(const UserQuery& query, MatchCounts& counts) {
  if (!query.match) return {walk_of(query, counts)};
  if (query.quick) return quick_plan(*query.match, counts);
  Plan plan{Walk::kTrigrams, Place::kAnywhere, search_folded(*query.match)};
  if (utf8::length(*plan.part) >= kGram) {
    plan.walked = plan.part;
  } else {
    plan.walk = walk_of(query, counts);
  }
  return plan;
}

std::string searched_text(const User& user) {
  std::string text = search_folded(user.username);
  if (user.display_name != user.username) text += '\n' + search_folded(user.display_name);
  return text;
}

}  // namespace chirp::users
