// Uses of hashtags: the input of trends.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/model/ids.h"
#include "core/model/time.h"

namespace chirp {

// How far back hashtags are kept, and the widest window of trends.
inline constexpr std::int64_t kTagsKeptMs = 7 * kDayMs;

// The different tags of a public post, in the order of its text.
struct TaggedPost {
  PostId post;
  UserNumber author;
  std::vector<std::string> tags;

  bool operator==(const TaggedPost&) const = default;
};

}  // namespace chirp
