#include "core/model/names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include <fmt/format.h>
#include <utf8proc.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/model/characters.h"
#include "core/model/common_passwords.h"
#include "core/model/emoji.h"
#include "core/model/utf8.h"

namespace chirp {
namespace {

enum class Breaks : std::uint8_t { kRefused, kAllowed };  // newline and tab
enum class Blank : std::uint8_t { kRefused, kAllowed };

// The rule for the text of a field.
struct TextRule {
  std::string_view field;  // name in the API
  std::string_view what;   // start of a sentence in messages
  std::size_t max;         // code points after NFC
  Breaks breaks;
  Blank blank;
  // If above `max`, an emoji counts as one character, and this bounds the code points.
  std::size_t code_points_max = max;
};

constexpr TextRule kDisplayName{"displayName", "The display name", limits::kDisplayNameMax,
                                Breaks::kRefused, Blank::kRefused};
constexpr TextRule kBio{"bio", "The bio", limits::kBioMax, Breaks::kAllowed, Blank::kAllowed};
constexpr TextRule kPostText{"content",        "The text",      limits::kPostTextMax,
                             Breaks::kAllowed, Blank::kRefused, limits::kLoadedTextMax};
constexpr TextRule kLoadedText{"content", "The text", limits::kLoadedTextMax, Breaks::kAllowed,
                               Blank::kRefused};
constexpr TextRule kAltText{"altTexts", "The description of a file", limits::kAltTextMax,
                            Breaks::kAllowed, Blank::kRefused};

[[noreturn]] void refuse(std::string_view field, const std::string& message) {
  throw Error(ErrorCode::kInvalidArgument, message, std::string(field));
}

bool is_break(std::int32_t code_point) { return code_point == '\n' || code_point == '\t'; }

// A lower bound of the number of printable ASCII bytes at the front, in words of eight, so that
// plain text is not decoded byte by byte.
std::size_t plain_bytes(std::string_view text) {
  constexpr std::uint64_t kOnes = 0x0101'0101'0101'0101;
  std::size_t bytes = 0;
  while (text.size() - bytes >= sizeof kOnes) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + bytes, sizeof word);
    // A byte below a space sets the top bit in the second term, DEL in the third. Carries may set
    // more bits, but only next to such a byte.
    if (((word | (word - ' ' * kOnes) | (word + kOnes)) & (0x80 * kOnes)) != 0) break;
    bytes += sizeof word;
  }
  return bytes;
}

struct TextScan {
  std::size_t code_points = 0;
  bool blank = true;
  bool settled = true;
};

// Checks validity and control characters, and collects facts in one pass.
TextScan scan(std::string_view text, const TextRule& rule) {
  TextScan seen;
  for (std::size_t at = 0; at < text.size(); ++seen.code_points) {
    if (const std::size_t plain = plain_bytes(text.substr(at)); plain > 0) {
      seen.blank = seen.blank && text.substr(at, plain).find_first_not_of(' ') == text.npos;
      seen.code_points += plain - 1;  // the loop adds the last one
      at += plain;
      continue;
    }
    const utf8::Decoded next = utf8::decode(text.substr(at));
    if (next.code_point == utf8::kInvalid) {
      refuse(rule.field, fmt::format("{} is not valid UTF-8: byte {} does not belong there. Send "
                                     "it as UTF-8.",
                                     rule.what, at + 1));
    }
    if (utf8::is_control(next.code_point) &&
        (rule.breaks == Breaks::kRefused || !is_break(next.code_point))) {
      refuse(rule.field,
             fmt::format("{} has the control character U+{:04X} at byte {}. Remove it{}.",
                         rule.what, static_cast<std::uint32_t>(next.code_point), at + 1,
                         rule.breaks == Breaks::kAllowed ? "; newline and tab are allowed" : ""));
    }
    seen.blank = seen.blank && utf8::is_blank(next.code_point);
    seen.settled = seen.settled && utf8::is_settled(next.code_point);
    at += next.bytes;
  }
  return seen;
}

[[noreturn]] void refuse_length(const TextRule& rule, std::size_t characters) {
  refuse(rule.field, fmt::format("{} has {} characters; at most {} are allowed. Shorten it.",
                                 rule.what, characters, rule.max));
}

// `code_points` is the number in the normalised text.
void check_length(std::string_view text, std::size_t code_points, const TextRule& rule) {
  if (code_points <= rule.max) return;
  const bool counts_emoji = rule.code_points_max > rule.max;
  const std::size_t characters = counts_emoji ? character_count(text) : code_points;
  if (characters > rule.max) refuse_length(rule, characters);
  if (code_points <= rule.code_points_max) return;
  refuse(rule.field,
         fmt::format("{} has {} code points; at most {} are allowed. Remove some of its emoji.",
                     rule.what, code_points, rule.code_points_max));
}

