// The web page of `chirp serve`: its HTML, style sheets, modules and pictures, in the binary.
//
// The build embeds the files below server/web/site. The first use bundles the modules into one file
// and the style sheets into another, both with names that change with their content, and rewrites
// the page to use those names. Constant afterwards; safe to call from any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace chirp::web {

// What a browser may do with a cached copy.
enum class Holding : std::uint8_t {
  kAsked,    // use it after asking whether it is still current
  kForever,  // use it: the content under this name never changes
};

struct Asset {
  std::string_view path;  // on the server; "/" is the page itself
  std::string_view type;  // for Content-Type
  std::string_view body;
  std::string_view etag;  // strong, of the content, with its quotes
  Holding holding = Holding::kAsked;
};

// The files as in the repository, sorted by path; "/" is index.html.
[[nodiscard]] std::span<const Asset> sources();

// Twenty hexadecimal digits, a hash of all files and of the bundling.
[[nodiscard]] std::string_view version();

// All served files, sorted by path: the sources except the page, and what is made of them.
[[nodiscard]] std::span<const Asset> assets();

// Returns the asset at `path`; null if unknown.
[[nodiscard]] const Asset* find(std::string_view path);

// The value of that header, sent with each asset: the page may load only from this server, except
// pictures and videos of posts, and may not run scripts in markup.
inline constexpr std::string_view kContentSecurityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: https: http:; "
    "media-src 'self' blob: https: http:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

}  // namespace chirp::web
