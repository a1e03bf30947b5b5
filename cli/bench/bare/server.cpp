#include "cli/bench/bare/server.h"

#include <sys/mman.h>
#include <unistd.h>

#include <fmt/format.h>

#include "cli/bench/bare/module.h"
#include "cli/descriptor.h"
#include "core/error.h"
#include "store/shared_library.h"

extern "C" {
// The module's bytes (embedded.c).
extern const char chirp_bare_begin[];  // NOLINT(modernize-avoid-c-arrays)
extern const char chirp_bare_end[];    // NOLINT(modernize-avoid-c-arrays)
}

namespace chirp::cli::bench {
namespace {

// An in-memory file, which lasts while it is open or mapped.
store::SharedLibrary module() {
  const Descriptor file(::memfd_create("chirp-bare", MFD_CLOEXEC));
  std::string_view left(chirp_bare_begin,
                        static_cast<std::size_t>(chirp_bare_end - chirp_bare_begin));
  while (!left.empty()) {
    const ssize_t written = ::write(file.get(), left.data(), left.size());
    if (written <= 0)
      throw Error(ErrorCode::kUnavailable, "There is not enough memory for a temporary file.");
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  return {fmt::format("/proc/self/fd/{}", file.get()).c_str(), "The bare server"};
}

}  // namespace

BareServer::BareServer(const std::string& path, const std::string& body, unsigned threads)
    : loop_(nullptr, nullptr) {
  const store::SharedLibrary library = module();
  const decltype(&::chirp_bare_start) start = library.function("chirp_bare_start");
  const decltype(&::chirp_bare_stop) stop = library.function("chirp_bare_stop");
  loop_ = {start(path.c_str(), body.data(), body.size(), threads, &port_), stop};
  if (!loop_) throw Error(ErrorCode::kUnavailable, "There is no free port on 127.0.0.1.");
}

std::uint16_t BareServer::port() const { return port_; }

}  // namespace chirp::cli::bench
