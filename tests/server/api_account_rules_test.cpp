// Goal: what strangers may call themselves and choose as a password, and how often they may guess.
// Method: the App over the stores in memory; names and passwords as they are tried.
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/api_accounts.h"

namespace chirp::test {
TEST_CASE("api accounts: guesses at the current password are held back for a removal too") {
  Accounts api;
  const std::string token = api.join("mira");
  for (int i = 0; i < 10; ++i) CHECK(api.leave(token, "a guess").status() == 403);
  CHECK(api.leave(token, kPassword).status() == 429);
}

TEST_CASE("api accounts: names that look official or can't be seen are no stranger's to take") {
  Accounts api;
  for (const char* name : {"admin", "Chirp", "r00t", "_support_", "mod_2024", "adm1n"}) {
    CAPTURE(name);
    const Answer refused = api.post("/v1/users", "", sign_up(name));
    CHECK(refused.status() == 422);
    CHECK(refused.blamed() == "username");
  }
  // The operator gives such a name to whom it is due.
  const User staff = api.add("admin");
  CHECK(api.patch("/v1/users/me", api.token_of(staff), R"({"bio":"at your service"})").status() ==
        200);
  const Answer turned = api.post("/v1/users", "",
                                 R"({"username":"mira","email":"m@example.org",
                                     "password":"seven wet geese","displayName":"a\u202enimda"})");
  CHECK(turned.status() == 422);
  CHECK(turned.blamed() == "displayName");
  const std::string token = api.join("mira");
  CHECK(api.patch("/v1/users/me", token, R"({"displayName":"mi\u200bra"})").blamed() ==
        "displayName");
  // A name that a load has brought stays, and the profile around it can be edited.
  UserEdit loaded;
  loaded.display_name = "mi\xe2\x80\x8bra";
  api.directory.edit(api.engine.accounts().find_name("mira")->number, loaded);
  CHECK(api.patch("/v1/users/me", token, R"({"displayName":"mi\u200bra","bio":"hi"})").status() ==
        200);
}

TEST_CASE("api accounts: a display name that looks official is no stranger's to take either") {
  Accounts api;
  const std::string token = api.join("mira");
  for (const char* name : {"Admin", "Chirp Support", "Аdmin", "✅ Moderator"}) {
    CAPTURE(name);
    const Answer refused =
        api.post("/v1/users", "",
                 fmt::format(R"({{"username":"tomas","email":"t@example.org","password":"{}",)"
                             R"("displayName":"{}"}})",
                             kPassword, name));
    CHECK(refused.status() == 422);
    CHECK(refused.blamed() == "displayName");
    CHECK(
        api.patch("/v1/users/me", token, fmt::format(R"({{"displayName":"{}"}})", name)).blamed() ==
        "displayName");
  }
  // An account that already has a reserved name may send it back.
  const std::string staff = api.token_of(api.add("help"));
  CHECK(api.patch("/v1/users/me", staff, R"({"displayName":"help","bio":"x"})").status() == 200);
}

TEST_CASE("api accounts: a bio turns no text around") {
  Accounts api;
  const std::string token = api.join("mira");
  CHECK(api.patch("/v1/users/me", token, R"({"bio":"up\u202eside"})").blamed() == "bio");
  CHECK(api.patch("/v1/users/me", token, R"({"bio":"upside"})").status() == 200);
}

TEST_CASE("api accounts: a password that everybody tries is refused when it is set") {
  Accounts api;
  const Answer refused = api.post(
      "/v1/users", "", R"({"username":"mira","email":"m@example.org","password":"Password1"})");
  CHECK(refused.status() == 422);
  CHECK(refused.blamed() == "password");
  const std::string token = api.join("mira");
  const std::string change =
      fmt::format(R"({{"password":"qwertyuiop","currentPassword":"{}"}})", kPassword);
  CHECK(api.patch("/v1/users/me", token, change).blamed() == "password");
  // Accounts that already have such a password can still log in.
  UserEdit old;
  old.password_hash = "hash of password1";
  api.directory.edit(api.engine.accounts().find_name("mira")->number, old);
  CHECK_FALSE(api.log_in("mira", "password1").empty());
}

}  // namespace chirp::test
