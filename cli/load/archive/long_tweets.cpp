#include "cli/load/archive/long_tweets.h"

#include <limits>

#include <fmt/format.h>

#include "cli/input/notations.h"
#include "cli/load/archive/json_members.h"
#include "core/limits.h"
#include "core/model/names.h"
#include "core/model/utf8.h"

namespace chirp::cli::archive {
namespace {

// The largest difference between two times of one tweet: the tweet's own time has no milliseconds.
constexpr std::int64_t kApartMs = 1'999;
// At least this much of a text must be the same, unless it says that it continues: a long tweet is
// cut at 140 characters of Japanese, at 280 of Latin.
constexpr std::size_t kLeastSame = 100;
constexpr std::string_view kGoesOn = "\u2026";

// The mentions at the start of a reply, which its whole text may lack.
std::string_view leading_mentions(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && text[end] == '@') {
    const std::size_t blank = text.find(' ', end);
    if (blank == std::string_view::npos) break;
    end = blank + 1;
  }
  return text.substr(0, end);
}

std::string not_joined(const std::string& file, const std::string& id) {
  return fmt::format("{}: the long text {} begins like no tweet of its time, or like several", file,
                     printable(id));
}

}  // namespace

bool LongTweets::add(const simdjson::dom::object& note, const std::string& file) {
  Note taken;
  taken.id = text_in(note, "noteTweetId");
  if (taken.id.empty()) return false;
  const simdjson::dom::object core = object_in(note, "core");
  taken.file = file;
  taken.text = input::trimmed(text_in(core, "text"));
  for (const simdjson::dom::object link : objects_in(core, "urls")) {
    taken.links.emplace_back(text_in(link, "shortUrl"), text_in(link, "expandedUrl"));
    bytes_ += taken.links.back().first.size() + taken.links.back().second.size();
  }
  bytes_ += taken.text.size();
  const auto when = input::parse_when(text_in(note, "createdAt"));
  if (!when || bytes_ > kBytesMax) {
    left_out_.push_back(not_joined(file, taken.id));
  } else {
    notes_.emplace(when->ms, std::move(taken));
  }
  return true;
}

// Returns the text of the note if `text` is its beginning, with the mentions that the note may
// lack. Twitter escapes texts, also this one, unless the beginning shows otherwise.
std::optional<std::string> LongTweets::completed(const Note& note, const std::string& text,
                                                 std::size_t most) {
  std::vector<ShortLink> links;
  for (const auto& [shown, address] : note.links) links.push_back({shown, address});
  std::string_view beginning = text;
  if (beginning.ends_with(kGoesOn)) beginning.remove_suffix(kGoesOn.size());
  const std::string_view mentions = leading_mentions(beginning);
  for (const bool escaped : {true, false}) {
    const std::string plain = escaped ? input::html_unescaped(note.text) : note.text;
    std::string compared = plain;
    expand(links, compared, std::numeric_limits<std::size_t>::max());
    for (const std::string_view before : {std::string_view(), mentions}) {
      const std::string_view same = input::trimmed(beginning.substr(before.size()));
      if (same.empty() || !compared.starts_with(same)) continue;
      std::string whole = std::string(before) + plain;
      expand(links, whole, most);
      return whole;
    }
  }
  return std::nullopt;
}

std::optional<std::string> LongTweets::whole(const load::SourcePost& tweet, const std::string& text,
                                             const input::InputPlace& place) {
  if (!text.ends_with(kGoesOn) && utf8::length(text) < kLeastSame) return std::nullopt;
  const auto begin = notes_.lower_bound(tweet.created_at.ms - kApartMs);
  const auto end = notes_.upper_bound(tweet.created_at.ms + kApartMs);
  Note* found = nullptr;
  std::string whole;
  for (auto at = begin; at != end; ++at) {
    auto text_of_note = completed(at->second, text, limits::kLoadedTextMax);
    if (!text_of_note) continue;
    if (found != nullptr) return std::nullopt;
    found = &at->second;
    whole = std::move(*text_of_note);
  }
  if (found == nullptr) return std::nullopt;
  found->taken = true;
  if (const std::size_t length = utf8::length(whole); length > limits::kLoadedTextMax) {
    sink_.skip("longTweetsCut", 1,
               fmt::format("{}:{}: {}: its whole text is {} characters long, and {} fit: the "
                           "beginning is kept",
                           place.name, place.line, tweet.id.value, length, limits::kLoadedTextMax));
    return std::nullopt;
  }
  return whole;
}

void LongTweets::tell_rest() const {
  for (const std::string& what : left_out_) sink_.skip("noteTweets", 1, what);
  for (const auto& [time, note] : notes_) {
    if (!note.taken) sink_.skip("noteTweets", 1, not_joined(note.file, note.id));
  }
}

bool replace(std::string& text, std::string_view part, std::string_view whole) {
  const std::size_t at = part.empty() ? std::string::npos : text.find(part);
  if (at == std::string::npos) return false;
  text.replace(at, part.size(), whole);
  return true;
}

void expand(std::span<const ShortLink> links, std::string& text, std::size_t most) {
  for (const auto& [shown, address] : links) {
    std::string longer = text;
    if (address.empty() || !replace(longer, shown, address)) continue;
    if (utf8::length(longer) <= most) text = std::move(longer);
  }
}

}  // namespace chirp::cli::archive
