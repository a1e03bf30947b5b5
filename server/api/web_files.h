// The web page and its files, as answers. Safe to call from any thread.
#pragma once

#include <optional>

#include "server/http/exchange.h"

namespace chirp::api {

// The file of the page at this path; empty if there is none. Throws Problem 405 for a method other
// than GET and HEAD.
[[nodiscard]] std::optional<http::Response> web_file(const http::Request& request);

// For a browser that asks for another path outside of /v1: where the page shows that, as `/post/1`
// at `/#/post/1`, or says that nothing is there. Empty for anything else.
[[nodiscard]] std::optional<http::Response> way_to_page(const http::Request& request);

}  // namespace chirp::api
