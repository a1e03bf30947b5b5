#include "cli/process.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <string_view>
#include <sys/prctl.h>
#include <unistd.h>
#include <utility>

#include "core/error.h"
#include "core/model/account_address.h"
#include "store/domain_names.h"

namespace chirp::cli {
namespace {

constexpr std::string_view kDamaged =
    "chirp: The data files can't be read. They may be damaged or truncated, or the disk has "
    "failed. Run chirp doctor.\n";

volatile sig_atomic_t interrupted = 0;

// The default action runs when the handler returns, because the signal is blocked until then.
void end_by(int signal) {
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  ::sigaction(signal, &usual, nullptr);
  ::raise(signal);
}

// A signal from another process (kill) ends this one as usual: it says nothing of the files.
extern "C" [[maybe_unused]] void on_fault(int signal, siginfo_t* info, void* /*context*/) {
  if (!is_fault(*info)) return end_by(signal);
  (void)!::write(STDERR_FILENO, kDamaged.data(), kDamaged.size());
  ::_exit(1);
}

extern "C" void on_interrupt(int /*signal*/) { interrupted = 1; }

// For OrderlyEnd: the signal received, or 0.
volatile sig_atomic_t ends_by = 0;
constexpr std::array kEnds{SIGINT, SIGTERM, SIGHUP};
constexpr int kOnce = SA_RESTART | static_cast<int>(SA_RESETHAND);

extern "C" void note_end(int signal) { ends_by = signal; }

// The words of the live OrderlyEnd, or null.
const char* orderly_words = nullptr;
bool is_orderly = false;

// The only kind of data that a handler may read.
std::atomic<const LastWords*> last_words{nullptr};

extern "C" void on_last_words(int signal) {
  if (const LastWords* const words = last_words.load()) words->say();
  end_by(signal);
}

void write_words(std::string_view words) {
  (void)!::write(STDERR_FILENO, words.data(), words.size());
}

void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

// Uses an alternate stack, because the fault may be a stack overflow. Does nothing under the
// address sanitizer, which explains such signals better.
void explain_faults() {
#ifndef __SANITIZE_ADDRESS__
  static std::array<std::uint8_t, std::size_t{64} << 10> stack;
  stack_t alternative{};
  alternative.ss_sp = stack.data();
  alternative.ss_size = stack.size();
  ::sigaltstack(&alternative, nullptr);
  handle_faults(on_fault);
#endif
}

}  // namespace

void prepare_process() {
  set_spell_domain(store::domain_in_unicode);
  for (int fd = 0; fd <= 2; ++fd) {
    if (::fcntl(fd, F_GETFD) == -1 && errno == EBADF) {
      // open() returns the lowest free descriptor, which is `fd`. Standard output is opened
      // read-only, so that writes fail instead of being lost silently.
      (void)::open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY : O_RDWR);
    }
  }
  handle(SIGPIPE, SIG_IGN, 0);
  handle(SIGXFSZ, SIG_IGN, 0);
  explain_faults();
}

bool is_fault(const siginfo_t& info) { return info.si_code > 0; }

void handle_faults(void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_ONSTACK | SA_SIGINFO;
  ::sigemptyset(&action.sa_mask);
  for (const int signal : {SIGBUS, SIGSEGV}) ::sigaction(signal, &action, nullptr);
}

LastWords::LastWords(const char* words, const std::atomic<std::uint64_t>* done, const char* rest)
    : words_(words), done_(done), rest_(rest) {
  last_words = this;
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_DFL) handle(signal, on_last_words, 0);  // nohup ignores it
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

void LastWords::say() const {
  std::array<char, 26> digits{};  // in groups of three
  std::size_t first = digits.size();
  std::uint64_t n = done_ == nullptr ? 0 : done_->load();
  for (std::size_t count = 0; first > 1; ++count) {
    if (count > 0 && count % 3 == 0) digits[--first] = ',';
    digits[--first] = static_cast<char>('0' + n % 10);
    n /= 10;
    if (n == 0) break;
  }
  write_words(words_);
  if (done_ != nullptr) write_words({&digits[first], digits.size() - first});
  write_words(rest_);
}

OrderlyEnd::OrderlyEnd(const char* words) {
  orderly_words = words;
  is_orderly = true;
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
  is_orderly = false;
  if (signal != 0) ::raise(signal);
}

void OrderlyEnd::check() {
  if (ends_by == 0) return;
  if (const char* const words = std::exchange(orderly_words, nullptr)) write_words(words);
  throw Error(ErrorCode::kInternal, "A signal ended this command.");
}

void end_with_parent() {
  if (!is_orderly) return;
  for (const int signal : {SIGINT, SIGHUP}) handle(signal, SIG_IGN, 0);
  handle(SIGTERM, SIG_DFL, 0);
  ends_by = 0;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
}

void catch_interrupts() {
  handle(SIGINT, on_interrupt, 0);
  handle(SIGTERM, on_interrupt, 0);
}

bool was_interrupted() { return interrupted != 0 || ends_by != 0; }

PauseEnd pause_ms(int milliseconds) {
  if (interrupted != 0) return PauseEnd::kInterrupted;
  pollfd reader{STDOUT_FILENO, 0, 0};
  if (::poll(&reader, 1, milliseconds) > 0) {
    if ((reader.revents & (POLLERR | POLLHUP)) != 0) return PauseEnd::kReaderLeft;
    ::poll(nullptr, 0, milliseconds);
  }
  return interrupted != 0 ? PauseEnd::kInterrupted : PauseEnd::kOver;
}

}  // namespace chirp::cli
