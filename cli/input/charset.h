// Decodes character sets by name, with iconv.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace chirp::cli::input {

// Replaces undecodable bytes in a decoded text. It is not valid UTF-8, so such a line is a bad
// line.
inline constexpr std::string_view kNoCharacter = "\xF8\x88";

class Charset {
 public:
  // Whether iconv knows the name.
  [[nodiscard]] static bool is_known(const std::string& name);

  // `name` must be known.
  explicit Charset(const std::string& name);
  ~Charset();
  Charset(const Charset&) = delete;
  Charset& operator=(const Charset&) = delete;

  // Appends the bytes as UTF-8, and kNoCharacter for each undecodable unit. Returns the number of
  // bytes used: an incomplete character at the end is left.
  std::size_t append(std::string& out, std::string_view bytes);
  // Appends the last character, which some encodings hold back. Call it after the last append().
  void finish(std::string& out);

  // The smallest size of a character in bytes: 2 for UTF-16.
  [[nodiscard]] std::size_t unit() const { return unit_; }

 private:
  void* decoder_;
  std::size_t unit_;
};

}  // namespace chirp::cli::input
