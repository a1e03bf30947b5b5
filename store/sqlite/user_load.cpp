// Loads users into the file, with a larger cache, and only with enough disk space.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "store/sqlite/load_cache.h"
#include "store/sqlite/user_directory.h"
#include "store/sqlite/user_table.h"
#include "store/users/changes.h"

namespace chirp::sqlite {
namespace {

// Disk space for each new user: several times the row's size in the log and the file, and the
// user's data in the engine's store, which is on the same disk and written after the commit.
constexpr std::uint64_t kRoomBytes = 1024;

// Refuses a commit that would leave no disk space for its users' cards.
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

// Empties the log when it is so long that the last commit has copied it into the file.
void end_long_log(Connection& connection) {
  constexpr std::uintmax_t kLongBytes = std::uintmax_t{32} << 20;
  std::error_code unknown;
  const auto bytes = std::filesystem::file_size(connection.file().string() + "-wal", unknown);
  if (!unknown && bytes >= kLongBytes) connection.try_checkpoint();
}

}  // namespace

std::vector<LoadedUserResult> SqliteUserDirectory::load(std::span<const LoadedUser> users,
                                                        Time now) {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  if (users.empty()) return {};
  const LoadCache cache(connection);
  std::vector<LoadedUserResult> results;
  {
    Transaction transaction(connection, SpaceUse::kAdds);
    SqliteUserTable table(connection);
    results = users::load(table, identity_.machine, users, now);
    table.index_inserted();
    check_room(connection.file(), results);
    transaction.commit();
  }
  end_long_log(connection);
  return results;
}

std::vector<User> SqliteUserDirectory::restore(std::span<const User> users) {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  const LoadCache cache(connection);
  std::vector<User> restored;
  {
    Transaction transaction(connection, SpaceUse::kAdds);
    SqliteUserTable table(connection);
    restored = users::restore(table, identity_.machine, users);
    table.index_inserted();
    transaction.commit();
  }
  end_long_log(connection);
  return restored;
}

}  // namespace chirp::sqlite
