// Goal: times, ids and sizes keep their formats at every edge.
// Method: tables of texts with the values they stand for.
#include "core/model/time.h"

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/model/byte_count.h"
#include "core/model/ids.h"

namespace chirp {

TEST_CASE("time: ISO 8601 is read and written") {
  CHECK(iso8601(Time{snowflake::kEpochMs}) == "2000-01-01T00:00:00.000Z");
  CHECK(parse_iso8601("2000-01-01") == Time{snowflake::kEpochMs});
  CHECK(parse_iso8601("2026-01-31T10:00:00Z") == parse_iso8601("2026-01-31T11:00:00+01:00"));
  CHECK(parse_iso8601("2026-01-31 10:00") == parse_iso8601("2026-01-31T10:00:00.000Z"));
  CHECK(iso8601(*parse_iso8601("2016-05-03T20:21:57.1239Z")) == "2016-05-03T20:21:57.123Z");
  for (const char* bad : {"", "2026", "2026-13-01", "2026-02-30", "2026-01-31T", "2026-01-31T25:00",
                          "2026-01-31T10:00:00.Z", "2026-01-31T10:00:00Zx", "31.1.2026"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse_iso8601(bad));
  }
}

TEST_CASE("time: durations have one unit and an end") {
  CHECK(parse_duration("2h") == 2 * kHourMs);
  CHECK(parse_duration("30d") == 30 * kDayMs);
  for (const char* bad : {"", "h", "2", "-2h", "2w", "99999999999d", "2 h"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse_duration(bad));
  }
}

TEST_CASE("ids: live ids rise whatever the clock does") {
  const Time now{snowflake::kEpochMs + 1000};
  std::uint64_t last = 0;
  for (int i = 0; i < 20'000; ++i) {  // more than a millisecond's sequence
    const std::uint64_t id = snowflake::next(now, last, 5);
    REQUIRE(id > last);
    REQUIRE(snowflake::machine(id) == 5);
    last = id;
  }
  CHECK(snowflake::next(Time{0}, last, 5) > last);
}

TEST_CASE("ids: another machine's last id is passed") {
  const std::uint64_t other = snowflake::make(1000, 900, 7);
  const std::uint64_t id = snowflake::next(Time{0}, other, 5);
  CHECK(id > other);
  CHECK(snowflake::machine(id) == 5);
}

TEST_CASE("ids: the end of the 41 bits is an error, not a wrap") {
  const auto end = Time{snowflake::kEpochMs + static_cast<std::int64_t>(snowflake::kMaxTicks)};
  CHECK_NOTHROW((void)snowflake::next(Time{end.ms - 1}, 0, 5));
  CHECK_THROWS_AS((void)snowflake::next(end, 0, 5), Error);
  CHECK_THROWS_AS((void)snowflake::next(Time{end.ms + 1}, 0, 5), Error);
}

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

}  // namespace chirp
