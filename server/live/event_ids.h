// Message ids on streams, as clients keep them: `48213-9f3c01ab`, the message number
// (core/social/live.h) and a digest of its event. Another history of the same directory (a restored
// backup, a standby that had not received everything) has another event under that number. The
// digest keeps its ids apart from ours.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/model/event.h"
#include "core/ports/snapshot.h"
#include "server/sip_hash.h"

namespace chirp::live {

struct EventId {
  std::uint64_t number = 0;
  std::optional<std::uint32_t> digest{};  // none: an id from a version without digests
};

// Returns empty for a text that is not an id of any version of chirp.
[[nodiscard]] std::optional<EventId> parse_event_id(std::string_view text);
[[nodiscard]] std::string event_id_text(std::uint64_t number, std::uint32_t digest);

// Computes the digests. They are keyed, because an id may name an event that its reader must not
// learn about. All processes that use a directory compute the same digests. Safe to call from any
// thread.
class EventDigests {
 public:
  // `secret` belongs to the directory: its UUID, which clients never see.
  explicit EventDigests(std::string_view secret);

  [[nodiscard]] std::uint32_t of(const events::Event& event) const;
  // Returns the digest of the event with that sequence; empty if the log does not have it. Sequence
  // 0 is the beginning of every log.
  [[nodiscard]] std::optional<std::uint32_t> at(const ContentReader& snapshot,
                                                Sequence sequence) const;

 private:
  SipKey key_;
};

}  // namespace chirp::live
