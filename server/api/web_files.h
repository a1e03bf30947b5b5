// Answers with the web page and its files. Safe to call from any thread.
#pragma once

#include <optional>

#include "server/http/exchange.h"

namespace chirp::api {

// Returns the page's file at this path; empty if there is no such file. Throws Problem 405 for
// methods other than GET and HEAD.
[[nodiscard]] std::optional<http::Response> web_file(const http::Request& request);

// Returns a redirect for a browser that requests another path outside /v1: to that view of the page
// (`/post/1` becomes `/#/post/1`), or to the view "not found". Empty for other requests.
[[nodiscard]] std::optional<http::Response> way_to_page(const http::Request& request);

}  // namespace chirp::api
