#include "core/settings.h"

#include <array>
#include <map>
#include <optional>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/model/names.h"
#include "core/model/nearest.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "core/setting_text.h"

namespace chirp::settings {
namespace {

constexpr std::int64_t kHalfLifeDefaultMs = 6 * kHourMs;
constexpr std::int64_t kHalfLifeMinMs = kMinuteMs;
constexpr std::int64_t kHalfLifeMaxMs = 365 * kDayMs;
constexpr std::uint64_t kRequestsMax = 1'000'000'000;  // higher values are no limit
constexpr std::uint64_t kFilesMax = 1ULL << 50;        // bytes
constexpr std::uint64_t kFilesDefault = 1ULL << 30;    // bytes
constexpr std::uint64_t kActiveDaysMax = 36'500;

// The settings that keys read and write; committed together at the end.
struct Draft {
  feed::FeedSettings feed;
  std::map<std::string, std::string> plain;
};

struct SettingKey {
  std::string_view name;
  SettingValue (*read)(const Draft&, const SettingKey&);
  void (*write)(Draft&, const SettingKey&, std::string_view);
  // For a number in plain text: bounds and default.
  std::uint64_t min = 0;
  std::uint64_t max = 0;
  std::uint64_t otherwise = 0;
};

std::optional<std::string_view> plain_text(const Draft& draft, const SettingKey& key) {
  const auto found = draft.plain.find(std::string(key.name));
  if (found == draft.plain.end()) return std::nullopt;
  return found->second;
}

void set_plain_text(Draft& draft, const SettingKey& key, std::string text) {
  draft.plain[std::string(key.name)] = std::move(text);
}

// ---- numbers kept as plain text

std::uint64_t number_in(const Draft& draft, const SettingKey& key) {
  const auto text = plain_text(draft, key);
  return text ? number(key.name, *text, key.min, key.max) : key.otherwise;
}

SettingKey plain_number(std::string_view name, std::uint64_t min, std::uint64_t max,
                        std::uint64_t otherwise) {
  return {name,
          [](const Draft& draft, const SettingKey& key) -> SettingValue {
            return number_in(draft, key);
          },
          [](Draft& draft, const SettingKey& key, std::string_view text) {
            set_plain_text(draft, key, std::to_string(number(key.name, text, key.min, key.max)));
          },
          min,
          max,
          otherwise};
}

const ForClients kUnset;
const feed::RankWeights kUnsetWeights;
const SettingKey kFollowMax = plain_number("follow.max", 0, limits::kFollowersMax, 0);
const SettingKey kMediaMax = plain_number("media.max", 0, kFilesMax, kFilesDefault);
const SettingKey kRecency =
    plain_number("rank.recency", 0, feed::kRankWeightMax, kUnsetWeights.recency);
const SettingKey kEngagement =
    plain_number("rank.engagement", 0, feed::kRankWeightMax, kUnsetWeights.engagement);
const SettingKey kAffinity =
    plain_number("rank.affinity", 0, feed::kRankWeightMax, kUnsetWeights.affinity);
const SettingKey kVariety =
    plain_number("rank.variety", 0, feed::kRankWeightMax, kUnsetWeights.variety);
const SettingKey kBcryptCost{
    "auth.bcrypt_cost",
    [](const Draft& draft, const SettingKey& key) -> SettingValue { return number_in(draft, key); },
    [](Draft& draft, const SettingKey& key, std::string_view text) {
      set_plain_text(draft, key, std::to_string(number(key.name, text, key.min, kBcryptCostMax)));
    },
    4,
    31,
    12};
const SettingKey kRate = plain_number("http.rate_limit", 1, kRequestsMax, kUnset.rate_limit);
const SettingKey kAnonymousRate =
    plain_number("http.rate_limit_anonymous", 1, kRequestsMax, kUnset.rate_limit_anonymous);
const SettingKey kLogin =
    plain_number("http.login_failures", 1, kRequestsMax, kUnset.login_failures);
const SettingKey kLoginAddress =
    plain_number("http.login_failures_address", 1, kRequestsMax, kUnset.login_failures_address);
const SettingKey kConnections =
    plain_number("http.connections", 1, kRequestsMax, kUnset.connections);
const SettingKey kStreams = plain_number("http.streams", 1, kRequestsMax, kUnset.streams);

// ---- lists kept as plain text

std::string_view list_in(const Draft& draft, const SettingKey& key) {
  return plain_text(draft, key).value_or(kNoItems);
}

SettingValue read_list(const Draft& draft, const SettingKey& key) {
  return std::string(list_in(draft, key));
}

const SettingKey kOrigins{"http.cors_origins", read_list,
                          [](Draft& draft, const SettingKey& key, std::string_view text) {
                            set_plain_text(draft, key, list_text(origins_in(key.name, text)));
                          }};
const SettingKey kProxies{"http.trusted_proxies", read_list,
                          [](Draft& draft, const SettingKey& key, std::string_view text) {
                            const auto why = proxies_objection(proxies_in(key.name, text));
                            if (!why.empty()) {
                              throw Error(
                                  ErrorCode::kInvalidArgument,
                                  fmt::format("{} = {} {}.", key.name, printable(text), why),
                                  std::string(key.name));
                            }
                            set_plain_text(draft, key, list_text(items_of(key.name, text)));
                          }};
const SettingKey kHosts{"http.hosts", read_list,
                        [](Draft& draft, const SettingKey& key, std::string_view text) {
                          set_plain_text(draft, key, list_text(hosts_in(key.name, text)));
                        }};

// ---- other settings

std::int64_t half_life(const SettingKey& key, std::string_view text) {
  const auto length = parse_duration(text);
  if (!length || *length < kHalfLifeMinMs || *length > kHalfLifeMaxMs) {
    refuse(key.name, "a length of time from 1m to 365d", text);
  }
  return *length;
}

std::int64_t half_life_in(const Draft& draft, const SettingKey& key) {
  const auto text = plain_text(draft, key);
  return text ? half_life(key, *text) : kHalfLifeDefaultMs;
}

const SettingKey kHalfLife{"trend.half_life",
                           [](const Draft& draft, const SettingKey& key) -> SettingValue {
                             return duration_text(half_life_in(draft, key));
                           },
                           [](Draft& draft, const SettingKey& key, std::string_view text) {
                             set_plain_text(draft, key, duration_text(half_life(key, text)));
                           }};
const SettingKey kPolicy{
    "feed.policy",
    [](const Draft& draft, const SettingKey&) -> SettingValue {
      return std::string(feed::name(draft.feed.policy));
    },
    [](Draft& draft, const SettingKey& key, std::string_view text) {
      const auto policy = feed::policy_named(text);
      if (!policy) throw no_such_choice(key.name, {"push", "pull", "hybrid", "cost"}, text);
      draft.feed.policy = *policy;
    }};
// A number among the settings of feeds.
template <auto field>
SettingKey feed_number(std::string_view name, std::uint64_t min, std::uint64_t max) {
  return {name,
          [](const Draft& draft, const SettingKey&) -> SettingValue {
            return std::uint64_t{draft.feed.*field};
          },
          [](Draft& draft, const SettingKey& key, std::string_view text) {
            auto& value = draft.feed.*field;
            value = static_cast<std::remove_reference_t<decltype(value)>>(
                number(key.name, text, key.min, key.max));
          },
          min, max};
}

using Feed = feed::FeedSettings;
const SettingKey kCap =
    feed_number<&Feed::cap>("feed.cap", limits::kFeedCapMin, limits::kFeedCapMax);
const SettingKey kInfluencerFrom =
    feed_number<&Feed::influencer_from>("tier.influencer_from", 1, limits::kFollowersMax);
const SettingKey kCelebrityAbove =
    feed_number<&Feed::celebrity_above>("tier.celebrity_above", 1, limits::kFollowersMax);
const SettingKey kActiveDays =
    feed_number<&Feed::active_days>("tier.active_days", 1, kActiveDaysMax);
const SettingKey kLogKeep{"log.keep",
                          [](const Draft& draft, const SettingKey&) -> SettingValue {
                            return duration_text(draft.feed.log_keep_ms);
                          },
                          [](Draft& draft, const SettingKey& key, std::string_view text) {
                            const auto keep = parse_duration(text);
                            if (!keep)
                              refuse(key.name, "a length of time such as 7d, 12h, 30m or 10s",
                                     text);
                            draft.feed.log_keep_ms = *keep;
                          }};

const std::array kKeys{kPolicy,        kCap,       kInfluencerFrom, kCelebrityAbove, kActiveDays,
                       kLogKeep,       kFollowMax, kMediaMax,       kHalfLife,       kRecency,
                       kEngagement,    kAffinity,  kVariety,        kBcryptCost,     kRate,
                       kAnonymousRate, kLogin,     kLoginAddress,   kConnections,    kStreams,
                       kOrigins,       kProxies,   kHosts};

ForClients for_clients_in(const Draft& draft) {
  return {number_in(draft, kRate),
          number_in(draft, kAnonymousRate),
          number_in(draft, kLogin),
          number_in(draft, kLoginAddress),
          number_in(draft, kConnections),
          number_in(draft, kStreams),
          origins_in(kOrigins.name, list_in(draft, kOrigins)),
          proxies_in(kProxies.name, list_in(draft, kProxies)),
          hosts_in(kHosts.name, list_in(draft, kHosts))};
}

const SettingKey& known(std::string_view name) {
  std::vector<std::string_view> names;
  for (const SettingKey& key : kKeys) {
    if (key.name == name) return key;
    names.push_back(key.name);
  }
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("There is no setting \"{}\". There are: {}.{}", printable(name),
                          fmt::join(names, ", "), did_you_mean(name, names)));
}

feed::RankWeights weights_of(const Draft& draft) {
  const auto weight = [&](const SettingKey& key) {
    return static_cast<std::uint32_t>(number_in(draft, key));
  };
  return {weight(kRecency), weight(kEngagement), weight(kAffinity), weight(kVariety)};
}

Draft current(const Snapshot& snapshot) {
  return {snapshot.state().settings, reads::plain_settings(snapshot)};
}

Draft with_changes(Draft draft, const std::vector<SettingChange>& changes) {
  for (const SettingChange& change : changes) {
    const SettingKey& key = known(change.key);
    key.write(draft, key, change.text);
  }
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
  return draft;
}

// Reads current settings. An invalid stored text is Error{kCorrupt}, because the reader did not
// write it.
template <class Read>
auto in_force(const Snapshot& snapshot, Read read) {
  const Draft draft = current(snapshot);
  try {
    return read(draft);
  } catch (const Error& error) {
    throw Error(
        ErrorCode::kCorrupt,
        fmt::format("A setting is invalid: {} Set it with chirp config set.", error.what()));
  }
}

std::optional<std::uint64_t> bound(const Storage& storage,
                                   const SettingKey& key) {  // 0 means no limit.
  const std::uint64_t most =
      in_force(*storage.snapshot(), [&](const Draft& draft) { return number_in(draft, key); });
  return most == 0 ? std::nullopt : std::optional(most);
}

}  // namespace

