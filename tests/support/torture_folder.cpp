// Worlds in folders, whose calls the fault injector hits.
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "store/data_directory.h"
#include "tests/support/data_directories.h"
#include "tests/support/faults.h"
#include "tests/support/torture_scene.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

class FolderCopy final : public WorldCopy {
 public:
  explicit FolderCopy(std::unique_ptr<TempFolder> folder)
      : WorldCopy(TortureSite(*folder / "world")),
        folder_(std::move(folder)),
        faults_(site().folder) {}

  Ended run_at(const std::string& mode, std::uint64_t call, const Command& command) override {
    const bool sticky = mode.ends_with('+');
    const std::string fault = mode.substr(0, mode.size() - (sticky ? 1 : 0));
    return run(sticky ? faults_.from(call, fault, command) : faults_.at(call, fault, command));
  }
  [[nodiscard]] std::uint64_t calls() const override { return faults_.calls(); }

 private:
  std::unique_ptr<TempFolder> folder_;
  Faults faults_;
};

}  // namespace

FolderWorld::FolderWorld(std::uint64_t seed) : TortureWorld(seed) {
  fs::create_directory(folder());
  make(TortureSite(folder()));
}

void FolderWorld::copy_to(const fs::path& place, const Deed& deed) const {
  copy_folder(folder(), place);
  const fs::path data = place / "chirp";
  if (deed.begins != Deed::Begins::kInWorld) fs::remove_all(data);
  if (deed.begins == Deed::Begins::kEmpty) store::make_data_directory(data, {});
  if (deed.begins == Deed::Begins::kInFormat1) copy_older(1, data);
  if (deed.begins == Deed::Begins::kInFormat2) copy_older(2, data);
}

std::unique_ptr<WorldCopy> FolderWorld::copy(const Deed& deed) const {
  auto folder = std::make_unique<TempFolder>();
  copy_to(*folder / "world", deed);
  return std::make_unique<FolderCopy>(std::move(folder));
}

std::string FolderWorld::counting(const std::string& mode) const {
  return mode.starts_with("sync") ? "sync" : "kill";
}

// Nobody can ask a disk that has failed to sync.
bool FolderWorld::can_find_out(const std::string& /*mode*/) const { return false; }

}  // namespace chirp::test
