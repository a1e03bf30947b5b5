// Sorted edges in about three bytes each, read from the first to the last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/load/bytes.h"

namespace chirp::load {

class PackedEdges {
 public:
  // `keys` are sorted, without duplicates: see edge_key(). A key is written as the difference of
  // followees, with a 0 bit below it, while the follower is the same; otherwise as the difference
  // of followers, with a 1 bit, and the followee.
  explicit PackedEdges(std::span<const std::uint64_t> keys) {
    std::string bytes;
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
    bytes_ = std::string(bytes.data(), bytes.size());  // without spare capacity
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_.size(); }

  // The edges must outlive it.
  class Cursor {
   public:
    Cursor(const PackedEdges& edges) : unread_(edges.bytes_) { next(); }

    [[nodiscard]] bool done() const { return done_; }
    [[nodiscard]] std::uint64_t key() const { return key_; }
    void next() {
      done_ = unread_.empty();
      if (done_) return;
      const std::uint64_t step = take_varint(unread_);
      if ((step & 1) == 0) {
        key_ += step >> 1;
      } else {
        const std::uint64_t follower = (key_ >> 32) + (step >> 1);
        key_ = (follower << 32) | take_varint(unread_);
      }
    }

   private:
    std::string_view unread_;
    std::uint64_t key_ = 0;
    bool done_ = false;
  };

 private:
  std::string bytes_;
};

}  // namespace chirp::load
