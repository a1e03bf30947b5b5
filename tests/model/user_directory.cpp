#include "tests/model/user_directory.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/model/chosen_names.h"
#include "core/model/names.h"
#include "store/secrets.h"
#include "tests/model/user_matches.h"

namespace chirp::model {
namespace {

template <class Id>
[[noreturn]] void refuse_id(std::string_view what, const Id& id) {
  throw Error(ErrorCode::kAlreadyExists,
              fmt::format("The {} {} is taken. Nothing was changed.", what, id), "id");
}

bool is_live(UserId id) { return snowflake::machine(id.value) != snowflake::kLoadMachine; }
std::string session_id(std::string_view token) {
  return store::sha256(token).substr(0, store::kSessionIdSize);
}
std::optional<std::string> name_in(const std::optional<SourceKey>& source) {
  return source && source->is_word() ? display_name_of(source->word) : std::nullopt;
}

}  // namespace

ModelUserDirectory::ModelUserDirectory(std::uint32_t machine) : machine_(machine) {}

template <class Predicate>
std::optional<User> ModelUserDirectory::first(Predicate predicate) const {
  for (const auto& [number, row] : rows_) {
    if (predicate(row.user)) return row.user;
  }
  return std::nullopt;
}

// ---- adding

void ModelUserDirectory::check_free(const User& user) const {
  check_username(user.username);
  if (find_name(user.username)) throw username_taken(user.username);
  if (user.email && find_email(*user.email)) throw email_taken(*user.email);
  if (find(user.id)) refuse_id("id", user.id.value);
  if (user.source && first([&](const User& u) { return u.source == user.source; })) {
    refuse_id("source id", text_of(*user.source));
  }
}

User& ModelUserDirectory::insert(Row row) {
  check_free(row.user);
  row.user.number = UserNumber{++last_number_};
  row.user.has_password = row.password.has_value();
  used_ids_.insert(row.user.id);
  if (is_live(row.user.id)) last_id_ = std::max(last_id_, row.user.id.value);
  return rows_.emplace(row.user.number, std::move(row)).first->second.user;
}

User ModelUserDirectory::add(const NewUser& user, Time now) {
  Row row;
  row.password = user.password_hash;
  row.user.id = UserId{snowflake::next(now, last_id_, machine_)};
  row.user.username = user.username;
  row.user.email = user.email;
  row.user.display_name = user.display_name.value_or(user.username);
  row.user.bio = user.bio;
  row.user.created_at = now;
  if (find_old_name(user.username, now)) throw username_taken(user.username);
  const User& added = insert(std::move(row));
  note_due(added.number);
  return added;
}

std::vector<User> ModelUserDirectory::restore(std::span<const User> users) {
  const ModelUserDirectory before = *this;
  std::vector<User> restored;
  try {
    for (const User& user : users) restored.push_back(insert({user, std::nullopt}));
  } catch (const Error&) {
    *this = before;
    throw;
  }
  return restored;
}

// ---- loading
std::vector<LoadedUserResult> ModelUserDirectory::load(std::span<const LoadedUser> users,
                                                       Time now) {
  std::vector<LoadedUserResult> results;
  for (const LoadedUser& loaded : users) results.push_back(load_one(loaded, now));
  return results;
}

LoadedUserResult ModelUserDirectory::load_one(const LoadedUser& loaded, Time now) {
  const bool has_name = loaded.username && is_username(*loaded.username);
  check(has_name || loaded.source, "a loaded user has a source id or a username");
  if (!loaded.source) {
    auto there = find_name(*loaded.username);
    if (!there) there = find_old_name(*loaded.username, now);
    if (there) return {*there, LoadedUserChange::kThere, false};
  }
  for (auto& [number, row] : rows_) {
    if (!loaded.source || row.user.source != loaded.source) continue;
    if (has_name && row.user.name_origin == NameOrigin::kGenerated) {
      return rename(row, loaded, now);
    }
    return {row.user, LoadedUserChange::kThere, false};
  }
  const std::string wanted = has_name ? *loaded.username : generated_username(*loaded.source);
  const bool cut = !is_free(wanted, kNobody, now);
  Row row;
  row.user.id = loaded.created_at ? loaded_id(*loaded.created_at)
                                  : UserId{snowflake::next(now, last_id_, machine_)};
  row.user.username = cut ? free_name(wanted, kNobody, now) : wanted;
  const std::string called = has_name ? wanted : name_in(loaded.source).value_or(wanted);
  row.user.display_name =
      loaded.display_name.value_or(called == wanted ? row.user.username : called);
  row.user.bio = loaded.bio;
  row.user.created_at = loaded.created_at.value_or(now);
  row.user.source = loaded.source;
  row.user.name_origin = has_name ? NameOrigin::kOwn : NameOrigin::kGenerated;
  const User& added = insert(std::move(row));
  return {added, LoadedUserChange::kAdded, cut, note_due(added.number)};
}

LoadedUserResult ModelUserDirectory::rename(Row& row, const LoadedUser& loaded, Time now) {
  ++version_;
  const User before = row.user;
  const bool cut = !is_free(*loaded.username, before.number, now);
  row.user.username = cut ? free_name(*loaded.username, before.number, now) : *loaded.username;
  row.user.name_origin = NameOrigin::kOwn;
  if (before.display_name == before.username || before.display_name == name_in(before.source)) {
    row.user.display_name = loaded.display_name.value_or(row.user.username);
  }
  if (row.user.bio.empty()) row.user.bio = loaded.bio;
  const bool changed =
      row.user.username != before.username || row.user.display_name != before.display_name;
  const auto change = changed ? LoadedUserChange::kRenamed : LoadedUserChange::kThere;
  return {row.user, change, cut, note_due(row.user.number)};
}

bool ModelUserDirectory::is_free(std::string_view name, UserNumber for_whom, Time now) const {
  const auto holder = find_name(name);
  const auto former = find_old_name(name, now);
  return (!holder || holder->number == for_whom) && (!former || former->number == for_whom);
}

std::string ModelUserDirectory::free_name(const std::string& name, UserNumber for_whom,
                                          Time now) const {
  std::uint32_t n = 2;
  while (!is_free(numbered_username(name, n), for_whom, now)) ++n;
  return numbered_username(name, n);
}

UserId ModelUserDirectory::loaded_id(Time time) const {
  for (std::uint64_t ticks = snowflake::ticks_of(time); ticks <= snowflake::kMaxTicks; ++ticks) {
    const UserId low{snowflake::make(ticks, snowflake::kLoadMachine, 0)};
    const UserId high{low.value + snowflake::kSequences - 1};
    const auto above = used_ids_.upper_bound(high);
    if (above == used_ids_.begin() || *std::prev(above) < low) return low;
    if (*std::prev(above) < high) return UserId{std::prev(above)->value + 1};
  }
  throw Error(ErrorCode::kUnavailable, "The ids at the end of 2069 are used up.");
}

// ---- reading

std::optional<User> ModelUserDirectory::look_up(const SoughtUser& who) const {
  return first([&](const User& user) {
    if (const auto* number = std::get_if<UserNumber>(&who)) return user.number == *number;
    if (const auto* id = std::get_if<UserId>(&who)) return user.id == *id;
    if (const auto* named = std::get_if<NamedUser>(&who)) {
      return folded(user.username) == folded(named->username);
    }
    if (const auto* named = std::get_if<FormerlyNamedUser>(&who)) {
      return user.old_name && user.old_name->until > named->now &&
             folded(user.old_name->username) == folded(named->username);
    }
    return user.email && folded(*user.email) == folded(std::get<AddressedUser>(who).email);
  });
}

std::optional<std::string> ModelUserDirectory::password_hash(UserNumber number) const {
  const auto found = rows_.find(number);
  return found == rows_.end() ? std::nullopt : found->second.password;
}

UserMatches ModelUserDirectory::list(const UserQuery& query) const {
  std::vector<User> users;
  for (const auto& [number, row] : rows_) users.push_back(row.user);
  const Wanted wanted = wanted_by(query, users);
  UserMatches matches;
  for (const User& user : users) {
    if (answers(query, wanted, user)) matches.users.push_back(user);
  }
  std::sort(matches.users.begin(), matches.users.end(),
            [](const User& a, const User& b) { return folded(a.username) < folded(b.username); });
  matches.more = matches.users.size() > query.limit;
  if (matches.more) matches.users.resize(query.limit);
  return matches;
}

std::vector<User> ModelUserDirectory::walk(UserNumber bound, Direction direction,
                                           std::uint32_t limit) const {
  std::vector<User> users;
  if (direction == Direction::kUp) {
    for (auto at = rows_.upper_bound(bound); at != rows_.end() && users.size() < limit; ++at) {
      users.push_back(at->second.user);
    }
  } else {
    for (auto at = rows_.lower_bound(bound); at != rows_.begin() && users.size() < limit;) {
      users.push_back((--at)->second.user);
    }
  }
  return users;
}

// ---- changing

void ModelUserDirectory::put_old_name(Row& row, Time now) {
  const OldName old_name{row.user.username, Time{now.ms + limits::kOldNameMs}};
  for (auto& [other, others] : rows_) {
    const auto& theirs = others.user.old_name;
    if (theirs && folded(theirs->username) == folded(old_name.username)) {
      others.user.old_name.reset();
    }
  }
  row.user.old_name = old_name;
}

User ModelUserDirectory::edit(UserNumber number, const UserEdit& edit) {
  const auto found = rows_.find(number);
  if (found == rows_.end()) throw Error(ErrorCode::kNotFound, "That user is not there any more.");
  ++version_;
  Row& row = found->second;
  if (edit.email && !edit.email->empty()) {
    const auto holder = find_email(*edit.email);
    if (holder && holder->number != number) throw email_taken(*edit.email);
  }
  if (edit.picture && *edit.picture != MediaId{}) {
    const auto upload = media_.find(*edit.picture);
    if (!upload || upload->owner != number) {
      throw Error(ErrorCode::kNotFound, "That is no upload of theirs.", "picture");
    }
  }
  if (edit.rename) {
    check_username(edit.rename->username);
    check_rename(row.user, edit.rename->username, edit.rename->at);
    if (!is_free(edit.rename->username, number, edit.rename->at)) {
      throw username_taken(edit.rename->username);
    }
    if (folded(row.user.username) != folded(edit.rename->username)) {
      put_old_name(row, edit.rename->at);
    }
    if (row.user.display_name == row.user.username) row.user.display_name = edit.rename->username;
    row.user.username = edit.rename->username;
    row.user.name_origin = NameOrigin::kOwn;
  }
  if (edit.suspended) row.user.suspended = *edit.suspended;
  if (edit.picture) row.user.picture = *edit.picture;
  if (edit.password_hash) {
    std::erase_if(tokens_, [&](const auto& token) {
      return token.second.user == number && token.first != edit.kept_token;
    });
  }
  if (edit.email) row.user.email = edit.email->empty() ? std::nullopt : edit.email;
  if (edit.display_name) row.user.display_name = *edit.display_name;
  if (edit.bio) row.user.bio = *edit.bio;
  if (edit.password_hash) row.password = edit.password_hash;
  row.user.has_password = row.password.has_value();
  if (edit.display_name || edit.picture || edit.suspended || edit.rename) note_due(number);
  return row.user;
}

// ---- cards that are due

std::uint64_t ModelUserDirectory::note_due(UserNumber user) {
  due_[user] = ++last_due_;
  return last_due_;
}

std::vector<PendingCard> ModelUserDirectory::due_cards(std::uint32_t limit) const {
  std::vector<PendingCard> cards;
  for (const auto& [user, due] : due_) cards.push_back({due, user});
  std::ranges::sort(cards, {}, &PendingCard::due);
  if (cards.size() > limit) cards.resize(limit);
  return cards;
}

void ModelUserDirectory::settle_cards(std::span<const PendingCard> settled) {
  for (const PendingCard& card : settled) {
    std::erase_if(due_, [&](const auto& row) { return row.second == card.due; });
  }
}

bool ModelUserDirectory::replace_hash(UserNumber number, std::string_view before,
                                      std::string_view after) {
  const auto found = rows_.find(number);
  if (found == rows_.end() || found->second.password != before) return false;
  found->second.password = after;
  return true;
}

bool ModelUserDirectory::remove(UserNumber number) {
  revoke_tokens(number, {});
  media_.remove_of(number);
  leaving_.erase(number);
  due_.erase(number);
  return rows_.erase(number) != 0;
}

std::uint64_t ModelUserDirectory::count_suspended() const {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(rows_, [](const auto& row) { return row.second.user.suspended; }));
}

