// Loading users into the file: with more of it in memory, and not without room on the disk.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "store/sqlite/user_directory.h"
#include "store/sqlite/user_table.h"
#include "store/users/changes.h"

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

}  // namespace

std::vector<LoadedUserResult> SqliteUserDirectory::load(std::span<const LoadedUser> users,
                                                        Time now) {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  if (users.empty()) return {};
  const LoadCache cache(connection);
  std::vector<LoadedUserResult> results;
  {
    Transaction transaction(connection);
    SqliteUserTable table(connection);
    results = users::load(table, identity_.machine, users, now);
    table.index_inserted();
    check_room(connection.file(), results);
    transaction.commit();
  }
  connection.try_checkpoint();
  return results;
}

}  // namespace chirp::sqlite
