#include "tests/support/naive_entities.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "core/limits.h"
#include "core/model/characters.h"
#include "core/model/utf8.h"

namespace chirp::test {
namespace {

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

bool is_one_of(std::int32_t c, std::string_view ascii) {
  return c > 0 && c < 128 && ascii.find(static_cast<char>(c)) != std::string_view::npos;
}
bool ascii_name(std::int32_t c) {
  return is_one_of(c, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
}
bool wordy(std::int32_t c) { return utf8::kind_of(c) != utf8::CharacterKind::kOther; }
bool numbery(std::int32_t c) {
  return utf8::kind_of(c) == utf8::CharacterKind::kNumber ||
         utf8::kind_of(c) == utf8::CharacterKind::kDigit;
}
bool taggy(std::int32_t c) { return wordy(c) && utf8::kind_of(c) != utf8::CharacterKind::kNumber; }
bool lettery(std::int32_t c) { return utf8::kind_of(c) == utf8::CharacterKind::kLetter; }
bool marky(std::int32_t c) { return utf8::kind_of(c) == utf8::CharacterKind::kMark; }
bool latin_wordy(std::int32_t c) { return numbery(c) || c == '_' || characters::is_latin(c); }
bool at_sign(std::int32_t c) { return c == '@' || c == 0xff20; }
bool hash_sign(std::int32_t c) { return c == '#' || c == 0xff03; }

// Returns the character before `at`, skipping marks; 0 at the beginning.
std::int32_t before(const Text& text, std::size_t at) {
  Text bases(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at));
  bases.erase(std::remove_if(bases.begin(), bases.end(), marky), bases.end());
  // Marks at the beginning have no base character.
  return bases.empty() ? 0 : bases.back();
}

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
  const auto is_mixed = [](const Text& label) {
    return std::any_of(label.begin(), label.end(), characters::is_latin) &&
           std::any_of(label.begin(), label.end(),
                       [](std::int32_t c) { return lettery(c) && !characters::is_latin(c); });
  };
  return labels.size() > 1 && std::none_of(labels.begin(), labels.end(), is_mixed) &&
         std::none_of(labels.begin(), labels.end(), [](const Text& l) { return l.empty(); }) &&
         labels.back().size() > 1 &&
         std::all_of(labels.back().begin(), labels.back().end(), lettery);
}

bool address_begins(const Text& text, std::size_t at) {
  if (!wordy(text[at]) || marky(text[at])) return false;
  const std::int32_t left = before(text, at);
  if (latin_wordy(left) || at_sign(left) || is_one_of(left, "-.")) return false;
  if (wordy(left) && !latin_wordy(text[at])) return false;
  for (const char* begin : {"http://", "https://", "www."}) {
    if (prefix(text, at, begin)) return true;
  }
  for (std::size_t slash = at; slash < text.size(); ++slash) {
    if (text[slash] == '/' && is_host(text, at, slash)) return true;
  }
  return false;
}

// Whether there is a joiner at `at` that belongs to its neighbouring letters, none of them before
// `from`.
bool joins(const Text& text, std::size_t at, std::size_t from) {
  const bool is_joiner = text[at] == 0x200d;
  if (!is_joiner && text[at] != 0x200c) return false;
  std::size_t base = at;
  while (base > from && marky(text[base - 1])) --base;
  if (base == from || !lettery(text[base - 1])) return false;
  const auto is_vowel_killed =
      std::any_of(text.begin() + static_cast<std::ptrdiff_t>(base),
                  text.begin() + static_cast<std::ptrdiff_t>(at), characters::is_virama);
  std::size_t next = at + 1;
  while (!is_joiner && next < text.size() && marky(text[next])) ++next;
  if (next == text.size() || !lettery(text[next])) return false;
  if (is_vowel_killed) return true;
  return !is_joiner && characters::is_cursive(text[base - 1]) && characters::is_cursive(text[next]);
}

bool is_between_letters(const Text& text, std::size_t at, std::size_t from) {
  std::size_t base = at;
  while (base > from && marky(text[base - 1])) --base;
  const auto fits = [](std::int32_t c) {
    return lettery(c) || utf8::kind_of(c) == utf8::CharacterKind::kDigit;
  };
  return base > from && fits(text[base - 1]) && at + 1 < text.size() && fits(text[at + 1]);
}

std::size_t address_ends(const Text& text, std::size_t from) {
  std::size_t end = from;
  for (; end < text.size(); ++end) {
    const std::int32_t c = text[end];
    const bool is_end = is_one_of(c, "<>\"") || utf8::is_blank(c) || utf8::is_control(c) ||
                        characters::is_wide_punctuation(c);
    if (is_end && !joins(text, end, from)) break;
  }
  return end;
}

// Returns the end of the address without punctuation that belongs to the sentence.
std::size_t trimmed(const Text& text, std::size_t from, std::size_t end) {
  const auto count = [&](std::int32_t c, std::size_t to) {
    return std::count(text.begin() + static_cast<std::ptrdiff_t>(from),
                      text.begin() + static_cast<std::ptrdiff_t>(to), c);
  };
  while (end > from && characters::is_closing(text[end - 1])) {
    const std::int32_t last = text[end - 1];
    if (last == ')' && count(')', end) <= count('(', end)) break;
    if (last == ']' && count(']', end) <= count('[', end)) break;
    if (last == '}' && count('}', end) <= count('{', end)) break;
    --end;
  }
  return end;
}

// Returns the position of text[at] in UTF-16 units, and in bytes.
std::size_t units(const Text& text, std::size_t at) {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < at; ++i) sum += text[i] > 0xffff ? 2U : 1U;
  return sum;
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

// Returns one past the end of the mention or hashtag at `at`, or 0.
std::size_t mention_ends(const Text& text, std::size_t at) {
  const std::int32_t left = before(text, at);
  if (at_sign(left) || hash_sign(left) || is_one_of(left, "&$%+=") || latin_wordy(left)) return 0;
  std::size_t end = at + 1;
  while (end < text.size() && ascii_name(text[end])) ++end;
  if (end - at < 2 || end - at > limits::kUsernameMax + 1) return 0;
  if (end == text.size()) return end;
  return at_sign(text[end]) || marky(text[end]) || latin_wordy(text[end]) ? 0 : end;
}
std::size_t hashtag_ends(const Text& text, std::size_t at) {
  const std::int32_t left = before(text, at);
  if (at_sign(left) || hash_sign(left) || is_one_of(left, "&$%+=") || wordy(left)) return 0;
  std::size_t end = at + 1;
  while (end < text.size() &&
         (taggy(text[end]) || joins(text, end, at + 1) ||
          (characters::is_medial(text[end]) && is_between_letters(text, end, at + 1)))) {
    ++end;
  }
  const auto first = text.begin() + static_cast<std::ptrdiff_t>(at) + 1;
  const auto last = text.begin() + static_cast<std::ptrdiff_t>(end);
  if (!std::any_of(first, last, lettery) || marky(*first)) return 0;
  if (end - at > limits::kTagMax + 1 || (end < text.size() && wordy(text[end]))) return 0;
  return end;
}

bool is_link(const Text& text, std::size_t from, std::size_t end) {
  std::size_t host = from;
  for (const char* begin : {"http://", "https://", "www."}) {
    if (prefix(text, from, begin)) host = from + std::string_view(begin).size();
  }
  if (host >= end) return false;
  if (!lettery(text[host]) && utf8::kind_of(text[host]) != utf8::CharacterKind::kDigit &&
      text[host] != '[') {
    return false;
  }
  for (std::size_t i = host; i < end && !is_one_of(text[i], "/?#\\"); ++i) {
    if (text[i] == '@') return false;
  }
  return true;
}

}  // namespace