void ModelUserDirectory::set_leaving(UserNumber number, bool leaving) {
  ++version_;
  if (!leaving) {
    leaving_.erase(number);
  } else if (rows_.contains(number)) {
    leaving_.insert(number);
  }
}

// ---- tokens

std::string ModelUserDirectory::add_token(UserNumber user, Time now,
                                          std::optional<Time> expires_at) {
  if (!rows_.contains(user) || leaving_.contains(user)) {
    throw Error(ErrorCode::kNotFound, "That user is not there any more.");
  }
  const std::string token = store::random_token();
  tokens_[token] = {user, expires_at, now};
  if (expires_at) forget_oldest_token(user, token, now);
  return token;
}

void ModelUserDirectory::forget_oldest_token(UserNumber user, std::string_view newest, Time now) {
  const auto goes_before = [&](const Token& a, const Token& b) {
    const bool is_over = *a.expires_at <= now;
    return is_over != (*b.expires_at <= now) ? is_over : a.created_at < b.created_at;
  };
  auto oldest = tokens_.end();
  std::size_t others = 0;
  for (auto at = tokens_.begin(); at != tokens_.end(); ++at) {
    if (at->second.user != user || !at->second.expires_at || at->first == newest) continue;
    ++others;
    if (oldest == tokens_.end() || goes_before(at->second, oldest->second)) oldest = at;
  }
  if (others < limits::kSessionsMax) return;
  tokens_.erase(oldest);
  ++version_;
}

