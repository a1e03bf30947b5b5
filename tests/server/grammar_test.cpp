// Goal: the small words of HTTP are read as their header says.
// Method: words one by one.
#include "server/http/grammar.h"

#include <doctest/doctest.h>

namespace chirp::http {

TEST_CASE("grammar: escapes are undone, and a NUL is never text, escaped or bare") {
  CHECK(percent_decoded("a%20b%C3%A9+", Plus::kIsPlus) == "a b\xC3\xA9+");
  CHECK(percent_decoded("a+%2B", Plus::kIsBlank) == "a +");
  for (const std::string_view bad :
       {std::string_view("%00"), std::string_view("a\0b", 3), std::string_view("%0"),
        std::string_view("%zz"), std::string_view("%FF")}) {
    CHECK_FALSE(percent_decoded(bad, Plus::kIsPlus));
  }
}

}  // namespace chirp::http
