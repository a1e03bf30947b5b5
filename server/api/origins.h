// Pages of other origins: which may call (`http.cors_origins`), and the headers that browsers get.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/http/exchange.h"

namespace chirp::api {

// The facts in a request about the page that sent it.
struct Origin {
  std::optional<std::string> text;  // in lower case; absent outside of browsers
  bool foreign = false;             // not this server's own
  bool listed = false;              // by the operator
};

[[nodiscard]] Origin origin_of(const http::Head& head, const std::vector<std::string>& listed);
// Returns why the page may not do what it asks and what the operator can do; empty if it may.
[[nodiscard]] std::optional<std::string> origin_refusal(const http::Head& head,
                                                        const Origin& origin);
// Whether a browser asks ahead for a page that may call.
[[nodiscard]] bool is_preflight(const http::Head& head, const Origin& origin);
// 204; `allow` are the methods that the path takes.
[[nodiscard]] http::Response preflight(const std::string& allow);
// Adds the headers that let a browser show the answer to the page; none if no origins are listed.
void add_origin_headers(const Origin& origin, const std::vector<std::string>& listed,
                        http::Response& response);

}  // namespace chirp::api
