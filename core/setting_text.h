// Parsers for the texts of settings. Each takes the setting's name for its message, and throws
// Error{kInvalidArgument} for an invalid text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/network.h"

namespace chirp::settings {

inline constexpr std::string_view kNoItems = "none";  // the text of an empty list

// Throws. `takes` describes valid values.
[[noreturn]] void refuse(std::string_view key, std::string_view takes, std::string_view text);
[[nodiscard]] std::uint64_t number(std::string_view key, std::string_view text, std::uint64_t min,
                                   std::uint64_t max);

// Parses a list: `none`, or at most 64 items separated by commas. Returns them in lower case.
[[nodiscard]] std::vector<std::string> items_of(std::string_view key, std::string_view text);
// Parses origins as browsers send them: `http` or `https`, a host and perhaps a port.
[[nodiscard]] std::vector<std::string> origins_in(std::string_view key, std::string_view text);
// Returns the networks in the text. Networks that are too wide are accepted here, because earlier
// versions may have stored them.
[[nodiscard]] std::vector<IpNetwork> proxies_in(std::string_view key, std::string_view text);
// Returns why a network is too wide for proxies; empty if all are narrow enough.
[[nodiscard]] std::string_view proxies_objection(const std::vector<IpNetwork>& proxies);
// Parses hosts: names or addresses without a port, IPv6 addresses in brackets.
[[nodiscard]] std::vector<std::string> hosts_in(std::string_view key, std::string_view text);
// Returns a list as it is stored.
[[nodiscard]] std::string list_text(const std::vector<std::string>& items);

}  // namespace chirp::settings
