// Media of posts in JSON: addresses, as texts or in objects, and descriptions.
#pragma once

#include <vector>

#include <simdjson.h>

#include "core/load/source.h"

namespace chirp::cli::input {

// Reads the media in a post's members; either may be null. Each is a text or an array of texts;
// addresses may also be objects with `url`, and `description` or `altText`. The n-th description
// belongs to the n-th address; an unmatched one becomes a medium without an address.
[[nodiscard]] std::vector<load::SourceMedium> media_of(const simdjson::dom::element* addresses,
                                                       const simdjson::dom::element* alt_texts);

}  // namespace chirp::cli::input
