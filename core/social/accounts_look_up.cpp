// Looks up users by name, id or address, and lists them.
#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/model/account_address.h"
#include "core/model/entities.h"
#include "core/model/names.h"
#include "core/model/utf8.h"
#include "core/ports/reads.h"
#include "core/social/accounts.h"

namespace chirp::social {
namespace {

// Prefix of source ids.
constexpr std::string_view kOfSource = "source:";

[[noreturn]] void refuse_nobody(std::string_view name) {
  throw Error(ErrorCode::kNotFound,
              fmt::format("There is no user {}. See chirp user list.", printable(name)));
}

[[noreturn]] void refuse_suspended(const User& user) {
  throw Error(
      ErrorCode::kNotFound,
      fmt::format("The account of @{0} is suspended. See chirp user unsuspend.", user.username));
}

// An id of a user, if the digits are one.
std::optional<UserId> id_in(std::string_view digits) {
  UserId id;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, id.value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return id;
}

bool is_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

void check_match(std::string_view match) {
  if (!utf8::is_valid(match)) {
    throw Error(ErrorCode::kInvalidArgument, "The part of a name to look for is not valid UTF-8.",
                "match");
  }
  if (utf8::length(match) > limits::kMatchMax) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("The part of a name to look for takes at most {} characters.",
                            limits::kMatchMax),
                "match");
  }
}

void check_query(const UserQuery& query) {
  check_page_limit(query.limit, limits::kUserPageMax, "users");
  if (query.match) check_match(*query.match);
  if (query.after && !is_username(*query.after)) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("\"{}\" is not a cursor of this list. Use the nextCursor of a page.",
                            printable(*query.after)),
                "cursor");
  }
}

// A user without a card has an interrupted sign-up, and counts as present.
bool is_seen(const std::optional<AuthorCard>& card) {
  return !card || card->presence == Presence::kPresent;
}

}  // namespace

User Accounts::resolve(std::string_view name) const {
  User user = resolve_kept(name);
  if (is_hidden(user)) refuse_suspended(user);
  return user;
}

User Accounts::resolve_kept(std::string_view name) const {
  const bool marked = name.starts_with('@');
  const std::string_view bare = marked ? name.substr(1) : name;
  std::optional<User> user;
  if (name.starts_with(kOfSource)) {  // no username has a colon
    user = find_source(name.substr(kOfSource.size()));
  } else if (is_username(bare)) {
    user = bearer_of(bare);
  } else if (!marked && !bare.empty() && is_digits(bare)) {
    const auto id = id_in(bare);
    if (id) user = directory_.find(*id);
  }
  if (!user || is_removed(stored_card(*storage_.snapshot(), user->number))) refuse_nobody(name);
  return *std::move(user);
}

std::optional<User> Accounts::find_source(std::string_view text) const {
  const auto source = source_key(text);
  if (!source) return std::nullopt;
  const auto snapshot = storage_.snapshot();
  auto number = reads::numbers_of(*snapshot, {&*source, 1}).front();
  // The given spelling goes first, because older versions stored accounts in any spelling.
  const SourceKey account(source->is_word() && !number ? account_address(source->word) : "");
  if (account.is_word()) number = reads::numbers_of(*snapshot, {&account, 1}).front();
  return number ? directory_.find(*number) : std::nullopt;
}

std::vector<User> Accounts::resolve_all(std::span<const std::string> names) const {
  std::vector<User> users;
  users.reserve(names.size());
  for (const std::string& name : names) users.push_back(resolve(name));
  return users;
}

std::optional<User> Accounts::bearer_of(std::string_view username) const {
  auto user = directory_.find_name(username);
  return user ? user : directory_.find_old_name(username, clock_.now());
}

// A suspension is written to the row first, and its end to the card last, so both are checked.
bool Accounts::is_hidden(const User& user) const {
  return user.suspended || !is_seen(stored_card(*storage_.snapshot(), user.number));
}

std::optional<User> Accounts::unless_hidden(std::optional<User> user) const {
  if (user && is_hidden(*user)) user.reset();
  return user;
}

std::optional<User> Accounts::find_name(std::string_view username) const {
  return unless_hidden(bearer_of(username));
}

std::optional<User> Accounts::present(UserNumber number) const {
  return unless_hidden(directory_.find(number));
}

std::optional<User> Accounts::find_id(UserId id) const {
  return unless_hidden(directory_.find(id));
}

std::optional<User> Accounts::find_email(std::string_view email) const {
  return unless_hidden(directory_.find_email(email));
}

std::optional<User> Accounts::find_kept(const SoughtUser& who) const {
  const auto* const named = std::get_if<NamedUser>(&who);
  auto user = named != nullptr ? bearer_of(named->username) : directory_.look_up(who);
  if (user && is_removed(stored_card(*storage_.snapshot(), user->number))) user.reset();
  return user;
}

UserView Accounts::view(const User& user) const {
  return {user, storage_.snapshot()->counters(std::array{user.number}).front()};
}

UserViewPage Accounts::list(const UserQuery& query) const {
  check_query(query);
  UserViewPage page;
  UserQuery rest = query;
  rest.limit = query.limit + 1;  // one more shows whether there are more
  for (bool more = true; more && !page.more;) {
    const UserMatches matches = directory_.list(rest);
    if (matches.users.empty()) break;
    // Skips removed and suspended users, and fills the page with later ones.
    append_shown(matches.users, query, page);
    rest.after = matches.users.back().username;
    more = matches.more;
  }
  return page;
}

void Accounts::append_shown(std::span<const User> users, const UserQuery& query,
                            UserViewPage& page) const {
  std::vector<UserNumber> numbers;
  for (const User& user : users) numbers.push_back(user.number);
  const auto snapshot = storage_.snapshot();
  const auto cards = reads::cards(*snapshot, numbers);
  const auto counters = snapshot->counters(numbers);
  for (std::size_t i = 0; i < users.size(); ++i) {
    if (is_removed(cards[i])) continue;
    if (!query.suspended && (users[i].suspended || !is_seen(cards[i]))) continue;
    if (page.users.size() == query.limit) {
      page.more = true;
      return;
    }
    page.users.push_back({users[i], counters[i]});
  }
}

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
