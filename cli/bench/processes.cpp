#include "cli/bench/processes.h"

#include <array>
#include <cerrno>
#include <exception>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"

namespace chirp::cli::bench {
namespace {

constexpr const char* kThisProgram = "/proc/self/exe";

}  // namespace

StopPipe::StopPipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw Error(ErrorCode::kUnavailable, "A pipe could not be made. Try again.");
  }
  near_ = Descriptor(ends[0]);
  far_ = Descriptor(ends[1]);
}

void StopPipe::wait() {
  close();
  char byte = 0;
  while (::read(near_.get(), &byte, 1) < 0 && errno == EINTR) continue;
}

bool StopPipe::is_closed() {
  close();
  pollfd near{near_.get(), POLLIN, 0};
  return ::poll(&near, 1, 0) > 0;
}

void run_until_done(const std::function<void(StopPipe&, const Send&)>& child,
                    const std::function<Receiving(const std::string&)>& receive,
                    const std::string& failure) {
  StopPipe stop;
  bool is_done = false;
  std::exception_ptr failed;
  const auto ended = run_isolated([&](const Send& send) { child(stop, send); },
                                  [&](const std::string& line) {
                                    if (is_done || failed) return;
                                    try {
                                      is_done = receive(line) == Receiving::kIsDone;
                                    } catch (...) {
                                      failed = std::current_exception();
                                    }
                                    if (is_done || failed) stop.close();
                                  });
  if (failed) std::rethrow_exception(failed);
  if (!ended.complete || !is_done) throw Error(ErrorCode::kInternal, failure);
}

bool run_own_program(std::vector<std::string> arguments, const std::filesystem::path& messages) {
  arguments.insert(arguments.begin(), "chirp");
  std::vector<char*> words;
  for (std::string& word : arguments) words.push_back(word.data());
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  if (::posix_spawn_file_actions_init(&actions) != 0) return false;
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO}) {
    ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  }
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, messages.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child = 0;
  const int error = ::posix_spawn(&child, kThisProgram, &actions, nullptr, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return false;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return false;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace chirp::cli::bench
