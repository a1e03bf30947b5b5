#include "cli/input/audience.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "cli/input/cells.h"
#include "cli/input/notations.h"
#include "core/model/names.h"

namespace chirp::cli::input {
namespace {

// The keywords of chirp, Mastodon and its relatives, Misskey, Twitter and ActivityPub. "private" is
// missing, because its meaning differs between services.
constexpr std::pair<std::string_view, Audience> kAudiences[] = {
    {"public", Audience::kPublic},
    {"everyone", Audience::kPublic},
    {"as:public", Audience::kPublic},
    {"https://www.w3.org/ns/activitystreams#public", Audience::kPublic},
    {"unlisted", Audience::kUnlisted},
    {"home", Audience::kUnlisted},
    {"local", Audience::kUnlisted},
    {"quietpublic", Audience::kUnlisted},
    {"followers", Audience::kFollowers},
    {"followersonly", Audience::kFollowers},
    {"protected", Audience::kFollowers},
    {"self", Audience::kSelf},
    {"onlyme", Audience::kSelf},
    {"mutualsonly", Audience::kSelf},
    {"mutuals", Audience::kSelf},
    {"friends", Audience::kSelf},
    {"circle", Audience::kSelf},
    {"list", Audience::kSelf},
    {"direct", Audience::kNamed},
    {"specified", Audience::kNamed},
    {"limited", Audience::kNamed},
};

// The types of Reddit's subreddits. In a restricted one everyone reads and few write.
constexpr std::pair<std::string_view, Audience> kSubreddits[] = {
    {"public", Audience::kPublic},   {"restricted", Audience::kPublic},
    {"archived", Audience::kPublic}, {"goldrestricted", Audience::kPublic},
    {"user", Audience::kPublic},     {"private", Audience::kSelf},
    {"goldonly", Audience::kSelf},   {"employeesonly", Audience::kSelf},
};

bool is_flag(Field field) {
  return field == Field::kProtected || field == Field::kLocalOnly || field == Field::kForSelf;
}

std::optional<bool> flag_in(std::string_view word) {
  constexpr std::array<std::string_view, 6> kYes{"true", "t", "yes", "y", "1", "1.0"};
  constexpr std::array<std::string_view, 6> kNo{"false", "f", "no", "n", "0", "0.0"};
  if (std::ranges::find(kYes, word) != kYes.end()) return true;
  return std::ranges::find(kNo, word) != kNo.end() ? std::optional(false) : std::nullopt;
}

}  // namespace

std::optional<Privacy> privacy_of(Audience audience, Privacy unlisted) {
  switch (audience) {
    case Audience::kNamed:
      return std::nullopt;
    case Audience::kSelf:
      return Privacy::kPrivate;
    case Audience::kFollowers:
      return Privacy::kFollowers;
    case Audience::kUnlisted:
      return unlisted;
    case Audience::kPublic:
      return Privacy::kPublic;
  }
  return std::nullopt;
}

std::optional<Audience> audience_in(Field field, std::string_view value, bool of_mastodon) {
  const std::string word = plain_name(trimmed(value));
  if (trimmed(value).empty()) return Audience::kPublic;
  if (field == Field::kRecipient) return Audience::kNamed;
  if (is_flag(field)) {
    const auto flag = flag_in(word);
    if (!flag) return std::nullopt;
    if (!*flag) return Audience::kPublic;
    if (field == Field::kForSelf) return Audience::kSelf;
    return field == Field::kProtected ? Audience::kFollowers : Audience::kUnlisted;
  }
  if (field == Field::kSubreddit) return meaning_in(kSubreddits, word);
  if (word == "private") {
    const bool shown_to_followers = of_mastodon && field == Field::kVisibility;
    return shown_to_followers ? Audience::kFollowers : Audience::kSelf;
  }
  return meaning_in(kAudiences, word);
}

std::string unknown_audience(std::string_view name, Field field, std::string_view value) {
  return fmt::format("\"{}\" is \"{}\", which is not {}", printable(name, 40), printable(value, 40),
                     is_flag(field) ? "true or false"
                     : field == Field::kSubreddit
                         ? "a known type of subreddit"
                         : "public, unlisted, followers, private, direct or a known word of "
                           "another service");
}

}  // namespace chirp::cli::input
