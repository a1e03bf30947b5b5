// Source ids of things that a load makes up: interactions that name no post, and the posts they
// belong to.
//
// The highest bit is set, which no source's own id has (63 bits); the rest is computed from the
// thing. So the same input makes the same ids in every directory, and loading it again finds them.
// Two things get one id once in some ten billion loads of a million.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/load/source.h"

namespace chirp::load {

enum class MadeUp : std::uint8_t {
  kPlaceholder = 1,  // the i-th for `actor`, who had no more posts; `other` is 0
  kRepost = 2,       // the i-th by `actor` of a post by `other`
  kReply = 3,
  kMention = 4,
  kPost = 5,  // a post without an id
};

constexpr std::uint64_t kMadeUpBit = std::uint64_t{1} << 63;

[[nodiscard]] SourceId made_up_id(MadeUp what, SourceId actor, SourceId other,
                                  std::uint32_t ordinal);
// Returns the id of the i-th post without an id that has this author, time and text. Its two
// highest bits are set, so it differs from the ids of words in a load.
[[nodiscard]] SourceId made_up_post(std::string_view author, Time time, std::string_view text,
                                    std::uint32_t ordinal);
[[nodiscard]] constexpr bool is_made_up(SourceId source) {
  return (source.value & kMadeUpBit) != 0;
}

}  // namespace chirp::load
