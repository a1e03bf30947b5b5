// The small words of HTTP: tokens, lists, numbers and what a client accepts. Pure functions, safe
// from any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace chirp::http {

// One or more characters that a method or the name of a header may have (RFC 9110, 5.6.2).
[[nodiscard]] bool is_token(std::string_view text);
[[nodiscard]] bool is_digits(std::string_view text);  // one or more
// Without the blanks and tabs around it.
[[nodiscard]] std::string_view trimmed(std::string_view text);
// ASCII letters alone.
[[nodiscard]] bool equal_in_any_case(std::string_view one, std::string_view other);

// Whether a list with commas names `item` (in any case): `Connection: keep-alive, close`.
[[nodiscard]] bool list_has(std::string_view list, std::string_view item);

// The number that the digits form; the highest value if it is larger than any length.
[[nodiscard]] std::uint64_t length_of(std::string_view digits);

// What `Accept-Encoding` says of gzip: named, or meant by `*`, and not with `q=0`.
[[nodiscard]] bool accepts_gzip(std::string_view accept_encoding);

// With %XX replaced. Empty for a bad escape, for NUL and for what is no UTF-8 then.
enum class Plus : std::uint8_t { kIsPlus, kIsBlank };
[[nodiscard]] std::optional<std::string> percent_decoded(std::string_view text, Plus plus);

// `host`, `host:port`, `[v6]`, `[v6]:port`: the part before the port, in lower case. Empty for what
// is none of these.
[[nodiscard]] std::optional<std::string> host_of(std::string_view authority);

}  // namespace chirp::http
