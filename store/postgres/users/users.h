// The user directory on PostgreSQL (store/postgres/cluster/schema_users.cpp).
//
// Each call borrows a connection; after hold(), all use the held one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/postgres/cluster/connections.h"
#include "store/postgres/users/media_rows.h"
#include "store/users/sql_user_directory.h"

namespace chirp::postgres {

class PostgresUserDirectory final : public users::SqlUserDirectory {
 public:
  // The connections must outlive this. `machine` is that of live ids.
  PostgresUserDirectory(Connections& connections, std::uint32_t machine)
      : SqlUserDirectory(machine), connections_(connections), media_(connections) {}

  [[nodiscard]] std::uint64_t count() const override;
  // The result of the function passed to tell_version(); empty before.
  [[nodiscard]] std::optional<std::uint64_t> version() const override;
  [[nodiscard]] MediaStore& media() override { return media_; }

  [[nodiscard]] std::vector<std::string> problems() const override;
  void rebuild_indexes() override;

  // ---- for the code that opens the database
  // Sets the source of users_version, for a process that shares one look among many requests. Call
  // it before any other thread calls version().
  using Version = std::function<std::optional<std::uint64_t>()>;
  void tell_version(Version version) { version_ = std::move(version); }
  // Reads the version from the database.
  [[nodiscard]] std::uint64_t users_version() const;
  // The last number given to a user, including removed users; kNobody before the first.
  [[nodiscard]] UserNumber last_number() const;
  // From now on all reads see one state. For processes that only read, in one thread.
  void hold();

 private:
  [[nodiscard]] std::unique_ptr<users::SqlSession> lend(
      users::SqlSession::Work work = users::SqlSession::Work::kFew) const override;

  Connections& connections_;
  PostgresMediaStore media_;
  Version version_;
  mutable std::optional<Connections::Loan> held_;
};

}  // namespace chirp::postgres
