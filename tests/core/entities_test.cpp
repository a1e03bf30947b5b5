// Goal: mentions and hashtags are found where people mean them, with their places, and nowhere
// else. Method: a table of texts; every short text over an alphabet of the signs that matter, and
// random longer ones, against a second reading that asks of each place alone.
#include "core/model/entities.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/limits.h"
#include "core/model/utf8.h"
#include "tests/support/seeds.h"

namespace chirp::test {
namespace {

// `@name 0-5 #tag 6-10`
std::string words(const Entities& found) {
  std::string text;
  for (const Mention& m : found.mentions) text += fmt::format("@{} {}-{} ", m.name, m.begin, m.end);
  for (const Hashtag& h : found.hashtags) text += fmt::format("#{} {}-{} ", h.tag, h.begin, h.end);
  if (!text.empty()) text.pop_back();
  return text;
}

// ---- the second reading: no state, each question asked from the beginning

using Text = std::vector<std::int32_t>;

Text decoded(std::string_view text) {
  Text points;
  while (!text.empty()) {
    const utf8::Decoded next = utf8::decode(text);
    points.push_back(next.code_point);
    text.remove_prefix(next.bytes);
  }
  return points;
}

bool ascii_name(std::int32_t c) {
  return c < 128 &&
         std::string_view("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
                 .find(static_cast<char>(c)) != std::string_view::npos;
}
bool wordy(std::int32_t c) { return utf8::kind_of(c) != utf8::Kind::kOther; }
bool taggy(std::int32_t c) { return wordy(c) && utf8::kind_of(c) != utf8::Kind::kNumber; }
bool lettery(std::int32_t c) { return utf8::kind_of(c) == utf8::Kind::kLetter; }

bool prefix(const Text& text, std::size_t at, std::string_view word) {
  if (at + word.size() > text.size()) return false;
  return std::equal(word.begin(), word.end(), text.begin() + static_cast<std::ptrdiff_t>(at),
                    [](char a, std::int32_t b) {
                      return b < 128 && (a == b || (a >= 'a' && a <= 'z' && a - 'a' + 'A' == b));
                    });
}

// Whether text[from, to) is a host name.
bool is_host(const Text& text, std::size_t from, std::size_t to) {
  std::vector<Text> labels(1);
  for (std::size_t i = from; i < to; ++i) {
    if (text[i] == '.') {
      labels.emplace_back();
    } else if (text[i] == '-' || (taggy(text[i]) && text[i] != '_')) {
      labels.back().push_back(text[i]);
    } else {
      return false;
    }
  }
  return labels.size() > 1 &&
         std::none_of(labels.begin(), labels.end(), [](const Text& l) { return l.empty(); }) &&
         labels.back().size() > 1 &&
         std::all_of(labels.back().begin(), labels.back().end(), lettery);
}

bool url_begins(const Text& text, std::size_t at) {
  if (!wordy(text[at])) return false;
  if (at > 0 &&
      (wordy(text[at - 1]) || text[at - 1] == '@' || text[at - 1] == '-' || text[at - 1] == '.')) {
    return false;
  }
  for (const char* begin : {"http://", "https://", "www."}) {
    if (prefix(text, at, begin)) return true;
  }
  for (std::size_t slash = at; slash < text.size(); ++slash) {
    if (text[slash] == '/' && is_host(text, at, slash)) return true;
  }
  return false;
}

bool in_url(const Text& text, std::size_t at) {
  for (std::size_t i = 0; i <= at; ++i) {
    const auto from = text.begin() + static_cast<std::ptrdiff_t>(i);
    const auto to = text.begin() + static_cast<std::ptrdiff_t>(at) + 1;
    const bool unbroken = std::none_of(from, to, [](std::int32_t c) {
      return c == '<' || c == '>' || c == '"' || utf8::is_blank(c) || utf8::is_control(c);
    });
    if (unbroken && url_begins(text, i)) return true;
  }
  return false;
}

std::string encoded(const Text& text, std::string_view source, std::size_t from, std::size_t to) {
  std::size_t bytes[2] = {0, 0};
  for (std::size_t i = 0, at = 0; i <= text.size(); ++i) {
    if (i == from) bytes[0] = at;
    if (i == to) bytes[1] = at;
    if (i < text.size()) at += utf8::decode(source.substr(at)).bytes;
  }
  return std::string(source.substr(bytes[0], bytes[1] - bytes[0]));
}

Entities read_naively(std::string_view source) {
  const Text text = decoded(source);
  Entities found;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '@' && text[at] != '#') continue;
    if (at > 0 && (wordy(text[at - 1]) ||
                   std::string_view("@#&$%+=").find(
                       static_cast<char>(std::min(text[at - 1], 127))) != std::string_view::npos)) {
      continue;
    }
    if (in_url(text, at)) continue;
    std::size_t end = at + 1;
    if (text[at] == '@') {
      while (end < text.size() && ascii_name(text[end])) ++end;
      const bool goes_on = end < text.size() && (text[end] == '@' || wordy(text[end]));
      if (end - at < 2 || end - at > limits::kUsernameMax + 1 || goes_on) continue;
      found.mentions.push_back({encoded(text, source, at + 1, end), at, end});
    } else {
      while (end < text.size() && taggy(text[end])) ++end;
      const auto first = text.begin() + static_cast<std::ptrdiff_t>(at) + 1;
      const auto last = text.begin() + static_cast<std::ptrdiff_t>(end);
      const bool goes_on = end < text.size() && wordy(text[end]);
      if (goes_on || !std::any_of(first, last, lettery) || end - at > limits::kTagMax + 1 ||
          utf8::kind_of(*first) == utf8::Kind::kMark) {
        continue;
      }
      found.hashtags.push_back({utf8::case_folded(encoded(text, source, at + 1, end)), at, end});
    }
  }
  return found;
}

struct Reading {
  std::string text;
  std::string finds;
};

}  // namespace

