// Everything but passwords as files of JSON Lines.
#pragma once

#include <filesystem>

#include "core/engine.h"
#include "store/copied.h"
#include "store/watched.h"

namespace chirp::cli {

// `into` is there and empty. Throws as files and the stores do, and for a signal that a live
// OrderlyEnd has received. `watched` is told of rows.
store::Copied export_to(Engine& engine, const std::filesystem::path& into,
                        const store::Watched& watched = {});

}  // namespace chirp::cli
