// Domains in their international spelling, by libidn2, which is opened by the first call.
#pragma once

#include <optional>
#include <string>

namespace chirp::store {

// Returns the domain in Unicode and small letters, or nothing for what can't be a domain. Throws
// Error{kUnavailable} where libidn2 is missing.
[[nodiscard]] std::optional<std::string> domain_in_unicode(const std::string& domain);

}  // namespace chirp::store
