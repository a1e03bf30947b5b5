#include "store/users/match.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "core/model/chosen_names.h"
#include "core/model/names.h"
#include "core/model/utf8.h"
#include "store/users/session.h"

namespace chirp::users {
namespace {

constexpr std::size_t kGram = 3;
// The most sign-ups that are looked up by their times.
constexpr std::int64_t kFewSignUps = 5000;

bool are_few_sign_ups(const UserQuery& query, SqlSession& session) {
  const auto few = session.rows(
      "select count(*) from (select 1 from users where created_at >= $1::int8 and created_at < "
      "$2::int8 limit $3::int8) few",
      query.since ? query.since->ms : std::numeric_limits<std::int64_t>::min(),
      query.until ? query.until->ms : std::numeric_limits<std::int64_t>::max(), kFewSignUps + 1);
  return few->next() && few->integer(0) <= kFewSignUps;
}

ListWalk walk_of(const UserQuery& query, SqlSession& session) {
  if (query.email || (!query.since && !query.until)) return ListWalk::kNames;
  return are_few_sign_ups(query, session) ? ListWalk::kSignUps : ListWalk::kNames;
}

bool has_trigrams(const std::string& text) { return utf8::length(text) >= kGram; }

// Returns the words that are long enough for trigrams.
std::vector<std::string> long_ones(const std::vector<std::string>& words) {
  std::vector<std::string> found;
  std::copy_if(words.begin(), words.end(), std::back_inserter(found), has_trigrams);
  return found;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// Splits a text at white space, without changing the words. A text of only white space gives one
// blank.
std::vector<std::string> written_words(std::string_view match) {
  std::vector<std::string> words;
  bool inside = false;
  for (std::string_view rest = match; !rest.empty();) {
    const utf8::Decoded next = utf8::decode(rest);
    const bool blank = utf8::is_blank(next.code_point);
    if (!blank && !inside) words.emplace_back();
    if (!blank) words.back() += rest.substr(0, next.bytes);
    inside = !blank;
    rest.remove_prefix(next.bytes);
  }
  if (words.empty() && !match.empty()) words.emplace_back(" ");
  return words;
}

// In the indexed text, a line feed precedes the display name.
Plan quick_plan(const std::string& match, const std::vector<std::string>& written,
                const std::vector<std::string>& words, SqlSession& session) {
  const std::vector<std::string> walked = long_ones(words);
  if (!walked.empty() && !session.is_common(walked)) {
    return {ListWalk::kTrigrams, NameScope::kAnywhere, words, walked};
  }
  // Joined in their order, because single words are too short or too common.
  const std::string part = joined(words);
  if (words.size() > 1 && has_trigrams(part) && !session.is_common({part})) {
    return {ListWalk::kTrigrams, NameScope::kAnywhere, {part}, {part}};
  }
  // Usernames have no accents, so a word with an accent is part of a display name.
  if (written.size() == 1 && is_username(written.front())) {
    return {ListWalk::kNames, NameScope::kUsernames, {part}, {}};
  }
  const std::string first = '\n' + part;
  if (utf8::length(first) != kGram || session.is_common({first})) throw match_too_common(match);
  return {ListWalk::kTrigrams, NameScope::kDisplayNames, {part}, {first}};
}

}  // namespace

Plan plan_of(const UserQuery& query, SqlSession& session) {
  if (!query.match) return {walk_of(query, session), NameScope::kNowhere, {}, {}};
  const std::vector<std::string> written = written_words(*query.match);
  std::vector<std::string> words(written.size());
  std::transform(written.begin(), written.end(), words.begin(), search_folded);
  if (query.quick) return quick_plan(*query.match, written, words, session);
  if (words.empty()) return {walk_of(query, session), NameScope::kNowhere, {}, {}};
  std::vector<std::string> walked = long_ones(words);
  const ListWalk walk = walked.empty() ? walk_of(query, session) : ListWalk::kTrigrams;
  return {walk, NameScope::kAnywhere, std::move(words), std::move(walked)};
}

std::string searched_text(const User& user) {
  std::string text = search_folded(user.username);
  if (user.display_name != user.username) text += '\n' + search_folded(user.display_name);
  return text;
}

}  // namespace chirp::users
