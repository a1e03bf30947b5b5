// Goal: an address is understood as the Internet writes it, or not at all, and a network holds the
// addresses that begin like it. Method: tables of texts, and every length of prefix.
#include "core/model/network.h"

#include <doctest/doctest.h>

namespace chirp {
namespace {

bool holds(std::string_view network, std::string_view address) {
  const auto parsed = parse_network(network);
  REQUIRE(parsed);
  return parsed->contains(*parse_address(address));
}

}  // namespace

TEST_CASE("network: an address has one meaning") {
  CHECK(parse_address("192.0.2.1")->is_v4());
  CHECK(parse_address("::ffff:192.0.2.1") == parse_address("192.0.2.1"));
  CHECK(parse_address("::ffff:c000:201") == parse_address("192.0.2.1"));
  CHECK(parse_address("2001:DB8::1") == parse_address("2001:db8:0:0:0:0:0:1"));
  CHECK(parse_address("::") == IpAddress{});
  CHECK(parse_address("::1")->bytes[15] == 1);
  CHECK(parse_address("fe80::")->bytes[0] == 0xFE);
  CHECK_FALSE(parse_address("::1")->is_v4());
  for (const char* none : {"",
                           "1",
                           "1.2.3",
                           "1.2.3.4.5",
                           "1.2.3.256",
                           "1.2.3.04",
                           "1.2.3.-4",
                           " 1.2.3.4",
                           "1.2.3.4 ",
                           "1.2.3.4:80",
                           "[::1]",
                           "::1%eth0",
                           ":::",
                           "1::2::3",
                           "1:2:3:4:5:6:7",
                           "1:2:3:4:5:6:7:8:9",
                           "1:2:3:4:5:6:7::8:9",
                           "12345::",
                           "g::",
                           "1:2:3:4:5:6:7:1.2.3.4",
                           "1.2.3.4::",
                           "unknown"}) {
    CAPTURE(none);
    CHECK_FALSE(parse_address(none));
  }
}

TEST_CASE("network: a prefix of any length says who is inside") {
  CHECK(holds("10.0.0.0/8", "10.255.1.2"));
  CHECK_FALSE(holds("10.0.0.0/8", "11.0.0.1"));
  CHECK(holds("10.1.2.3", "10.1.2.3"));
  CHECK_FALSE(holds("10.1.2.3", "10.1.2.2"));
  CHECK(holds("0.0.0.0/0", "203.0.113.9"));
  CHECK_FALSE(holds("0.0.0.0/0", "2001:db8::1"));
  CHECK(holds("::/0", "203.0.113.9"));
  CHECK(holds("fd00::/8", "fdff::1"));
  const IpAddress zeros = *parse_address("::");
  for (unsigned bits = 0; bits <= 128; ++bits) {
    for (unsigned flipped = 0; flipped < 128; ++flipped) {
      IpAddress other = zeros;
      other.bytes[flipped / 8] = static_cast<std::uint8_t>(0x80u >> (flipped % 8));
      CHECK(IpNetwork{zeros, bits}.contains(other) == (flipped >= bits));
    }
  }
  for (const char* none : {"", "/8", "10.0.0.0/", "10.0.0.0/33", "::/129", "::/-1", "::/8/8"}) {
    CAPTURE(none);
    CHECK_FALSE(parse_network(none));
  }
}

TEST_CASE("network: a client has one address of IPv4, and 64 bits of IPv6") {
  const auto key = [](const char* text) { return client_key(*parse_address(text)); };
  CHECK(key("192.0.2.1") != key("192.0.2.2"));
  CHECK(key("2001:db8:1:2::1") == key("2001:db8:1:2:ffff::"));
  CHECK(key("2001:db8:1:2::1") != key("2001:db8:1:3::1"));
}

}  // namespace chirp
