// Random actions in a small world of a few users.
#pragma once

#include <cstdint>
#include <ostream>
#include <random>
#include <span>
#include <string_view>

namespace chirp::test {

enum class Act : std::uint8_t {
  kPost,
  kRemovePost,
  kFollow,
  kUnfollow,
  kRepost,
  kUnrepost,
  kBlock,
  kUnblock,
  kMute,
  kUnmute,
  kSwitch,  // reposts of a followed user, off or on
  kBatch,   // several changes in one write
  kJoin,    // a user signs up
  kLeave,   // a user is removed
  kSuspend,
  kUnsuspend,
  kTraces,  // a step of a removal
  kGather,  // one of two fan-out consumers reads pending deliveries
  kFlush,   // … and writes some of them
  kCrash,   // … or never does
  kFanOut,  // a whole step
  kCount,   // a step of the counters
  kDrain,
  kWalk,   // a timeline is built
  kStore,  // … and offered for storing
  kRead,   // a feed is read with its side effects
  kNoteRead,
  kRebuild,
  kDrop,  // a timeline is dropped
  kPolicy,
  kCap,
  kTiers,
  kDecide,  // the cost rule moves a mark
  kRetire,  // marks are retired
  kLoadEdges,
  kLoadPosts,
  kTrimLog,
  kClock,  // some milliseconds, sometimes back
  kDays,
  kHold,      // a snapshot is taken
  kReadHeld,  // … and read from
  kVerify,
};

struct Action {
  Act act = Act::kPost;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t k = 0;
  std::uint32_t x = 0;
};

struct Weight {
  Act act;
  double weight;
};

// All actions; and those that don't change a feed's past: posting and cache operations.
[[nodiscard]] std::span<const Weight> all_acts();
[[nodiscard]] std::span<const Weight> posting_acts();

[[nodiscard]] Action draw(std::mt19937_64& random, std::span<const Weight> weights);

[[nodiscard]] std::string_view name(Act act);
std::ostream& operator<<(std::ostream& out, const Action& action);
void showValue(const Action& action, std::ostream& out);  // for rapidcheck

}  // namespace chirp::test
