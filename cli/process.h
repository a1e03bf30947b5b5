// What a well-behaved process sets up before anything else.
#pragma once

namespace chirp::cli {

// Opens file descriptors 0 to 2 if they are closed, so that no store file takes their place; turns
// broken pipes and file size limits from signals into errors; and says in one line what SIGBUS or
// SIGSEGV means, should a memory-mapped file be shorter than it claims.
void prepare_process();

// Blocks until the time is over or SIGINT or SIGTERM comes; false if one came.
[[nodiscard]] bool wait_ms(int milliseconds);
// From now on SIGINT and SIGTERM end a wait instead of the process.
void catch_interrupts();

}  // namespace chirp::cli
