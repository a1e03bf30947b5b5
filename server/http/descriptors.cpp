#include "server/http/descriptors.h"

#include <algorithm>
#include <sys/resource.h>

#include "server/limits.h"

namespace chirp::http {
namespace {

constexpr std::size_t kOthers = 256;  // for the stores, and whatever else there is
constexpr Descriptors kAll{limits::kConnectionsMax, limits::kStreamsMax, limits::kFilesMax};
constexpr std::uint64_t kWanted = kAll.connections + kAll.files + kOthers;
// The share of connections that streams may have, where there are all: the same of fewer.
constexpr std::size_t kConnectionsPerStream = kAll.connections / kAll.streams;

}  // namespace

Descriptors descriptors_of(std::uint64_t open_files) {
  if (open_files >= kWanted) return kAll;
  const auto most = static_cast<std::size_t>(open_files);
  const std::size_t left = most > 2 * kOthers ? most - kOthers : most / 2;
  const std::size_t files = std::max<std::size_t>(left / 4, 1);
  const std::size_t connections = std::max<std::size_t>(left - left / 4, 1);
  return {connections, std::max<std::size_t>(connections / kConnectionsPerStream, 1), files};
}

Descriptors descriptors() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return kAll;
  if (limit.rlim_cur < kWanted) {
    limit.rlim_cur = std::min<rlim_t>(kWanted, limit.rlim_max);
    ::setrlimit(RLIMIT_NOFILE, &limit);
    ::getrlimit(RLIMIT_NOFILE, &limit);
  }
  return descriptors_of(limit.rlim_cur);
}

}  // namespace chirp::http
