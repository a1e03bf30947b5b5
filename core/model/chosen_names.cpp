#include "core/model/chosen_names.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/model/latin_likeness.h"
#include "core/model/names.h"
#include "core/model/time.h"
#include "core/model/utf8.h"

namespace chirp {
namespace {

// ---- usernames

// A name seems to speak for the server if it consists of these words or their plurals, alone or
// together with the words below.
constexpr std::array<std::string_view, 24> kOffices{
    "abuse",      "admin",      "administrator", "chirp",     "help",     "helpdesk",
    "hostmaster", "mod",        "moderation",    "moderator", "official", "operator",
    "owner",      "postmaster", "root",          "security",  "staff",    "superuser",
    "support",    "sysadmin",   "sysop",         "system",    "verified", "webmaster"};
constexpr std::array<std::string_view, 10> kBesides{"account", "bot",     "center", "desk", "info",
                                                    "real",    "service", "team",   "the",  "user"};
// Words that programs and texts use for unnamed users.
constexpr std::array<std::string_view, 7> kNobodies{"anonymous", "api",  "everyone", "me",
                                                    "nobody",    "null", "undefined"};

// Maps letters that look alike to one letter, and drops underscores.
std::string likeness(std::string_view name) {
  constexpr std::string_view kSeen = "01l3457";
  constexpr std::string_view kRead = "oiieast";
  std::string out;
  for (const char c : folded(name)) {
    if (c == '_') continue;
    const std::size_t at = kSeen.find(c);
    const char read = at == std::string_view::npos ? c : kRead[at];
    if (read == 'n' && out.ends_with('r')) {
      out.back() = 'm';
    } else {
      out.push_back(read);
    }
  }
  return out;
}

constexpr char kPlural = 's';

// Returns the text after the word at its beginning; each letter of the word may be repeated. Empty
// if the text does not begin with the word.
std::optional<std::string_view> behind(std::string_view text, std::string_view word) {
  char before = '\0';
  for (const char c : word) {
    while (!text.starts_with(c) && !text.empty() && text.front() == before) text.remove_prefix(1);
    if (!text.starts_with(c)) return std::nullopt;
    text.remove_prefix(1);
    before = c;
  }
  return text;
}

// Returns the text after a word without the plural ending, which may repeat like other letters.
std::string_view without_plural(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kPlural), text.size()));
}

// Whether the text consists of words of both lists, at least one of them an office.
bool is_made_of(std::string_view text, bool has_office) {
  if (text.empty()) return has_office;
  const auto goes_on = [&](std::string_view word, bool is_office) {
    const std::string start = likeness(word);
    auto rest = behind(text, start);
    // The last letter may be repeated too, or be the first of the next word.
    for (; rest; rest->remove_prefix(1)) {
      if (is_made_of(*rest, has_office || is_office)) return true;
      if (is_office && rest->starts_with(kPlural)) {
        if (is_made_of(without_plural(*rest), true)) return true;
      }
      if (!rest->starts_with(start.back())) return false;
    }
    return false;
  };
  return std::any_of(kOffices.begin(), kOffices.end(),
                     [&](std::string_view word) { return goes_on(word, true); }) ||
         std::any_of(kBesides.begin(), kBesides.end(),
                     [&](std::string_view word) { return goes_on(word, false); });
}

// Alone, or with a number at the end.
bool speaks_for_the_server(std::string_view text) {
  const std::size_t last = text.find_last_not_of("0123456789_");
  return is_made_of(likeness(text), false) || is_made_of(likeness(text.substr(0, last + 1)), false);
}

// ---- display names

constexpr std::int32_t kJoinersFrom = 0x200c;  // zero width: non-joiner and joiner
constexpr std::int32_t kJoinersTo = 0x200d;
constexpr std::int32_t kBlackFlag = 0x1f3f4;  // tags after it make a region's flag
constexpr std::int32_t kTagsFrom = 0xe0020;
constexpr std::int32_t kTagsTo = 0xe007f;
constexpr std::int32_t kScriptsFrom = 0x300;  // characters below this need no joiners
constexpr std::int32_t kVariationFrom = 0xfe00;
constexpr std::int32_t kVariationTo = 0xfe0f;

bool is_in(std::int32_t code_point, std::int32_t from, std::int32_t to) {
  return code_point >= from && code_point <= to;
}

bool is_tag(std::int32_t code_point) { return is_in(code_point, kTagsFrom, kTagsTo); }

// Spaces with a width, which are visible between words.
bool is_space(std::int32_t code_point) {
  return code_point == ' ' || code_point == 0xa0 || code_point == 0x1680 ||
         is_in(code_point, 0x2000, 0x200a) || code_point == 0x202f || code_point == 0x205f ||
         code_point == 0x3000;
}

