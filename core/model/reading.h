// How far somebody has read.
#pragma once

#include <optional>

#include "core/model/ids.h"

namespace chirp {

struct ReadingMarks {
  std::optional<PostId> feed;  // of the home feed, as the reader set it
  Sequence notified{0};        // notifications up to and including this event

  bool operator==(const ReadingMarks&) const = default;
};

}  // namespace chirp
