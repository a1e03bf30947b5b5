// Logs readers that keep the engine's store from reusing pages. chirp never ends other processes,
// so the operator has to know which process it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "server/limits.h"
#include "server/log.h"

namespace chirp {

// The reader of the engine's store with the oldest snapshot.
struct OldReader {
  std::int64_t pid = 0;
  std::string command;  // its command line, if known
  std::int64_t commits_ago = 0;
  std::int64_t bytes_held = 0;
};

// Logs once per process that it holds limits::kHeldBytes or more, and once that no process does any
// more.
class OldReaders {
 public:
  explicit OldReaders(Log& log) : log_(log) {}

  void note(const std::optional<OldReader>& oldest) {
    const bool holds = oldest && oldest->bytes_held >= limits::kHeldBytes;
    const std::int64_t pid = holds ? oldest->pid : 0;
    if (pid == told_) return;
    told_ = pid;
    if (holds) {
      log_.write(Severity::kWarning, "a reader keeps the engine's file growing: end it",
                 {{"pid", pid},
                  {"command", oldest->command},
                  {"commitsAgo", oldest->commits_ago},
                  {"bytesHeld", oldest->bytes_held}});
    } else {
      log_.write(Severity::kInfo, "the engine's file no longer grows because of a reader");
    }
  }

 private:
  Log& log_;
  std::int64_t told_ = 0;  // the process last logged
};

}  // namespace chirp
