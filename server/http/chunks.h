// Decodes a chunked body (RFC 9112, 7.1). Drops chunk extensions and trailers. It is strict about
// line ends: a proxy that reads them differently would see another request after the body. Not
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/http/head.h"

namespace chirp::http {

class ChunkedBody {
 public:
  // Moves the body's bytes from `input` to the end of `body`, which may reach `most` bytes. Returns
  // a fault if the body is longer or its chunks are malformed.
  [[nodiscard]] std::optional<Fault> take(std::string& input, std::string& body, std::size_t most);
  [[nodiscard]] bool is_whole() const { return part_ == Part::kOver; }

 private:
  enum class Part : std::uint8_t { kSize, kData, kDataEnd, kTrailer, kOver };

  std::optional<Fault> take_line(std::string_view line);

  Part part_ = Part::kSize;
  std::uint64_t left_ = 0;  // bytes of the current chunk
  std::size_t trailer_bytes_ = 0;
};

}  // namespace chirp::http
