// The settings of a data directory: their names, their bounds, and where each is kept.
//
// Those that shape feeds are kept beside the feeds (Storage::change_settings), the others as plain
// text (Storage::set_plain). All are in force at the next read of every process.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/feed/ranked.h"
#include "core/ports/storage.h"

namespace chirp::settings {

using Value = std::variant<std::uint64_t, std::string>;

struct Setting {
  std::string_view key;
  Value value;

  bool operator==(const Setting&) const = default;
};

// Every setting with the value in force, in a fixed order.
[[nodiscard]] std::vector<Setting> all(const Storage& storage);
// Throws Error{kInvalidArgument} for a key that is none, naming those there are.
[[nodiscard]] Value get(const Storage& storage, std::string_view key);
// Throws Error{kInvalidArgument} for a key or value that is none, and changes nothing then.
void set(Storage& storage, std::string_view key, std::string_view text, Time now);
// Sets several at once, so that bounds between them hold for the result alone.
struct Change {
  std::string key;
  std::string text;
};
void set(Storage& storage, const std::vector<Change>& changes, Time now);

// `auth.bcrypt_cost`: what a new password costs to check.
[[nodiscard]] unsigned bcrypt_cost(const Storage& storage);

// `trend.half_life`: after how long a use of a hashtag counts for half.
[[nodiscard]] std::int64_t trend_half_life_ms(const Storage& storage);
// `rank.*`: what the parts of a ranked feed's score weigh.
[[nodiscard]] feed::RankWeights rank_weights(const Storage& storage);

// As `config` prints it.
[[nodiscard]] std::string text_of(const Value& value);
// A length of time in the largest unit that divides it: `7d`, `36h`.
[[nodiscard]] std::string duration_text(std::int64_t ms);

}  // namespace chirp::settings
