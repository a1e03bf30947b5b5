// What a source calls a user, a post or a comment: a number, or a word.
//
// Each id alone says which it is (source_key()), so nothing depends on what else came with it.
// Words are compared whole, byte by byte: `007` is none of `7`, and `Alice` none of `alice`.
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
  std::string word;   // empty: the number counts
  SourceId number{};  // 0 of a word

  SourceKey() = default;
  SourceKey(SourceId id) : number(id) {}  // NOLINT: a number is a key as it is
  explicit SourceKey(std::string text) : word(std::move(text)) {}

  [[nodiscard]] bool is_word() const { return !word.empty(); }
  // Numbers, then words. Loads sort by this, numbers mostly.
  std::strong_ordering operator<=>(const SourceKey& other) const {
    if (!is_word() && !other.is_word()) return number <=> other.number;
    return word <=> other.word;
  }
  bool operator==(const SourceKey& other) const {
    return number == other.number && word == other.word;
  }
};

// What `text` is as a source id: digits without leading zeros, of at most 63 bits, are a number,
// anything else is a word. Nothing if it can be none: an empty text, one of more than
// limits::kSourceWordMax bytes, with control characters or blanks at its ends, or no UTF-8.
[[nodiscard]] std::optional<SourceKey> source_key(std::string_view text);
// The number that `text` is, if it is one.
[[nodiscard]] std::optional<SourceId> source_number(std::string_view text);
// Whether `text` could be a word, if it is no number.
[[nodiscard]] bool can_be_source_word(std::string_view text);

// As the source writes it.
[[nodiscard]] std::string text_of(const SourceKey& key);

// 64 bits that stand for the word where a number has to.
[[nodiscard]] std::uint64_t digest_of(std::string_view word);

}  // namespace chirp
