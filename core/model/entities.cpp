#include "core/model/entities.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/limits.h"
#include "core/model/characters.h"
#include "core/model/utf8.h"

namespace chirp {
namespace {

constexpr std::int32_t kWideAt = 0xff20;
constexpr std::int32_t kWideHash = 0xff03;
constexpr std::int32_t kZwnj = 0x200c;
constexpr std::int32_t kZwj = 0x200d;
constexpr std::int32_t kSupplementary = 0x10000;  // from here on a character has two UTF-16 units

struct CodePoint {
  std::int32_t code_point = 0;
  std::size_t byte = 0;  // byte offset
  std::size_t unit = 0;  // UTF-16 offset
};

bool is_ascii_word(std::int32_t c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

bool is_word(std::int32_t c) {
  if (c < 0x80) return is_ascii_word(c);
  return utf8::kind_of(c) != utf8::CharacterKind::kOther;
}

// A character of a word that prevents a Latin mention.
bool is_latin_word(std::int32_t c) {
  if (c < 0x80) return is_ascii_word(c);
  const utf8::CharacterKind kind = utf8::kind_of(c);
  if (kind == utf8::CharacterKind::kLetter) return characters::is_latin(c);
  return kind == utf8::CharacterKind::kDigit || kind == utf8::CharacterKind::kNumber;
}

bool belongs_to_tag(std::int32_t c) {
  if (c < 0x80) return is_ascii_word(c);
  const utf8::CharacterKind kind = utf8::kind_of(c);
  return kind != utf8::CharacterKind::kOther && kind != utf8::CharacterKind::kNumber;
}

bool is_letter(std::int32_t c) {
  if (c < 0x80) return is_ascii_word(c) && c > '9' && c != '_';
  return utf8::kind_of(c) == utf8::CharacterKind::kLetter;
}

bool is_letter_or_digit(std::int32_t c) {
  return is_letter(c) || utf8::kind_of(c) == utf8::CharacterKind::kDigit;
}

bool is_mark(std::int32_t c) { return c >= 0x80 && utf8::kind_of(c) == utf8::CharacterKind::kMark; }

bool is_at(std::int32_t c) { return c == '@' || c == kWideAt; }
bool is_hash(std::int32_t c) { return c == '#' || c == kWideHash; }

// A sign that prevents an entity after it.
bool is_sign(std::int32_t c) {
  return is_at(c) || is_hash(c) || c == '&' || c == '$' || c == '%' || c == '+' || c == '=';
}

bool ends_address(std::int32_t c) {
  return c == '<' || c == '>' || c == '"' || utf8::is_blank(c) || utf8::is_control(c) ||
         characters::is_wide_punctuation(c);
}

// Brackets that an address may end with if it contains the opening one.
constexpr std::array kBrackets{std::pair{'(', ')'}, std::pair{'[', ']'}, std::pair{'{', '}'}};

constexpr std::string_view kHttp = "http://";
constexpr std::string_view kHttps = "https://";
constexpr std::string_view kWww = "www.";

class EntityReader {
 public:
  explicit EntityReader(std::string_view text) : text_(text) {
    points_.reserve(text.size());
    for (std::size_t at = 0, unit = 0; at < text.size();) {
      const utf8::Decoded next = utf8::decode(text.substr(at));
      points_.push_back({next.code_point, at, unit});
      at += next.bytes;
      unit += next.code_point >= kSupplementary ? 2 : 1;
    }
  }

  std::vector<Entity> read() {
    while (at_ < points_.size()) {
      if (const std::size_t end = address_end(); end != 0) {
        link(end);
        at_ = end;
        continue;
      }
      const std::int32_t c = code_point(at_);
      const std::size_t end = is_at(c) ? mention() : is_hash(c) ? hashtag() : 0;
      at_ = end != 0 ? end : at_ + 1;
    }
    return std::move(found_);
  }

 private:
  [[nodiscard]] std::int32_t code_point(std::size_t at) const { return points_[at].code_point; }
  [[nodiscard]] std::string_view text(std::size_t begin, std::size_t end) const {
    const std::size_t last = end < points_.size() ? points_[end].byte : text_.size();
    return text_.substr(points_[begin].byte, last - points_[begin].byte);
  }
  // The first offset from `begin` on whose character is not of the kind.
  template <class Is>
  [[nodiscard]] std::size_t run_end(std::size_t begin, Is is) const {
    std::size_t end = begin;
    while (end < points_.size() && is(code_point(end))) ++end;
    return end;
  }
  // Returns the base character before `at`, skipping marks; 0 if it does not exist.
  [[nodiscard]] std::int32_t base_before(std::size_t at) const {
    while (at > 0 && is_mark(code_point(at - 1))) --at;
    return at > 0 ? code_point(at - 1) : 0;
  }

  void add(EntityType type, std::size_t begin, std::size_t end, std::string value) {
    const CodePoint& last = points_[end - 1];
    const std::size_t last_units = last.code_point >= kSupplementary ? 2 : 1;
    found_.push_back({type, points_[begin].unit, last.unit + last_units, std::move(value)});
  }

  [[nodiscard]] bool stands_here(std::string_view word) const {
    if (points_.size() - at_ < word.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i) {
      const std::int32_t c = code_point(at_ + i);
      if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != word[i]) return false;
    }
    return true;
  }

  // ---- addresses

  // Returns one past the end of the host name that begins here, or 0. A host name is labels of
  // letters, digits and hyphens with dots between them; the last label has only letters, at least
  // two. A label with Latin letters has no others: it would be a word of the sentence, followed by
  // a host.
  [[nodiscard]] std::size_t host_end() const {
    std::size_t labels = 0;
    for (std::size_t begin = at_;; ++labels) {
      bool latin = false;
      bool other = false;
      std::size_t end = begin;
      for (; end < points_.size(); ++end) {
        const std::int32_t c = code_point(end);
        if (c != '-' && (c == '_' || !belongs_to_tag(c))) break;
        if (is_letter(c)) (characters::is_latin(c) ? latin : other) = true;
        if (latin && other) return 0;
      }
      if (end == begin) return 0;
      if (end == points_.size() || code_point(end) != '.') {
        const bool letters = run_end(begin, is_letter) == end;
        return labels > 0 && letters && end - begin >= 2 ? end : 0;
      }
      begin = end + 1;
    }
  }

  // Returns one past the end of the address that begins here, with trailing punctuation; or 0.
  [[nodiscard]] std::size_t address_end() const {
    const std::int32_t first = code_point(at_);
    if (!is_word(first) || is_mark(first)) return 0;
    const std::int32_t before = base_before(at_);
    if (is_latin_word(before) || is_at(before) || before == '-' || before == '.') return 0;
    if (is_word(before) && !is_latin_word(first)) return 0;
    bool is_address = stands_here(kHttp) || stands_here(kHttps) || stands_here(kWww);
    if (!is_address) {
      const std::size_t end = host_end();
      is_address = end != 0 && end < points_.size() && code_point(end) == '/';
    }
    if (!is_address) return 0;
    std::size_t end = at_;
    while (end < points_.size() && (!ends_address(code_point(end)) || is_joint(end, at_))) ++end;
    return end;
  }

  // Returns the end of the address without punctuation that belongs to the sentence.
  [[nodiscard]] std::size_t trimmed(std::size_t end) const {
    std::array<std::size_t, kBrackets.size()> opening{};
    std::array<std::size_t, kBrackets.size()> closing{};
    for (std::size_t at = at_; at < end; ++at) {
      for (std::size_t i = 0; i < kBrackets.size(); ++i) {
        opening[i] += code_point(at) == kBrackets[i].first ? 1U : 0U;
        closing[i] += code_point(at) == kBrackets[i].second ? 1U : 0U;
      }
    }
    for (; end > at_ && characters::is_closing(code_point(end - 1)); --end) {
      const std::int32_t last = code_point(end - 1);
      for (std::size_t i = 0; i < kBrackets.size(); ++i) {
        if (last == kBrackets[i].first) --opening[i];
        if (last != kBrackets[i].second) continue;
        if (closing[i] <= opening[i]) return end;
        --closing[i];
      }
    }
    return end;
  }

  // `end` comes from address_end().
  void link(std::size_t end) {
    end = trimmed(end);
    const bool has_scheme = stands_here(kHttp) || stands_here(kHttps);
    const std::size_t host = !has_scheme           ? at_ + (stands_here(kWww) ? kWww.size() : 0)
                             : stands_here(kHttps) ? at_ + kHttps.size()
                                                   : at_ + kHttp.size();
    if (host >= end || !(is_letter_or_digit(code_point(host)) || code_point(host) == '[')) return;
    for (std::size_t at = host; at < end; ++at) {
      const std::int32_t c = code_point(at);
      if (c == '/' || c == '?' || c == '#' || c == '\\') break;
      if (c == '@') return;
    }
    add(EntityType::kLink, at_, end,
        (has_scheme ? std::string() : std::string(kHttps)) + std::string(text(at_, end)));
  }

  // ---- mentions and hashtags

  // Returns one past the end of the mention that begins here, or 0.
  std::size_t mention() {
    const std::int32_t before = base_before(at_);
    if (is_sign(before) || is_latin_word(before)) return 0;
    const std::size_t end = run_end(at_ + 1, is_ascii_word);
    const std::size_t length = end - at_ - 1;
    if (length < 1 || length > limits::kUsernameMax) return 0;
    if (end < points_.size()) {
      const std::int32_t behind = code_point(end);
      if (is_at(behind) || is_mark(behind) || is_latin_word(behind)) return 0;
    }
    add(EntityType::kMention, at_, end, std::string(text(at_ + 1, end)));
    return end;
  }

  // Whether the character at `at`, in a word from `begin`, is a joiner that its neighbours need.
  [[nodiscard]] bool is_joint(std::size_t at, std::size_t begin) const {
    const std::int32_t c = code_point(at);
    if (c != kZwnj && c != kZwj) return false;
    std::size_t base = at;
    bool virama = false;
    while (base > begin && is_mark(code_point(base - 1))) {
      --base;
      virama = virama || characters::is_virama(code_point(base));
    }
    if (base == begin || !is_letter(code_point(base - 1))) return false;
    const std::size_t next = c == kZwj ? at + 1 : run_end(at + 1, is_mark);
    if (next == points_.size() || !is_letter(code_point(next))) return false;
    if (virama) return true;
    return c == kZwnj && characters::is_cursive(code_point(base - 1)) &&
           characters::is_cursive(code_point(next));
  }

  [[nodiscard]] bool is_medial(std::size_t at, std::size_t begin) const {
    if (!characters::is_medial(code_point(at)) || at + 1 == points_.size()) return false;
    std::size_t base = at;
    while (base > begin && is_mark(code_point(base - 1))) --base;
    return base > begin && is_letter_or_digit(code_point(base - 1)) &&
           is_letter_or_digit(code_point(at + 1));
  }

  // Returns one past the end of the hashtag that begins here, or 0.
  std::size_t hashtag() {
    const std::int32_t before = base_before(at_);
    if (is_sign(before) || is_word(before)) return 0;
    const std::size_t begin = at_ + 1;
    std::size_t end = begin;
    while (end < points_.size() &&
           (belongs_to_tag(code_point(end)) || is_joint(end, begin) || is_medial(end, begin))) {
      ++end;
    }
    if (end == begin || end - begin > limits::kTagMax || is_mark(code_point(begin))) return 0;
    if (end < points_.size() && is_word(code_point(end))) return 0;
    const auto first = points_.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = points_.begin() + static_cast<std::ptrdiff_t>(end);
    const auto letter = [](const CodePoint& point) { return is_letter(point.code_point); };
    if (std::none_of(first, last, letter)) return 0;
    add(EntityType::kHashtag, at_, end, utf8::case_folded(text(begin, end)));
    return end;
  }

  std::string_view text_;
  std::vector<CodePoint> points_;
  std::vector<Entity> found_;
  std::size_t at_ = 0;
};

// Bytes such that every entity contains at least one.
constexpr std::array<bool, 256> kTelling = [] {
  std::array<bool, 256> telling{};
  for (const char c : {'#', '/', '@', 'W', 'w', '\xef'})
    telling[static_cast<unsigned char>(c)] = true;
  return telling;
}();

// Whether the text may have entities. Looks at every byte; most texts need no more work.
bool may_have_entities(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!kTelling[static_cast<unsigned char>(text[at])]) continue;
    const std::string_view rest = text.substr(at);
    switch (text[at]) {
      case 'w':
      case 'W':
        if (rest.size() > 1 && (rest[1] == 'w' || rest[1] == 'W')) return true;
        break;
      case '\xef':
        if (rest.starts_with("\uff20") || rest.starts_with("\uff03")) return true;
        break;
      default:
        return true;
    }
  }
  return false;
}

bool may_have_tags(std::string_view text) {
  return text.find('#') != std::string_view::npos || text.find("\uff03") != std::string_view::npos;
}

}  // namespace

std::string_view name(EntityType type) {
  constexpr std::array<std::string_view, 3> kNames{"mention", "hashtag", "link"};
  return kNames[static_cast<std::size_t>(type)];
}

std::vector<Entity> entities_in(std::string_view text) {
  if (!may_have_entities(text)) return {};
  return EntityReader(text).read();
}

std::vector<std::string> tags_in(std::string_view text) {
  std::vector<std::string> tags;
  if (!may_have_tags(text)) return tags;
  for (Entity& entity : entities_in(text)) {
    if (entity.type != EntityType::kHashtag) continue;
    if (std::find(tags.begin(), tags.end(), entity.value) == tags.end()) {
      tags.push_back(std::move(entity.value));
    }
  }
  return tags;
}

}  // namespace chirp
