// A file that is to be uploaded: what it is by its content, made fit to be shown to everybody.
//
// Nothing is decoded: type and size come from headers, and of the container around the picture only
// the parts are kept that are known to be needed to show it. Whatever else there is may tell where
// and by whom it was made. Any bytes may come; what can't be followed is refused.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/model/upload.h"

namespace chirp::media {

struct File {
  MediaFacts facts;
  std::string bytes;  // without metadata
};

// What the first bytes say it is; empty for none of the types that are taken.
[[nodiscard]] std::optional<MediaType> type_of(std::string_view bytes);

// Throws Error{kInvalidArgument} with field `media` for a type not taken, a file too large, empty
// or broken, and for more pixels than limits::kMediaSideMax and kMediaPixelsMax allow.
[[nodiscard]] File checked(std::string_view bytes);

}  // namespace chirp::media