TEST_CASE("entities: mentions are found between words") {
  for (const Reading& reading : std::vector<Reading>{
           {"@mira", "@mira 0-5"},
           {"hello @Mira_2!", "@Mira_2 6-13"},
           {"(@mira) @mira, .@mira", "@mira 1-6 @mira 8-13 @mira 16-21"},
           {"❄ @mira's", "@mira 2-7"},
           {"雪だ @mira", "@mira 3-8"},
           {"@a/@b -@c", "@a 0-2 @b 3-5 @c 7-9"},
           {"@" + std::string(15, 'a'), "@" + std::string(15, 'a') + " 0-16"},
           {"@" + std::string(16, 'a'), ""},
           {"@", ""},
           {"@ mira", ""},
           {"@é", ""},
           {"@miré", ""},
           {"x@mira", ""},
           {"é@mira", ""},
           {"_@mira", ""},
           {"@@mira", ""},
           {"@mira@", ""},
           {"@mira@example.org", ""},
           {"mira@example.org", ""},
           {"first.last+tag@example.org", ""},
           {"a+@example.org", ""},
           {"&@mira", ""},
           {"#@mira", ""},
           {"@mira.", "@mira 0-5"},
           {"@mira\n@tomas", "@mira 0-5 @tomas 6-12"},
           {"@12", "@12 0-3"},
       }) {
    CAPTURE(reading.text);
    CHECK(words(entities_in(reading.text)) == reading.finds);
  }
}

