// A data directory copied into a folder, for what needs files: the lab and benchmarks.
#pragma once

#include <filesystem>

#include "core/ports/clock.h"
#include "store/data_directory.h"

namespace chirp::cli {

// `folder` must not be there yet; the folder it is in is used meanwhile. Of a folder the copy is as
// it is. Of a database it is what an export of it makes: without passwords, tokens, timelines and
// the log of before.
void copy_into_folder(store::DataDirectory& original, const std::filesystem::path& folder,
                      const Clock& clock);

}  // namespace chirp::cli
