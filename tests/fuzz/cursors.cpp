// Cursors and other short strings of requests. A cursor that is accepted is the one that would be
// given out; a range of bytes is within its file; escapes are undone in one way.
#include <array>
#include <cstdint>
#include <limits>
#include <string>

#include "server/api/byte_range.h"
#include "server/api/ranked_walks.h"
#include "server/api/request_values.h"
#include "server/http/grammar.h"
#include "server/http/target.h"
#include "server/json/cursor.h"
#include "tests/fuzz/targets.h"

namespace chirp::fuzz {
namespace {

constexpr const char* kItself = "a cursor that is taken is the one that is given out";

void lists(Bytes input) {
  const auto bytes = api::from_base64url(input);
  if (bytes) holds(api::base64url(*bytes) == input, kItself);
  if (const auto name = api::parse_name_cursor(input))
    holds(api::name_cursor(*name) == input, kItself);
  if (const auto number = api::parse_number_cursor(input)) {
    holds(api::number_cursor(*number) == input, kItself);
  }
  if (const auto place = api::parse_ranked_cursor(input)) {
    holds(api::ranked_cursor(*place) == input, kItself);
  }
}

void likers(Bytes input) {
  int taken = 0;
  const auto look = [&](std::optional<ReactionType> type) {
    const auto number = api::parse_likers_cursor(type, input);
    if (!number) return;
    holds(api::likers_cursor(type, *number) == input, kItself);
    ++taken;
  };
  look(std::nullopt);
  for (const auto type : {ReactionType::kLike, ReactionType::kLove, ReactionType::kLaugh,
                          ReactionType::kAngry, ReactionType::kSad}) {
    look(type);
  }
  holds(taken <= 1, "a cursor belongs to one list");
}

void comments(Bytes input) {
  using Sort = social::CommentSort;
  int taken = 0;
  for (const Sort sort : {Sort::kNewest, Sort::kOldest, Sort::kPopular}) {
    const auto place = api::parse_comments_cursor(sort, input);
    if (!place) continue;
    holds(api::comments_cursor(sort, *place) == input, kItself);
    ++taken;
  }
  holds(taken <= 1, "a cursor belongs to one list");
}

void ranges(Bytes input) {
  for (const std::uint64_t size : std::array<std::uint64_t, 5>{
           0, 1, 1000, std::uint64_t{1} << 40, std::numeric_limits<std::uint64_t>::max()}) {
    const auto range = api::byte_range(input, size);
    if (!range || !range->satisfiable) continue;
    holds(range->first <= range->last && range->last < size, "a range is within its file");
  }
}

std::string escaped(std::string_view text) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return out;
}

void words(Bytes input) {
  for (const auto plus : {http::Plus::kIsPlus, http::Plus::kIsBlank}) {
    const auto text = http::percent_decoded(input, plus);
    if (text) holds(http::percent_decoded(escaped(*text), plus) == text, "escapes are undone once");
  }
  if (const auto host = http::host_of(input)) {
    holds(http::host_of(*host) == host && http::host_of(*host + ":80") == host,
          "a host is itself, with and without a port");
  }
  if (const auto id = api::id_in(input)) {
    holds(*id <= std::uint64_t{1} << 63, "an id has 63 bits");
    holds(api::id_in(std::to_string(*id)) == id, "an id is itself");
  }
  (void)http::accepts_gzip(input);
  (void)http::parse_target(input, http::Method::kOptions);
  (void)api::names_tag(input, "\"tag\"");
  const std::string type = api::media_type_in(input);
  holds(api::media_type_in(type) == type, "a media type is itself");
}

}  // namespace

void cursors(Bytes input) {
  // As a cursor, and as the content of one.
  for (const std::string& cursor : {std::string(input), api::base64url(input)}) {
    lists(cursor);
    likers(cursor);
    comments(cursor);
  }
  ranges(input);
  words(input);
}

}  // namespace chirp::fuzz
