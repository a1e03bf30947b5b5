// A cache of the end of the event log: every page needs the events that consumers have not
// processed. Safe to call from any thread.
#pragma once

#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "core/model/event.h"
#include "store/postgres/rows/questions.h"

namespace chirp::postgres {

class LogTail {
 public:
  // Returns cached events from `from` on and before `end`, up to the first gap.
  [[nodiscard]] std::vector<events::Event> find(Sequence from, Sequence end) const;
  // Caches events that were read from `from` on, and drops events older than `needed`.
  void learn(Sequence from, std::span<const events::Event> events, Sequence needed);
  // One past the newest cached event.
  [[nodiscard]] Sequence end() const;

 private:
  // A longer tail is not cached. This only happens while a consumer is far behind.
  static constexpr std::size_t kEventsMost = 200'000;

  mutable std::mutex mutex_;
  Sequence first_{1};
  std::vector<events::Event> events_;  // one for each sequence from the first on
};

// Queries the events from `known` on, except those that no reader of the newest state needs. Works
// before that state is known.
void ask_tail(Questions& questions, Sequence known,
              std::function<void(std::vector<events::Event>)> then);

}  // namespace chirp::postgres
