// Room outside of memory in which a load sorts what does not fit into memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace chirp {

// Bytes one after the other, which are gone with this. Use it from one thread.
class Scratch {
 public:
  virtual ~Scratch() = default;

  // Returns the place of the bytes. Throws Error{kStorageFull}, {kIo}.
  virtual std::uint64_t append(std::string_view bytes) = 0;
  // Reads what lies at `place` and after it: at least `least` bytes, which must be there. Returns
  // how many it has read. Throws Error{kIo}.
  virtual std::size_t read(std::uint64_t place, std::span<char> bytes, std::size_t least) const = 0;
};

}  // namespace chirp
