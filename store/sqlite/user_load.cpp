// Loading users: who is there stays, made-up names give way, taken names are numbered.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "core/model/names.h"
#include "store/sqlite/due_cards.h"
#include "store/sqlite/errors.h"
#include "store/sqlite/id_mint.h"
#include "store/sqlite/search.h"
#include "store/sqlite/user_directory.h"
#include "store/sqlite/user_row.h"

namespace chirp::sqlite {
namespace {

// Room on the disk for each new user: several times what the row takes in the log and in the file,
// and what the engine's store keeps of the user, on the same disk and after the commit.
constexpr std::uint64_t kRoomBytes = 1024;

// Refuses a commit that would leave no room on the disk for the cards that belong to it.
void check_room(const std::filesystem::path& file, std::span<const LoadedUserResult> results) {
  const auto added = std::ranges::count_if(results, [](const LoadedUserResult& result) {
    return result.change == LoadedUserChange::kAdded;
  });
  std::error_code unknown;
  const std::filesystem::space_info space = std::filesystem::space(file, unknown);
  const std::uint64_t needed = static_cast<std::uint64_t>(added) * kRoomBytes;
  if (unknown || space.available >= needed) return;
  throw Error(ErrorCode::kStorageFull,
              fmt::format("{}: the disk is full but for {} bytes, and {} more users take up to {}. "
                          "Free some space and try again.",
                          file.string(), space.available, added, needed));
}

// Indexes are written in no order of theirs, so a load wants more of them in memory: 32 MiB, given
// back at the end.
class LoadCache {
 public:
  explicit LoadCache(Connection& connection)
      : connection_(connection), usual_(connection.pragma("cache_size")) {
    connection_.execute("PRAGMA cache_size=-32768");
  }
  ~LoadCache() {
    try {
      connection_.execute("PRAGMA cache_size=" + usual_);
    } catch (const Error&) {
      // It stays as large as it is, which is no harm.
    }
  }
  LoadCache(const LoadCache&) = delete;
  LoadCache& operator=(const LoadCache&) = delete;

 private:
  Connection& connection_;
  std::string usual_;
};

// One batch, inside its transaction.
class Batch {
 public:
  Batch(Connection& connection, IdMint& ids, Time now)
      : connection_(connection), ids_(ids), now_(now), old_names_(has_old_names(connection, now)) {}

