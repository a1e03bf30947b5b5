// Goal: sizes are read as people write them, and written so that they are read again.
// Method: what is taken, what is not, and the edges of units and of the type.
#include "core/model/byte_count.h"

#include <string>

#include <doctest/doctest.h>

namespace chirp::test {

TEST_CASE("byte count: numbers with the units that people write") {
  CHECK(parse_byte_count("0") == 0);
  CHECK(parse_byte_count("4096") == 4096);
  CHECK(parse_byte_count("7B") == 7);
  for (const char* kib : {"3K", "3k", "3KB", "3KiB", "3kB"}) CHECK(parse_byte_count(kib) == 3072);
  CHECK(parse_byte_count("512M") == std::uint64_t{512} << 20);
  CHECK(parse_byte_count("2GiB") == std::uint64_t{2} << 30);
  CHECK(parse_byte_count("1T") == std::uint64_t{1} << 40);
  for (const char* none : {"", "K", "-1", "+1", "1 G", "1.5G", "1X", "1Gi", "1GiBB", "1MG", " 1",
                           "99999999999999999999", "9999999999T"}) {
    CAPTURE(none);
    CHECK_FALSE(parse_byte_count(none));
  }
  CHECK(parse_byte_count("9223372036854775807"));
  CHECK_FALSE(parse_byte_count("9223372036854775808"));
}

TEST_CASE("byte count: in the largest unit that is filled") {
  CHECK(byte_count(0) == "0 bytes");
  CHECK(byte_count(1) == "1 byte");
  CHECK(byte_count(1023) == "1023 bytes");
  CHECK(byte_count(1024) == "1 KiB");
  CHECK(byte_count(1536) == "1.5 KiB");
  CHECK(byte_count((std::uint64_t{1} << 30) - 1) == "1023.9 MiB");
  CHECK(byte_count(std::uint64_t{1} << 30) == "1 GiB");
  CHECK(byte_count(std::uint64_t{5} << 40) == "5 TiB");
}

}  // namespace chirp::test