std::string checked(std::string_view text, const TextRule& rule) {
  const TextScan seen = scan(text, rule);
  if (rule.blank == Blank::kRefused && seen.blank) {
    refuse(rule.field, fmt::format("{} is empty or blank. Write something.", rule.what));
  }
  if (seen.settled) {
    check_length(text, seen.code_points, rule);
    return std::string(text);
  }
  // NFC combines at most four characters into one, so this bounds the work and refuses no text that
  // fits.
  constexpr std::size_t kMostComposed = 4;
  if (seen.code_points > rule.code_points_max * kMostComposed) {
    refuse_length(rule, seen.code_points);
  }
  std::string normal = utf8::nfc(text);
  check_length(normal, utf8::length(normal), rule);
  return normal;
}

bool is_name_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

// The escape of a character that must not reach a terminal; empty if it may.
std::string escaped(const utf8::Decoded& next, std::string_view text) {
  switch (next.code_point) {
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    case '\r':
      return "\\r";
    case utf8::kInvalid:
      return fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    default:
      break;
  }
  if (!utf8::is_control(next.code_point) && !utf8::is_direction(next.code_point)) return {};
  const auto number = static_cast<std::uint32_t>(next.code_point);
  return number < 0x100 ? fmt::format("\\x{:02x}", number) : fmt::format("\\u{{{:x}}}", number);
}

// A visible character, of one or more code points.
struct Character {
  std::size_t bytes = 0;
  std::size_t columns = 0;
};

// The first character of a non-empty text.
Character first_character(std::string_view text) {
  constexpr std::int32_t kWideStyle = 0xfe0f;  // requests the wide form of the character before it
  Character seen;
  std::int32_t previous = utf8::kInvalid;
  utf8proc_int32_t state = 0;
  while (seen.bytes < text.size()) {
    const utf8::Decoded next = utf8::decode(text.substr(seen.bytes));
    const bool joins = previous != utf8::kInvalid && next.code_point != utf8::kInvalid &&
                       !utf8proc_grapheme_break_stateful(previous, next.code_point, &state);
    if (seen.bytes > 0 && !joins) break;
    const int width = next.code_point == utf8::kInvalid ? 1 : utf8proc_charwidth(next.code_point);
    const bool flag = joins && previous >= 0x1f1e6 && previous <= 0x1f1ff;
    if (next.code_point == kWideStyle || flag) {
      seen.columns = seen.columns == 0 ? 0 : 2;
    } else {
      seen.columns = std::max(seen.columns, static_cast<std::size_t>(std::max(width, 0)));
    }
    previous = next.code_point;
    seen.bytes += next.bytes;
  }
  return seen;
}

}  // namespace

bool is_username(std::string_view name) {
  return !name.empty() && name.size() <= limits::kUsernameMax &&
         std::all_of(name.begin(), name.end(), is_name_character);
}

void check_username(std::string_view name) {
  if (is_username(name)) return;
  refuse("username",
         fmt::format("\"{}\" can't be a username: it takes 1 to {} of the letters A to Z, digits "
                     "and _.",
                     printable(name), limits::kUsernameMax));
}

void check_email(std::string_view email) {
  const auto plain = [](char c) { return c > ' ' && c <= '~'; };
  const std::size_t at = email.find('@');
  const bool sound = email.size() <= limits::kEmailMax && at != std::string_view::npos && at > 0 &&
                     at + 1 < email.size() && email.find('@', at + 1) == std::string_view::npos &&
                     std::all_of(email.begin(), email.end(), plain);
  if (sound) return;
  refuse("email", fmt::format("\"{}\" can't be an e-mail address: write it like mira@example.org, "
                              "at most {} plain characters.",
                              printable(email), limits::kEmailMax));
}

std::string password_form(std::string_view typed) {
  if (typed.size() > limits::kPasswordMax || !utf8::is_valid(typed)) return std::string(typed);
  return utf8::nfc(typed);
}

