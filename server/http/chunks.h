// A body that comes in chunks (RFC 9112, 7.1), put together. Extensions of chunks and trailers are
// read and dropped. Strict about line ends, since a proxy that reads them otherwise would see
// another request behind the body. For one thread.
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
  // Takes off `input` what belongs to the body, and puts its bytes behind those of `body`, `most`
  // at most. A fault if it is longer, or no chunks.
  [[nodiscard]] std::optional<Fault> take(std::string& input, std::string& body, std::size_t most);
  [[nodiscard]] bool is_whole() const { return part_ == Part::kOver; }

 private:
  enum class Part : std::uint8_t { kSize, kData, kDataEnd, kTrailer, kOver };

  std::optional<Fault> take_line(std::string_view line);

  Part part_ = Part::kSize;
  std::uint64_t left_ = 0;  // of the chunk
  std::size_t trailer_bytes_ = 0;
};

}  // namespace chirp::http
