#include "server/api/page.h"

#include <utility>

#include "server/api/call.h"
#include "server/api/problem.h"
#include "server/web/assets.h"

namespace chirp::api {

std::optional<http::Response> page_file(const http::Request& request) {
  const web::Asset* const asset = web::find(request.path);
  if (asset == nullptr) return std::nullopt;
  if (request.method != http::Method::kGet && request.method != http::Method::kHead) {
    throw Problem{
        405, "invalid_argument", "The web page is there to be read.", {}, {{"Allow", "GET, HEAD"}}};
  }
  http::Response response;
  response.headers = {{"ETag", std::string(asset->etag)},
                      {"Cache-Control", "no-cache"},
                      {"Content-Security-Policy", std::string(web::kContentSecurityPolicy)},
                      {"Referrer-Policy", "no-referrer"}};
  response.type = asset->type;
  response.body = asset->body;
  return unless_held(request, std::move(response));
}

}  // namespace chirp::api
