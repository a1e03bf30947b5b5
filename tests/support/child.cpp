#include "tests/support/child.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <poll.h>
#include <stdexcept>
#include <string_view>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

namespace chirp::test {
namespace {

struct Pipe {
  int read = -1;
  int write = -1;
  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    read = ends[0];
    write = ends[1];
  }
};

// Reads both to their ends. False if nothing moved any more before.
bool read_ends(int out, int err, Ended& ended, PatienceBounds bounds) {
  std::array<pollfd, 2> ends{{{out, POLLIN, 0}, {err, POLLIN, 0}}};
  const std::array<std::string*, 2> into{&ended.out, &ended.err};
  std::array<char, 65536> block{};
  Patience patience(bounds);
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    if (!until_ready(ends, patience)) return false;
    patience.renew();
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (ends[i].fd < 0 || ends[i].revents == 0) continue;
      const ssize_t got = ::read(ends[i].fd, block.data(), block.size());
      if (got > 0) {
        into[i]->append(block.data(), static_cast<std::size_t>(got));
      } else {
        ends[i].fd = -1;
      }
    }
  }
  return true;
}

void reap(pid_t pid, Ended& ended) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) ended.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
}

Ended finish(pid_t pid, int out, int err, PatienceBounds bounds) {
  Ended ended;
  if (!read_ends(out, err, ended, bounds)) {
    ended.late = true;
    ::kill(pid, SIGKILL);
  }
  ::close(out);
  ::close(err);
  reap(pid, ended);
  return ended;
}

// The input goes through a file, so that nobody waits for a pipe to be read.
int input_file(const std::string& text) {
  std::FILE* file = std::tmpfile();
  if (file == nullptr) throw std::runtime_error("no temporary file");
  std::fwrite(text.data(), 1, text.size(), file);
  std::rewind(file);
  const int fd = ::fcntl(fileno(file), F_DUPFD_CLOEXEC, 3);
  std::fclose(file);
  return fd;
}

}  // namespace

std::string to_string(const Ended& ended) {
  return fmt::format("status {}, signal {}{}\n{}{}", ended.status, ended.signal,
                     ended.late ? ", late" : "", ended.out, ended.err);
}

Start::Start(const Command& command) : texts_(command.environment), memory_(command.memory) {
  const auto is_set = [&](std::string_view pair) {
    const std::string_view name = pair.substr(0, pair.find('=') + 1);
    return std::ranges::any_of(command.environment,
                               [&](const std::string& set) { return set.starts_with(name); });
  };
  for (char** pair = environ; *pair != nullptr; ++pair) {
    if (!is_set(*pair)) texts_.emplace_back(*pair);
  }
  const std::size_t variables = texts_.size();
  texts_.insert(texts_.end(), command.arguments.begin(), command.arguments.end());
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    (i < variables ? environment_ : arguments_).push_back(texts_[i].data());
  }
  arguments_.push_back(nullptr);
  environment_.push_back(nullptr);
}

void Start::become() const noexcept {
  if (memory_) {
    const rlimit most{*memory_, *memory_};
    ::setrlimit(RLIMIT_DATA, &most);
  }
  ::execve(arguments_[0], arguments_.data(), environment_.data());
  ::_exit(127);
}

Ended run(const Command& command) { return Background(command).wait(); }

Command chirp_command(const std::string& data, std::vector<std::string> arguments) {
  Command command;
  command.arguments = {CHIRP_BINARY, "--data", data};
  for (std::string& argument : arguments) command.arguments.push_back(std::move(argument));
  return command;
}

Ended run_forked(const std::function<int()>& body) {
  const Pipe out;
  const Pipe err;
  std::cout.flush();
  std::fflush(nullptr);  // or the copy says it again
  const pid_t pid = ::fork();
  if (pid < 0) throw std::runtime_error("no process");
  if (pid == 0) {
    ::dup2(out.write, STDOUT_FILENO);
    ::dup2(err.write, STDERR_FILENO);
    int status = 99;
    try {
      status = body();
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}\n", error.what());
    }
    std::fflush(nullptr);
    ::_exit(status);
  }
  ::close(out.write);
  ::close(err.write);
  return finish(pid, out.read, err.read, {});
}

Ended run_as_nobody(const std::function<int()>& body) {
  return run_forked([&] {
    if (::geteuid() == 0 && (::setgid(kNobodyUser) != 0 || ::setuid(kNobodyUser) != 0)) return 98;
    return body();
  });
}

Background::Background(const Command& command) : patience_(command.patience) {
  const Pipe out;
  const Pipe err;
  const int input = input_file(command.input);
  const Start start(command);
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("no process");
  if (pid_ == 0) {
    ::dup2(input, STDIN_FILENO);
    ::dup2(out.write, STDOUT_FILENO);
    ::dup2(err.write, STDERR_FILENO);
    start.become();
  }
  ::close(input);
  ::close(out.write);
  ::close(err.write);
  output_ = out.read;
  error_ = err.read;
}

Background::~Background() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  ::close(output_);
  ::close(error_);
  Ended ended;
  reap(pid_, ended);
}

bool Background::wait_stopped() {
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WSTOPPED | WEXITED | WNOWAIT) < 0 &&
         errno == EINTR) {
  }
  return info.si_code == CLD_STOPPED;
}

void Background::signal(int number) const { ::kill(pid_, number); }

bool Background::has_ended() const {
  siginfo_t info{};
  (void)::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  return info.si_pid == pid_;
}

std::string Background::error_line() {
  std::string line;
  for (char c = 0; c != '\n';) {
    if (!until_ready(error_, POLLIN) || ::read(error_, &c, 1) != 1) break;
    read_errors_ += c;
    if (c != '\n') line += c;
  }
  return line;
}

Ended Background::wait() {
  Ended ended = finish(pid_, output_, error_, patience_);
  ended.err.insert(0, read_errors_);
  pid_ = -1;
  return ended;
}

}  // namespace chirp::test
