// The web page and its files, as answers. Safe to call from any thread.
#pragma once

#include <optional>

#include "server/http/exchange.h"

namespace chirp::api {

// Returns the page's file at this path, or empty if there is none. Throws Problem 405 for methods
// other than GET and HEAD.
[[nodiscard]] std::optional<http::Response> web_file(const http::Request& request);

// Returns a redirect for a browser that asks for another path outside /v1: to the page's view of it
// (`/post/1` becomes `/#/post/1`), or to the view that says that there is nothing. Empty for other
// requests.
[[nodiscard]] std::optional<http::Response> way_to_page(const http::Request& request);

}  // namespace chirp::api
