#include "cli/export/folder_copy.h"

#include <optional>
#include <system_error>

#include "cli/export/export.h"
#include "cli/load/import.h"
#include "core/engine.h"
#include "core/events/consumers.h"

namespace chirp::cli {
namespace {

namespace fs = std::filesystem;

// Gone at the end; what can't be removed goes with the folder it is in.
class Meanwhile {
 public:
  explicit Meanwhile(const fs::path& folder) : path_(folder.string() + ".meanwhile") {}
  ~Meanwhile() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Meanwhile(const Meanwhile&) = delete;
  Meanwhile& operator=(const Meanwhile&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

void copy_into_folder(store::DataDirectory& original, const fs::path& folder, const Clock& clock) {
  const Meanwhile meanwhile(folder);
  if (!original.place().is_database()) {
    (void)original.backup(meanwhile.path());
    (void)store::restore_backup(meanwhile.path(), folder);
    return;
  }
  const auto hasher = store::bcrypt_hasher();
  fs::create_directory(meanwhile.path());
  (void)export_to(original.storage(), original.users(), meanwhile.path());
  (void)store::make_data_directory(folder, std::nullopt);
  const auto copy = store::DataDirectory::open(folder);
  Engine engine(copy->storage(), copy->users(), *hasher, clock);
  (void)import_from(engine, meanwhile.path(), {.settings = Settings::kAll});
  events::drain(copy->storage(), clock);
}

}  // namespace chirp::cli
