// The ids of messages on streams, as clients keep them: `48213-9f3c01ab`, the number of the message
// (core/social/live.h) and a digest of the event that it names. Another history of the same
// directory (a restored backup, a standby that had not received everything) has another event under
// that number, so its ids are not mistaken for ours.
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
  std::optional<std::uint32_t> digest{};  // none: an id of the form that had no digest
};

// Empty for a text that no version of chirp has written as an id.
[[nodiscard]] std::optional<EventId> parse_event_id(std::string_view text);
[[nodiscard]] std::string event_id_text(std::uint64_t number, std::uint32_t digest);

// Makes the digests. They are keyed, since an id may name an event that its reader must not learn
// of, and are the same in every process of a directory. Safe to call from any thread.
class EventDigests {
 public:
  // `secret` belongs to the directory: its UUID, which no client is shown.
  explicit EventDigests(std::string_view secret);

  [[nodiscard]] std::uint32_t of(const events::Event& event) const;
  // Of the event of that number; empty if the log does not hold it (any more). Number 0 is the
  // beginning of every log.
  [[nodiscard]] std::optional<std::uint32_t> at(const ContentReader& snapshot,
                                                Sequence sequence) const;

 private:
  SipKey key_;
};

}  // namespace chirp::live
