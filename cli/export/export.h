// Everything but passwords as files of JSON Lines.
#pragma once

#include <filesystem>

#include "core/ports/storage.h"
#include "core/ports/user_directory.h"
#include "store/copied.h"
#include "store/watched.h"

namespace chirp::cli {

// Users come from the directory, everything else from the storage. `into` is an empty folder.
// Throws as files and the stores do, and for a signal that a live OrderlyEnd has received.
// `watched` gets the number of written rows.
store::Copied export_to(Storage& storage, UserDirectory& directory,
                        const std::filesystem::path& into, const store::Watched& watched = {});

}  // namespace chirp::cli
