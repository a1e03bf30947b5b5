// Media of posts as JSON: addresses, as texts or in objects, and what they show.
#pragma once

#include <vector>

#include <simdjson.h>

#include "core/load/source.h"

namespace chirp::cli::input {

// What a post's members say of media; either may be null. Each is a text or an array of texts;
// of addresses also objects with `url`, and `description` or `altText`. The n-th text belongs to
// the n-th address; one that belongs to none stands alone.
[[nodiscard]] std::vector<load::SourceMedium> media_of(const simdjson::dom::element* addresses,
                                                       const simdjson::dom::element* alt_texts);

}  // namespace chirp::cli::input
