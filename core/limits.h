// Every bound of the product.
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
inline constexpr std::size_t kPasswordMax = 72;      // bytes: the most that bcrypt uses
inline constexpr std::size_t kPostTextMax = 280;     // characters after NFC; an emoji counts as one
inline constexpr std::size_t kEmojiMax = 10;         // code points that count as one character
inline constexpr std::size_t kLoadedTextMax = 1000;  // code points: archives have longer texts
inline constexpr std::size_t kMatchMax = 50;         // code points, for `user list --match`
inline constexpr std::int64_t kMatchCandidatesMax = 500;  // names that a search by a stranger reads

inline constexpr std::size_t kPostMediaMax = 4;
inline constexpr std::size_t kAltTextMax = 1500;                     // code points after NFC
inline constexpr std::size_t kMediaBytesMax = std::size_t{8} << 20;  // one file
inline constexpr std::uint32_t kMediaSideMax = 16'384;               // pixels
inline constexpr std::uint64_t kMediaPixelsMax = 50'000'000;  // one image, and each frame in it
inline constexpr std::size_t kColourProfileMax = std::size_t{1} << 20;        // bytes
inline constexpr std::int64_t kMediaIdleMs = std::int64_t{24} * 3600 * 1000;  // for unused files
inline constexpr std::int64_t kSweepEveryMs = std::int64_t{3600} * 1000;
inline constexpr std::uint32_t kSessionsMax = 1'000;  // per user, of tokens that expire
inline constexpr std::int64_t kTokenLifetimeMaxMs = std::int64_t{36'500} * 24 * 3600 * 1000;
inline constexpr std::size_t kAddressMax = 2048;    // bytes, of a medium's address
inline constexpr std::size_t kMentionsMax = 50;     // notified users per text
inline constexpr std::size_t kTagMax = 100;         // code points
inline constexpr std::size_t kTagBytesMax = 500;    // bytes after folding, up to five a code point
inline constexpr std::size_t kSourceWordMax = 500;  // bytes; LMDB keys have at most 511

// ---- settings
inline constexpr std::uint64_t kFollowersMax = 1'000'000'000;  // the highest value for a setting

// ---- pages
inline constexpr std::uint32_t kPostPageDefault = 20;
inline constexpr std::uint32_t kPostPageMax = 100;
inline constexpr std::size_t kRepostersShown = 20;       // per item
inline constexpr std::uint32_t kRepliesShown = 10;       // per comment, for included replies
inline constexpr std::uint32_t kRepliesOnPage = 200;     // all included replies of a page together
inline constexpr std::uint32_t kRefreshCountMax = 1000;  // new originals that a refresh counts
inline constexpr std::uint32_t kRankedMax = 400;  // originals that a ranked feed scores at most
inline constexpr std::uint32_t kHiddenRecordsMax = 40;  // hidden records that a page reads at most
inline constexpr std::uint32_t kUserPageDefault = 50;
inline constexpr std::uint32_t kUserPageMax = 200;
static_assert(kPostPageDefault <= kPostPageMax && kUserPageDefault <= kUserPageMax);

// ---- suggestions of users to follow
inline constexpr std::uint32_t kSuggestionsDefault = 10;
inline constexpr std::uint32_t kSuggestionsMax = 50;
inline constexpr std::uint32_t kSuggestFriends = 50;    // followees whose followees are read
inline constexpr std::uint32_t kSuggestEdges = 100;     // read per followee
inline constexpr std::uint32_t kSuggestPeople = 1'000;  // candidates by number of followers
inline constexpr std::size_t kSuggestedThrough = 3;     // followees named as the reason
static_assert(kSuggestionsDefault <= kSuggestionsMax);

// ---- timelines and fan-out
inline constexpr std::uint32_t kFeedCapDefault = 800;
inline constexpr std::uint32_t kFeedCapMin = 1;
inline constexpr std::uint32_t kFeedCapMax = 10'000;
// Users who follow more accounts than this are served by pull alone. Nothing is missing for them.
inline constexpr std::uint32_t kPullOnlyFollowees = 20'000;
// Posts of authors with more followers than this are delivered in steps, with a queued cursor.
inline constexpr std::uint32_t kFanOutChunk = 20'000;
// From this many deliveries in one step on, timelines of inactive users are dropped, not written.
inline constexpr std::uint32_t kLargeFanOut = 100'000;
// With more pending events than this, a one-shot command drains the log itself, even with
// --no-wait, so that the tail that readers merge stays short.
inline constexpr std::uint64_t kPendingEventsMax = 10'000;

// ---- notifications, trends and idempotency keys
inline constexpr std::uint32_t kNotificationsKept = 10'000;  // per user, the newest
inline constexpr std::size_t kNotificationsFolded = 1'000;   // read for one page of groups
inline constexpr std::size_t kTrendPairsMax = 100'000;  // tag and author pairs that a read keeps
inline constexpr std::size_t kIdempotencyKeyMax = 128;  // printable ASCII
inline constexpr std::int64_t kKeyKeptMs = 24LL * 60 * 60 * 1000;

inline constexpr std::int64_t kOldNameMs = 30LL * 24 * 60 * 60 * 1000;  // leads to its user
inline constexpr std::int64_t kRenameMs = kOldNameMs;  // so a user has at most one old name

// ---- loads
inline constexpr int kLoadTransactionMs = 80;  // target for a write transaction of a load
inline constexpr int kStarveMs = 250;          // the longest that a load delays another writer
static_assert(kLoadTransactionMs * 3 < kStarveMs);

// ---- upkeep
inline constexpr int kUpkeepTransactionMs = 10;  // target for a write transaction of upkeep

// ---- waiting
inline constexpr int kBusyMs = 5000;  // wait for the writers' lock, then fail as "busy"

}  // namespace chirp::limits
