// Goal: an emoji counts as one where a person sees one, nothing else does, and a text stays
// bounded. Method: emoji of every make with their counts; the rule of a post's text at its edges.
#include "core/model/emoji.h"

#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "core/limits.h"
#include "core/model/names.h"
#include "core/model/utf8.h"
#include "tests/support/thrown.h"

namespace chirp::test {
namespace {

std::string repeated(std::string_view piece, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += piece;
  return text;
}

constexpr std::string_view kFamily = "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466";
// Two people with tones of skin, a heart and a kiss: the longest there is.
constexpr std::string_view kKiss =
    "\U0001f469\U0001f3fb\u200d\u2764\ufe0f\u200d\U0001f48b\u200d\U0001f469\U0001f3ff";

}  // namespace

TEST_CASE("emoji: each is one character, and other sequences count by code points") {
  const std::vector<std::pair<std::string_view, std::size_t>> counts{
      {"", 0},
      {"abc", 3},
      {"e\u0301\u0301", 3},
      {"\U0001f388\U0001f388", 2},
      {"\u2744\ufe0f", 1},
      {"\U0001f44d\U0001f3fd!", 2},
      {kFamily, 1},
      {kKiss, 1},
      {"\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7", 2},
      {"\U0001f1e9\U0001f1ea\U0001f1eb", 2},
      {"1\ufe0f\u20e3#\u20e3 12", 5},
      {"1\ufe0f2", 3},
      {"\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", 1},
      {"\u200d\u200d", 2},
      {"a\u200d\U0001f467", 3},
      {"\U0001f469\u200da", 3},
      {"\U0001f3fb", 1},
      {"\u00a9\ufe0f\u2122", 2},
  };
  for (const auto& [text, count] : counts) {
    INFO(text);
    CHECK(character_count(text) == count);
  }
}

TEST_CASE("emoji: a chain without end is one character for every ten code points") {
  const std::string chain = repeated("\U0001f469\u200d", 100) + "\U0001f469";
  const std::size_t code_points = utf8::length(chain);
  CHECK(code_points == 201);
  CHECK(character_count(chain) >= code_points / limits::kEmojiMax);
  CHECK(character_count(std::string("\U0001f469") + repeated("\ufe0f", 19)) == 11);
}

TEST_CASE("emoji: 280 fit a post, and 1,000 code points") {
  static_assert(limits::kPostTextMax == 280 && limits::kLoadedTextMax == 1000);
  const std::string hearts = repeated("\u2764\ufe0f", 280);
  CHECK(checked_post_text(hearts) == hearts);
  CHECK(blamed_by([&] { (void)checked_post_text(hearts + "!"); }) == "content");
  const std::string kisses = repeated(kKiss, 100);
  CHECK(utf8::length(kisses) == limits::kLoadedTextMax);
  CHECK(checked_post_text(kisses) == kisses);
  CHECK(blamed_by([&] { (void)checked_post_text(kisses + "!"); }) == "content");
  // Names and bios count code points, as before.
  CHECK(blamed_by([&] { (void)checked_display_name(repeated(kFamily, 8)); }) == "displayName");
}

}  // namespace chirp::test
