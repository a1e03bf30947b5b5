// Internet addresses and networks, as text and as bytes. IPv4 is stored inside IPv6
// (`::ffff:192.0.2.1`), so both have one type. Pure functions, safe from any thread.
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

// Parses `192.0.2.1` or `2001:db8::1`, without a zone (`%eth0`). Empty for anything else.
[[nodiscard]] std::optional<IpAddress> parse_address(std::string_view text);

struct IpNetwork {
  IpAddress address;
  unsigned bits = 128;  // leading bits of the address that count

  [[nodiscard]] bool contains(const IpAddress& other) const;
};

// Parses an address, or one with a prefix length: `10.0.0.0/8`, `fd00::/8`.
[[nodiscard]] std::optional<IpNetwork> parse_network(std::string_view text);

// Returns the part of an address that identifies one client: the whole IPv4 address, or the first
// 64 bits of IPv6. Both as 16 bytes.
[[nodiscard]] std::string client_key(const IpAddress& address);

}  // namespace chirp
