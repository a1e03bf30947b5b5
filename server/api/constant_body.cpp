#include "server/api/constant_body.h"

#include "server/http/answer_writer.h"
#include "server/http/grammar.h"

namespace chirp::api {

void ConstantBody::put_into(http::Response& response, const http::Head& request) {
  const auto accepted = request.header("accept-encoding");
  if (http::is_compressible(response.type) && accepted && http::accepts_gzip(*accepted)) {
    std::call_once(once_, [&] {
      std::string compressed = http::gzipped(text_);
      if (compressed.size() < text_.size()) compressed_ = std::move(compressed);
    });
    if (!compressed_.empty()) {
      response.body = compressed_;
      response.headers.push_back({"Content-Encoding", "gzip"});
      return;
    }
  }
  response.body = text_;
}

}  // namespace chirp::api
