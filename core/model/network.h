// Addresses of the Internet and networks of them, as text and as bytes; IPv4 stands inside IPv6
// (`::ffff:192.0.2.1`), so that both are one kind. Pure functions, safe from any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace chirp {

struct IpAddress {
  std::array<std::uint8_t, 16> bytes{};

  [[nodiscard]] bool is_v4() const;
  bool operator==(const IpAddress&) const = default;
};

// `192.0.2.1` or `2001:db8::1`; a zone (`%eth0`) is none of it. Empty for anything else.
[[nodiscard]] std::optional<IpAddress> parse_address(std::string_view text);

struct IpNetwork {
  IpAddress address;
  unsigned bits = 128;  // of the address that count

  [[nodiscard]] bool contains(const IpAddress& other) const;
};

// An address, or one with the length of its prefix: `10.0.0.0/8`, `fd00::/8`.
[[nodiscard]] std::optional<IpNetwork> parse_network(std::string_view text);

// What one client has: an address of IPv4, or the 64 bits that a network of IPv6 is given. Both as
// 16 bytes.
[[nodiscard]] std::string client_key(const IpAddress& address);

}  // namespace chirp