bool is_hidden(std::int32_t code_point) {
  return utf8::is_direction(code_point) || (utf8::is_blank(code_point) && !is_space(code_point));
}

// Changes the order of neighbouring characters only; normal in right-to-left texts.
bool is_mark_of_direction(std::int32_t code_point) {
  return code_point == 0x061c || code_point == 0x200e || code_point == 0x200f;
}

bool turns(std::int32_t code_point) {
  return utf8::is_direction(code_point) && !is_mark_of_direction(code_point);
}

// Whether an invisible character belongs to the one before it.
bool belongs(std::int32_t code_point, std::int32_t before) {
  if (is_in(code_point, kVariationFrom, kVariationTo)) return before > ' ';
  if (is_in(code_point, kJoinersFrom, kJoinersTo)) return before >= kScriptsFrom;
  return is_tag(code_point) && (before == kBlackFlag || is_tag(before));
}

[[noreturn]] void refuse_display_name(std::int32_t code_point) {
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("The display name has the invisible character U+{:04X}, which makes "
                          "names look alike. Remove it.",
                          static_cast<std::uint32_t>(code_point)),
              "displayName");
}

}  // namespace

bool looks_official(std::string_view username) {
  const bool is_nobody =
      std::any_of(kNobodies.begin(), kNobodies.end(),
                  [&](std::string_view word) { return likeness(username) == likeness(word); });
  return is_nobody || speaks_for_the_server(username);
}

void check_chosen_username(std::string_view username) {
  check_username(username);
  if (!looks_official(username)) return;
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("The username {} looks like an official one. Choose another.", username),
              "username");
}

std::string checked_chosen_display_name(std::string_view name) {
  std::string checked = checked_display_name(name);
  std::int32_t before = utf8::kInvalid;
  for (std::string_view rest = checked; !rest.empty();) {
    const utf8::Decoded next = utf8::decode(rest);
    if (is_hidden(next.code_point) && !belongs(next.code_point, before)) {
      refuse_display_name(next.code_point);
    }
    before = next.code_point;
    rest.remove_prefix(next.bytes);
  }
  return checked;
}

void check_strangers_display_name(std::string_view display_name) {
  if (!speaks_for_the_server(latin_likeness(display_name))) return;
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("The display name {} looks like an official one. Choose another.",
                          printable(display_name)),
              "displayName");
}

std::string without_turns(std::string_view text) {
  std::string kept;
  while (!text.empty()) {
    const utf8::Decoded next = utf8::decode(text);
    if (!turns(next.code_point)) kept += text.substr(0, next.bytes);
    text.remove_prefix(next.bytes);
  }
  return kept;
}

std::string checked_chosen_bio(std::string_view bio) {
  std::string checked = checked_bio(bio);
  for (std::string_view rest = checked; !rest.empty();) {
    const utf8::Decoded next = utf8::decode(rest);
    if (turns(next.code_point)) {
      throw Error(
          ErrorCode::kInvalidArgument,
          fmt::format(
              "The bio has the character U+{:04X}, which reverses the text around it. Remove it.",
              static_cast<std::uint32_t>(next.code_point)),
          "bio");
    }
    rest.remove_prefix(next.bytes);
  }
  return checked;
}

std::optional<std::string> display_name_of(std::string_view word) {
  if (word.empty()) return std::nullopt;  // for speed: true for most users of a graph
  try {
    // An address may contain a password, a token, or an account in another spelling.
    for (const std::string_view sign : {"://", "?", "%40", "[at]", "(at)", "\uFF20"}) {
      if (word.find(sign) != std::string_view::npos) return std::nullopt;
    }
    return checked_display_name(without_turns(local_part(word)));
  } catch (const Error&) {
    return std::nullopt;
  }
}

Error username_taken(std::string_view username) {
  return {ErrorCode::kAlreadyExists,
          fmt::format("The username {} is taken. Choose another.", printable(username)),
          "username"};
}

Error email_taken(std::string_view email) {
  return {ErrorCode::kAlreadyExists,
          fmt::format("The e-mail address {} is taken. Use another.", printable(email)), "email"};
}

Error match_too_common(std::string_view match) {
  return {ErrorCode::kInvalidArgument,
          fmt::format("\"{}\" is too short, or matches too many names. Give more of the name.",
                      printable(match)),
          "match"};
}

void check_rename(const User& user, std::string_view username, Time now) {
  if (!user.old_name || is_same_username(user.username, username)) return;
  const Time again{user.old_name->until.ms - limits::kOldNameMs + limits::kRenameMs};
  if (now >= again) return;
  throw Error(
      ErrorCode::kConflict,
      fmt::format(
          "@{} was renamed from @{} less than 30 days ago, and can be renamed again from {} on.",
          user.username, user.old_name->username, iso8601(again)),
      "username");
}

}  // namespace chirp
