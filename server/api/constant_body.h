// A body that never changes, compressed once for all who accept that: what costs the most of such
// an answer is gzip. Safe to call from any thread.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "server/http/exchange.h"

namespace chirp::api {

class ConstantBody {
 public:
  // `text` must outlive it.
  explicit ConstantBody(std::string_view text) : text_(text) {}

  // Makes it the body of the answer, in the coding that the request accepts. Its type is set.
  void put_into(http::Response& response, const http::Head& request);

 private:
  std::string_view text_;
  std::once_flag once_;
  std::string compressed_;  // once it has been asked for; empty if that is not smaller
};

}  // namespace chirp::api