  // Adds users by one statement if all of them are new, as those of a load are as a rule. False,
  // and nothing changed, if not, or if one has to be looked up first.
  bool take_new(std::span<const LoadedUser> users, std::vector<LoadedUserResult>& results) {
    const auto is_plain = [](const LoadedUser& loaded) {
      return loaded.source && !loaded.created_at;
    };
    if (old_names_ || users.size() != kLoadedAtOnce || !std::ranges::all_of(users, is_plain)) {
      return false;
    }
    const UserId floor = ids_.floor();
    std::vector<User> added;
    added.reserve(users.size());
    for (const LoadedUser& loaded : users) {
      added.push_back(to_add(loaded, loaded.username && is_username(*loaded.username)));
      ids_.raise_floor(added.back().id);
    }
    if (!insert_loaded(connection_, added)) {
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
    // The name asked for is free for nearly everybody, and only who is there has the source id, so
    // the insertion itself is the question.
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
    const auto there = loaded.source ? user_with_source(connection_, *loaded.source) : std::nullopt;
    if (there) {
      return keep_or_rename(*there, loaded, named);
    }
    result.cut = true;
    result.user.username = free_name(result.user.username, kNobody);
    if (!loaded.display_name) result.user.display_name = result.user.username;
    if (!insert(result.user)) {
      throw Error(
          ErrorCode::kCorrupt,
          connection_.file().string() + ": an id that was never given is there. Run chirp doctor.");
    }
    return result;
  }

  // Those added are found by their names from now on, and their cards are due.
  void finish(std::span<LoadedUserResult> results) {
    if (!first_) return;
    index_users_above(connection_, UserNumber{first_->value - 1});
    std::vector<UserNumber> added;
    for (const LoadedUserResult& result : results) {
      if (result.user.number >= *first_) added.push_back(result.user.number);
    }
    const UserNumber last = std::ranges::max(added);
    // One for each number from the first to the last, in their order.
    const std::uint64_t last_due = note_due_cards_from(connection_, *first_);
    for (LoadedUserResult& result : results) {
      const UserNumber number = result.user.number;
      if (number >= *first_) result.due = last_due - (last.value - number.value);
    }
  }

 private:
  User to_add(const LoadedUser& loaded, bool named) {
    User user;
    user.id = loaded.created_at ? ids_.loaded(*loaded.created_at) : ids_.live(now_);
    user.username = named ? *loaded.username : generated_username(*loaded.source);
    user.name_origin = named ? NameOrigin::kOwn : NameOrigin::kGenerated;
    user.display_name = loaded.display_name.value_or(user.username);
    user.bio = loaded.bio;
    user.created_at = loaded.created_at.value_or(now_);
    user.source = loaded.source;
    return user;
  }

  // Who has the name, or had it and is still found by it.
  [[nodiscard]] std::optional<User> holder_of(std::string_view name) {
    auto holder = user_named(connection_, name);
    if (!holder && old_names_) holder = user_formerly_named(connection_, name, now_);
    return holder;
  }

  bool insert(User& user) {
    if (old_names_ && user_formerly_named(connection_, user.username, now_)) return false;
    const auto number = insert_user(connection_, user, std::nullopt);
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
    // A display name and a bio that they have none of come along with the name.
    const bool nameless = there.display_name == there.username;
    if (nameless) user.display_name = loaded.display_name.value_or(user.username);
    if (user.bio.empty()) user.bio = loaded.bio;
    result.due = rename(user);
    if (user.username != there.username || user.display_name != there.display_name) {
      result.change = LoadedUserChange::kRenamed;
    }
    return result;
  }

  // The DueCard::due of the new card.
  std::uint64_t rename(const User& user) {
    // Those added by this batch are not in the search before its end.
    const bool searched = !first_ || user.number < *first_;
    if (searched) unindex_user(connection_, user.number);
    connection_.run(
        "UPDATE users SET username = ?2, display_name = ?3, bio = ?4, name_origin = ?5 "
        "WHERE number = ?1",
        user.number.value, user.username, stored_display_name(user), user.bio,
        static_cast<std::int64_t>(user.name_origin));
    if (searched) index_user(connection_, user.number);
    next_of_.clear();  // the made-up name is free again
    return note_due_card(connection_, user.number);
  }

  bool is_free(std::string_view name, UserNumber for_whom) {
    const std::optional<User> holder = holder_of(name);
    return !holder || holder->number == for_whom;
  }

  // The first of `name`_2, `name`_3, … that nobody else has. While names are only taken, the search
  // goes on where it ended: a thousand of one name must not cost a million look-ups.
  std::string free_name(const std::string& name, UserNumber for_whom) {
    std::uint32_t& next = next_of_.try_emplace(folded(name), 2).first->second;
    for (;; ++next) {
      std::string candidate = numbered_username(name, next);
      if (is_free(candidate, for_whom)) return candidate;
    }
  }

  Connection& connection_;
  IdMint& ids_;
  Time now_;
  bool old_names_;
  std::optional<UserNumber> first_;  // added by this batch
  std::unordered_map<std::string, std::uint32_t> next_of_;
};

}  // namespace

std::vector<LoadedUserResult> SqliteUserDirectory::load(std::span<const LoadedUser> users,
                                                        Time now) {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  if (users.empty()) return {};
  const LoadCache cache(connection);
  std::vector<LoadedUserResult> results;
  results.reserve(users.size());
  {
    Transaction transaction(connection);
    IdMint ids(connection, identity_.machine);
    Batch batch(connection, ids, now);
    for (auto rest = users; !rest.empty();) {
      const auto some = rest.first(std::min(kLoadedAtOnce, rest.size()));
      if (!batch.take_new(some, results)) {
        for (const LoadedUser& user : some) results.push_back(batch.take(user));
      }
      rest = rest.subspan(some.size());
    }
    batch.finish(results);
    ids.save();
    check_room(connection.file(), results);
    transaction.commit();
  }
  connection.try_checkpoint();
  return results;
}

}  // namespace chirp::sqlite
