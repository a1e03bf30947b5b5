#include "server/json/cursor.h"

#include <array>
#include <cstdint>

#include "core/model/names.h"
#include "server/json/number_in.h"

namespace chirp::api {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr char kNumberTag = '#';  // no username begins with this character

// Returns the text after `tag` and a colon; empty for another tag.
std::optional<std::string> behind(std::string_view tag, std::string_view cursor) {
  auto text = from_base64url(cursor);
  if (!text || !text->starts_with(tag) || text->size() <= tag.size() ||
      (*text)[tag.size()] != ':') {
    return std::nullopt;
  }
  return text->substr(tag.size() + 1);
}

// Accepts only digits as std::to_string() writes them, so that a cursor has one spelling.
template <class Number>
std::optional<Number> whole(std::string_view digits) {
  const auto number = number_in<Number>(digits);
  return number && std::to_string(*number) == digits ? number : std::nullopt;
}

std::string_view tag_of(std::optional<ReactionType> type) { return type ? name(*type) : "all"; }

std::string_view tag_of(social::CommentSort sort) {
  switch (sort) {
    case social::CommentSort::kNewest:
      return "new";
    case social::CommentSort::kOldest:
      return "old";
    case social::CommentSort::kPopular:
      break;
  }
  return "pop";
}

}  // namespace

std::string base64url(std::string_view bytes) {
  std::string out;
  std::uint32_t bits = 0;
  unsigned held = 0;
  for (const char c : bytes) {
    bits = (bits << 8) | static_cast<unsigned char>(c);
    for (held += 8; held >= 6; held -= 6) out += kAlphabet[(bits >> (held - 6)) & 63];
  }
  if (held > 0) out += kAlphabet[(bits << (6 - held)) & 63];
  return out;
}

std::optional<std::string> from_base64url(std::string_view text) {
  std::string out;
  std::uint32_t bits = 0;
  unsigned held = 0;
  for (const char c : text) {
    const std::size_t value = kAlphabet.find(c);
    if (value == std::string_view::npos) return std::nullopt;
    bits = (bits << 6) | static_cast<std::uint32_t>(value);
    held += 6;
    if (held >= 8) {
      held -= 8;
      out += static_cast<char>((bits >> held) & 0xFF);
    }
  }
  // Only the canonical spelling of these bytes is a cursor.
  if (base64url(out) != text) return std::nullopt;
  return out;
}

std::string name_cursor(std::string_view username) { return base64url(username); }

std::optional<std::string> parse_name_cursor(std::string_view cursor) {
  auto name = from_base64url(cursor);
  if (!name || !is_username(*name)) return std::nullopt;
  return name;
}

std::string number_cursor(UserNumber number) {
  return base64url(kNumberTag + std::to_string(number.value));
}

std::optional<UserNumber> parse_number_cursor(std::string_view cursor) {
  const auto text = from_base64url(cursor);
  if (!text || !text->starts_with(kNumberTag)) return std::nullopt;
  const auto number = whole<std::uint32_t>(std::string_view(*text).substr(1));
  if (!number) return std::nullopt;
  return UserNumber{*number};
}

std::string session_cursor(const Session& session) {
  return base64url("session:" + session.id + ':' + std::to_string(session.created_at.ms));
}

std::optional<Session> parse_session_cursor(std::string_view cursor) {
  const auto text = behind("session", cursor);
  if (!text) return std::nullopt;
  const std::size_t colon = text->find(':');
  if (colon == std::string::npos) return std::nullopt;
  const auto ms = whole<std::int64_t>(std::string_view(*text).substr(colon + 1));
  if (!ms) return std::nullopt;
  Session session{text->substr(0, colon), Time{*ms}, std::nullopt};
  if (session_cursor(session) != cursor) return std::nullopt;
  return session;
}

std::string likers_cursor(std::optional<ReactionType> type, UserNumber number) {
  return base64url(std::string(tag_of(type)) + ':' + std::to_string(number.value));
}

std::optional<UserNumber> parse_likers_cursor(std::optional<ReactionType> type,
                                              std::string_view cursor) {
  const auto text = behind(tag_of(type), cursor);
  if (!text) return std::nullopt;
  const auto number = whole<std::uint32_t>(*text);
  if (!number) return std::nullopt;
  return UserNumber{*number};
}

std::string comments_cursor(social::CommentSort sort, const social::CommentCursor& place) {
  std::string text(tag_of(sort));
  if (sort == social::CommentSort::kPopular) text += ':' + std::to_string(place.likes);
  return base64url(text + ':' + std::to_string(place.comment.value));
}

std::optional<social::CommentCursor> parse_comments_cursor(social::CommentSort sort,
                                                           std::string_view cursor) {
  auto text = behind(tag_of(sort), cursor);
  if (!text) return std::nullopt;
  social::CommentCursor place;
  if (sort == social::CommentSort::kPopular) {
    const std::size_t colon = text->find(':');
    const auto likes = whole<std::int64_t>(std::string_view(*text).substr(0, colon));
    if (!likes || colon == std::string::npos) return std::nullopt;
    place.likes = *likes;
    text->erase(0, colon + 1);
  }
  const auto id = whole<std::uint64_t>(*text);
  if (!id) return std::nullopt;
  place.comment = CommentId{*id};
  return place;
}

}  // namespace chirp::api
