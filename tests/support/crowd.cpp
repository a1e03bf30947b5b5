#include "tests/support/crowd.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/data_directories.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

sigset_t ends_of_children() {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGCHLD);
  return set;
}

void redirect(const fs::path& path, int flags, int to) {
  const int fd = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
  if (fd < 0 || ::dup2(fd, to) < 0) ::_exit(127);
}

}  // namespace

Crowd::~Crowd() {
  for (std::size_t place = 0; place < members_.size(); ++place) {
    if (is_free(place)) continue;
    kill(place);
    int status = 0;
    ::waitpid(members_[place].pid, &status, 0);
  }
  const sigset_t ends = ends_of_children();
  ::sigprocmask(SIG_UNBLOCK, &ends, nullptr);
}

bool Crowd::empty() const {
  return std::all_of(members_.begin(), members_.end(),
                     [](const Member& member) { return member.pid < 0; });
}

fs::path Crowd::file(std::size_t place, const char* what) const {
  return folder_ / (std::to_string(place) + what);
}

void Crowd::start(std::size_t place, const Command& command) {
  write_file(file(place, "in"), command.input);
  // Emptied here: a process may be killed before it is the program.
  write_file(file(place, "out"), {});
  write_file(file(place, "err"), {});
  // Held back until it is waited for, so that none is missed.
  const sigset_t ends = ends_of_children();
  ::sigprocmask(SIG_BLOCK, &ends, nullptr);
  const Start program(command);
  const pid_t pid = ::fork();
  if (pid < 0) throw std::runtime_error("no process");
  if (pid == 0) {
    ::sigprocmask(SIG_UNBLOCK, &ends, nullptr);
    redirect(file(place, "in"), O_RDONLY, STDIN_FILENO);
    redirect(file(place, "out"), O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    redirect(file(place, "err"), O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    program.become();
  }
  members_[place].pid = pid;
}

void Crowd::kill(std::size_t place) { ::kill(members_[place].pid, SIGKILL); }

std::optional<Crowd::Done> Crowd::take(std::size_t place, bool late) {
  int status = 0;
  if (late) kill(place);
  const pid_t ended = ::waitpid(members_[place].pid, &status, late ? 0 : WNOHANG);
  if (ended != members_[place].pid) return std::nullopt;
  members_[place].pid = -1;
  Done done;
  done.place = place;
  done.ended.late = late;
  if (WIFEXITED(status)) done.ended.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) done.ended.signal = WTERMSIG(status);
  done.ended.out = read_file(file(place, "out"));
  done.ended.err = read_file(file(place, "err"));
  return done;
}

std::optional<Crowd::Done> Crowd::wait(std::chrono::seconds limit) {
  const sigset_t ends = ends_of_children();
  const timespec most{limit.count(), 0};
  for (bool late = false; !empty();) {
    for (std::size_t place = 0; place < members_.size(); ++place) {
      if (is_free(place)) continue;
      if (auto done = take(place, late)) return done;
    }
    late = ::sigtimedwait(&ends, nullptr, &most) < 0 && errno == EAGAIN;
  }
  return std::nullopt;
}

}  // namespace chirp::test
