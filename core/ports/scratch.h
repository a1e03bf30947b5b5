// Temporary space outside memory, for loads that sort more than fits into memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace chirp {

// A sequence of bytes that is deleted with this object. Use it from one thread.
class Scratch {
 public:
  virtual ~Scratch() = default;

  // Returns the offset of the bytes. Throws Error{kStorageFull}, {kIo}.
  virtual std::uint64_t append(std::string_view bytes) = 0;
  // Reads from `place` on. Returns the number of bytes read, at least `least`. Throws Error{kIo},
  // also if there are fewer.
  virtual std::size_t read(std::uint64_t place, std::span<char> bytes, std::size_t least) const = 0;
};

}  // namespace chirp
