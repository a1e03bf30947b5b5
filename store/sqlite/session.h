// A connection to the file of users, borrowed for one call: store/users/session.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/sqlite/connections.h"
#include "store/sqlite/file_version.h"
#include "store/sqlite/load_cache.h"
#include "store/sqlite/user_table.h"
#include "store/users/session.h"

namespace chirp::sqlite {

class SqliteSession final : public users::SqlSession {
 public:
  // `connections` and `version` must outlive this.
  SqliteSession(Connections& connections, FileVersion& version, Work work = Work::kFew);

  void begin(Turn turn = Turn::kUsers, SpaceUse use = SpaceUse::kKeeps) override;
  void commit(users::CachedRows cached) override;
  [[nodiscard]] users::UserTable& users() override { return *table_; }
  [[nodiscard]] bool is_common(const std::vector<std::string>& texts) override;
  [[nodiscard]] std::vector<User> listed(const UserQuery& query, const users::Plan& plan) override;
  [[nodiscard]] const users::Dialect& dialect() const override;
  [[nodiscard]] Error damage(std::string_view fault) const override;

  [[nodiscard]] Connection& connection() const { return *lent_; }

 private:
  std::unique_ptr<users::SqlRows> query(std::string_view sql,
                                        std::span<const users::SqlValue> values) override;
  std::int64_t run(std::string_view sql, std::span<const users::SqlValue> values) override;
  void enqueue(std::string_view sql, std::span<const users::SqlValue> values) override;

  Connections::Loan lent_;
  FileVersion& version_;
  std::optional<LoadCache> loading_;
  std::optional<SqliteUserTable> table_;
  std::optional<Transaction> transaction_;
};

}  // namespace chirp::sqlite
