#include "core/setting_text.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/model/names.h"

namespace chirp::settings {
namespace {

constexpr std::size_t kListMax = 64;

bool is_origin(std::string_view text) {
  const std::size_t scheme = text.find("://");
  if (scheme == std::string_view::npos) return false;
  if (text.substr(0, scheme) != "http" && text.substr(0, scheme) != "https") return false;
  const std::string_view host = text.substr(scheme + 3);
  return !host.empty() && host.size() <= 260 &&
         host.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-:[]") ==
             std::string_view::npos;
}

bool is_host(std::string_view text) {
  if (text.starts_with('[') && text.ends_with(']')) {
    return parse_address(text.substr(1, text.size() - 2)).has_value();
  }
  return !text.empty() && text.size() <= 253 &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-") == std::string_view::npos;
}

}  // namespace

void refuse(std::string_view key, std::string_view takes, std::string_view text) {
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("{} takes {}, not \"{}\".", key, takes, printable(text)),
              std::string(key));
}

std::uint64_t number(std::string_view key, std::string_view text, std::uint64_t min,
                     std::uint64_t max) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc{} || stop != end || value < min || value > max) {
    refuse(key, fmt::format("a number from {} to {}", min, max), text);
  }
  return value;
}

std::vector<std::string> items_of(std::string_view key, std::string_view text) {
  std::vector<std::string> items;
  if (text == kNoItems) return items;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    std::string_view item = text.substr(at, end - at);
    while (item.starts_with(' ')) item.remove_prefix(1);
    while (item.ends_with(' ')) item.remove_suffix(1);
    items.push_back(folded(item));
    at = end + 1;
  }
  if (items.size() > kListMax) {
    refuse(key, fmt::format("{} items at most", kListMax), std::to_string(items.size()));
  }
  return items;
}

std::vector<std::string> origins_in(std::string_view key, std::string_view text) {
  std::vector<std::string> origins = items_of(key, text);
  for (const std::string& origin : origins) {
    if (is_origin(origin)) continue;
    refuse(key, "none, or origins such as https://example.org with commas between", text);
  }
  return origins;
}

std::vector<IpNetwork> proxies_in(std::string_view key, std::string_view text) {
  std::vector<IpNetwork> proxies;
  for (const std::string& item : items_of(key, text)) {
    const auto network = parse_network(item);
    if (!network) {
      refuse(key, "none, or addresses such as 10.0.0.1 or fd00::/8 with commas between", text);
    }
    proxies.push_back(*network);
  }
  return proxies;
}

std::string_view proxies_objection(const std::vector<IpNetwork>& proxies) {
  // The widest networks of real proxies are 10.0.0.0/8 and fc00::/7.
  const auto is_too_wide = [](const IpNetwork& network) {
    constexpr unsigned kV4Bits = 96;  // bits before the IPv4 address in an IPv6 address
    const bool of_v4 = network.address.is_v4() && network.bits >= kV4Bits;
    return network.bits < (of_v4 ? kV4Bits + 8 : 7);
  };
  if (std::none_of(proxies.begin(), proxies.end(), is_too_wide)) return {};
  return "has a network so large that clients could claim any address; set it to the addresses of "
         "the proxies";
}

std::vector<std::string> hosts_in(std::string_view key, std::string_view text) {
  std::vector<std::string> hosts = items_of(key, text);
  if (!std::all_of(hosts.begin(), hosts.end(), is_host)) {
    refuse(key, "none, or names such as chirp.example with commas between, no ports", text);
  }
  return hosts;
}

std::string list_text(const std::vector<std::string>& items) {
  return items.empty() ? std::string(kNoItems) : fmt::format("{}", fmt::join(items, ","));
}

}  // namespace chirp::settings
