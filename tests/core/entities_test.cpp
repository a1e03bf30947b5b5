// Goal: mentions, hashtags and links are found where people mean them, with their places, and
// nowhere else. Method: a table of texts; every short text over an alphabet of the signs that
// matter, and random longer ones, against a second reading that asks of each place alone.
#include "core/model/entities.h"

#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/limits.h"
#include "tests/support/naive_entities.h"
#include "tests/support/seeds.h"

namespace chirp::test {
namespace {

// `@name 0-5 #tag 6-10 http://a.b 12-22`
std::string words(const std::vector<Entity>& found) {
  std::string text;
  for (const Entity& entity : found) {
    const std::string_view sign = entity.type == EntityType::kMention   ? "@"
                                  : entity.type == EntityType::kHashtag ? "#"
                                                                        : "";
    text += fmt::format("{}{} {}-{} ", sign, entity.value, entity.begin, entity.end);
  }
  if (!text.empty()) text.pop_back();
  return text;
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
           {"雪@mira", "@mira 1-6"},
           {"我和@mira去", "@mira 2-7"},
           {"@miraさん、@tomas、来て", "@mira 0-5 @tomas 8-14"},
           {"「@mira」（@tomas）", "@mira 1-6 @tomas 8-14"},
           {"привет@mira", "@mira 6-11"},
           {"हिन्दी@mira", "@mira 6-11"},
           {"第1@mira", ""},
           {"ａ@mira @miraｂ", ""},
           {"＠mira", "@mira 0-5"},
           {"@mira＠host", ""},
           {"＃@mira", ""},
           {"❄\uFE0F@mira", "@mira 2-7"},
           {"🐦 @mira 🐦", "@mira 3-8"},
           {"x\u0323@mira", ""},
           {"@x\u0323", ""},
           {"@mira.example", "@mira 0-5"},
           {"@mira²", ""},
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
           {"、#雪", "#雪 1-3"},
           {"＃雪 ＃Frost", "#雪 0-2 #frost 3-9"},
           {"❄\uFE0F#frost", "#frost 2-8"},
           {"🐦#frost", "#frost 2-8"},
           {"#𝓯rost", "#𝓯rost 0-7"},
           // Joiners: between cursive letters, behind a virama, and nowhere else.
           {"#می\u200Cخواهم", "#می\u200Cخواهم 0-9"},
           {"#می\u200Dخواهم", "#می 0-3"},
           {"#می\u200C", "#می 0-3"},
           {"#می\u200C\u200Cخ", "#می 0-3"},
           {"#می\u200Ca", "#می 0-3"},
           {"#क्\u200Dष #क्\u200Cष", "#क्\u200Dष 0-5 #क्\u200Cष 6-11"},
           {"#ක්\u200D", "#ක් 0-3"},
           {"#क\u093C\u094D\u200Dष", "#क\u093C\u094D\u200Dष 0-6"},
           {"http://a.de/क\u093C\u094D\u200Dष", "http://a.de/क\u093C\u094D\u200Dष 0-17"},
           {"#क\u200Dष", "#क 0-2"},
           {"#sea\u200Cgull #sea\u200Dgull", "#sea 0-4 #sea 10-14"},
           {"#\u200Cخ", ""},
           // Signs within words.
           {"#col·lecció #a··b #a·", "#col·lecció 0-11 #a 12-14 #a 18-20"},
           {"#צה״ל #ג׳ירפה #ג׳", "#צה״ל 0-5 #ג׳ירפה 6-13 #ג 14-16"},
           {"#בית־ספר", "#בית־ספר 0-8"},
           {"#བོད་ཡིག་", "#བོད་ཡིག 0-8"},
           {"#ハロー・ワールド・", "#ハロー・ワールド 0-9"},
           {"#·a", ""},
           {"#rock-n-roll", "#rock 0-5"},
           {"#mira’s", "#mira 0-5"},
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

TEST_CASE("entities: a link is an address without what closes the sentence") {
  for (const Reading& reading : std::vector<Reading>{
           {"see http://sea.example/a.", "http://sea.example/a 4-24"},
           {"HTTPS://Sea.example", "HTTPS://Sea.example 0-19"},
           {"www.sea.example!", "https://www.sea.example 0-15"},
           {"sea.example/?q=1, yes", "https://sea.example/?q=1 0-16"},
           {"🐦 sea.example/", "https://sea.example/ 3-15"},
           {"sea.example", ""},
           // Brackets.
           {"http://w.example/Tern_(bird)", "http://w.example/Tern_(bird) 0-28"},
           {"(http://w.example/Tern_(bird))", "http://w.example/Tern_(bird) 1-29"},
           {"(see http://w.example/tern).", "http://w.example/tern 5-26"},
           {"http://w.example/a[1] [http://w.example/]",
            "http://w.example/a[1] 0-21 http://w.example/ 23-40"},
           {"http://w.example/a{b}}", "http://w.example/a{b} 0-21"},
           {"http://w.example/a_(b, then", "http://w.example/a_(b 0-21"},
           {"http://w.example/a_(", "http://w.example/a_ 0-19"},
           {"http://w.example/a)(b)", "http://w.example/a)(b 0-21"},
           {"http://[::1]/x", "http://[::1]/x 0-14"},
           // Punctuation of other scripts.
           {"http://w.example/a。次", "http://w.example/a 0-18"},
           {"「http://w.example/a」、@mira", "http://w.example/a 1-19 @mira 21-26"},
           {"（http://w.example/a）", "http://w.example/a 1-19"},
           {"http://w.example/鳥！", "http://w.example/鳥 0-18"},
           {"http://w.example/a، http://w.example/b؟",
            "http://w.example/a 0-18 http://w.example/b 20-38"},
           {"http://w.example/a। http://w.example/b॥",
            "http://w.example/a 0-18 http://w.example/b 20-38"},
           {"http://w.example/a… “http://w.example/b”",
            "http://w.example/a 0-18 http://w.example/b 21-39"},
           {"http://w.example/a?!'", "http://w.example/a 0-18"},
           {"http://w.example/می\u200Cخ http://w.example/a\u200Cb",
            "http://w.example/می\u200Cخ 0-21 http://w.example/a 22-40"},
           // Letters before it.
           {"見てhttp://w.example/", "http://w.example/ 2-19"},
           {"見てwww.w.example", "https://www.w.example 2-15"},
           {"見てsea.example/", "https://sea.example/ 2-14"},
           {"鳥.example/ bücher.example/",
            "https://鳥.example/ 0-10 https://bücher.example/ 11-26"},
           {"éhttp://w.example/", "https://w.example/ 8-18"},
           // What is no address of the web, or passes itself off as another.
           {"http:// www. http://. www.-a", ""},
           {"http://bank.example@evil.example/ @mira", "@mira 34-39"},
           {"http://bank.example:pass@evil.example/@mira", ""},
           {"http://w.example/@mira http://w.example\\@x",
            "http://w.example/@mira 0-22 http://w.example\\@x 23-42"},
           {"#www.w.example/ #a", "#www 0-4 #a 16-18"},
       }) {
    CAPTURE(reading.text);
    CHECK(words(entities_in(reading.text)) == reading.finds);
  }
}

TEST_CASE("entities: nothing is found inside URLs") {
  for (const Reading& reading : std::vector<Reading>{
           {"http://example.org/@mira", "http://example.org/@mira 0-24"},
           {"https://example.org/#frost see #frost",
            "https://example.org/#frost 0-26 #frost 31-37"},
           {"HTTPS://EXAMPLE.ORG/?q=/@mira", "HTTPS://EXAMPLE.ORG/?q=/@mira 0-29"},
           {"www.example.org/-@mira", "https://www.example.org/-@mira 0-22"},
           {"example.org/@mira", "https://example.org/@mira 0-17"},
           {"(example.org/@mira)", "https://example.org/@mira 1-18"},
           {"sub.example.org/a/#frost", "https://sub.example.org/a/#frost 0-24"},
           {"bücher.example/#frost", "https://bücher.example/#frost 0-21"},
           {"<http://example.org/>@mira", "http://example.org/ 1-20 @mira 21-26"},
           {"example/@mira", "@mira 8-13"},
           {"1.5/@mira", "@mira 4-9"},
           {"e.g/@mira", "@mira 4-9"},
           {"well.done/#frost", "https://well.done/#frost 0-16"},
           {"xhttp://example.org/@mira", "https://example.org/@mira 8-25"},
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
  const std::vector<std::string> signs{"a", "@", "#", "1", ".", "/", "é", "は", "\u0301", "·", " "};
  for (std::size_t length = 0; length <= 5; ++length) {
    std::vector<std::size_t> at(length, 0);
    for (;;) {
      std::string text;
      for (const std::size_t sign : at) text += signs[sign];
      const std::vector<Entity> found = entities_in(text);
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
  const std::vector<std::string> parts{"@",        "#",           "@mira",
                                       "#Frost",   "a",           "é",
                                       "雪",       "ß",           "1",
                                       "²",        "_",           "-",
                                       ".",        "/",           " ",
                                       "\n",       "<",           "\"",
                                       "❄",        "www.",        "http://",
                                       "HTTPS://", "example.org", "x.yz/",
                                       "e\u0301",  "\u0301",      "\u200d",
                                       "&",        "+",           "हिन्दी",
                                       "\u200c",   "क्",           "\u093c\u094d",
                                       "ك",        "م",           "・",
                                       "׳",        "(",           ")",
                                       "[",        "]",           "。",
                                       "？",       "、",          "」",
                                       "،",        "…",           "＠",
                                       "＃",       "🐦",           "?",
                                       "見"};
  std::size_t found = 0;
  const std::uint64_t seed = first_seed();
  std::mt19937_64 random(seed);
  for (std::uint64_t world = 0; world < worlds_or(20'000); ++world) {
    std::string text;
    for (auto left = random() % 14; left > 0; --left) text += parts[random() % parts.size()];
    const std::vector<Entity> entities = entities_in(text);
    found += entities.size();
    if (entities != read_naively(text)) {
      FAIL_CHECK("seed ", seed, ", ", text, ": ", words(entities), " and not ",
                 words(read_naively(text)));
    }
  }
  CHECK(found > 0);
}

}  // namespace chirp::test
