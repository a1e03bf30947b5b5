#include "cli/thread_limits.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <malloc.h>
#include <optional>
#include <pthread.h>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>

#include <fmt/format.h>

namespace chirp::cli {
namespace {

constexpr std::size_t kStackBytes = std::size_t{1} << 20;
constexpr int kArenas = 2;
// The address space of a server with default options, without its threads' stacks.
constexpr std::uint64_t kServerBytes = std::uint64_t{512} << 20;
constexpr std::uint64_t kServerThreads = 128;
// The smallest room that works.
constexpr std::size_t kRoomBytes = std::size_t{160} << 20;

std::optional<std::uint64_t> limit_of(int resource) {
  rlimit limit{};
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) return std::nullopt;
  return limit.rlim_cur == RLIM_INFINITY ? std::nullopt : std::optional(limit.rlim_cur);
}

// Returns the number after `name` in a file of /proc or of a control group; empty if missing.
std::optional<std::uint64_t> number_in(const std::filesystem::path& file, const std::string& name) {
  std::ifstream in(file);
  for (std::string word; in >> word;) {
    if (!name.empty() && word != name) continue;
    if (!name.empty() && !(in >> word)) break;
    if (word.find_first_not_of("0123456789") != std::string::npos) break;
    return std::stoull(word);
  }
  return std::nullopt;
}

// Returns the folder of this process's control group.
std::filesystem::path control_group() {
  std::ifstream in("/proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("0::")) return "/sys/fs/cgroup" + line.substr(3);
  }
  return "/sys/fs/cgroup";
}

Error refused(const std::string& limit, const std::string& remedy) {
  return Error(
      ErrorCode::kUnavailable,
      fmt::format("A thread of the server could not be started because of {}. {}", limit, remedy));
}

}  // namespace

void keep_threads_small() {
  pthread_attr_t attributes{};
  if (::pthread_attr_init(&attributes) != 0) return;
  if (::pthread_attr_setstacksize(&attributes, kStackBytes) == 0) {
    (void)::pthread_setattr_default_np(&attributes);
  }
  ::pthread_attr_destroy(&attributes);
  // Each arena reserves 64 MiB of address space.
  if (limit_of(RLIMIT_AS)) (void)::mallopt(M_ARENA_MAX, kArenas);
}

void check_room_for_threads() {
  if (!limit_of(RLIMIT_AS)) return;
  void* const room = ::mmap(nullptr, kRoomBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) throw no_thread();
  ::munmap(room, kRoomBytes);
}

Error no_thread() {
  constexpr std::uint64_t kKiB = 1024;
  if (const auto most = limit_of(RLIMIT_AS)) {
    const std::uint64_t used = number_in("/proc/self/status", "VmSize:").value_or(0);
    if (*most / kKiB < used + kServerBytes / kKiB) {
      return refused(fmt::format("the limit of address space (`ulimit -v {}`)", *most / kKiB),
                     fmt::format("Allow `ulimit -v {}`, or `ulimit -v unlimited`.",
                                 used + kServerBytes / kKiB));
    }
  }
  const std::filesystem::path group = control_group();
  const auto group_most = number_in(group / "pids.max", {});
  const auto group_now = number_in(group / "pids.current", {});
  if (group_most && group_now && *group_now + 1 >= *group_most) {
    return refused(fmt::format("pids.max of the control group ({})", *group_most),
                   fmt::format("Allow {} tasks; in a unit of systemd that is TasksMax.",
                               *group_now + kServerThreads));
  }
  if (const auto most = limit_of(RLIMIT_NPROC)) {
    return refused(
        fmt::format("the limit of this user's processes and threads (`ulimit -u {}`)", *most),
        fmt::format("Allow `ulimit -u {}`.", *most + kServerThreads));
  }
  return refused("the system's limit of threads or memory",
                 "See kernel.threads-max, kernel.pid_max and vm.max_map_count.");
}

}  // namespace chirp::cli
