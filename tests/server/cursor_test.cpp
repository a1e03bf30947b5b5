// Goal: cursors of lists of users come back as they were given, and nothing else is taken for one.
// Method: both ways over every length of input, and a table of texts that are none.
#include "server/api/cursor.h"

#include <doctest/doctest.h>

namespace chirp::api {

TEST_CASE("cursor: base64url is read as it is written") {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    CHECK(from_base64url(base64url(bytes)) == bytes);
    bytes += static_cast<char>(i * 37);
  }
  CHECK(base64url("okafor") == "b2thZm9y");
}

TEST_CASE("cursor: names and numbers") {
  CHECK(parse_name_cursor(name_cursor("Mira_1")) == "Mira_1");
  CHECK(parse_number_cursor(number_cursor(UserNumber{1})) == UserNumber{1});
  CHECK(parse_number_cursor(number_cursor(UserNumber{4'294'967'295})) == UserNumber{4'294'967'295});
  CHECK_FALSE(parse_name_cursor(number_cursor(UserNumber{7})));
  CHECK_FALSE(parse_number_cursor(name_cursor("mira")));
  for (const char* bad :
       {"", "=", "*", "a", "bWlyYQ==", "bWlyYR", "bWly YQ", "I", "IzQyOTQ5NjcyOTY"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse_name_cursor(bad));
    CHECK_FALSE(parse_number_cursor(bad));
  }
}

}  // namespace chirp::api
