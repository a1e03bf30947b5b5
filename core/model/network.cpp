#include "core/model/network.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace chirp {
namespace {

constexpr std::size_t kV4At = 12;  // offset of the four IPv4 bytes
constexpr std::size_t kGroups = 8;
constexpr unsigned kV4Bits = 96;  // bits before them

// Parses a number of at most `digits_max` digits, without a sign.
std::optional<unsigned> number_in(std::string_view text, int base, std::size_t digits_max,
                                  unsigned max) {
  unsigned value = 0;
  const char* const end = text.data() + text.size();
  if (text.empty() || text.size() > digits_max) return std::nullopt;
  const auto [stop, error] = std::from_chars(text.data(), end, value, base);
  if (error != std::errc{} || stop != end || value > max) return std::nullopt;
  return value;
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t found = text.find(at);
    parts.push_back(text.substr(0, found));
    if (found == std::string_view::npos) return parts;
    text.remove_prefix(found + 1);
  }
}

std::optional<std::array<std::uint8_t, 4>> four_bytes(std::string_view text) {
  const auto parts = split(text, '.');
  std::array<std::uint8_t, 4> bytes{};
  if (parts.size() != bytes.size()) return std::nullopt;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto number = number_in(parts[i], 10, 3, 255);
    // Refuses leading zeros, because some programs read such numbers as octal.
    if (!number || (parts[i].size() > 1 && parts[i].front() == '0')) return std::nullopt;
    bytes[i] = static_cast<std::uint8_t>(*number);
  }
  return bytes;
}

enum class AddressPart : std::uint8_t { kFront, kEnd };

// The bytes of `a:b:c`, whose last group may be an IPv4 address at the end; empty for an empty
// text.
std::optional<std::vector<std::uint8_t>> groups(std::string_view text, AddressPart part) {
  std::vector<std::uint8_t> bytes;
  if (text.empty()) return bytes;
  const auto parts = split(text, ':');
  if (parts.size() > kGroups) return std::nullopt;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (part == AddressPart::kEnd && i + 1 == parts.size() &&
        parts[i].find('.') != std::string_view::npos) {
      const auto four = four_bytes(parts[i]);
      if (!four) return std::nullopt;
      bytes.insert(bytes.end(), four->begin(), four->end());
      continue;
    }
    const auto number = number_in(parts[i], 16, 4, 0xFFFF);
    if (!number) return std::nullopt;
    bytes.push_back(static_cast<std::uint8_t>(*number >> 8));
    bytes.push_back(static_cast<std::uint8_t>(*number & 0xFF));
  }
  return bytes;
}

}  // namespace

bool IpAddress::is_v4() const {
  return std::all_of(bytes.begin(), bytes.begin() + 10, [](std::uint8_t b) { return b == 0; }) &&
         bytes[10] == 0xFF && bytes[11] == 0xFF;
}

std::optional<IpAddress> parse_address(std::string_view text) {
  IpAddress address;
  if (text.find(':') == std::string_view::npos) {
    const auto four = four_bytes(text);
    if (!four) return std::nullopt;
    address.bytes[10] = address.bytes[11] = 0xFF;
    std::copy(four->begin(), four->end(), address.bytes.begin() + kV4At);
    return address;
  }
  const std::size_t gap = text.find("::");
  const bool whole = gap == std::string_view::npos;
  const auto head = groups(text.substr(0, gap), whole ? AddressPart::kEnd : AddressPart::kFront);
  const auto tail =
      whole ? std::vector<std::uint8_t>() : groups(text.substr(gap + 2), AddressPart::kEnd);
  if (!head || !tail) return std::nullopt;
  const std::size_t said = head->size() + tail->size();
  if (whole ? said != address.bytes.size() : said >= address.bytes.size()) return std::nullopt;
  std::copy(head->begin(), head->end(), address.bytes.begin());
  std::copy(tail->rbegin(), tail->rend(), address.bytes.rbegin());
  return address;
}

bool IpNetwork::contains(const IpAddress& other) const {
  for (unsigned bit = 0; bit < bits;) {
    const unsigned left = bits - bit;
    const unsigned mask = left >= 8 ? 0xFFu : (0xFFu << (8 - left)) & 0xFFu;
    if (((address.bytes[bit / 8] ^ other.bytes[bit / 8]) & mask) != 0) return false;
    bit += 8;
  }
  return true;
}

std::optional<IpNetwork> parse_network(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto address = parse_address(text.substr(0, slash));
  if (!address) return std::nullopt;
  if (slash == std::string_view::npos) return IpNetwork{*address, 128};
  const unsigned before = text.find(':') == std::string_view::npos ? kV4Bits : 0;
  const auto bits = number_in(text.substr(slash + 1), 10, 3, 128 - before);
  if (!bits) return std::nullopt;
  return IpNetwork{*address, before + *bits};
}

std::string client_key(const IpAddress& address) {
  std::string key(address.bytes.begin(), address.bytes.end());
  if (!address.is_v4()) std::fill(key.begin() + 8, key.end(), '\0');
  return key;
}

}  // namespace chirp
