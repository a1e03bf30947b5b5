// Everything but passwords as files of JSON Lines.
#pragma once

#include <filesystem>

#include "core/ports/storage.h"
#include "core/ports/user_directory.h"
#include "store/copied.h"
#include "store/watched.h"

namespace chirp::cli {

// Of users of the directory, and the rest from the storage. `into` is there and empty. Throws as
// files and the stores do, and for a signal that a live OrderlyEnd has received. `watched` is told
// of rows.
store::Copied export_to(Storage& storage, UserDirectory& directory,
                        const std::filesystem::path& into, const store::Watched& watched = {});

}  // namespace chirp::cli
