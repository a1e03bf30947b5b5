// Proving the user directory sound, and making anew what is derived.
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "core/model/names.h"
#include "store/sqlite/id_mint.h"
#include "store/sqlite/search.h"
#include "store/sqlite/user_directory.h"
#include "store/sqlite/user_row.h"

namespace chirp::sqlite {
namespace {

// Lines for people; a file that is all damage does not fill the screen.
class Problems {
 public:
  void add(std::string line) {
    constexpr std::size_t kLinesMax = 100;
    if (lines_.size() < kLinesMax) {
      lines_.push_back(std::move(line));
    } else {
      ++more_;
    }
  }
  // Runs a check; what can't even be read is a problem as well.
  void collect(std::string_view what, const std::function<void()>& check) {
    try {
      check();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kCorrupt) throw;
      add(fmt::format("{}: {}", what, error.what()));
    }
  }
  std::vector<std::string> take() && {
    if (more_ > 0) lines_.push_back(fmt::format("… and {} more", more_));
    return std::move(lines_);
  }

 private:
  std::vector<std::string> lines_;
  std::uint64_t more_ = 0;
};

// `$2b$`, two digits of cost from 04 to 31, `$`, 53 of bcrypt's alphabet.
bool is_bcrypt_hash(std::string_view hash) {
  constexpr std::size_t kSize = 60;
  constexpr std::size_t kCostAt = 4;
  constexpr std::size_t kSaltAt = 7;
  if (hash.size() != kSize || hash.substr(0, kCostAt) != "$2b$" || hash[kSaltAt - 1] != '$') {
    return false;
  }
  const std::string_view cost = hash.substr(kCostAt, 2);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (!std::all_of(cost.begin(), cost.end(), is_digit) || cost < "04" || cost > "31") return false;
  return std::all_of(hash.begin() + kSaltAt, hash.end(), [&](char c) {
    return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.' || c == '/';
  });
}

void check_file(Connection& connection, Problems& problems) {
  problems.collect("users.db", [&] {
    Rows rows = connection.rows("PRAGMA integrity_check(50)");
    while (rows.next()) {
      const std::string line = rows.text(0);
      if (line != "ok") problems.add("users.db: " + line);
    }
  });
  problems.collect("users.db", [&] {
    Rows rows = connection.rows("SELECT count(*) FROM pragma_foreign_key_check");
    if (rows.next() && rows.integer(0) != 0) {
      problems.add(
          fmt::format("users.db: {} rows refer to users who are not there", rows.integer(0)));
    }
  });
}

// A check of the search takes the writers' turn, which a directory opened for reading has not.
void check_names_search(Connection& connection, Problems& problems) {
  if (connection.access() == Access::kReadOnly) return;
  problems.collect("the search among names is not that of the users", [&] {
    Transaction transaction(connection);
    check_search(connection);
  });
}

std::uint64_t floor_of_ids(Connection& connection) {
  Rows rows = connection.rows("SELECT last_id FROM meta WHERE one = 1");
  return rows.next() ? static_cast<std::uint64_t>(rows.integer(0)) : 0;
}

// `floor` is asked for after the row was read: it has risen before anybody got the id.
void check_user(const User& user, const std::optional<std::string>& hash,
                const std::function<std::uint64_t()>& floor, Problems& problems) {
  const auto add = [&](std::string_view what) {
    problems.add(fmt::format("user {} ({}): {}", user.id.value, user.username, what));
  };
  if (hash && !is_bcrypt_hash(*hash)) add("the password hash is not one of bcrypt");
  if (snowflake::machine(user.id.value) != snowflake::kLoadMachine && user.id.value > floor()) {
    add("the id is above the last one minted");
  }
  try {
    if (user.email) check_email(*user.email);
  } catch (const Error&) {
    add("the e-mail address can't be one");
  }
}

void check_rows(Connection& connection, Problems& problems) {
  static const std::string sql = select_users("WHERE u.number > ?1 ORDER BY u.number LIMIT 1000");
  std::uint64_t known = 0;
  problems.collect("users.db", [&] { known = floor_of_ids(connection); });
  problems.collect("users.db", [&] {
    // Short reads, so that the log can be folded in meanwhile.
    for (std::int64_t after = 0, before = -1; after != before;) {
      before = after;
      Rows rows = connection.rows(sql, after);
      while (rows.next()) {
        after = rows.integer(0);
        problems.collect("a user", [&] {
          const User user = user_of(connection, rows);
          Rows secret = connection.rows("SELECT password FROM users WHERE number = ?1", after);
          const auto floor = [&] {
            return user.id.value <= known ? known : known = floor_of_ids(connection);
          };
          check_user(user, secret.next() ? secret.optional_text(0) : std::nullopt, floor, problems);
        });
      }
    }
  });
}

}  // namespace

std::vector<std::string> SqliteUserDirectory::problems() const {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  Problems problems;
  check_file(connection, problems);
  check_names_search(connection, problems);
  check_rows(connection, problems);
  return std::move(problems).take();
}

void SqliteUserDirectory::rebuild_indexes() {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  Transaction transaction(connection);
  connection.run("REINDEX");
  rebuild_search(connection);
  IdMint ids(connection, identity_.machine);
  {
    Rows rows =
        connection.rows("SELECT coalesce(max(id), 0) FROM users WHERE (id >> 12) & 1023 != ?1",
                        snowflake::kLoadMachine);
    if (rows.next()) ids.raise_floor(UserId{static_cast<std::uint64_t>(rows.integer(0))});
  }
  ids.save();
  transaction.commit();
}

}  // namespace chirp::sqlite
