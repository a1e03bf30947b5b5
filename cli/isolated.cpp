#include "cli/isolated.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <string_view>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "cli/descriptor.h"
#include "cli/process.h"
#include "cli/write_all.h"
#include "core/error.h"

namespace chirp::cli {
namespace {

// The first letter of a line gives its kind.
constexpr char kLine = 'l';
constexpr char kError = 'e';  // `e<code> <message>`
constexpr char kDone = 'd';
constexpr char kFault = 'f';

constexpr int kLookMs = 100;

// The descriptor that the child writes lines to; set in the child only.
int lines_fd = -1;

// Reports a fault to the parent, then lets the signal end the process as usual.
extern "C" void on_child_fault(int signal, siginfo_t* info, void* /*context*/) {
  constexpr std::string_view kLines = "\nf\n";
  if (is_fault(*info)) (void)!::write(lines_fd, kLines.data(), kLines.size());
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

std::string one_line(std::string_view text) {
  std::string line(text);
  for (char& c : line) {
    if (c == '\n') c = ' ';
  }
  return line;
}

[[noreturn]] void be_child(int fd, const std::function<void(const Send&)>& work) {
  // The parent reports the signal; a core file would only fill the disk.
  const rlimit none{};
  ::setrlimit(RLIMIT_CORE, &none);
  lines_fd = fd;
  handle_faults(on_child_fault);
  end_with_parent();
  const auto send = [fd](char kind, std::string_view text) {
    // The parent has ended, so the child ends too.
    if (write_all(fd, fmt::format("{}{}\n", kind, one_line(text))) != 0) ::_exit(1);
  };
  try {
    work([&send](const std::string& line) { send(kLine, line); });
    send(kDone, "");
  } catch (const Error& error) {
    send(kError, fmt::format("{} {}", static_cast<int>(error.code()), error.what()));
  } catch (const std::exception& error) {
    send(kError, fmt::format("{} {}", static_cast<int>(ErrorCode::kInternal), error.what()));
  }
  ::_exit(0);
}

Error parse_error(std::string_view text) {
  int code = static_cast<int>(ErrorCode::kInternal);
  const std::size_t blank = text.find(' ');
  std::from_chars(text.data(), text.data() + std::min(blank, text.size()), code);
  return Error(static_cast<ErrorCode>(code), std::string(text.substr(blank + 1)));
}

// Parses the child's lines as they arrive.
class Receiver {
 public:
  explicit Receiver(const std::function<void(const std::string&)>& receive) : receive_(receive) {}

  void take(std::string_view bytes) {
    rest_ += bytes;
    std::size_t begin = 0;
    for (std::size_t end = rest_.find('\n'); end != std::string::npos;
         end = rest_.find('\n', begin)) {
      line(std::string_view(rest_).substr(begin, end - begin));
      begin = end + 1;
    }
    rest_.erase(0, begin);
  }
  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] bool faulted() const { return faulted_; }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  void line(std::string_view text) {
    if (text.empty()) return;
    const std::string rest(text.substr(1));
    if (text.front() == kLine) receive_(rest);
    if (text.front() == kError) error_ = parse_error(rest);
    if (text.front() == kDone) done_ = true;
    if (text.front() == kFault) faulted_ = true;
  }

  const std::function<void(const std::string&)>& receive_;
  std::string rest_;
  std::optional<Error> error_;
  bool done_ = false;
  bool faulted_ = false;
};

// Reads to the end, or until a signal asks to stop.
void read_all(int fd, Receiver& receiver, const std::function<void()>& look) {
  std::array<char, 4096> buffer{};
  while (!was_interrupted()) {
    if (look) look();
    pollfd ready{fd, POLLIN, 0};
    if (::poll(&ready, 1, kLookMs) <= 0) continue;
    const ssize_t n = ::read(fd, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    receiver.take({buffer.data(), static_cast<std::size_t>(n)});
  }
}

Error no_child() {
  return Error(ErrorCode::kInternal,
               fmt::format("The process that checks the files can't be started: {}. Try again.",
                           std::strerror(errno)));
}

}  // namespace

Ended run_isolated(const std::function<void(const Send&)>& work,
                   const std::function<void(const std::string&)>& receive,
                   const std::function<void()>& look) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw no_child();
  Descriptor in(ends[0]);
  Descriptor out(ends[1]);
  const pid_t child = ::fork();
  if (child == -1) throw no_child();
  if (child == 0) {
    in.close();
    be_child(out.get(), work);
  }
  out.close();
  Receiver receiver(receive);
  read_all(in.get(), receiver, look);
  if (was_interrupted()) ::kill(child, SIGKILL);
  in.close();
  int status = 0;
  while (::waitpid(child, &status, 0) == -1 && errno == EINTR) continue;
  if (receiver.error()) throw *receiver.error();
  return {WIFSIGNALED(status) ? WTERMSIG(status) : 0, receiver.done(), receiver.faulted()};
}

void check_not_killed(const Ended& ended) {
  if (ended.complete) return;
  OrderlyEnd::check();
  if (ended.signal == 0 || ended.faulted) return;
  throw Error(
      ErrorCode::kUnavailable,
      fmt::format("The process that does the work was ended by signal {} ({}). Run this again.",
                  ended.signal, ::strsignal(ended.signal)));
}

}  // namespace chirp::cli
