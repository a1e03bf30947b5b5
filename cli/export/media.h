// The files of an export: uploads that a post or a profile in it names, each under its id.
#pragma once

#include <filesystem>
#include <set>

#include "core/engine.h"
#include "store/copied.h"
#include "store/disk_reserve.h"

namespace chirp::cli {

class ExportMedia {
 public:
  // Makes the folder. What it writes is added to `copied`, and keeps `reserve`; both outlive it.
  ExportMedia(const MediaStore& media, std::filesystem::path folder, store::DiskReserve& reserve,
              store::Copied& copied);

  // Writes a file once, even if several rows name it. Skips an upload that is being removed with
  // its owner. Throws Error{kCorrupt} for damaged bytes.
  void add(MediaId upload);

 private:
  const MediaStore& media_;
  std::filesystem::path folder_;
  store::DiskReserve& reserve_;
  store::Copied& copied_;
  std::set<MediaId> written_;
};

}  // namespace chirp::cli
