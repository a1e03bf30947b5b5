#include "cli/process.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string_view>
#include <unistd.h>

#include "core/error.h"
#include "core/model/account_address.h"
#include "store/domain_names.h"

namespace chirp::cli {
namespace {

constexpr std::string_view kDamaged =
    "chirp: memory that should hold the data files can't be read. They may be damaged or "
    "truncated, "
    "or the disk has failed. Run chirp doctor.\n";

volatile sig_atomic_t interrupted = 0;

extern "C" [[maybe_unused]] void on_fault(int /*signal*/) {
  (void)!::write(STDERR_FILENO, kDamaged.data(), kDamaged.size());
  ::_exit(1);
}

extern "C" void on_interrupt(int /*signal*/) { interrupted = 1; }

// Of OrderlyEnd: the signal that has come; 0 for none.
volatile sig_atomic_t ends_by = 0;
constexpr std::array kEnds{SIGINT, SIGTERM, SIGHUP};
constexpr int kOnce = SA_RESTART | static_cast<int>(SA_RESETHAND);

extern "C" void note_end(int signal) { ends_by = signal; }

// Of LastWords; a handler may look at nothing else.
std::atomic<const char*> last_words{nullptr};

// The signal's usual end comes when the handler returns, since it is blocked until then.
extern "C" void on_last_words(int signal) {
  if (const char* const words = last_words.load()) {
    (void)!::write(STDERR_FILENO, words, std::strlen(words));
  }
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  ::sigaction(signal, &usual, nullptr);
  ::raise(signal);
}

void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

// On a stack of its own, since the fault may be an overflow of the usual one. Under the address
// sanitizer, which explains such a signal better, nothing.
void explain_faults() {
#ifndef __SANITIZE_ADDRESS__
  static std::array<std::uint8_t, std::size_t{64} << 10> stack;
  stack_t alternative{};
  alternative.ss_sp = stack.data();
  alternative.ss_size = stack.size();
  ::sigaltstack(&alternative, nullptr);
  handle(SIGBUS, on_fault, SA_ONSTACK);
  handle(SIGSEGV, on_fault, SA_ONSTACK);
#endif
}

}  // namespace

void prepare_process() {
  set_spell_domain(store::domain_in_unicode);
  for (int fd = 0; fd <= 2; ++fd) {
    if (::fcntl(fd, F_GETFD) == -1 && errno == EBADF) {
      // The lowest free descriptor is this one. Standard output is opened so that writes fail,
      // because the output would be lost.
      (void)::open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY : O_RDWR);
    }
  }
  handle(SIGPIPE, SIG_IGN, 0);
  handle(SIGXFSZ, SIG_IGN, 0);
  explain_faults();
}

LastWords::LastWords(const char* words) {
  last_words = words;
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_DFL) handle(signal, on_last_words, 0);  // nohup's stays ignored
  }
}

LastWords::~LastWords() {
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler == on_last_words) handle(signal, SIG_DFL, 0);
  }
  last_words = nullptr;
}

OrderlyEnd::OrderlyEnd() {
  for (const int signal : kEnds) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_DFL) handle(signal, note_end, kOnce);
  }
}

OrderlyEnd::~OrderlyEnd() {
  for (const int signal : kEnds) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler == note_end) handle(signal, SIG_DFL, 0);
  }
  const int signal = ends_by;
  ends_by = 0;
  if (signal != 0) ::raise(signal);
}

void OrderlyEnd::check() {
  if (ends_by != 0) throw Error(ErrorCode::kInternal, "A signal has ended this.");
}

void catch_interrupts() {
  handle(SIGINT, on_interrupt, 0);
  handle(SIGTERM, on_interrupt, 0);
}

bool was_interrupted() { return interrupted != 0 || ends_by != 0; }

Pause pause_ms(int milliseconds) {
  if (interrupted != 0) return Pause::kInterrupted;
  pollfd reader{STDOUT_FILENO, 0, 0};
  if (::poll(&reader, 1, milliseconds) > 0) {
    if ((reader.revents & (POLLERR | POLLHUP)) != 0) return Pause::kReaderLeft;
    ::poll(nullptr, 0, milliseconds);
  }
  return interrupted != 0 ? Pause::kInterrupted : Pause::kOver;
}

}  // namespace chirp::cli