std::optional<TokenRecord> ModelUserDirectory::held_token(std::string_view token, Time now) const {
  const auto found = tokens_.find(token);
  if (found == tokens_.end() || leaving_.contains(found->second.user)) return std::nullopt;
  if (found->second.expires_at && *found->second.expires_at <= now) return std::nullopt;
  return TokenRecord{found->second.user, found->second.expires_at};
}

std::uint64_t ModelUserDirectory::revoke(const RevokedTokens& which) {
  ++version_;
  return std::erase_if(tokens_, [&](const auto& row) {
    const auto& [token, kept] = row;
    if (const auto* one = std::get_if<std::string_view>(&which)) return token == *one;
    if (const auto* all = std::get_if<AllTokens>(&which)) {
      return kept.user == all->user && token != all->kept;
    }
    const auto& session = std::get<SessionToken>(which);
    return kept.user == session.user && session_id(token) == session.session;
  });
}

std::vector<Session> ModelUserDirectory::sessions(UserNumber user, std::string_view asking,
                                                  Time now, const std::optional<Session>& after,
                                                  std::uint32_t limit) const {
  const auto before = [](const Session& a, const Session& b) {
    return a.created_at != b.created_at ? b.created_at < a.created_at : a.id < b.id;
  };
  std::vector<Session> sessions;
  for (const auto& [token, row] : tokens_) {
    if (row.user != user || (row.expires_at && *row.expires_at <= now)) continue;
    Session session{session_id(token), row.created_at, row.expires_at, token == asking};
    if (!after || before(*after, session)) sessions.push_back(std::move(session));
  }
  std::sort(sessions.begin(), sessions.end(), before);
  if (sessions.size() > limit) sessions.resize(limit);
  return sessions;
}

}  // namespace chirp::model
