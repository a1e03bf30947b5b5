// Goal: doctor's exit status says whether something wrong is left.
// Method: the program examines a directory whose search among names has been damaged.
#include <filesystem>
#include <fstream>
#include <string>

#include <doctest/doctest.h>

#include "store/layout.h"
#include "store/sqlite/search.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {

TEST_CASE("doctor: what is found ends with 5, what is mended with 0") {
  const TempFolder folder;
  const std::string data = (folder / "data").string();
  const auto doctor = [&](std::vector<std::string> options) {
    options.insert(options.begin(), "doctor");
    return run(chirp_command(data, options));
  };
  store::make_data_directory(data, std::nullopt);
  const UserNumber user = sign_up(*store::DataDirectory::open(data), "quentin");
  CHECK(doctor({}).status == 0);
  {
    sqlite::Connection connection(store::Layout(data).users());
    sqlite::define_search(connection);
    sqlite::unindex_user(connection, user);
  }
  const Ended found = doctor({});
  CHECK(found.status == 5);
  CHECK(found.out.find("users: the search among names") != std::string::npos);
  CHECK(found.out.find("(not repaired)") != std::string::npos);
  const Ended mended = doctor({"--repair", "--json"});
  CHECK_MESSAGE(mended.status == 0, to_string(mended));
  CHECK(mended.out.find("\"repaired\":true") != std::string::npos);
  const Ended sound = doctor({});
  CHECK(sound.status == 0);
  CHECK(sound.out.find("Everything is right.") != std::string::npos);
}

TEST_CASE("doctor: the search of a large file is checked beside somebody who writes") {
  const TempFolder folder;
  const std::string data = (folder / "data").string();
  store::make_data_directory(data, std::nullopt);
  const UserNumber user = sign_up(*store::DataDirectory::open(data), "quentin");
  sqlite::Connection connection(store::Layout(data).users());
  sqlite::define_search(connection);
  // Free pages make it large.
  connection.execute("CREATE TABLE padding AS SELECT zeroblob(80 << 20); DROP TABLE padding");
  const auto doctor = [&] { return run(chirp_command(data, {"doctor"})); };
  {
    const sqlite::Transaction writing(connection);
    const Ended sound = doctor();
    CHECK_MESSAGE(sound.status == 0, to_string(sound));
  }
  sqlite::unindex_user(connection, user);
  const sqlite::Transaction writing(connection);
  const Ended found = doctor();
  CHECK(found.status == 5);
  CHECK(found.out.find("users: the search among names") != std::string::npos);
}

TEST_CASE("doctor: who asks is not sent to the doctor") {
  const TempFolder folder;
  const std::string data = (folder / "data").string();
  store::make_data_directory(data, std::nullopt);
  const auto users = store::Layout(data).users();
  std::filesystem::remove(users.string() + "-wal");
  std::ofstream(users, std::ios::binary | std::ios::trunc) << std::string(8192, 'x');
  const Ended found = run(chirp_command(data, {"doctor"}));
  INFO(to_string(found));
  CHECK(found.status == 5);
  CHECK(found.out.find("damage: ") != std::string::npos);
  CHECK(found.out.find("Run chirp doctor") == std::string::npos);
  CHECK(found.out.find("). A backup can be put back by chirp restore. (not") != std::string::npos);
  // Others are.
  CHECK(run(chirp_command(data, {"user", "list"})).err.find("Run chirp doctor") !=
        std::string::npos);
}

}  // namespace chirp::test
