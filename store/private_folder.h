// A folder for temporary files, for its owner alone, gone with all that is in it at the end.
#pragma once

#include <cstdint>
#include <filesystem>

namespace chirp::store {

class PrivateFolder {
 public:
  // Below $TMPDIR, else /tmp, else /dev/shm: the first that can be written and has room for
  // `bytes`. Throws Error{kStorageFull} if none has.
  explicit PrivateFolder(std::uint64_t bytes);
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace chirp::store
