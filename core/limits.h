// Every bound in the product.
#pragma once

#include <cstddef>
#include <cstdint>

namespace chirp::limits {

// ---- text
inline constexpr std::size_t kUsernameMax = 15;      // bytes, all ASCII
inline constexpr std::size_t kDisplayNameMax = 50;   // code points
inline constexpr std::size_t kBioMax = 160;          // code points
inline constexpr std::size_t kEmailMax = 254;        // bytes
inline constexpr std::size_t kPasswordMin = 8;       // bytes
inline constexpr std::size_t kPasswordMax = 72;      // bytes: what bcrypt takes in
inline constexpr std::size_t kPostTextMax = 280;     // code points after NFC
inline constexpr std::size_t kLoadedTextMax = 1000;  // code points: archives hold longer ones
inline constexpr std::size_t kMatchMax = 50;         // code points of `user list --match`

// ---- pages
inline constexpr std::uint32_t kPostPageDefault = 20;
inline constexpr std::uint32_t kPostPageMax = 100;
inline constexpr std::uint32_t kUserPageDefault = 50;
inline constexpr std::uint32_t kUserPageMax = 200;
static_assert(kPostPageDefault <= kPostPageMax && kUserPageDefault <= kUserPageMax);

// ---- timelines and fan-out
inline constexpr std::uint32_t kFeedCapDefault = 800;
inline constexpr std::uint32_t kFeedCapMin = 1;
inline constexpr std::uint32_t kFeedCapMax = 10'000;
// Who follows more accounts than this is served by pull alone: no loss, no write amplification.
inline constexpr std::uint32_t kPullOnlyFollowees = 20'000;
// An author with more followers than this is delivered in steps, by a queued row with a cursor.
inline constexpr std::uint32_t kFanOutChunk = 20'000;
// A one-shot writer drains the log itself past this many pending events, --no-wait or not, so that
// the tail a reader merges stays short.
inline constexpr std::uint64_t kPendingEventsMax = 10'000;

// ---- loads
inline constexpr int kLoadTransactionMs = 80;  // aim for one write transaction of a load
inline constexpr int kStarveMs = 250;          // bound on what another writer waits for a load
static_assert(kLoadTransactionMs * 3 < kStarveMs);

// ---- waiting
inline constexpr int kBusyMs = 5000;  // for the writers' lock, then "busy"

}  // namespace chirp::limits
