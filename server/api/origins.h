// Pages of other origins: which ones may call (`http.cors_origins`), and the headers for browsers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/http/exchange.h"

namespace chirp::api {

// What a request says about the page that sent it.
struct RequestOrigin {
  std::optional<std::string> text;  // in lower case; absent outside browsers
  bool foreign = false;             // not this server's origin
  bool listed = false;              // in `http.cors_origins`
};

[[nodiscard]] RequestOrigin origin_of(const http::Head& head,
                                      const std::vector<std::string>& listed);
// Returns why the page may not send this request and what the operator can do; empty if it may.
[[nodiscard]] std::optional<std::string> origin_refusal(const http::Head& head,
                                                        const RequestOrigin& origin);
// Whether this is a browser's preflight request for a page that may call.
[[nodiscard]] bool is_preflight(const http::Head& head, const RequestOrigin& origin);
// Returns 204; `allow` has the methods of the path.
[[nodiscard]] http::Response preflight(const std::string& allow);
// Adds the headers that let a browser show the answer to the page; none if `listed` is empty.
void add_origin_headers(const RequestOrigin& origin, const std::vector<std::string>& listed,
                        http::Response& response);

}  // namespace chirp::api
