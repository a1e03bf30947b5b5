#include "cli/load/archive/audience.h"

#include <algorithm>
#include <array>
#include <optional>

namespace chirp::cli::archive {
namespace {

namespace dom = simdjson::dom;

constexpr std::array<std::string_view, 3> kEverybody{"https://www.w3.org/ns/activitystreams#Public",
                                                     "as:Public", "Public"};

bool is_everybody(std::string_view address) {
  return std::ranges::find(kEverybody, address) != kEverybody.end();
}

// Whether `addresses`, a text or an array of them, has one that is `wanted`.
template <class Wanted>
bool has(const dom::element& addresses, const Wanted& wanted) {
  std::string_view one;
  if (addresses.get(one) == simdjson::SUCCESS) return wanted(one);
  dom::array all;
  if (addresses.get(all) != simdjson::SUCCESS) return false;
  return std::any_of(all.begin(), all.end(), [&](const dom::element& address) {
    return address.get(one) == simdjson::SUCCESS && wanted(one);
  });
}

std::optional<Audience> said_by(const dom::object& object, std::string_view followers) {
  dom::element to;
  dom::element cc;
  const bool has_to = object["to"].get(to) == simdjson::SUCCESS;
  const bool has_cc = object["cc"].get(cc) == simdjson::SUCCESS;
  if (!has_to && !has_cc) return std::nullopt;
  const auto is_followers = [&](std::string_view address) { return address == followers; };
  if (has_to && has(to, is_everybody)) return Audience::kPublic;
  if (has_cc && has(cc, is_everybody)) return Audience::kUnlisted;
  if (has_to && has(to, is_followers)) return Audience::kFollowers;
  return Audience::kNamed;
}

}  // namespace

Audience audience_of(const dom::object& activity, const dom::object& object,
                     std::string_view followers) {
  const auto outer = said_by(activity, followers);
  const auto inner = said_by(object, followers);
  if (outer && inner) return std::min(*outer, *inner);
  return outer.value_or(inner.value_or(Audience::kNamed));
}

}  // namespace chirp::cli::archive
