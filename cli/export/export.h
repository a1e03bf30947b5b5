// Everything but passwords as files of JSON Lines.
#pragma once

#include <filesystem>

#include "core/engine.h"
#include "store/copied.h"

namespace chirp::cli {

// `into` is there and empty. Throws as files and the stores do.
store::Copied export_to(Engine& engine, const std::filesystem::path& into);

}  // namespace chirp::cli
