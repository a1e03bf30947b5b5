#include "cli/social/media_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "cli/descriptor.h"
#include "cli/output.h"
#include "core/limits.h"

namespace chirp::cli {
namespace {

[[noreturn]] void refuse(const std::string& path, std::string_view why) {
  throw Error(ErrorCode::kBadInput, fmt::format("{} can't be uploaded: {}.", safe(path), why));
}
[[noreturn]] void refuse_size(const std::string& path) {
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("{} can't be uploaded: it is larger than {} bytes.", safe(path),
                          limits::kMediaBytesMax));
}

// Does not block on a pipe without a writer.
Descriptor opened(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (file.is_open()) return file;
  refuse(path, errno == ELOOP ? "it is a link, and links are not followed" : std::strerror(errno));
}

}  // namespace

void refuse_media_file(const std::string& path, const Error& error) {
  if (error.code() != ErrorCode::kInvalidArgument) throw;
  throw Error(error.code(), fmt::format("{} can't be uploaded. {}", safe(path), error.what()),
              error.field());
}

std::string read_media_file(const std::string& path) {
  const Descriptor file = opened(path);
  struct stat facts {};
  if (::fstat(file.get(), &facts) != 0) refuse(path, std::strerror(errno));
  if (!S_ISREG(facts.st_mode)) refuse(path, "it is not a regular file");
  if (static_cast<std::uint64_t>(facts.st_size) > limits::kMediaBytesMax) refuse_size(path);
  std::string bytes;
  std::string block(std::size_t{64} << 10, '\0');
  for (;;) {
    const ssize_t got = ::read(file.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(path, std::strerror(errno));
    if (got == 0) return bytes;
    bytes.append(block, 0, static_cast<std::size_t>(got));
    if (bytes.size() > limits::kMediaBytesMax) refuse_size(path);  // the file grew during reading
  }
}

}  // namespace chirp::cli
