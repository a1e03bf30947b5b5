#include "cli/load/archive/audience.h"

#include <algorithm>

namespace chirp::cli::archive {

using input::Audience;

input::JsonAudience audience_of(const simdjson::dom::object& activity,
                                const simdjson::dom::object& object, std::string_view followers) {
  const auto is_followers = [&](std::string_view address) { return address == followers; };
  const auto outer = input::addressed_to(activity, is_followers);
  const auto inner = input::addressed_to(object, is_followers);
  input::JsonAudience all = input::audience_by_words(activity);
  const input::JsonAudience words = input::audience_by_words(object);
  if (!words.problem.empty()) all.problem = words.problem;
  const Audience addressed =
      outer && inner ? std::min(*outer, *inner) : outer.value_or(inner.value_or(Audience::kNamed));
  all.audience = std::min({all.audience, words.audience, addressed});
  return all;
}

}  // namespace chirp::cli::archive
