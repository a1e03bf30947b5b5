// A backup's manifest. It is written last, so a folder without it is not a backup.
//
//   chirp-backup 1\n
//   format <format version>\n
//   uuid <uuid>\n
//   machine <machine>\n
//   events <sequence of the last event>\n
//   file <hash> <bytes> <path>\n             one per file, by path
//   end <hash of all lines above>\n
//
// Hashes are 128 bits of XXH3 in hexadecimal: they detect damage, not manipulation.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "core/model/ids.h"
#include "store/files.h"
#include "store/format_file.h"

namespace chirp::store {

inline constexpr const char* kManifestFile = "manifest";

struct Manifest {
  Identity identity;
  Sequence events;
  std::map<std::string, FileHash> files;  // by path within the backup

  bool operator==(const Manifest&) const = default;
};

void write_manifest(const std::filesystem::path& backup, const Manifest& manifest);
// Throws Error{kCorrupt} if `backup` is not a complete backup, {kVersion} for a newer format, {kIo}
// if it does not exist.
[[nodiscard]] Manifest read_manifest(const std::filesystem::path& backup);

}  // namespace chirp::store
