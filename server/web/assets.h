// The web page of `chirp serve`: its HTML, style sheets, modules and pictures, in the binary.
//
// They are the files below server/web/site, put here by the build, and what is made of them once,
// when they are first asked for: the modules as one, the style sheets as one, both under names that
// change with what they hold, and the page that names those. Constant from then on; safe from any
// thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace chirp::web {

// What a browser that holds it may do.
enum class Holding : std::uint8_t {
  kAsked,    // use it after asking whether it is still so
  kForever,  // use it: what is there under this name never changes
};

struct Asset {
  std::string_view path;  // from the root of the server; "/" is the page itself
  std::string_view type;  // for Content-Type
  std::string_view body;
  std::string_view etag;  // by content, strong, with its quotes
  Holding holding = Holding::kAsked;
};

// The files as they are in the repository, in the order of paths; "/" is index.html.
[[nodiscard]] std::span<const Asset> sources();

// Twenty hexadecimal digits for all of them, and for how they are put together.
[[nodiscard]] std::string_view version();

// All that is served, in the order of paths: the sources, but for the page, and what is made of
// them.
[[nodiscard]] std::span<const Asset> assets();

// The one of assets() at `path`; null if there is none.
[[nodiscard]] const Asset* find(std::string_view path);

// What the page may do, for the header of that name sent with each asset: load from this server
// alone, but for the pictures and videos that posts name, and run nothing that stands in markup.
inline constexpr std::string_view kContentSecurityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: https: http:; "
    "media-src 'self' blob: https: http:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

}  // namespace chirp::web