std::vector<Entity> read_naively(std::string_view source) {
  const Text text = decoded(source);
  std::vector<Entity> found;
  const auto add = [&](EntityType type, std::size_t from, std::size_t to, std::string value) {
    found.push_back({type, units(text, from), units(text, to), std::move(value)});
  };
  for (std::size_t at = 0; at < text.size();) {
    if (address_begins(text, at)) {
      const std::size_t end = address_ends(text, at);
      const std::size_t link_end = trimmed(text, at, end);
      const bool schemed = prefix(text, at, "http://") || prefix(text, at, "https://");
      if (is_link(text, at, link_end)) {
        add(EntityType::kLink, at, link_end,
            (schemed ? "" : "https://") + encoded(text, source, at, link_end));
      }
      at = end;
      continue;
    }
    std::size_t end = 0;
    if (at_sign(text[at])) {
      end = mention_ends(text, at);
      if (end != 0) add(EntityType::kMention, at, end, encoded(text, source, at + 1, end));
    } else if (hash_sign(text[at])) {
      end = hashtag_ends(text, at);
      if (end != 0) {
        add(EntityType::kHashtag, at, end, utf8::case_folded(encoded(text, source, at + 1, end)));
      }
    }
    at = end != 0 ? end : at + 1;
  }
  return found;
}

}  // namespace chirp::test
