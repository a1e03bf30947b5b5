// Loads users: existing users stay, real names replace made-up ones, and taken names get a number.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/model/chosen_names.h"
#include "core/model/names.h"
#include "store/users/changes.h"
#include "store/users/id_mint.h"

namespace chirp::users {
namespace {

// One batch, within its transaction.
class LoadBatch {
 public:
  LoadBatch(UserTable& table, IdMint& ids, Time now)
      : table_(table), ids_(ids), now_(now), old_names_(table.has_old_names(now)) {}

  // Adds users with one statement if all are new, the usual case in a load. Returns false, without
  // a change, if one is not new, or if one has to be looked up first.
  bool take_new(std::span<const LoadedUser> users, std::vector<LoadedUserResult>& results) {
    const auto has_source = [](const LoadedUser& loaded) { return loaded.source.has_value(); };
    if (old_names_ || !std::ranges::all_of(users, has_source)) return false;
    expect_times(users);
    const UserId floor = ids_.floor();
    std::vector<User> added;
    added.reserve(users.size());
    for (const LoadedUser& loaded : users) {
      added.push_back(to_add(loaded, loaded.username && is_username(*loaded.username)));
      ids_.raise_floor(added.back().id);
    }
    if (!table_.insert_many(added)) {
      ids_.go_back(floor);
      return false;
    }
    if (!first_) first_ = added.front().number;
    for (User& user : added) {
      results.push_back({std::move(user), LoadedUserChange::kAdded, false});
    }
    return true;
  }

  LoadedUserResult take(const LoadedUser& loaded) {
    // Tries to insert first: nearly every name is free, and only an existing user has the source
    // id.
    const bool named = loaded.username && is_username(*loaded.username);
    check(named || loaded.source, "a loaded user has a source id or a username");
    if (!loaded.source) {
      if (const auto there = holder_of(*loaded.username))
        return {*there, LoadedUserChange::kThere, false};
    }
    LoadedUserResult result;
    result.user = to_add(loaded, named);
    result.change = LoadedUserChange::kAdded;
    if (insert(result.user)) return result;
    const auto there = loaded.source ? table_.sourced(*loaded.source) : std::nullopt;
    if (there) {
      return keep_or_rename(*there, loaded, named);
    }
    result.cut = true;
    const bool nameless = !loaded.display_name && result.user.display_name == result.user.username;
    result.user.username = free_name(result.user.username, kNobody);
    if (nameless) result.user.display_name = result.user.username;
    if (!insert(result.user)) {
      throw Error(ErrorCode::kCorrupt,
                  "A user has an id that was never given. Nothing was changed. Run chirp doctor.");
    }
    return result;
  }

  // Sets the due numbers of the added users' cards.
  void finish(std::span<LoadedUserResult> results) {
    if (!first_) return;
    std::vector<UserNumber> added;
    for (const LoadedUserResult& result : results) {
      if (result.user.number >= *first_) added.push_back(result.user.number);
    }
    const UserNumber last = std::ranges::max(added);
    // There is one for each number from the first to the last, in order.
    const std::uint64_t last_due = table_.note_due_cards_from(*first_);
    for (LoadedUserResult& result : results) {
      const UserNumber number = result.user.number;
      if (number >= *first_) result.due = last_due - (last.value - number.value);
    }
  }

 private:
  void expect_times(std::span<const LoadedUser> users) {
    std::vector<Time> times;
    for (const LoadedUser& loaded : users) {
      if (loaded.created_at) times.push_back(*loaded.created_at);
    }
    ids_.expect(times);
  }

  static std::string made_up_display_name(const SourceKey& source) {
    const auto name = source.is_word() ? display_name_of(source.word) : std::nullopt;
    return name.value_or(generated_username(source));
  }

  User to_add(const LoadedUser& loaded, bool named) {
    User user;
    user.id = loaded.created_at ? ids_.loaded(*loaded.created_at) : ids_.live(now_);
    user.username = named ? *loaded.username : generated_username(*loaded.source);
    user.name_origin = named ? NameOrigin::kOwn : NameOrigin::kGenerated;
    user.display_name =
        loaded.display_name.value_or(named ? user.username : made_up_display_name(*loaded.source));
    user.bio = loaded.bio;
    user.created_at = loaded.created_at.value_or(now_);
    user.source = loaded.source;
    return user;
  }

  // The user with this name, or with this as an old name that still leads to them.
  [[nodiscard]] std::optional<User> holder_of(std::string_view name) {
    auto holder = table_.look_up(NamedUser{name});
    if (!holder && old_names_) holder = table_.look_up(FormerlyNamedUser{name, now_});
    return holder;
  }

  bool insert(User& user) {
    if (old_names_ && table_.look_up(FormerlyNamedUser{user.username, now_})) return false;
    const auto number = table_.insert(user, std::nullopt);
    if (!number) return false;
    user.number = *number;
    ids_.raise_floor(user.id);
    if (!first_) first_ = number;
    return true;
  }

  LoadedUserResult keep_or_rename(const User& there, const LoadedUser& loaded, bool named) {
    LoadedUserResult result{there, LoadedUserChange::kThere, false};
    if (!named || there.name_origin == NameOrigin::kOwn) return result;
    User& user = result.user;
    result.cut = !is_free(*loaded.username, there.number);
    user.username = result.cut ? free_name(*loaded.username, there.number) : *loaded.username;
    user.name_origin = NameOrigin::kOwn;
    // Take the display name and bio along, unless the user has their own.
    const bool nameless =
        there.display_name == there.username ||
        (there.source && there.display_name == made_up_display_name(*there.source));
    if (nameless) user.display_name = loaded.display_name.value_or(user.username);
    if (user.bio.empty()) user.bio = loaded.bio;
    table_.replace(there, user);
    result.due = table_.note_due_card(user.number);
    next_of_.clear();  // the made-up name is free again
    if (user.username != there.username || user.display_name != there.display_name) {
      result.change = LoadedUserChange::kRenamed;
    }
    return result;
  }

  bool is_free(std::string_view name, UserNumber for_whom) {
    const std::optional<User> holder = holder_of(name);
    return !holder || holder->number == for_whom;
  }

  // The first free name of `name`_2, `name`_3, … Names are only taken meanwhile, so the search goes
  // on where it ended: a thousand users of one name must not cost a million look-ups.
  std::string free_name(const std::string& name, UserNumber for_whom) {
    std::uint32_t& next = next_of_.try_emplace(folded(name), 2).first->second;
    for (;; ++next) {
      std::string candidate = numbered_username(name, next);
      if (is_free(candidate, for_whom)) return candidate;
    }
  }

  UserTable& table_;
  IdMint& ids_;
  Time now_;
  bool old_names_;
  std::optional<UserNumber> first_;  // the first user added by this batch
  std::unordered_map<std::string, std::uint32_t> next_of_;
};

}  // namespace

std::vector<LoadedUserResult> load(UserTable& table, std::uint32_t machine,
                                   std::span<const LoadedUser> users, Time now) {
  std::vector<LoadedUserResult> results;
  results.reserve(users.size());
  IdMint ids(table, machine);
  LoadBatch batch(table, ids, now);
  for (auto rest = users; !rest.empty();) {
    const auto some = rest.first(std::min(table.most_at_once(), rest.size()));
    if (!batch.take_new(some, results)) {
      for (const LoadedUser& user : some) results.push_back(batch.take(user));
    }
    rest = rest.subspan(some.size());
  }
  batch.finish(results);
  ids.save();
  return results;
}

}  // namespace chirp::users
