// Internationalised domain names, by libidn2, which the first call loads.
#pragma once

#include <optional>
#include <string>

namespace chirp::store {

// Returns the domain in Unicode and lower case; empty if it is not a valid domain. Throws
// Error{kUnavailable} if libidn2 is missing.
[[nodiscard]] std::optional<std::string> domain_in_unicode(const std::string& domain);

}  // namespace chirp::store
