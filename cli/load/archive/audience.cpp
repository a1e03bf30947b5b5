#include "cli/load/archive/audience.h"

#include <algorithm>

#include "cli/input/json_audience.h"

namespace chirp::cli::archive {

using input::Audience;

Audience audience_of(const simdjson::dom::object& activity, const simdjson::dom::object& object,
                     std::string_view followers) {
  const auto is_followers = [&](std::string_view address) { return address == followers; };
  const auto outer = input::addressed_to(activity, is_followers);
  const auto inner = input::addressed_to(object, is_followers);
  if (outer && inner) return std::min(*outer, *inner);
  return outer.value_or(inner.value_or(Audience::kNamed));
}

}  // namespace chirp::cli::archive
