#include "cli/input/json_audience.h"

#include <algorithm>
#include <array>

#include "cli/input/cells.h"
#include "cli/input/json_fields.h"
#include "core/load/post_check.h"

namespace chirp::cli::input {
namespace {

namespace dom = simdjson::dom;

using AddressTest = std::function<bool(std::string_view address)>;

bool is_everybody(std::string_view address) {
  constexpr std::array<std::string_view, 3> kEverybody{
      "https://www.w3.org/ns/activitystreams#Public", "as:Public", "Public"};
  return std::ranges::find(kEverybody, address) != kEverybody.end();
}

bool is_address(std::string_view text) {
  return is_everybody(text) || text.starts_with("https://") || text.starts_with("http://") ||
         text.starts_with("acct:");
}

// Returns an address, given as a string or as an object with an `id`.
std::string_view address_in(const dom::element& value) {
  dom::element id;
  return value.is_object() && value["id"].get(id) == simdjson::SUCCESS ? text_of(id)
                                                                       : text_of(value);
}

// Whether the member, an address or an array of addresses, contains a `wanted` one.
bool has(const dom::object& object, std::string_view key, const AddressTest& wanted) {
  dom::element value;
  if (object[key].get(value) != simdjson::SUCCESS) return false;
  dom::array all;
  if (value.get(all) != simdjson::SUCCESS) return wanted(address_in(value));
  return std::any_of(all.begin(), all.end(),
                     [&](const dom::element& one) { return wanted(address_in(one)); });
}

bool is_empty_array(const dom::object& object, std::string_view key) {
  dom::array all;
  return object[key].get(all) == simdjson::SUCCESS && all.begin() == all.end();
}

bool has(const dom::object& object, std::string_view key) {
  return object[key].error() == simdjson::SUCCESS;
}

// Returns the address of an ActivityPub object's author.
std::string_view author_in(const dom::object& object) {
  for (const char* const key : {"attributedTo", "actor"}) {
    dom::element value;
    if (object[key].get(value) != simdjson::SUCCESS) continue;
    return address_in(value);
  }
  return {};
}

std::optional<Audience> audience_of_activity(const dom::object& object) {
  const std::string_view author = author_in(object);
  const auto said = addressed_to(object, [&](std::string_view address) {
    constexpr std::string_view kFollowers = "/followers";
    if (!address.ends_with(kFollowers)) return false;
    address.remove_suffix(kFollowers.size());
    return author.empty() || address == author;
  });
  if (!said && (has(object, "bto") || has(object, "bcc"))) return Audience::kNamed;
  return said;
}

// Returns a value as a table cell would hold it: strings as they are, anything else as JSON.
std::string word_of(const dom::element& value) {
  if (value.is_string()) return std::string(text_of(value));
  return value.is_null() ? std::string() : simdjson::minify(value);
}

void narrow(JsonAudience& all, Field field, std::string_view name, const dom::element& value,
            bool of_mastodon) {
  const std::string word = word_of(value);
  if (const auto said = audience_in(field, word, of_mastodon)) {
    all.audience = std::min(all.audience, *said);
  } else {
    all.problem = unknown_audience(name, field, word);
  }
}

// Narrows by the `audience` of an object that is not from ActivityPub: one or more keywords. Any
// other value, such as a number of readers, means something else.
void narrow_by_words(JsonAudience& all, std::string_view name, const dom::element& value) {
  if (value.is_string()) return narrow(all, Field::kAudience, name, value, false);
  dom::array words;
  if (value.get(words) != simdjson::SUCCESS) return;
  std::optional<Audience> widest;
  for (const dom::element word : words) {
    JsonAudience one;
    narrow(one, Field::kAudience, name, word, false);
    if (!one.problem.empty()) all.problem = one.problem;
    widest = std::max(widest.value_or(Audience::kNamed), one.audience);
  }
  all.audience = std::min(all.audience, widest.value_or(Audience::kPublic));
}

bool is_mastodons(const dom::object& post) {
  return std::any_of(post.begin(), post.end(), [](const auto& member) {
    return is_mastodon_name(member.key) || (member.key == "account" && member.value.is_object());
  });
}

bool is_author(std::string_view key) {
  return key == "user" || key == "author" || key == "account";
}

// In objects that are not from ActivityPub, `to` and `cc` may mean something else. An empty list of
// them means no recipients.
bool is_of_activities(std::string_view key, const dom::object& post) {
  if (key == "@context" || key == "attributedTo" || key == "actor") return true;
  const bool hidden = key == "bto" || key == "bcc";
  if (!hidden && key != "to" && key != "cc" && key != "audience") return false;
  return has(post, key, is_address) || (key != "audience" && is_empty_array(post, key));
}

bool has_named(const dom::object& post, std::string_view name) {
  return std::any_of(post.begin(), post.end(),
                     [&](const auto& member) { return plain_name(member.key) == name; });
}

enum class OtherAddresses : std::uint8_t { kRead, kIgnored };

// Returns the audience by the post's own fields, without those of its original.
JsonAudience own_audience(const dom::object& post, OtherAddresses addresses) {
  JsonAudience all;
  std::optional<bool> of_mastodon;  // computed only for the few posts that need it
  bool of_activities = false;
  dom::element audience;
  std::string_view audience_name;
  const auto beside = [&](std::string_view name) { return has_named(post, name); };
  for (const auto [key, value] : post) {
    of_activities = of_activities || is_of_activities(key, post);
    if (dom::object user; is_author(key) && value.get(user) == simdjson::SUCCESS) {
      const JsonAudience author = audience_of_author(user);
      all.audience = std::min(all.audience, author.audience);
      all.is_author_protected |= author.audience != Audience::kPublic;
      if (!author.problem.empty()) all.problem = author.problem;
      continue;
    }
    if (const auto of_original = visibility_of_repeated(key)) {
      JsonAudience original;
      narrow(original, *of_original, key, value, false);
      if (original.audience != Audience::kPublic)
        all.audience = std::min(all.audience, Audience::kSelf);
      if (!original.problem.empty()) all.problem = original.problem;
      continue;
    }
    const auto field = names_recipient(key, beside) && !is_of_activities(key, post)
                           ? std::optional(Field::kRecipient)
                           : visibility_field(key);
    if (!field) continue;
    if (*field == Field::kAudience) {
      audience = value;
      audience_name = key;
      continue;
    }
    if (!of_mastodon) of_mastodon = is_mastodons(post);
    narrow(all, *field, key, value, *of_mastodon);
    all.is_author_protected |= *field == Field::kProtected && is_of_author(key) &&
                               audience_in(*field, word_of(value), false) == Audience::kFollowers;
  }
  if (addresses == OtherAddresses::kIgnored) return all;
  if (of_activities) {
    const auto addressed = audience_of_activity(post);
    all.audience = std::min(all.audience, addressed.value_or(Audience::kPublic));
  } else if (!audience_name.empty()) {
    narrow_by_words(all, audience_name, audience);
  }
  return all;
}

// Returns what identifies the author: an id, or else a name. Empty if there is neither.
std::string author_of(const dom::object& post) {
  std::string name;
  for (const auto [key, value] : post) {
    if (dom::object user; is_author(key) && value.get(user) == simdjson::SUCCESS) {
      for (const auto [own_key, own_value] : user) {
        const auto found = user_field(own_key);
        if (found && found->field == Field::kAuthorId) return word_of(own_value);
        if (found && found->field == Field::kUsername) name = word_of(own_value);
      }
      continue;
    }
    const auto found = post_field(key);
    if (found && found->field == Field::kAuthorId) return word_of(value);
    if (found && found->field == Field::kUsername) name = word_of(value);
  }
  return name;
}

void narrow_by_original(JsonAudience& all, const dom::object& repost, const dom::object& original) {
  JsonAudience inner = audience_of(original);
  if (!inner.problem.empty()) all.problem = std::move(inner.problem);
  const Privacy privacy = privacy_of(inner.audience).value_or(Privacy::kPrivate);
  if (privacy == Privacy::kPublic) return;
  const std::string author = author_of(repost);
  const bool same_author = !author.empty() && author == author_of(original);
  const Privacy words = load::privacy_of_repost(Privacy::kPublic, privacy, same_author);
  all.audience =
      std::min(all.audience, words == Privacy::kPrivate ? Audience::kSelf : Audience::kFollowers);
}

}  // namespace

std::optional<Audience> addressed_to(const dom::object& object, const AddressTest& is_followers) {
  const bool has_to = has(object, "to");
  const bool has_cc = has(object, "cc");
  if (!has_to && !has_cc && !has(object, "audience")) return std::nullopt;
  const char* const to = has_to || has_cc ? "to" : "audience";
  if (has(object, to, is_everybody)) return Audience::kPublic;
  if (has(object, "cc", is_everybody)) return Audience::kUnlisted;
  return has(object, to, is_followers) ? Audience::kFollowers : Audience::kNamed;
}

JsonAudience audience_of(const dom::object& post) {
  JsonAudience all = own_audience(post, OtherAddresses::kRead);
  for (const auto [key, value] : post) {
    dom::object original;
    if (is_repeated(key) && value.get(original) == simdjson::SUCCESS) {
      narrow_by_original(all, post, original);
    }
    dom::array others;
    if (key != "referenced_tweets" || value.get(others) != simdjson::SUCCESS) continue;
    for (const dom::element other : others) {  // Twitter API v2
      std::string_view type;
      if (other.get(original) == simdjson::SUCCESS &&
          original["type"].get(type) == simdjson::SUCCESS && type == "retweeted") {
        narrow_by_original(all, post, original);
      }
    }
  }
  return all;
}

JsonAudience audience_by_words(const dom::object& post) {
  return own_audience(post, OtherAddresses::kIgnored);
}

JsonAudience audience_of_author(const dom::object& user) {
  JsonAudience all;
  for (const auto [key, value] : user) {
    if (!visibility_field(key)) continue;
    const auto name = user_field(key);
    if (name && is_about_visibility(name->field)) narrow(all, name->field, key, value, false);
  }
  return all;
}

}  // namespace chirp::cli::input
