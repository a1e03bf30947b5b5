// The settings of a data directory: names, bounds, and where each is stored.
//
// Settings that shape feeds are stored beside the feeds (rules::change_settings), the others as
// plain text (rules::set_plain). Every process uses them from its next read on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/model/network.h"
#include "core/model/rank_weights.h"
#include "core/ports/storage.h"

namespace chirp::settings {

using SettingValue = std::variant<std::uint64_t, std::string>;

struct Setting {
  std::string_view key;
  SettingValue value;

  bool operator==(const Setting&) const = default;
};

// The names of all settings, in a fixed order.
[[nodiscard]] std::vector<std::string_view> keys();
// Every setting with its current value, in the same order.
[[nodiscard]] std::vector<Setting> all(const Storage& storage);
// Throws Error{kInvalidArgument} for an unknown key, naming the known ones.
[[nodiscard]] SettingValue get(const Storage& storage, std::string_view key);
// Throws Error{kInvalidArgument} for an unknown key or invalid value, and then changes nothing.
// Keeps concurrent changes of other settings.
void set(Storage& storage, std::string_view key, std::string_view text, Time now);
// Sets several at once, so that bounds between them are checked only for the result.
struct SettingChange {
  std::string key;
  std::string text;
};
void set(Storage& storage, const std::vector<SettingChange>& changes, Time now);

// ---- current values. Each throws Error{kCorrupt} for an invalid stored text.

// `auth.bcrypt_cost`: the cost of a new password's hash. Each step doubles the time: 0.3 s at 12,
// 20 s at 18, the most that `set` accepts, and two days at 31, which older directories may have.
inline constexpr std::uint64_t kBcryptCostMax = 18;
[[nodiscard]] unsigned bcrypt_cost(const Storage& storage);

// `follow.max`: how many accounts a user may follow; empty for no limit.
[[nodiscard]] std::optional<std::uint64_t> follow_max(const Storage& storage);

// `media.max`: how many bytes of files an account may store; empty for no limit.
[[nodiscard]] std::optional<std::uint64_t> media_max(const Storage& storage);

// `trend.half_life`: the age at which a use of a hashtag counts half.
[[nodiscard]] std::int64_t trend_half_life_ms(const Storage& storage);
// `rank.*`: the weights of the parts of a ranked feed's score.
[[nodiscard]] feed::RankWeights rank_weights(const Storage& storage);

// `http.*`: what the server allows its clients.
struct ForClients {
  std::uint64_t rate_limit = 600;              // requests per minute and account …
  std::uint64_t rate_limit_anonymous = 120;    // … and per minute and address without a token
  std::uint64_t login_failures = 10;           // per name or account in 15 minutes …
  std::uint64_t login_failures_address = 100;  // … and per address
  std::uint64_t connections = 512;             // open at the same time per address …
  std::uint64_t streams = 256;                 // … and how many of them may be streams
  std::vector<std::string> cors_origins;       // origins whose pages may call; in lower case
  std::vector<IpNetwork> trusted_proxies;      // proxies whose X-Forwarded-For is believed
  std::vector<std::string> hosts;              // hosts that the server answers for; in lower case
};
[[nodiscard]] ForClients for_clients(const Snapshot& snapshot);

// Returns the value as `config` prints it.
[[nodiscard]] std::string text_of(const SettingValue& value);
// Formats a duration in the largest unit that divides it: `7d`, `36h`.
[[nodiscard]] std::string duration_text(std::int64_t ms);

}  // namespace chirp::settings
