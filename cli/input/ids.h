// Decides which cells of a load's texts are ids: numbers always, words only where expected.
//
// The kind of an id does not depend on its text: `7` is a number everywhere, and `alice` a word.
// Words are accepted only where they are expected, so that a title, a note or a shifted column
// creates no users.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/load/words.h"
#include "core/model/ids.h"
#include "core/model/nearest.h"
#include "core/model/time.h"

namespace chirp::cli::input {

// The values of --ids. kAuto: words without blanks, in texts that begin with words.
enum class IdKind : std::uint8_t { kAuto, kNumbers, kWords };

inline constexpr std::array<Choice<IdKind>, 3> kIdKinds{
    {{"auto", IdKind::kAuto}, {"numbers", IdKind::kNumbers}, {"words", IdKind::kWords}}};

// Whether a cell may be a word under kAuto: it has no blanks and no quotes, and is neither a number
// with a sign, a fraction or an exponent, nor a mark for a missing value (`nan`, `null`).
[[nodiscard]] bool is_plain_word(std::string_view cell);

// Whether a spreadsheet has shortened a number: `9.87E+17`, also with a decimal comma. Such a
// number is never an id.
[[nodiscard]] bool is_cut_number(std::string_view cell);
// Detects whether a spreadsheet has rounded the ids of a text. Spreadsheets keep fifteen digits and
// replace the rest with zeros.
class RoundedIds {
 public:
  // Records a cell that may be an id.
  void see(std::string_view cell);
  // Returns a warning if most ids are rounded, or empty.
  [[nodiscard]] std::string warning() const;

 private:
  std::uint64_t long_ = 0;
  std::uint64_t rounded_ = 0;
};

// Reads the ids of a load's texts. Without `words` it accepts only numbers.
class IdCells {
 public:
  IdCells() = default;
  IdCells(load::Words* words, IdKind kind)
      : words_(words), kind_(words ? kind : IdKind::kNumbers) {}

  [[nodiscard]] IdKind kind() const { return kind_; }

  // Reads the id of a user: a number or a word. Different spellings of an account `user@domain` are
  // the same user.
  [[nodiscard]] std::optional<SourceId> user(std::string_view cell) const;
  // Reads the id of a post or user: a number, or any word unless ids are numbers only.
  [[nodiscard]] std::optional<SourceId> any(std::string_view cell) const;

  // Starts a text. Its post ids are numbers, unless the first one is a word, or --ids says so.
  void begin_text() { post_words_.reset(); }
  [[nodiscard]] std::optional<SourceId> post(std::string_view cell);
  // Records an id that was read without post(), because the first id decides for all.
  void took_post(SourceId id) {
    if (!post_words_) post_words_ = load::Words::is_word(id);
  }
  // Reads the id of another post.
  [[nodiscard]] std::optional<SourceId> link(std::string_view cell) const;

  // Describes the expected id, for messages about a cell without one.
  [[nodiscard]] std::string_view expected_user(std::string_view cell = {}) const;
  [[nodiscard]] std::string_view expected_post(std::string_view cell = {}) const;

 private:
  [[nodiscard]] bool takes_post_words() const;
  [[nodiscard]] bool takes_word(std::string_view cell) const;

  load::Words* words_ = nullptr;
  IdKind kind_ = IdKind::kNumbers;
  std::optional<bool> post_words_;  // set by the first id
};

// Makes the id of a row from its author, time and text, and from the number of equal rows before
// it, so that a file gives the same posts under any file name.
class MadeUpIds {
 public:
  [[nodiscard]] SourceId id(std::string_view author, Time when, std::string_view text);

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> equal_rows_;  // counts, by made-up id
};

}  // namespace chirp::cli::input
