#include "store/sqlite/bare.h"

#include <chrono>
#include <string>

#include "store/sqlite/connection.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/search.h"

namespace chirp::sqlite {

double bare_add_users(const std::filesystem::path& folder, std::uint32_t users,
                      std::size_t at_once) {
  using Watch = std::chrono::steady_clock;
  Connection connection = Connection::create(folder / "users.db");
  create_schema(connection, {.uuid = "bare"});
  define_search(connection);
  const auto start = Watch::now();
  for (std::uint32_t at = 0; at < users;) {
    Transaction transaction(connection);
    const std::uint32_t before = at;
    for (std::size_t i = 0; i < at_once && at < users; ++i) {
      ++at;
      connection.run(
          "INSERT INTO users (id, username, bio, created_at, source_id, name_origin) "
          "VALUES (?1, ?2, '', ?3, ?4, 1)",
          at, "u" + std::to_string(at), std::int64_t{0}, at);
    }
    index_users_above(connection, UserNumber{before});
    transaction.commit();
  }
  return std::chrono::duration<double>(Watch::now() - start).count();
}

}  // namespace chirp::sqlite
