// The host names that a server answers for. Another site's name could resolve to this machine (DNS
// rebinding), and its page would have the server's origin. So a server that listens only on this
// machine answers only for names of this machine.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace chirp {

// Whether an address or name to listen on is this machine only.
[[nodiscard]] bool is_loopback(std::string_view bound);
// Returns the host as it appears in a URL.
[[nodiscard]] std::string url_host(const std::string& bound);

// Whether a server that listens on `bound` answers for `host` (without a port, IPv6 in brackets, in
// any case). It always answers for this machine's names and for those in `set`. If `set` is empty
// and it listens for other machines, or on nothing, it answers for any.
[[nodiscard]] bool answers_for(std::string_view host, const std::string& bound,
                               std::span<const std::string> set);

}  // namespace chirp
