#include "server/api/origins.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/model/names.h"
#include "server/api/problem.h"

namespace chirp::api {
namespace {

constexpr const char* kRequestHeaders =
    "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, Range";
constexpr const char* kExposed =
    "Allow, Content-Range, ETag, Location, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, "
    "Request-Id, Retry-After, WWW-Authenticate";
constexpr const char* kPreflightSeconds = "600";

bool is_safe(http::Method method) {
  return method == http::Method::kGet || method == http::Method::kHead ||
         method == http::Method::kOptions;
}

// Whether the page's origin is the request's own host. Either scheme matches, because a proxy may
// have removed TLS.
bool is_own(const http::Head& head, const std::string& origin) {
  const auto host = head.header("host");
  if (!host) return false;
  const std::string own = folded(*host);
  return origin == "http://" + own || origin == "https://" + own;
}

}  // namespace

RequestOrigin origin_of(const http::Head& head, const std::vector<std::string>& listed) {
  RequestOrigin origin;
  if (const auto header = head.header("origin")) origin.text = folded(*header);
  if (!origin.text) return origin;
  origin.foreign = !is_own(head, *origin.text);
  origin.listed = std::find(listed.begin(), listed.end(), *origin.text) != listed.end();
  return origin;
}

std::optional<std::string> origin_refusal(const http::Head& head, const RequestOrigin& origin) {
  if (is_safe(head.method) || !origin.foreign || origin.listed) return std::nullopt;
  return fmt::format(
      "A page of {} may not do this at {}. If both are this server, let the proxy pass on the Host "
      "(nginx: proxy_set_header Host $http_host). If not, the operator can add the origin to the "
      "setting http.cors_origins.",
      printable(*origin.text), printable(head.header("host").value_or("a host without a name")));
}

bool is_preflight(const http::Head& head, const RequestOrigin& origin) {
  return head.method == http::Method::kOptions && origin.listed &&
         head.header("access-control-request-method").has_value();
}

http::Response preflight(const std::string& allow) {
  http::Response response;
  response.status = 204;
  response.headers = {{"Access-Control-Allow-Methods", allow},
                      {"Access-Control-Allow-Headers", kRequestHeaders},
                      {"Access-Control-Max-Age", kPreflightSeconds}};
  return response;
}

void add_origin_headers(const RequestOrigin& origin, const std::vector<std::string>& listed,
                        http::Response& response) {
  if (listed.empty()) return;
  response.headers.push_back({"Vary", "Origin"});
  if (!origin.listed) return;
  response.headers.push_back({"Access-Control-Allow-Origin", *origin.text});
  response.headers.push_back({"Access-Control-Expose-Headers", kExposed});
}

}  // namespace chirp::api
