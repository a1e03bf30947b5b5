// The id of a user, a post or a comment in its source: a number, or a word.
//
// The text of an id alone decides which (source_key()), so nothing depends on other data. Words are
// compared byte by byte: `007` is not `7`, and `Alice` is not `alice`.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/model/ids.h"

namespace chirp {

struct SourceKey {
  std::string word;   // empty for a number
  SourceId number{};  // 0 for a word

  SourceKey() = default;
  SourceKey(SourceId id) : number(id) {}  // NOLINT: implicit, since every number is a key
  explicit SourceKey(std::string text) : word(std::move(text)) {}

  [[nodiscard]] bool is_word() const { return !word.empty(); }
  // Numbers sort before words. Loads sort by this, mostly numbers.
  std::strong_ordering operator<=>(const SourceKey& other) const {
    if (!is_word() && !other.is_word()) return number <=> other.number;
    return word <=> other.word;
  }
  bool operator==(const SourceKey& other) const {
    return number == other.number && word == other.word;
  }
};

// Parses a source id. Digits without leading zeros, up to 63 bits, are a number; anything else is a
// word. Empty if the text is neither: it is empty, longer than limits::kSourceWordMax bytes, has
// control characters, begins or ends with a blank, or is not UTF-8.
[[nodiscard]] std::optional<SourceKey> source_key(std::string_view text);
// Returns the number, if the text is one.
[[nodiscard]] std::optional<SourceId> source_number(std::string_view text);
// Whether `text` could be a word, given that it is not a number.
[[nodiscard]] bool can_be_source_word(std::string_view text);

// Returns the id as the source writes it.
[[nodiscard]] std::string text_of(const SourceKey& key);

// Returns a 64-bit digest of a word, for places that need a number.
[[nodiscard]] std::uint64_t digest_of(std::string_view word);

}  // namespace chirp
