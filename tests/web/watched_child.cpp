#include "tests/web/watched_child.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <optional>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "tests/support/eventually.h"

namespace chirp::test {
namespace {

// The rest of the first whole line that has `words`.
std::optional<std::string> rest_of_line(const std::string& text, std::string_view words) {
  const std::size_t at = text.find(words);
  if (at == std::string::npos) return std::nullopt;
  const std::size_t begin = at + words.size();
  const std::size_t end = text.find('\n', begin);
  if (end == std::string::npos) return std::nullopt;
  return text.substr(begin, end - begin);
}

// In a group of its own, so that what it starts can be ended with it.
pid_t start(std::vector<std::string>& arguments, int shown, int hidden, int fd) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, fd, shown);
  ::posix_spawn_file_actions_addopen(&actions, hidden, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  pid_t pid = -1;
  const int failed =
      ::posix_spawn(&pid, pointers[0], &actions, &attributes, pointers.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  return failed == 0 ? pid : -1;
}

}  // namespace

WatchedChild::WatchedChild(std::vector<std::string> arguments, Output watched) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  const bool out = watched == Output::kOut;
  pid_ = start(arguments, out ? STDOUT_FILENO : STDERR_FILENO, out ? STDERR_FILENO : STDOUT_FILENO,
               ends[1]);
  ::close(ends[1]);
  if (pid_ < 0) {
    ::close(ends[0]);
    throw std::runtime_error(fmt::format("{} does not start", arguments.front()));
  }
  reader_ = std::thread([this, fd = ends[0]] { read(fd); });
}

WatchedChild::~WatchedChild() {
  end();
  reader_.join();
}

void WatchedChild::read(int fd) {
  std::array<char, 4096> block{};
  for (;;) {
    const ssize_t got = ::read(fd, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    const std::lock_guard lock(mutex_);
    if (got > 0) {
      said_.append(block.data(), static_cast<std::size_t>(got));
    } else {
      ended_ = true;
    }
    more_.notify_all();
    if (got <= 0) break;
  }
  ::close(fd);
}

std::string WatchedChild::after(std::string_view words) {
  std::unique_lock lock(mutex_);
  std::optional<std::string> rest;
  (void)eventually(more_, lock, [&] {
    rest = rest_of_line(said_, words);
    return rest || ended_;
  });
  if (!rest) throw std::runtime_error(fmt::format("nothing says \"{}\" in:\n{}", words, said_));
  return *std::move(rest);
}

int WatchedChild::end() {
  if (pid_ < 0) return -1;
  const pid_t pid = std::exchange(pid_, -1);
  ::kill(pid, SIGTERM);
  int status = 0;
  {
    std::unique_lock lock(mutex_);
    // Its end of the pipe is closed when it ends.
    if (!eventually(more_, lock, [&] { return ended_; })) {
      ::kill(-pid, SIGKILL);
    }
  }
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  ::kill(-pid, SIGKILL);  // whatever it left behind
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace chirp::test
