#include "server/api/web_files.h"

#include <deque>
#include <utility>

#include "server/api/byte_range.h"
#include "server/api/call.h"
#include "server/api/problem.h"
#include "server/web/assets.h"

namespace chirp::api {
namespace {

ConstantBody& body_of(const web::Asset& asset) {
  static std::deque<ConstantBody> bodies = [] {
    std::deque<ConstantBody> all;
    for (const web::Asset& each : web::assets()) all.emplace_back(each.body);
    return all;
  }();
  return bodies[static_cast<std::size_t>(&asset - web::assets().data())];
}

}  // namespace

std::optional<http::Response> web_file(const http::Request& request) {
  const web::Asset* const asset = web::find(request.path);
  if (asset == nullptr) return std::nullopt;
  if (request.method != http::Method::kGet && request.method != http::Method::kHead) {
    throw Problem{
        405, "invalid_argument", "The web page is there to be read.", {}, {{"Allow", "GET, HEAD"}}};
  }
  http::Response response;
  response.headers = {{"ETag", std::string(asset->etag)},
                      {"Cache-Control", asset->holding == web::Holding::kForever
                                            ? "public, max-age=31536000, immutable"
                                            : "no-cache"},
                      {"Content-Security-Policy", std::string(web::kContentSecurityPolicy)},
                      {"Referrer-Policy", "no-referrer"}};
  response.type = asset->type;
  response = unless_held(request, std::move(response));
  if (response.status == 200) body_of(*asset).put_into(response, request);
  return response;
}

std::optional<http::Response> way_to_page(const http::Request& request) {
  const bool reads = request.method == http::Method::kGet || request.method == http::Method::kHead;
  const std::optional<std::string_view> accepted = request.header("accept");
  if (!reads || !accepted || accepted->find("text/html") == std::string_view::npos)
    return std::nullopt;
  if (request.segments.empty() || request.segments.front() == "v1") return std::nullopt;
  http::Response response;
  response.status = 302;
  response.headers = {{"Location", "/#" + request.path}, {"Vary", "Accept"}};
  return response;
}

}  // namespace chirp::api
