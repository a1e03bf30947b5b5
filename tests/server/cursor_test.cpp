// Goal: cursors of lists of users come back as they were given, and nothing else is taken for one.
// Method: both ways over every length of input, and a table of texts that are none.
#include "server/json/cursor.h"

#include <doctest/doctest.h>

#include "server/api/ranked_walks.h"

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

TEST_CASE("cursor: each place has one spelling, and no other is taken") {
  for (const char* other : {"#07", "#", "#+7", "#7 "}) {
    CAPTURE(other);
    CHECK_FALSE(parse_number_cursor(base64url(other)));
  }
  CHECK(parse_likers_cursor(ReactionType::kLike, base64url("like:7")) == UserNumber{7});
  CHECK_FALSE(parse_likers_cursor(ReactionType::kLike, base64url("like:07")));
  using social::CommentSort;
  CHECK(parse_comments_cursor(CommentSort::kPopular, base64url("pop:-3:9"))->likes == -3);
  for (const char* other : {"pop:-0:9", "pop:03:9", "pop:3:09", "pop:3:9:"}) {
    CAPTURE(other);
    CHECK_FALSE(parse_comments_cursor(CommentSort::kPopular, base64url(other)));
  }
  const std::string ranked = ranked_cursor({0xABCDEF, 5});
  CHECK(parse_ranked_cursor(ranked) == RankedPlace{0xABCDEF, 5});
  std::string shouted = ranked;
  for (char& c : shouted) {
    if (c >= 'a' && c <= 'f') c = static_cast<char>(c - 'a' + 'A');
  }
  CHECK(shouted != ranked);
  CHECK_FALSE(parse_ranked_cursor(shouted));
}

}  // namespace chirp::api
