// The web page of `chirp serve`: its HTML, style sheets, modules and pictures, in the binary.
//
// They are the files below server/web/site, put here by the build. Everything is static and
// constant; safe from any thread.
#pragma once

#include <span>
#include <string_view>

namespace chirp::web {

struct Asset {
  std::string_view path;  // from the root of the server; "/" is the page itself
  std::string_view type;  // for Content-Type
  std::string_view body;
  std::string_view etag;  // by content, strong, with its quotes
};

// All of them, in the order of paths.
[[nodiscard]] std::span<const Asset> assets();

// The one at `path`; null if there is none.
[[nodiscard]] const Asset* find(std::string_view path);

// What the page may do, for the header of that name sent with each asset: load from this server
// alone, but for the pictures and videos that posts name, and run nothing that stands in markup.
inline constexpr std::string_view kContentSecurityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: https: http:; "
    "media-src 'self' blob: https: http:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

}  // namespace chirp::web
