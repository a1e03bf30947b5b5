#include "cli/bench/reference/cold_shows.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace chirp::cli::bench {
namespace {

constexpr std::int64_t kEvery = 1'000'000'000;
constexpr const char* kThisProgram = "/proc/self/exe";

// Whether it came to a good end. What it says goes nowhere.
bool show(const std::string& data, const std::string& name) {
  std::array<std::string, 6> words{"chirp", "--data", data, "feed", "show", name};
  std::array<char*, words.size() + 1> arguments{};
  for (std::size_t i = 0; i < words.size(); ++i) arguments[i] = words[i].data();
  posix_spawn_file_actions_t actions;
  if (::posix_spawn_file_actions_init(&actions) != 0) return false;
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  }
  pid_t child = 0;
  const int error =
      ::posix_spawn(&child, kThisProgram, &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return false;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return false;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

void ColdShows::run(RunClock& clock, std::int64_t end) {
  for (std::size_t n = 0; n == 0 || static_cast<std::int64_t>(n) * kEvery < end; ++n) {
    clock.await(static_cast<std::int64_t>(n) * kEvery);
    const std::int64_t start = clock.now();
    if (show(data_.string(), names_[n % names_.size()])) {
      times_.add(static_cast<std::uint64_t>(clock.now() - start));
    } else {
      ++failed_;
    }
  }
}

}  // namespace chirp::cli::bench
