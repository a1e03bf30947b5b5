// The end of the event log, kept by a process: what consumers have yet to take in is asked for by
// each page. Safe to call from any thread.
#pragma once

#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "core/model/event.h"
#include "store/postgres/questions.h"

namespace chirp::postgres {

class LogTail {
 public:
  // The events from `from` on and before `end`, as far as they are kept without a gap.
  [[nodiscard]] std::vector<events::Event> find(Sequence from, Sequence end) const;
  // Events that were read from `from` on; what is older than `needed` is forgotten.
  void learn(Sequence from, std::span<const events::Event> events, Sequence needed);
  // One past the newest that is kept.
  [[nodiscard]] Sequence end() const;

 private:
  // Beyond it nothing is kept: a consumer is far behind, and so few pages have to pay for it.
  static constexpr std::size_t kEventsMost = 200'000;

  mutable std::mutex mutex_;
  Sequence first_{1};
  std::vector<events::Event> events_;  // one for each sequence from the first on
};

// Asks for what the log has from `known` on, but for what no reader of the newest state needs. For
// who does not know that state yet.
void ask_tail(Questions& questions, Sequence known,
              std::function<void(std::vector<events::Event>)> then);

}  // namespace chirp::postgres
