// Sorted edges in about three bytes each, to be read from the first to the last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace chirp::load {

class PackedEdges {
 public:
  // `keys` are sorted, each once: see edge_key(). A key is written as the difference of followees,
  // with a 0 bit below it, while the follower is the same; otherwise as the difference of
  // followers, with a 1 bit, and the followee.
  explicit PackedEdges(std::span<const std::uint64_t> keys) {
    std::vector<std::uint8_t> bytes;
    bytes.reserve(keys.size() * 4);
    std::uint64_t last = 0;
    for (const std::uint64_t key : keys) {
      if (key >> 32 == last >> 32) {
        put_varint(bytes, (key - last) << 1);
      } else {
        put_varint(bytes, (((key >> 32) - (last >> 32)) << 1) | 1);
        put_varint(bytes, static_cast<std::uint32_t>(key));
      }
      last = key;
    }
    bytes_.assign(bytes.begin(), bytes.end());  // no more room than it takes
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_.size(); }

  // The edges live longer.
  class Cursor {
   public:
    Cursor(const PackedEdges& edges) : at_(edges.bytes_.data()), end_(at_ + edges.bytes_.size()) {
      next();
    }

    [[nodiscard]] bool done() const { return done_; }
    [[nodiscard]] std::uint64_t key() const { return key_; }
    void next() {
      done_ = at_ == end_;
      if (done_) return;
      const std::uint64_t step = varint();
      if ((step & 1) == 0) {
        key_ += step >> 1;
      } else {
        const std::uint64_t follower = (key_ >> 32) + (step >> 1);
        key_ = (follower << 32) | varint();
      }
    }

   private:
    std::uint64_t varint() {
      std::uint64_t value = 0;
      for (unsigned shift = 0;; shift += 7) {
        const std::uint8_t byte = *at_++;
        value |= std::uint64_t{byte & 0x7Fu} << shift;
        if (byte < 0x80) return value;
      }
    }

    const std::uint8_t* at_;
    const std::uint8_t* end_;
    std::uint64_t key_ = 0;
    bool done_ = false;
  };

 private:
  static void put_varint(std::vector<std::uint8_t>& out, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out.push_back(static_cast<std::uint8_t>(value | 0x80));
    out.push_back(static_cast<std::uint8_t>(value));
  }

  std::vector<std::uint8_t> bytes_;
};

}  // namespace chirp::load
