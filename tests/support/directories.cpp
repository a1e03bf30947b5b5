#include "tests/support/directories.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "store/postgres/storage.h"
#include "store/postgres/users/users.h"
#include "store/sqlite/user_directory.h"
#include "tests/model/user_directory.h"
#include "tests/support/postgres_server.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

class InMemory final : public TestDirectory {
 public:
  [[nodiscard]] UserDirectory& users() override { return users_; }

 private:
  model::ModelUserDirectory users_{kDirectoryMachine};
};

class InSqlite final : public TestDirectory {
 public:
  InSqlite() {
    sqlite::create_user_directory(folder_ / "users.db",
                                  {std::string(kDirectoryUuid), kDirectoryMachine});
    users_ = sqlite::open_user_directory(folder_ / "users.db");
  }
  [[nodiscard]] UserDirectory& users() override { return *users_; }

 private:
  TempFolder folder_;
  std::unique_ptr<sqlite::SqliteUserDirectory> users_;
};

class InPostgres final : public TestDirectory {
 public:
  [[nodiscard]] UserDirectory& users() override { return users_; }

 private:
  PostgresDatabase database_{kDirectoryMachine};
  postgres::Connections connections_{postgres::storage_address(database_.url())};
  postgres::PostgresUserDirectory users_{connections_, kDirectoryMachine};
};

template <class Directory>
std::unique_ptr<TestDirectory> make() {
  return std::make_unique<Directory>();
}

constexpr std::array kKinds = {DirectoryKind{"memory", make<InMemory>},
                               DirectoryKind{"sqlite", make<InSqlite>},
                               DirectoryKind{"postgres", make<InPostgres>}};

}  // namespace

std::span<const DirectoryKind> directory_kinds() {
  return std::span(kKinds).first(has_postgres() ? kKinds.size() : kKinds.size() - 1);
}

void on_each_directory(const std::function<void(UserDirectory&)>& test) {
  for (const DirectoryKind& kind : directory_kinds()) {
    CAPTURE(kind.name);
    const auto directory = kind.make();
    test(directory->users());
    CHECK(directory->users().problems().empty());
  }
}

NewUser named(const std::string& username) {
  NewUser user;
  user.username = username;
  return user;
}

LoadedUser loaded(std::uint64_t source, std::optional<std::string> username) {
  LoadedUser user;
  user.source = SourceId{source};
  user.username = std::move(username);
  return user;
}

LoadedUserResult load_one(UserDirectory& users, const LoadedUser& user, Time now) {
  const auto results = users.load(std::vector{user}, now);
  REQUIRE(results.size() == 1);
  return results.front();
}

}  // namespace chirp::test
