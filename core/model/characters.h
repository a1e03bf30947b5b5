// Properties of characters that the grammar of entities asks for, beyond what utf8.h tells.
//
// Pure functions, safe from any thread. The ranges are those of Unicode 14.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace chirp::characters {

// A letter of the Latin script, full-width ones included.
[[nodiscard]] bool is_latin(std::int32_t code_point);
// A letter of a script that is written joined up, such as Arabic, Syriac or Mongolian.
[[nodiscard]] bool is_cursive(std::int32_t code_point);
// A mark that kills the vowel of its letter, and so joins the letter to the next one.
[[nodiscard]] bool is_virama(std::int32_t code_point);
// A sign that is part of a word between two letters of it and not elsewhere: middle dots, geresh
// and gershayim, maqaf, the tsheg, the hyphens of Armenian and Katakana.
[[nodiscard]] bool is_medial(std::int32_t code_point);
// Punctuation as wide as an ideograph.
[[nodiscard]] bool is_wide_punctuation(std::int32_t code_point);
// Punctuation that ends a sentence, a clause, a quotation or a bracket, of any script. It is not
// one of the signs that are part of addresses: `# % & * / \ @ - _` and other dashes.
[[nodiscard]] bool is_closing(std::int32_t code_point);

// The text in NFC without accents: marks above, below, through or beside a letter, as of Latin and
// Greek, and the points of Hebrew and Arabic. Vowel signs, tone marks and voicing marks of other
// scripts stay, since other words are written with them. A text that is not valid UTF-8 stays.
[[nodiscard]] std::string without_accents(std::string_view text);

}  // namespace chirp::characters
