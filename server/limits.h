// Every limit of the server. Those of the product are in core/limits.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace chirp::limits {

// ---- requests
inline constexpr std::size_t kHeadBytesMax = 32 << 10;
inline constexpr std::size_t kHeadReadBytes = 8 << 10;  // read of a head at a time
inline constexpr std::size_t kHeadersMax = 64;
inline constexpr std::size_t kTargetBytesMax = 2 << 10;  // longer ones recurse deeply in std::regex
inline constexpr std::size_t kJsonBodyMax = 64 << 10;
inline constexpr std::size_t kFormBytesMax = 64 << 10;  // of an upload's form, besides the file
inline constexpr std::size_t kJsonDepthMax = 32;
inline constexpr std::size_t kBatchGetMax = 100;  // ids in one call

// ---- clients
inline constexpr std::size_t kRateClientsMax = 131'072;  // counted singly; others share counters
inline constexpr std::int64_t kRateWindowMs = 60'000;
inline constexpr std::int64_t kSettingsLookMs = 1'000;
inline constexpr std::int64_t kLoginWindowMs = 15 * 60'000;
inline constexpr std::size_t kFailureBuckets = 4'096;  // of 15 names or addresses each
inline constexpr std::size_t kFamiliarMax = 131'072;   // pairs of name and address, the latest
inline constexpr std::int64_t kSessionMs = std::int64_t{30} * 24 * 3600 * 1000;

// ---- connections
inline constexpr std::size_t kConnectionsMax = 12'000;
// For bodies that arrive or are being processed: in all, per address, per account.
inline constexpr std::size_t kBodyBytesMax = 512 << 20;
inline constexpr std::size_t kBodyBytesPerAddressMax = 64 << 20;
inline constexpr std::size_t kBodyBytesPerUserMax = 32 << 20;
// For answers that clients have not read yet: likewise.
inline constexpr std::size_t kAnswerBytesMax = 256 << 20;
inline constexpr std::size_t kAnswerBytesPerAddressMax = 32 << 20;
inline constexpr std::size_t kAnswerBytesPerUserMax = 16 << 20;
// Without progress, while more than half of the bytes for bodies or answers is in use.
inline constexpr std::int64_t kHurryMs = 2'000;
inline constexpr std::size_t kPieceBytes = 64 << 10;                     // of a file being sent
inline constexpr std::size_t kFilesMax = kAnswerBytesMax / kPieceBytes;  // being sent at one time
inline constexpr int kUnsentBytesMax = 64 << 10;  // per connection, in the system's buffer
inline constexpr std::size_t kRequestsPerConnection = 100'000;
inline constexpr std::size_t kQueuedRequestsMax = 256;  // per lane
// For requests that may hash a password. The line for hashing decides after this queue.
inline constexpr std::size_t kPasswordQueueMax = kQueuedRequestsMax;

// ---- password hashing: places to hash or to wait for it
inline constexpr std::size_t kHashingPlaces = 16;  // of log-ins and changes
inline constexpr std::size_t kHashingSignUps = 8;  // in addition to those
inline constexpr std::size_t kHashingPerClient = 4;
inline constexpr std::size_t kHashingTurnsAhead = 3;    // other turns, while a sign-up waits
inline constexpr std::int64_t kHashingWaitMs = 10'000;  // then the request is refused
inline constexpr unsigned kPasswordThreadsSpare = 8;    // in addition to those that hash or wait

// ---- streams
inline constexpr std::size_t kStreamsMax = 4'000;
inline constexpr std::size_t kStreamsPerUserMax = 16;
inline constexpr std::size_t kStreamEventsMax = 64;        // unsent; then the reader is dropped
inline constexpr std::size_t kStreamBytesMax = 256 << 10;  // likewise
inline constexpr std::size_t kStreamTurnEvents = 32;       // sent to a reader who has not drained
inline constexpr std::size_t kStreamTurnBytes = 64 << 10;
static_assert(kStreamTurnEvents * 2 <= kStreamEventsMax && kStreamTurnBytes * 2 <= kStreamBytesMax);
inline constexpr std::size_t kStreamBytesAllMax = 128 << 20;  // unsent, all streams together
inline constexpr std::int64_t kStreamStallMs = 10'000;  // undrained; then the reader is dropped
inline constexpr std::size_t kStreamPostsMax = 500;     // sent on a stream, and watched for counts
inline constexpr std::size_t kStreamCountsMax = 1'000;  // posts with counts to send
inline constexpr std::int64_t kStreamCountsMs = 1'000;  // between counts of one post
inline constexpr std::int64_t kStreamAllowedMs = 800;   // between checks of its permission
inline constexpr std::int64_t kHeartbeatMs = 15'000;
inline constexpr std::int64_t kLiveLookMs = 100;
inline constexpr std::int64_t kLiveStepMs = 10;         // between two steps with work
inline constexpr std::uint32_t kLiveChunkEvents = 256;  // of the log, read at once
inline constexpr std::size_t kLiveStepEvents = 2'048;   // of the log, in one step

// ---- the stage
inline constexpr std::size_t kStageWatchersMax = 16;
inline constexpr std::size_t kStageWatchersPerUserMax = 4;
inline constexpr std::int64_t kStageBeatMs = 40;  // events in this time are sent together
inline constexpr std::size_t kStageReportsMax =
    1'024;  // of fan-out, sent together; more are left out

// ---- ranked walks
inline constexpr std::size_t kRankedWalksMax = 4'096;
inline constexpr std::size_t kRankedWalksPerUserMax = 8;
inline constexpr std::size_t kRankedBytesMax = 64 << 20;
inline constexpr std::int64_t kRankedWalkMs = 600'000;  // without use

// ---- writing
inline constexpr std::size_t kBatchChangesMax = 1'024;  // of one transaction

inline constexpr std::size_t kLogLinesMax = 8'192;  // unwritten; beyond it the oldest are dropped

inline constexpr std::size_t kActorsShown = 6;  // per notification

// ---- hashtags
inline constexpr std::size_t kTrendUsesMax = 4'000;  // examined for one list, the newest

// ---- background work
inline constexpr std::size_t kAfterReadsMax = 256;     // viewers waiting for a timeline
inline constexpr std::size_t kReadingsMax = 100'000;   // reads not yet reported to fan-out
inline constexpr std::int64_t kGatherMs = 100;         // writes in this time go into one step
inline constexpr std::uint64_t kHurryEvents = 2'000;   // pending; beyond it the work does not wait
inline constexpr std::int64_t kLookAroundMs = 1'000;   // between checks for other processes' writes
inline constexpr std::int64_t kGaugesMs = 1'000;       // between counts of everything, at least
inline constexpr std::int64_t kHeldBytes = 256 << 20;  // by an old reader; then it is logged
inline constexpr std::size_t kDeliveriesKept =
    4'096;  // posts whose delivery is recorded, the newest

}  // namespace chirp::limits
