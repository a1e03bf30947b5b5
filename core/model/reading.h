// How far a user has read.
#pragma once

#include <optional>

#include "core/model/ids.h"

namespace chirp {

struct ReadingMarks {
  std::optional<PostId> feed;  // position in the home feed, set by the reader
  Sequence notified{0};        // notifications up to and including this event

  bool operator==(const ReadingMarks&) const = default;
};

}  // namespace chirp
