// Goal: what somebody says of where data is names a folder or a database, and holds no password.
// Method: a table of what may be said.
#include "store/data_place.h"

#include <string_view>

#include <doctest/doctest.h>

#include "core/error.h"

namespace chirp::test {

using store::DataPlace;

TEST_CASE("data place: what is not an address is a folder") {
  for (const char* const folder :
       {"world", "/srv/chirp", "./postgresql:", "postgresql:/x", "postgres", "mysql://host/chirp",
        "a:b@c", "PostgreSQL://host/chirp"}) {
    const DataPlace place = DataPlace::named(folder);
    CHECK_MESSAGE(!place.is_database(), folder);
    CHECK(place.folder() == folder);
    CHECK(place.text() == folder);
  }
  CHECK(DataPlace().empty());
  CHECK(DataPlace::named("").empty());
}

TEST_CASE("data place: a database is an address without a password") {
  for (const char* const url :
       {"postgresql:///chirp", "postgres://host/chirp", "postgresql://mira@host:5432/chirp",
        "postgresql://[::1]:5432/chirp", "postgresql://mira@[::1]/chirp",
        "postgresql://one:5432,two:5433/chirp?target_session_attrs=primary",
        "postgresql://host:5432/chirp?application_name=a@b", "postgresql:///chirp?host=/a:b@c",
        "postgresql://host/chirp?passfile=/etc/chirp/pgpass&sslmode=verify-full"}) {
    const DataPlace place = DataPlace::named(url);
    CHECK_MESSAGE(place.is_database(), url);
    CHECK(place.url() == url);
    CHECK(place.text() == url);
    CHECK(place.folder().empty());
  }
}

TEST_CASE("data place: a password is refused in any position, and not printed") {
  for (const char* const url :
       {"postgresql://mira:secret@host/chirp", "postgres://:secret@/chirp",
        "postgresql://mira:sec/ret@host/chirp", "postgresql://mira:sec?ret@host/chirp",
        "postgresql://mira:se@cret@host/chirp", "postgresql:///chirp?password=secret",
        "postgresql:///chirp?sslmode=require&sslpassword=secret",
        "postgresql:///chirp?%70assword=secret"}) {
    CAPTURE(url);
    try {
      (void)DataPlace::named(url);
      FAIL("it must be refused");
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kInvalidArgument);
      CHECK(std::string_view(error.what()).find("sec") == std::string_view::npos);
    }
  }
}

}  // namespace chirp::test
