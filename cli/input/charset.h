// Character sets by their names, decoded by iconv.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace chirp::cli::input {

// What a decoded text has in place of bytes without a meaning. It is not UTF-8, so such a line is a
// bad line.
inline constexpr std::string_view kNoCharacter = "\xF8\x88";

class Charset {
 public:
  // Whether iconv knows the name.
  [[nodiscard]] static bool is_known(const std::string& name);

  // `name` is known.
  explicit Charset(const std::string& name);
  ~Charset();
  Charset(const Charset&) = delete;
  Charset& operator=(const Charset&) = delete;

  // Appends the bytes as UTF-8, and kNoCharacter for each unit without a meaning. Returns how many
  // bytes that are: a character that is cut off at the end is left.
  std::size_t append(std::string& out, std::string_view bytes);
  // Appends the last character, which some encodings hold back. Call it after the last append().
  void finish(std::string& out);

  // The least number of bytes of a character: 2 of UTF-16.
  [[nodiscard]] std::size_t unit() const { return unit_; }

 private:
  void* decoder_;
  std::size_t unit_;
};

}  // namespace chirp::cli::input
