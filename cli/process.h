// The setup of a well-behaved process, before anything else.
#pragma once

#include <atomic>
#include <cstdint>
#include <signal.h>

namespace chirp::cli {

// Opens file descriptors 0 to 2 if they are closed, so that no store file takes their place; turns
// broken pipes and file size limits from signals into errors; and says in one line what SIGBUS or
// SIGSEGV means, should a memory-mapped file be shorter than it claims.
void prepare_process();

// Whether SIGBUS or SIGSEGV came of memory that can't be read, and was not sent by a process.
[[nodiscard]] bool is_fault(const siginfo_t& info);
// Handles both signals, on the stack that prepare_process() has set up for them.
void handle_faults(void (*handler)(int, siginfo_t*, void*));

// While it lives, SIGINT and SIGTERM end the process at once, as ever, and before that say on
// stderr what is safe. For work that may end anywhere, as kill -9 may end it. One at a time.
class LastWords {
 public:
  // `words` are there as long as the program is, and end a line.
  explicit LastWords(const char* words) : LastWords(words, nullptr, "") {}
  // Says `words`, how much is done, and `rest`. `done` outlives this.
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
// so that what has been made on the way is cleared away before; another of the same kind ends it at
// once. What is ignored stays so. One at a time.
class OrderlyEnd {
 public:
  // check() says `words` on stderr before it throws. They are there as long as the program is, and
  // end a line.
  explicit OrderlyEnd(const char* words = nullptr);
  OrderlyEnd(const OrderlyEnd&) = delete;
  OrderlyEnd& operator=(const OrderlyEnd&) = delete;
  ~OrderlyEnd();

  // Throws if a live instance has received such a signal. The exception is never shown.
  static void check();
};

// For a child process, right after the fork: if an OrderlyEnd is alive, the child leaves the
// signals of the terminal to its parent, and ends when the parent ends.
void end_with_parent();

// From now on, SIGINT and SIGTERM end a pause instead of the process.
void catch_interrupts();

// Whether a signal has asked this process to end, while signals do not end it by themselves.
[[nodiscard]] bool was_interrupted();

// Why a pause ended.
enum class Pause : std::uint8_t { kOver, kInterrupted, kReaderLeft };
// Waits for this many milliseconds, for SIGINT or SIGTERM, or until the reader of standard output
// closes it.
[[nodiscard]] Pause pause_ms(int milliseconds);

}  // namespace chirp::cli
