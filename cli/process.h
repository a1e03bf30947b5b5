// What a well-behaved process sets up before anything else.
#pragma once

#include <cstdint>

namespace chirp::cli {

// Opens file descriptors 0 to 2 if they are closed, so that no store file takes their place; turns
// broken pipes and file size limits from signals into errors; and says in one line what SIGBUS or
// SIGSEGV means, should a memory-mapped file be shorter than it claims.
void prepare_process();

// While it lives, SIGINT and SIGTERM end the process as ever, and before that say on stderr what is
// safe. One at a time.
class LastWords {
 public:
  // `words` are there as long as the program is, and end a line.
  explicit LastWords(const char* words);
  LastWords(const LastWords&) = delete;
  LastWords& operator=(const LastWords&) = delete;
  ~LastWords();
};

// While it lives, the first SIGINT, SIGTERM or SIGHUP ends the process only when this is destroyed,
// so that what has been made on the way is cleared away before; another of the same kind ends it at
// once. What is ignored stays so. One at a time.
class OrderlyEnd {
 public:
  OrderlyEnd();
  OrderlyEnd(const OrderlyEnd&) = delete;
  OrderlyEnd& operator=(const OrderlyEnd&) = delete;
  ~OrderlyEnd();

  // Throws, which nobody gets to see, if such a signal has come to one that lives.
  static void check();
};

// From now on SIGINT and SIGTERM end a pause instead of the process.
void catch_interrupts();

// Whether a signal has come that is to end the process, and does not end it by itself.
[[nodiscard]] bool was_interrupted();

// What ended a pause.
enum class Pause : std::uint8_t { kOver, kInterrupted, kReaderLeft };
// Waits for so many milliseconds, for SIGINT or SIGTERM, or for whoever reads standard output to go
// away.
[[nodiscard]] Pause pause_ms(int milliseconds);

}  // namespace chirp::cli