std::string checked_password(std::string_view password) {
  if (password.find('\0') != std::string_view::npos) {
    refuse("password", "The password has a NUL character. Choose one without.");
  }
  if (!utf8::is_valid(password)) {
    refuse("password", "The password is not valid UTF-8. Send it as UTF-8.");
  }
  std::string form = password_form(password);
  // bcrypt counts bytes. This many letters always have at least as many bytes.
  for (const std::string_view bytes : {password, std::string_view(form)}) {
    if (bytes.size() < limits::kPasswordMin) {
      refuse("password", fmt::format("The password is too short: {} characters are enough.",
                                     limits::kPasswordMin));
    }
    if (bytes.size() > limits::kPasswordMax) {
      refuse("password", fmt::format("The password is too long: at most {} plain letters are "
                                     "allowed, and fewer with accents or in other scripts.",
                                     limits::kPasswordMax));
    }
  }
  if (is_common_password(form)) {
    refuse("password", "The password is too common. Choose another.");
  }
  return form;
}

std::string checked_display_name(std::string_view name) { return checked(name, kDisplayName); }

std::string checked_bio(std::string_view bio) { return checked(bio, kBio); }

std::string checked_post_text(std::string_view text) { return checked(text, kPostText); }

std::string checked_alt_text(std::string_view text) {
  return text.empty() ? std::string() : checked(text, kAltText);
}

LoadedText checked_loaded_text(std::string_view text) {
  const auto to_remove = [](const utf8::Decoded& next) {
    return next.code_point != utf8::kInvalid && utf8::is_control(next.code_point) &&
           !is_break(next.code_point);
  };
  LoadedText loaded;
  std::string kept;
  std::size_t copied = 0;  // `kept` has the valid text up to here
  for (std::size_t at = plain_bytes(text); at < text.size(); at += plain_bytes(text.substr(at))) {
    const utf8::Decoded next = utf8::decode(text.substr(at));
    if (to_remove(next)) {
      kept.append(text.substr(copied, at - copied));
      copied = at + next.bytes;
      ++loaded.removed;
    }
    at += next.bytes;
  }
  if (loaded.removed == 0) {
    loaded.text = checked(text, kLoadedText);
  } else {
    kept.append(text.substr(copied));
    loaded.text = checked(kept, kLoadedText);
  }
  return loaded;
}

std::string folded(std::string_view name) { return utf8::ascii_lower(name); }

std::string search_folded(std::string_view text) {
  const std::string folded = utf8::case_folded(text);
  std::string bases = characters::without_accents(folded);
  return bases.empty() ? folded : bases;
}

std::string_view local_part(std::string_view word) {
  if (word.starts_with('@')) word.remove_prefix(1);
  return word.substr(0, word.find('@'));
}

std::string generated_username(const SourceKey& source) {
  if (source.is_word()) {
    const std::string_view name = local_part(source.word);
    if (is_username(name)) return std::string(name);
  }
  const std::uint64_t number = source.is_word() ? digest_of(source.word) : source.number.value;
  std::string name = fmt::format("u{}", number);
  if (name.size() <= limits::kUsernameMax) return name;
  std::array<char, limits::kUsernameMax> digits{};
  constexpr int kBase = 36;
  const auto [end, error] =
      std::to_chars(digits.data(), digits.data() + digits.size() - 1, number, kBase);
  check(error == std::errc{}, "64 bits in base 36 fit a username");
  return "u" + std::string(digits.data(), end);
}

std::string numbered_username(std::string_view name, std::uint32_t n) {
  const std::string suffix = fmt::format("_{}", n);
  return std::string(name.substr(0, limits::kUsernameMax - suffix.size())) + suffix;
}

std::string printable(std::string_view text, std::size_t max) {
  constexpr std::string_view kCut = "…";
  std::string out;
  std::size_t room_for_cut = 0;  // longest prefix of `out` that leaves room for the sign
  while (!text.empty()) {
    const utf8::Decoded next = utf8::decode(text);
    const std::string escape = escaped(next, text);
    out += escape.empty() ? std::string(text.substr(0, next.bytes)) : escape;
    if (out.size() > max) {
      out.resize(room_for_cut);
      return max < kCut.size() ? out : out + std::string(kCut);
    }
    if (out.size() + kCut.size() <= max) room_for_cut = out.size();
    text.remove_prefix(next.bytes);
  }
  return out;
}

std::size_t display_width(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const Character next = first_character(text);
    columns += next.columns;
    text.remove_prefix(next.bytes);
  }
  return columns;
}

std::string_view within_columns(std::string_view text, std::size_t columns) {
  std::size_t end = 0;
  while (end < text.size()) {
    const Character next = first_character(text.substr(end));
    if (next.columns > columns) break;
    columns -= next.columns;
    end += next.bytes;
  }
  return text.substr(0, end);
}

}  // namespace chirp
