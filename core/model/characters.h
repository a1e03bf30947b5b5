// Character properties that the grammar of entities needs beyond utf8.h.
//
// Pure functions, safe from any thread. The ranges are those of Unicode 14.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace chirp::characters {

// Whether it is a Latin letter, including full-width ones.
[[nodiscard]] bool is_latin(std::int32_t code_point);
// Whether it is a letter of a joined script, such as Arabic, Syriac or Mongolian.
[[nodiscard]] bool is_cursive(std::int32_t code_point);
// Whether it is a virama: a mark that removes a letter's vowel and joins the letter to the next.
[[nodiscard]] bool is_virama(std::int32_t code_point);
// Whether the sign belongs to a word only between two letters: middle dots, geresh and gershayim,
// maqaf, the tsheg, the hyphens of Armenian and Katakana.
[[nodiscard]] bool is_medial(std::int32_t code_point);
// Whether it is punctuation as wide as an ideograph.
[[nodiscard]] bool is_wide_punctuation(std::int32_t code_point);
// Whether it is punctuation that ends a sentence, clause, quotation or bracket, in any script.
// Signs that occur in addresses do not count: `# % & * / \ @ - _` and other dashes.
[[nodiscard]] bool is_closing(std::int32_t code_point);

// Returns the text in NFC without accents. Accents are marks above, below, through or beside a
// letter, as in Latin and Greek, and the points of Hebrew and Arabic. Vowel signs, tone marks and
// voicing marks of other scripts stay, because they change the word. A text that is not valid UTF-8
// is returned unchanged.
[[nodiscard]] std::string without_accents(std::string_view text);

}  // namespace chirp::characters
