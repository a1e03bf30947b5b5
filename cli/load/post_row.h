// A post as a dry run shows it.
#pragma once

#include "cli/load/preview.h"
#include "core/load/source.h"
#include "core/load/words.h"

namespace chirp::cli {

// The fields that the source gives; ids that are words are those of `words`.
[[nodiscard]] PreviewRow row_of(const load::SourcePost& post, const load::Words& words);

}  // namespace chirp::cli