std::vector<std::string_view> keys() {
  std::vector<std::string_view> names;
  for (const SettingKey& key : kKeys) names.push_back(key.name);
  return names;
}

std::vector<Setting> all(const Storage& storage) {
  const Draft draft = current(*storage.snapshot());
  std::vector<Setting> settings;
  for (const SettingKey& key : kKeys) settings.push_back({key.name, key.read(draft, key)});
  return settings;
}

SettingValue get(const Storage& storage, std::string_view key) {
  const SettingKey& found = known(key);
  return found.read(current(*storage.snapshot()), found);
}

void set(Storage& storage, std::string_view key, std::string_view text, Time now) {
  set(storage, {{std::string(key), std::string(text)}}, now);
}

void set(Storage& storage, const std::vector<SettingChange>& changes, Time now) {
  for (;;) {
    const Draft before = current(*storage.snapshot());
    const Draft draft = with_changes(before, changes);
    const bool shapes_feeds = draft.feed != before.feed;
    // A concurrent change may conflict with this one, so start again.
    if (shapes_feeds && !rules::replace_settings(storage, before.feed, draft.feed, now)) continue;
    for (const auto& [key, value] : draft.plain) {
      const auto was = before.plain.find(key);
      if (was == before.plain.end() || was->second != value) rules::set_plain(storage, key, value);
    }
    return;
  }
}

feed::RankWeights rank_weights(const Storage& storage) {
  return in_force(*storage.snapshot(), weights_of);
}

unsigned bcrypt_cost(const Storage& storage) {
  return static_cast<unsigned>(in_force(
      *storage.snapshot(), [](const Draft& draft) { return number_in(draft, kBcryptCost); }));
}

std::optional<std::uint64_t> follow_max(const Storage& storage) {
  return bound(storage, kFollowMax);
}

std::optional<std::uint64_t> media_max(const Storage& storage) { return bound(storage, kMediaMax); }

std::int64_t trend_half_life_ms(const Storage& storage) {
  return in_force(*storage.snapshot(),
                  [](const Draft& draft) { return half_life_in(draft, kHalfLife); });
}

ForClients for_clients(const Snapshot& snapshot) { return in_force(snapshot, for_clients_in); }

std::string text_of(const SettingValue& value) {
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
