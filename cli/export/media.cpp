#include "cli/export/media.h"

#include "cli/export/new_file.h"
#include "store/files.h"

namespace chirp::cli {

ExportMedia::ExportMedia(const MediaStore& media, std::filesystem::path folder,
                         store::DiskReserve& reserve, store::Copied& copied)
    : media_(media), folder_(std::move(folder)), reserve_(reserve), copied_(copied) {
  store::make_folder(folder_);
}

void ExportMedia::add(MediaId id) {
  if (!written_.insert(id).second) return;
  const auto upload = media_.find(id);
  if (!upload) return;
  NewFile file(folder_ / std::to_string(id.value), &reserve_);
  file.write(media_.read(*upload));
  copied_.bytes += file.finish();
  ++copied_.files;
}

}  // namespace chirp::cli
