// How the text of a setting is read. Each function takes the setting's name for its message, and
// throws Error{kInvalidArgument} for a text that is none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/network.h"

namespace chirp::settings {

inline constexpr std::string_view kNoItems = "none";  // the text of an empty list

// `takes`: what would have been right.
[[noreturn]] void refuse(std::string_view key, std::string_view takes, std::string_view text);
[[nodiscard]] std::uint64_t number(std::string_view key, std::string_view text, std::uint64_t min,
                                   std::uint64_t max);

// Lists are `none` or at most 64 items with commas between, and give them in lower case.
[[nodiscard]] std::vector<std::string> items_of(std::string_view key, std::string_view text);
// What a browser says of a page: `http` or `https`, a host and perhaps a port.
[[nodiscard]] std::vector<std::string> origins_in(std::string_view key, std::string_view text);
// Returns the networks in the text. Networks that are too wide are accepted here, because earlier
// versions may have stored them.
[[nodiscard]] std::vector<IpNetwork> proxies_in(std::string_view key, std::string_view text);
// Returns why a network is too wide for proxies; empty if none is.
[[nodiscard]] std::string_view proxies_objection(const std::vector<IpNetwork>& proxies);
// Names, or addresses, those of IPv6 in brackets; without a port.
[[nodiscard]] std::vector<std::string> hosts_in(std::string_view key, std::string_view text);
// As a list is kept.
[[nodiscard]] std::string list_text(const std::vector<std::string>& items);

}  // namespace chirp::settings
