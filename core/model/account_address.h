// Accounts of servers, `user@domain`, have one spelling here: in small letters, and with the domain
// in Unicode. `Mira@Example.ORG` is `mira@example.org`, and `mira@xn--bcher-kva.example` is
// `mira@bücher.example`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace chirp {

// Returns the spelling of an account, and anything that is not `user@domain` as it is. The domain
// has a dot, and neither part has blanks, slashes or colons.
[[nodiscard]] std::string account_address(std::string_view word);

// Returns the domain in Unicode and small letters, or nothing if it can't be a domain. It is called
// for domains with non-ASCII letters or with `xn--`. The program provides it once, at its
// start; without it these domains are only put in small letters.
using SpellDomain = std::optional<std::string> (*)(const std::string& domain);
void set_spell_domain(SpellDomain spell);

}  // namespace chirp
