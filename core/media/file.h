// An uploaded file: its type by content, and its bytes without private metadata.
//
// Nothing is decoded: type and size come from headers. Of the container, only the parts known to be
// needed for showing the picture are kept, because others may tell where and by whom it was made.
// Any input is safe; bytes that can't be parsed are refused.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/model/upload.h"

namespace chirp::media {

struct CleanFile {
  MediaFacts facts;
  std::string bytes;  // without metadata
};

// The type by the first bytes; empty for a type that is not accepted.
[[nodiscard]] std::optional<MediaType> type_of(std::string_view bytes);

// Throws Error{kInvalidArgument} with field `media` for a type that is not accepted, for a file
// that is too large, empty or broken, and for more pixels than limits::kMediaSideMax and
// kMediaPixelsMax allow.
[[nodiscard]] CleanFile checked(std::string_view bytes);

}  // namespace chirp::media
