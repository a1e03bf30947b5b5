#include "tests/support/small_disk.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mount.h>
#include <unistd.h>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/child.h"
#include "tests/support/data_directories.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

bool runs(const std::vector<std::string>& arguments) {
  return fs::exists(arguments.front()) && run({arguments}).ok();
}

}  // namespace

SmallDisk::SmallDisk(const char* size) {
  const std::string options = fmt::format("size={},mode=0700", size);
  mounted_ = ::mount("chirp-test", folder_.path().c_str(), "tmpfs", 0, options.c_str()) == 0;
  tell();
}

SmallDisk::SmallDisk(SmallBlocks /*tag*/, std::uintmax_t bytes) {
  const fs::path file = outside_ / "disk";
  write_file(file, "");
  fs::resize_file(file, bytes);
  mounted_ = runs({"/usr/sbin/mkfs.ext4", "-qF", "-b", "1024", "-m", "0", file.string()}) &&
             runs({"/usr/bin/mount", "-o", "loop", file.string(), folder_.path().string()});
  tell();
}

SmallDisk::~SmallDisk() {
  if (mounted_) ::umount2(folder_.path().c_str(), MNT_DETACH);
}

std::uintmax_t SmallDisk::free_bytes() const { return fs::space(folder_.path()).available; }

void SmallDisk::fill_up(std::size_t left) const {
  write_file(folder_ / "left", std::string(left, 'x'));
  const int fd = ::open((folder_ / "filler").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  for (const std::size_t size : {std::size_t{4096}, std::size_t{512}}) {
    const std::string block(size, 'x');
    while (::write(fd, block.data(), block.size()) > 0) {
    }
  }
  ::fsync(fd);
  ::close(fd);
  fs::remove(folder_ / "left");
  ::sync();
}

void SmallDisk::tell() const {
  if (mounted_) return;
  const char* why = std::strerror(errno);
  MESSAGE("skipped: no small file system can be mounted: " << std::string(why));
}

}  // namespace chirp::test
