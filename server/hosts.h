// Which hosts a server answers for. A page of somebody else's name that resolves to this machine
// (DNS rebinding) would be of the same origin as the server, so a server for this machine alone
// answers for names of this machine alone.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace chirp {

// Of an address or name to listen on.
[[nodiscard]] bool is_loopback(std::string_view bound);
// As a URL has it.
[[nodiscard]] std::string url_host(const std::string& bound);

// Whether a server that listens on `bound` answers for `host` (without a port, IPv6 in brackets, in
// any case): for this machine's own names always, for those `set` always, and for any while none is
// set and it listens for others than this machine, or on nothing.
[[nodiscard]] bool answers_for(std::string_view host, const std::string& bound,
                               std::span<const std::string> set);

}  // namespace chirp
