#include "core/settings.h"

#include <array>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "core/error.h"
#include "core/model/names.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "core/setting_text.h"

namespace chirp::settings {
namespace {

constexpr std::string_view kBcryptKey = "auth.bcrypt_cost";
constexpr unsigned kBcryptDefault = 12;
constexpr unsigned kBcryptMin = 4;
constexpr unsigned kBcryptMax = 31;
constexpr std::string_view kHalfLifeKey = "trend.half_life";
constexpr std::int64_t kHalfLifeDefaultMs = 6 * kHourMs;
constexpr std::int64_t kHalfLifeMinMs = kMinuteMs;
constexpr std::int64_t kHalfLifeMaxMs = 365 * kDayMs;
constexpr std::string_view kRateKey = "http.rate_limit";
constexpr std::string_view kAnonymousRateKey = "http.rate_limit_anonymous";
constexpr std::string_view kLoginKey = "http.login_failures";
constexpr std::string_view kConnectionsKey = "http.connections";
constexpr std::string_view kStreamsKey = "http.streams";
constexpr std::string_view kOriginsKey = "http.cors_origins";
constexpr std::string_view kProxiesKey = "http.trusted_proxies";
constexpr std::string_view kHostsKey = "http.hosts";
constexpr std::uint64_t kRequestsMax = 1'000'000'000;  // of no use as a limit
constexpr std::string_view kFollowMaxKey = "follow.max";
constexpr std::string_view kMediaMaxKey = "media.max";
constexpr std::uint64_t kFilesMax = 1ULL << 50;      // bytes
constexpr std::uint64_t kFilesDefault = 1ULL << 30;  // bytes
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

std::int64_t half_life(std::string_view text) {
  const auto length = parse_duration(text);
  if (!length || *length < kHalfLifeMinMs || *length > kHalfLifeMaxMs) {
    refuse(kHalfLifeKey, "a length of time from 1m to 365d", text);
  }
  return *length;
}

std::int64_t half_life_in(const Draft& draft) {
  const auto found = draft.plain.find(std::string(kHalfLifeKey));
  return found == draft.plain.end() ? kHalfLifeDefaultMs : half_life(found->second);
}

std::uint64_t plain_number(const Draft& draft, std::string_view key, std::uint64_t otherwise,
                           std::uint64_t max) {
  const auto found = draft.plain.find(std::string(key));
  return found == draft.plain.end() ? otherwise : number(key, found->second, 1, max);
}

std::string_view plain_list(const Draft& draft, std::string_view key) {
  const auto found = draft.plain.find(std::string(key));
  return found == draft.plain.end() ? kNoItems : std::string_view(found->second);
}

ForClients for_clients_in(const Draft& draft) {
  const ForClients unset;
  return {plain_number(draft, kRateKey, unset.rate_limit, kRequestsMax),
          plain_number(draft, kAnonymousRateKey, unset.rate_limit_anonymous, kRequestsMax),
          plain_number(draft, kLoginKey, unset.login_failures, kRequestsMax),
          plain_number(draft, kConnectionsKey, unset.connections, kRequestsMax),
          plain_number(draft, kStreamsKey, unset.streams, kRequestsMax),
          origins_in(kOriginsKey, plain_list(draft, kOriginsKey)),
          proxies_in(kProxiesKey, plain_list(draft, kProxiesKey)),
          hosts_in(kHostsKey, plain_list(draft, kHostsKey))};
}

void set_plain_number(Draft& draft, std::string_view key, std::string_view text) {
  draft.plain[std::string(key)] = std::to_string(number(key, text, 1, kRequestsMax));
}

// 0: as many as they like.
std::uint64_t bound_in(const Draft& draft, std::string_view key, std::uint64_t max,
                       std::uint64_t otherwise) {
  const auto found = draft.plain.find(std::string(key));
  return found == draft.plain.end() ? otherwise : number(key, found->second, 0, max);
}

void set_bound(Draft& draft, std::string_view key, std::string_view text, std::uint64_t max) {
  draft.plain[std::string(key)] = std::to_string(number(key, text, 0, max));
}

std::uint64_t weight(const Draft& draft, std::string_view key, std::uint32_t otherwise) {
  const auto found = draft.plain.find(std::string(key));
  if (found == draft.plain.end()) return otherwise;
  return number(key, found->second, 0, feed::kRankWeightMax);
}

void set_weight(Draft& draft, std::string_view key, std::string_view text) {
  draft.plain[std::string(key)] = std::to_string(number(key, text, 0, feed::kRankWeightMax));
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
    Key{kFollowMaxKey,
        [](const Draft& draft) -> Value {
          return bound_in(draft, kFollowMaxKey, kFollowersMax, 0);
        },
        [](Draft& draft, std::string_view text) {
          set_bound(draft, kFollowMaxKey, text, kFollowersMax);
        }},
    Key{kMediaMaxKey,
        [](const Draft& draft) -> Value {
          return bound_in(draft, kMediaMaxKey, kFilesMax, kFilesDefault);
        },
        [](Draft& draft, std::string_view text) {
          set_bound(draft, kMediaMaxKey, text, kFilesMax);
        }},
    Key{kHalfLifeKey,
        [](const Draft& draft) -> Value { return duration_text(half_life_in(draft)); },
        [](Draft& draft, std::string_view text) {
          draft.plain[std::string(kHalfLifeKey)] = duration_text(half_life(text));
        }},
    Key{"rank.recency",
        [](const Draft& draft) -> Value {
          return weight(draft, "rank.recency", feed::RankWeights{}.recency);
        },
        [](Draft& draft, std::string_view text) { set_weight(draft, "rank.recency", text); }},
    Key{"rank.engagement",
        [](const Draft& draft) -> Value {
          return weight(draft, "rank.engagement", feed::RankWeights{}.engagement);
        },
        [](Draft& draft, std::string_view text) { set_weight(draft, "rank.engagement", text); }},
    Key{"rank.affinity",
        [](const Draft& draft) -> Value {
          return weight(draft, "rank.affinity", feed::RankWeights{}.affinity);
        },
        [](Draft& draft, std::string_view text) { set_weight(draft, "rank.affinity", text); }},
    Key{"rank.variety",
        [](const Draft& draft) -> Value {
          return weight(draft, "rank.variety", feed::RankWeights{}.variety);
        },
        [](Draft& draft, std::string_view text) { set_weight(draft, "rank.variety", text); }},
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
    Key{kRateKey, [](const Draft& draft) -> Value { return for_clients_in(draft).rate_limit; },
        [](Draft& draft, std::string_view text) { set_plain_number(draft, kRateKey, text); }},
    Key{kAnonymousRateKey,
        [](const Draft& draft) -> Value { return for_clients_in(draft).rate_limit_anonymous; },
        [](Draft& draft, std::string_view text) {
          set_plain_number(draft, kAnonymousRateKey, text);
        }},
    Key{kLoginKey, [](const Draft& draft) -> Value { return for_clients_in(draft).login_failures; },
        [](Draft& draft, std::string_view text) { set_plain_number(draft, kLoginKey, text); }},
    Key{kConnectionsKey,
        [](const Draft& draft) -> Value { return for_clients_in(draft).connections; },
        [](Draft& draft, std::string_view text) {
          set_plain_number(draft, kConnectionsKey, text);
        }},
    Key{kStreamsKey, [](const Draft& draft) -> Value { return for_clients_in(draft).streams; },
        [](Draft& draft, std::string_view text) { set_plain_number(draft, kStreamsKey, text); }},
    Key{kOriginsKey,
        [](const Draft& draft) -> Value { return std::string(plain_list(draft, kOriginsKey)); },
        [](Draft& draft, std::string_view text) {
          draft.plain[std::string(kOriginsKey)] = list_text(origins_in(kOriginsKey, text));
        }},
    Key{kProxiesKey,
        [](const Draft& draft) -> Value { return std::string(plain_list(draft, kProxiesKey)); },
        [](Draft& draft, std::string_view text) {
          (void)proxies_in(kProxiesKey, text);
          draft.plain[std::string(kProxiesKey)] = list_text(items_of(kProxiesKey, text));
        }},
    Key{kHostsKey,
        [](const Draft& draft) -> Value { return std::string(plain_list(draft, kHostsKey)); },
        [](Draft& draft, std::string_view text) {
          draft.plain[std::string(kHostsKey)] = list_text(hosts_in(kHostsKey, text));
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

feed::RankWeights weights_of(const Draft& draft) {
  const feed::RankWeights unset;
  const auto read = [&](std::string_view key, std::uint32_t otherwise) {
    return static_cast<std::uint32_t>(weight(draft, key, otherwise));
  };
  return {read("rank.recency", unset.recency), read("rank.engagement", unset.engagement),
          read("rank.affinity", unset.affinity), read("rank.variety", unset.variety)};
}

Draft current(const Storage& storage) {
  return {storage.snapshot()->state().settings, reads::plain_settings(*storage.snapshot())};
}

std::optional<std::uint64_t> bound(const Storage& storage, std::string_view key, std::uint64_t max,
                                   std::uint64_t otherwise) {
  const std::uint64_t most =
      bound_in({{}, reads::plain_settings(*storage.snapshot())}, key, max, otherwise);
  return most == 0 ? std::nullopt : std::optional(most);
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
  if (weights_of(draft) == feed::RankWeights{0, 0, 0, 0}) {
    throw Error(ErrorCode::kInvalidArgument,
                "the weights of rank.* would all be 0. Give another one a weight first.");
  }
  if (draft.feed != before.feed) rules::change_settings(storage, draft.feed, now);
  for (const auto& [key, value] : draft.plain) {
    const auto was = before.plain.find(key);
    if (was == before.plain.end() || was->second != value) rules::set_plain(storage, key, value);
  }
}

feed::RankWeights rank_weights(const Storage& storage) { return weights_of(current(storage)); }

unsigned bcrypt_cost(const Storage& storage) {
  return static_cast<unsigned>(std::get<std::uint64_t>(get(storage, kBcryptKey)));
}

std::optional<std::uint64_t> follow_max(const Storage& storage) {
  return bound(storage, kFollowMaxKey, kFollowersMax, 0);
}

std::optional<std::uint64_t> media_max(const Storage& storage) {
  return bound(storage, kMediaMaxKey, kFilesMax, kFilesDefault);
}

std::int64_t trend_half_life_ms(const Storage& storage) { return half_life_in(current(storage)); }

ForClients for_clients(const Storage& storage) { return for_clients_in(current(storage)); }

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
