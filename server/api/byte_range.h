// Parses the header `Range`. Pure functions; safe from any thread.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "server/http/exchange.h"

namespace chirp::api {

// A body that never changes. It is compressed once for all clients, because gzip is the most
// expensive part of such an answer. Safe to call from any thread.
class ConstantBody {
 public:
  // `text` must outlive it.
  explicit ConstantBody(std::string_view text) : text_(text) {}

  // Sets the answer's body, in the coding that the request accepts. The caller sets the type.
  void put_into(http::Response& response, const http::Head& request);

 private:
  std::string_view text_;
  std::once_flag once_;
  std::string compressed_;  // after the first request for it; empty if it is not smaller
};

struct ByteRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;   // inclusive
  bool satisfiable = true;  // false: the range begins past the end of the file
};

// Returns the single byte range of a file of `size` bytes, cut off at the file's end. Empty for any
// other header, which the caller must ignore.
[[nodiscard]] std::optional<ByteRange> byte_range(std::string_view header, std::uint64_t size);

}  // namespace chirp::api
