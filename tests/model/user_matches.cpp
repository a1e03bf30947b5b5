#include "tests/model/user_matches.h"

#include <algorithm>
#include <string_view>

#include "core/limits.h"
#include "core/model/chosen_names.h"
#include "core/model/names.h"
#include "core/model/utf8.h"

namespace chirp::model {
namespace {

bool is_at(Place place, const std::string& part, const User& user) {
  const std::string username = search_folded(user.username);
  const std::string display_name = search_folded(user.display_name);
  switch (place) {
    case Place::kUsernames:
      return username.starts_with(part);
    case Place::kDisplayNames:
      return display_name.starts_with(part);
    case Place::kAnywhere:
      break;
  }
  return username.find(part) != std::string::npos || display_name.find(part) != std::string::npos;
}

// The words of a text; of one that is all blank, a blank.
Words words_of(const std::string& match) {
  Words words(1);
  for (std::string_view rest = match; !rest.empty();) {
    const utf8::Decoded next = utf8::decode(rest);
    if (utf8::is_blank(next.code_point)) {
      words.emplace_back();
    } else {
      words.back() += rest.substr(0, next.bytes);
    }
    rest.remove_prefix(next.bytes);
  }
  std::erase(words, "");
  if (words.empty() && !match.empty()) words.emplace_back(" ");
  return words;
}

// Whether each three characters of the part that follow each other are somewhere in the names.
bool is_candidate(const std::string& part, const User& user) {
  std::string names = search_folded(user.username);
  if (user.display_name != user.username) names += '\n' + search_folded(user.display_name);
  std::vector<std::size_t> starts;  // of the characters
  for (std::size_t at = 0; at < part.size(); ++at) {
    if ((static_cast<unsigned char>(part[at]) & 0xC0u) != 0x80u) starts.push_back(at);
  }
  starts.push_back(part.size());
  for (std::size_t i = 0; i + 3 < starts.size(); ++i) {
    const std::string three = part.substr(starts[i], starts[i + 3] - starts[i]);
    if (names.find(three) == std::string::npos) return false;
  }
  return true;
}

template <class IsOne>
bool are_few(const std::vector<User>& users, IsOne is_one) {
  return std::count_if(users.begin(), users.end(), is_one) <= limits::kMatchCandidatesMax;
}

bool are_candidates(const Words& parts, const User& user) {
  return std::all_of(parts.begin(), parts.end(),
                     [&](const std::string& part) { return is_candidate(part, user); });
}

}  // namespace

Wanted wanted_by(const UserQuery& query, const std::vector<User>& users) {
  if (!query.match) return {};
  const Words written = words_of(*query.match);
  Words words = written;
  for (std::string& word : words) word = search_folded(word);
  if (!query.quick) return {Place::kAnywhere, words};
  Words walked = words;
  std::erase_if(walked, [](const std::string& word) { return utf8::length(word) < 3; });
  const auto are_rare = [&](const Words& parts) {
    return are_few(users, [&](const User& user) { return are_candidates(parts, user); });
  };
  if (!walked.empty() && are_rare(walked)) return {Place::kAnywhere, words};
  std::string part;
  for (const std::string& word : words) part += (part.empty() ? "" : " ") + word;
  const std::size_t length = utf8::length(part);
  if (words.size() > 1 && length > 2 && are_rare({part})) return {Place::kAnywhere, {part}};
  if (written.size() == 1 && is_username(written.front())) return {Place::kUsernames, {part}};
  const auto begins = [&](const User& user) {
    return user.display_name != user.username && is_at(Place::kDisplayNames, part, user);
  };
  if (length != 2 || !are_few(users, begins)) throw match_too_common(*query.match);
  return {Place::kDisplayNames, {part}};
}

bool answers(const UserQuery& query, const Wanted& wanted, const User& user) {
  for (const std::string& word : wanted.words) {
    if (!is_at(wanted.place, word, user)) return false;
  }
  if (query.email && (!user.email || folded(*user.email) != folded(*query.email))) return false;
  if (query.since && user.created_at < *query.since) return false;
  if (query.until && user.created_at >= *query.until) return false;
  if (query.suspended && !user.suspended) return false;
  return !query.after || folded(user.username) > folded(*query.after);
}

}  // namespace chirp::model
