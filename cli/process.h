// The setup of a well-behaved process, before anything else.
#pragma once

#include <atomic>
#include <cstdint>
#include <signal.h>

namespace chirp::cli {

// Opens file descriptors 0 to 2 if they are closed, so that no store file takes their place. Turns
// broken pipes and file size limits from signals into errors. Installs handlers that explain SIGBUS
// and SIGSEGV in one line, in case a memory-mapped file is shorter than its header claims.
void prepare_process();

// Whether SIGBUS or SIGSEGV came from unreadable memory, and was not sent by a process.
[[nodiscard]] bool is_fault(const siginfo_t& info);
// Handles both signals, on the stack that prepare_process() has allocated for them.
void handle_faults(void (*handler)(int, siginfo_t*, void*));

// While it lives, SIGINT and SIGTERM still end the process at once, but first print on stderr what
// is safe. For work that may be killed at any point. One instance at a time.
class LastWords {
 public:
  // `words` must be a static string that ends a line.
  explicit LastWords(const char* words) : LastWords(words, nullptr, "") {}
  // Prints `words`, how much is done, and `rest`. `done` must outlive this.
  LastWords(const char* words, const std::atomic<std::uint64_t>* done, const char* rest);
  LastWords(const LastWords&) = delete;
  LastWords& operator=(const LastWords&) = delete;
  ~LastWords();

  // For the handler.
  void say() const;

 private:
  const char* words_;
  const std::atomic<std::uint64_t>* done_;
  const char* rest_;
};

// While it lives, the first SIGINT, SIGTERM or SIGHUP ends the process only when this is destroyed,
// so that destructors can remove temporary files; another one of the same kind ends it at once.
// Ignored signals stay ignored. One instance at a time.
class OrderlyEnd {
 public:
  // check() prints `words` on stderr before it throws. They must be a static string that ends a
  // line.
  explicit OrderlyEnd(const char* words = nullptr);
  OrderlyEnd(const OrderlyEnd&) = delete;
  OrderlyEnd& operator=(const OrderlyEnd&) = delete;
  ~OrderlyEnd();

  // Throws if a live instance has received such a signal. The exception is never shown.
  static void check();
};

// For a child process, right after the fork: if an OrderlyEnd is alive, the child leaves the
// terminal's signals to its parent, and ends when the parent ends.
void end_with_parent();

// From now on, SIGINT and SIGTERM end a pause instead of the process.
void catch_interrupts();

// Whether a signal has asked this process to end, while signals do not end it by themselves.
[[nodiscard]] bool was_interrupted();

// The reason why a pause ended.
enum class PauseEnd : std::uint8_t { kOver, kInterrupted, kReaderLeft };
// Waits for this many milliseconds, for SIGINT or SIGTERM, or until the reader of standard output
// closes it.
[[nodiscard]] PauseEnd pause_ms(int milliseconds);

}  // namespace chirp::cli