TEST_CASE("entities: hashtags are found between words, folded") {
  for (const Reading& reading : std::vector<Reading>{
           {"#frost", "#frost 0-6"},
           {"First #Frost!", "#frost 6-12"},
           {"#STRASSE #Straße", "#strasse 0-8 #strasse 9-16"},
           {"#ÉTÉ", "#été 0-4"},
           {"#雪", "#雪 0-2"},
           {"雪#雪", ""},
           {"#हिन्दी!", "#हिन्दी 0-7"},
           {"#a1 #1a #a_b", "#a1 0-3 #1a 4-7 #a_b 8-12"},
           {"#1 #2026 #1_2 #_ #___", ""},
           {"#٣", ""},
           {"#", ""},
           {"# frost", ""},
           {"##frost", ""},
           {"a#frost", ""},
           {"&#39;", ""},
           {"&#x27;", ""},
           {"#a#b", "#a 0-2"},
           {"#a/#b", "#a 0-2 #b 3-5"},
           {"#a@b", "#a 0-2"},
           {"#a²", ""},
           {"#\xEF\xB8\x8F\xE2\x83\xA3", ""},
           {"❄#frost", "#frost 1-7"},
           {"C#", ""},
           {"#" + std::string(limits::kTagMax, 'a'),
            "#" + std::string(limits::kTagMax, 'a') + " 0-101"},
           {"#" + std::string(limits::kTagMax + 1, 'a'), ""},
       }) {
    CAPTURE(reading.text);
    CHECK(words(entities_in(reading.text)) == reading.finds);
  }
}

TEST_CASE("entities: nothing is found inside URLs") {
  for (const Reading& reading : std::vector<Reading>{
           {"http://example.org/@mira", ""},
           {"https://example.org/#frost see #frost", "#frost 31-37"},
           {"HTTPS://EXAMPLE.ORG/?q=/@mira", ""},
           {"www.example.org/-@mira", ""},
           {"example.org/@mira", ""},
           {"(example.org/@mira)", ""},
           {"sub.example.org/a/#frost", ""},
           {"bücher.example/#frost", ""},
           {"<http://example.org/>@mira", "@mira 21-26"},
           {"example/@mira", "@mira 8-13"},
           {"1.5/@mira", "@mira 4-9"},
           {"e.g/@mira", "@mira 4-9"},
           {"well.done/#frost", ""},
           {"xhttp://example.org/@mira", ""},
           {"http:/@mira", "@mira 6-11"},
       }) {
    CAPTURE(reading.text);
    CHECK(words(entities_in(reading.text)) == reading.finds);
  }
}

TEST_CASE("entities: the different tags of a text") {
  CHECK(tags_in("#b #a #B #c1 #a") == std::vector<std::string>{"b", "a", "c1"});
  CHECK(tags_in("none").empty());
}

TEST_CASE("entities: every short text reads as the definition says") {
  const std::vector<std::string> signs{"a", "@", "#", "1", "_", ".", "/", " ", "é", "\""};
  for (std::size_t length = 0; length <= 5; ++length) {
    std::vector<std::size_t> at(length, 0);
    for (;;) {
      std::string text;
      for (const std::size_t sign : at) text += signs[sign];
      const Entities found = entities_in(text);
      if (found != read_naively(text)) {
        FAIL_CHECK(text, ": ", words(found), " and not ", words(read_naively(text)));
      }
      std::size_t place = 0;
      while (place < length && ++at[place] == signs.size()) at[place++] = 0;
      if (place == length) break;
    }
  }
}

TEST_CASE("entities: random texts read as the definition says") {
  const std::vector<std::string> parts{
      "@",       "#",      "@mira",  "#Frost", "a",       "é",        "雪",          "ß",
      "1",       "²",      "_",      "-",      ".",       "/",        " ",           "\n",
      "<",       "\"",     "❄",      "www.",   "http://", "HTTPS://", "example.org", "x.yz/",
      "e\u0301", "\u0301", "\u200d", "&",      "+",       "हिन्दी"};
  std::size_t found = 0;
  const std::uint64_t seed = first_seed();
  std::mt19937_64 random(seed);
  for (std::uint64_t world = 0; world < worlds_or(20'000); ++world) {
    std::string text;
    for (auto left = random() % 14; left > 0; --left) text += parts[random() % parts.size()];
    const Entities entities = entities_in(text);
    found += entities.mentions.size() + entities.hashtags.size();
    if (entities != read_naively(text)) {
      FAIL_CHECK("seed ", seed, ", ", text, ": ", words(entities), " and not ",
                 words(read_naively(text)));
    }
  }
  CHECK(found > 0);
}

}  // namespace chirp::test
