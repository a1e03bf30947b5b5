// A compact encoding of numbers and texts, for columns that are not queried by their parts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace chirp::postgres {

class Packer {
 public:
  void varint(std::uint64_t value) {
    while (value >= 0x80) {
      bytes_.push_back(static_cast<char>(value | 0x80));
      value >>= 7;
    }
    bytes_.push_back(static_cast<char>(value));
  }
  void zigzag(std::int64_t value) {
    varint((static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
  }
  void text(std::string_view bytes) {
    varint(bytes.size());
    bytes_.append(bytes);
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Throws Error{kCorrupt} past the end; the message names `what`.
class Unpacker {
 public:
  Unpacker(std::string_view bytes, std::string_view what) : rest_(bytes), what_(what) {}

  [[nodiscard]] bool done() const { return rest_.empty(); }
  std::uint64_t varint();
  std::int64_t zigzag() {
    const std::uint64_t value = varint();
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
  }
  std::string_view text();
  [[noreturn]] void broken() const;

 private:
  std::string_view rest_;
  std::string_view what_;
};

}  // namespace chirp::postgres
