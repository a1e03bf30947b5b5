#include "core/settings.h"

#include <array>
#include <charconv>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "core/error.h"
#include "core/model/names.h"

namespace chirp::settings {
namespace {

constexpr std::string_view kBcryptKey = "auth.bcrypt_cost";
constexpr unsigned kBcryptDefault = 12;
constexpr unsigned kBcryptMin = 4;
constexpr unsigned kBcryptMax = 31;
constexpr std::uint64_t kFollowersMax = 1'000'000'000;
constexpr std::uint64_t kActiveDaysMax = 36'500;

// What a key reads from and writes to; committed together at the end.
struct Draft {
  feed::FeedSettings feed;
  std::map<std::string, std::string> plain;
};

struct Key {
  std::string_view name;
  Value (*read)(const Draft&);
  void (*write)(Draft&, std::string_view);
};

[[noreturn]] void refuse(std::string_view key, std::string_view takes, std::string_view text) {
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("{} takes {}, not \"{}\".", key, takes, printable(text)),
              std::string(key));
}

std::uint64_t number(std::string_view key, std::string_view text, std::uint64_t min,
                     std::uint64_t max) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc{} || stop != end || value < min || value > max) {
    refuse(key, fmt::format("a number from {} to {}", min, max), text);
  }
  return value;
}

constexpr std::array kKeys{
    Key{"feed.policy",
        [](const Draft& draft) -> Value { return std::string(feed::name(draft.feed.policy)); },
        [](Draft& draft, std::string_view text) {
          const auto policy = feed::policy_named(text);
          if (!policy) refuse("feed.policy", "push, pull, hybrid or cost", text);
          draft.feed.policy = *policy;
        }},
    Key{"feed.cap", [](const Draft& draft) -> Value { return std::uint64_t{draft.feed.cap}; },
        [](Draft& draft, std::string_view text) {
          draft.feed.cap = static_cast<std::uint32_t>(
              number("feed.cap", text, limits::kFeedCapMin, limits::kFeedCapMax));
        }},
    Key{"tier.influencer_from",
        [](const Draft& draft) -> Value { return draft.feed.influencer_from; },
        [](Draft& draft, std::string_view text) {
          draft.feed.influencer_from = number("tier.influencer_from", text, 1, kFollowersMax);
        }},
    Key{"tier.celebrity_above",
        [](const Draft& draft) -> Value { return draft.feed.celebrity_above; },
        [](Draft& draft, std::string_view text) {
          draft.feed.celebrity_above = number("tier.celebrity_above", text, 1, kFollowersMax);
        }},
    Key{"tier.active_days",
        [](const Draft& draft) -> Value { return std::uint64_t{draft.feed.active_days}; },
        [](Draft& draft, std::string_view text) {
          draft.feed.active_days =
              static_cast<std::uint32_t>(number("tier.active_days", text, 1, kActiveDaysMax));
        }},
    Key{"log.keep",
        [](const Draft& draft) -> Value { return duration_text(draft.feed.log_keep_ms); },
        [](Draft& draft, std::string_view text) {
          const auto keep = parse_duration(text);
          if (!keep) refuse("log.keep", "a length of time such as 7d, 12h, 30m or 10s", text);
          draft.feed.log_keep_ms = *keep;
        }},
    Key{kBcryptKey,
        [](const Draft& draft) -> Value {
          const auto found = draft.plain.find(std::string(kBcryptKey));
          if (found == draft.plain.end()) return std::uint64_t{kBcryptDefault};
          return number(kBcryptKey, found->second, kBcryptMin, kBcryptMax);
        },
        [](Draft& draft, std::string_view text) {
          draft.plain[std::string(kBcryptKey)] =
              std::to_string(number(kBcryptKey, text, kBcryptMin, kBcryptMax));
        }},
};

const Key& known(std::string_view name) {
  std::string names;
  for (const Key& key : kKeys) {
    if (key.name == name) return key;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", key.name);
  }
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("There is no setting \"{}\". There are: {}.", printable(name), names));
}

Draft current(const Storage& storage) {
  return {storage.snapshot()->state().settings, storage.plain_settings()};
}

}  // namespace

std::vector<Setting> all(const Storage& storage) {
  const Draft draft = current(storage);
  std::vector<Setting> settings;
  for (const Key& key : kKeys) settings.push_back({key.name, key.read(draft)});
  return settings;
}

Value get(const Storage& storage, std::string_view key) {
  return known(key).read(current(storage));
}

void set(Storage& storage, std::string_view key, std::string_view text, Time now) {
  set(storage, {{std::string(key), std::string(text)}}, now);
}

void set(Storage& storage, const std::vector<Change>& changes, Time now) {
  const Draft before = current(storage);
  Draft draft = before;
  for (const Change& change : changes) known(change.key).write(draft, change.text);
  if (draft.feed.celebrity_above < draft.feed.influencer_from) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("tier.celebrity_above ({}) would be below tier.influencer_from ({}). "
                            "Change the other one first.",
                            draft.feed.celebrity_above, draft.feed.influencer_from));
  }
  if (draft.feed != before.feed) storage.change_settings(draft.feed, now);
  for (const auto& [key, value] : draft.plain) {
    const auto was = before.plain.find(key);
    if (was == before.plain.end() || was->second != value) storage.set_plain(key, value);
  }
}

unsigned bcrypt_cost(const Storage& storage) {
  return static_cast<unsigned>(std::get<std::uint64_t>(get(storage, kBcryptKey)));
}

std::string text_of(const Value& value) {
  if (const auto* n = std::get_if<std::uint64_t>(&value)) return std::to_string(*n);
  return std::get<std::string>(value);
}

std::string duration_text(std::int64_t ms) {
  if (ms % kDayMs == 0 && ms > 0) return fmt::format("{}d", ms / kDayMs);
  if (ms % kHourMs == 0 && ms > 0) return fmt::format("{}h", ms / kHourMs);
  if (ms % kMinuteMs == 0 && ms > 0) return fmt::format("{}m", ms / kMinuteMs);
  return fmt::format("{}s", ms / kSecondMs);
}

}  // namespace chirp::settings
