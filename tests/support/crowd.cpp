#include "tests/support/crowd.h"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/data_directories.h"
#include "tests/support/progress.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

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
  const Start program(command);
  const pid_t pid = ::fork();
  if (pid < 0) throw std::runtime_error("no process");
  if (pid == 0) {
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

std::optional<Crowd::Done> Crowd::wait() {
  Patience patience;
  for (bool late = false; !empty();) {
    for (std::size_t place = 0; place < members_.size(); ++place) {
      if (is_free(place)) continue;
      if (auto done = take(place, late)) return done;
    }
    late = !patience.rests();
  }
  return std::nullopt;
}

}  // namespace chirp::test
