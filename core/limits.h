// Every bound in the product.
#pragma once

#include <cstddef>
#include <cstdint>

namespace chirp::limits {

// ---- text
inline constexpr std::size_t kUsernameMax = 15;           // bytes, all ASCII
inline constexpr std::size_t kDisplayNameMax = 50;        // code points
inline constexpr std::size_t kBioMax = 160;               // code points
inline constexpr std::size_t kEmailMax = 254;             // bytes
inline constexpr std::size_t kPasswordMin = 8;            // bytes
inline constexpr std::size_t kPasswordMax = 72;           // bytes: what bcrypt takes in
inline constexpr std::size_t kPostTextMax = 280;          // characters after NFC, an emoji as one
inline constexpr std::size_t kEmojiMax = 10;              // code points that count as one character
inline constexpr std::size_t kLoadedTextMax = 1000;       // code points: archives hold longer ones
inline constexpr std::size_t kMatchMax = 50;              // code points of `user list --match`
inline constexpr std::int64_t kMatchCandidatesMax = 500;  // names a stranger's search looks at

inline constexpr std::size_t kPostMediaMax = 4;
inline constexpr std::size_t kAltTextMax = 1500;  // code points after NFC, of a medium
inline constexpr std::size_t kMediaBytesMax = std::size_t{8} << 20;  // of one file
inline constexpr std::uint32_t kMediaSideMax = 16'384;               // pixels
inline constexpr std::uint64_t kMediaPixelsMax = 50'000'000;  // of a picture, and of each in it
inline constexpr std::size_t kColourProfileMax = std::size_t{1} << 20;        // bytes
inline constexpr std::int64_t kMediaIdleMs = std::int64_t{24} * 3600 * 1000;  // then a file goes
inline constexpr std::int64_t kSweepEveryMs = std::int64_t{3600} * 1000;
inline constexpr std::uint32_t kSessionsMax = 1'000;  // tokens of a user that expire
inline constexpr std::int64_t kTokenLifetimeMaxMs = std::int64_t{36'500} * 24 * 3600 * 1000;
inline constexpr std::size_t kAddressMax = 2048;    // bytes of a medium's address
inline constexpr std::size_t kMentionsMax = 50;     // users told of one text
inline constexpr std::size_t kTagMax = 100;         // code points of a hashtag
inline constexpr std::size_t kTagBytesMax = 500;    // of one, folded: five bytes each at most
inline constexpr std::size_t kSourceWordMax = 500;  // bytes: LMDB takes keys of 511

// ---- settings
inline constexpr std::uint64_t kFollowersMax = 1'000'000'000;  // that a bound may be set to

// ---- pages
inline constexpr std::uint32_t kPostPageDefault = 20;
inline constexpr std::uint32_t kPostPageMax = 100;
inline constexpr std::size_t kRepostersShown = 20;       // of an item
inline constexpr std::uint32_t kRepliesShown = 10;       // of a comment, where they come along
inline constexpr std::uint32_t kRepliesOnPage = 200;     // of all comments of a page together
inline constexpr std::uint32_t kRefreshCountMax = 1000;  // new originals that a refresh counts
inline constexpr std::uint32_t kRankedMax = 400;         // originals that a ranked feed scores
inline constexpr std::uint32_t kHiddenRecordsMax = 40;   // that a page reads and does not show
inline constexpr std::uint32_t kUserPageDefault = 50;
inline constexpr std::uint32_t kUserPageMax = 200;
static_assert(kPostPageDefault <= kPostPageMax && kUserPageDefault <= kUserPageMax);

// ---- whom somebody may want to follow
inline constexpr std::uint32_t kSuggestionsDefault = 10;
inline constexpr std::uint32_t kSuggestionsMax = 50;
inline constexpr std::uint32_t kSuggestFriends = 50;    // whose followees are looked at
inline constexpr std::uint32_t kSuggestEdges = 100;     // of each of them
inline constexpr std::uint32_t kSuggestPeople = 1'000;  // looked at for their followers
inline constexpr std::size_t kSuggestedThrough = 3;     // who are named
static_assert(kSuggestionsDefault <= kSuggestionsMax);

// ---- timelines and fan-out
inline constexpr std::uint32_t kFeedCapDefault = 800;
inline constexpr std::uint32_t kFeedCapMin = 1;
inline constexpr std::uint32_t kFeedCapMax = 10'000;
// Who follows more accounts than this is served by pull alone: no loss, no write amplification.
inline constexpr std::uint32_t kPullOnlyFollowees = 20'000;
// An author with more followers than this is delivered in steps, by a queued row with a cursor.
inline constexpr std::uint32_t kFanOutChunk = 20'000;
// From so many deliveries in one step on, timelines that nobody reads are dropped and not written.
inline constexpr std::uint32_t kLargeFanOut = 100'000;
// A one-shot writer drains the log itself past this many pending events, --no-wait or not, so that
// the tail a reader merges stays short.
inline constexpr std::uint64_t kPendingEventsMax = 10'000;

// ---- notifications, trends and idempotency keys
inline constexpr std::uint32_t kNotificationsKept = 10'000;  // of a user, the newest
inline constexpr std::size_t kNotificationsFolded = 1'000;   // taken into one page of folds
inline constexpr std::size_t kTrendPairsMax = 100'000;  // tags by author that one reading remembers
inline constexpr std::size_t kIdempotencyKeyMax = 128;  // printable ASCII
inline constexpr std::int64_t kKeyKeptMs = 24LL * 60 * 60 * 1000;

inline constexpr std::int64_t kOldNameMs = 30LL * 24 * 60 * 60 * 1000;  // leads to who bore it
inline constexpr std::int64_t kRenameMs = kOldNameMs;  // between two renames, so one old name each

// ---- loads
inline constexpr int kLoadTransactionMs = 80;  // aim for one write transaction of a load
inline constexpr int kStarveMs = 250;          // bound on what another writer waits for a load
static_assert(kLoadTransactionMs * 3 < kStarveMs);

// ---- upkeep
inline constexpr int kUpkeepTransactionMs = 10;  // aim for one write transaction of upkeep

// ---- waiting
inline constexpr int kBusyMs = 5000;  // for the writers' lock, then "busy"

}  // namespace chirp::limits
