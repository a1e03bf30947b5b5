#include "tests/support/feed_actions.h"

#include <array>

namespace chirp::test {
namespace {

struct Row {
  Act act;
  std::string_view name;
};

constexpr std::array kRows{
    Row{Act::kPost, "post"},
    Row{Act::kRemovePost, "remove_post"},
    Row{Act::kFollow, "follow"},
    Row{Act::kUnfollow, "unfollow"},
    Row{Act::kRepost, "repost"},
    Row{Act::kUnrepost, "unrepost"},
    Row{Act::kBlock, "block"},
    Row{Act::kUnblock, "unblock"},
    Row{Act::kMute, "mute"},
    Row{Act::kUnmute, "unmute"},
    Row{Act::kSwitch, "switch"},
    Row{Act::kBatch, "batch"},
    Row{Act::kJoin, "join"},
    Row{Act::kLeave, "leave"},
    Row{Act::kSuspend, "suspend"},
    Row{Act::kUnsuspend, "unsuspend"},
    Row{Act::kTraces, "traces"},
    Row{Act::kGather, "gather"},
    Row{Act::kFlush, "flush"},
    Row{Act::kCrash, "crash"},
    Row{Act::kFanOut, "fan_out"},
    Row{Act::kCount, "count"},
    Row{Act::kDrain, "drain"},
    Row{Act::kWalk, "walk"},
    Row{Act::kStore, "store"},
    Row{Act::kRead, "read"},
    Row{Act::kNoteRead, "note_read"},
    Row{Act::kRebuild, "rebuild"},
    Row{Act::kDrop, "drop"},
    Row{Act::kPolicy, "policy"},
    Row{Act::kCap, "cap"},
    Row{Act::kTiers, "tiers"},
    Row{Act::kDecide, "decide"},
    Row{Act::kRetire, "retire"},
    Row{Act::kLoadEdges, "load_edges"},
    Row{Act::kLoadPosts, "load_posts"},
    Row{Act::kTrimLog, "trim_log"},
    Row{Act::kClock, "clock"},
    Row{Act::kDays, "days"},
    Row{Act::kHold, "hold"},
    Row{Act::kReadHeld, "read_held"},
    Row{Act::kVerify, "verify"},
};

constexpr std::array kAllActs{
    Weight{Act::kPost, 14},      Weight{Act::kRemovePost, 0.7}, Weight{Act::kFollow, 10},
    Weight{Act::kUnfollow, 2.5}, Weight{Act::kBatch, 2},        Weight{Act::kJoin, 0.3},
    Weight{Act::kLeave, 0.15},   Weight{Act::kTraces, 0.6},     Weight{Act::kGather, 6},
    Weight{Act::kFlush, 8},      Weight{Act::kCrash, 0.7},      Weight{Act::kFanOut, 3},
    Weight{Act::kCount, 5},      Weight{Act::kDrain, 0.5},      Weight{Act::kWalk, 6},
    Weight{Act::kStore, 6},      Weight{Act::kRead, 3},         Weight{Act::kNoteRead, 0.3},
    Weight{Act::kRebuild, 0.7},  Weight{Act::kDrop, 1.5},       Weight{Act::kPolicy, 1},
    Weight{Act::kCap, 0.7},      Weight{Act::kTiers, 0.7},      Weight{Act::kDecide, 1},
    Weight{Act::kRetire, 0.3},   Weight{Act::kLoadEdges, 0.5},  Weight{Act::kLoadPosts, 0.8},
    Weight{Act::kTrimLog, 2},    Weight{Act::kClock, 4},        Weight{Act::kDays, 0.5},
    Weight{Act::kHold, 0.8},     Weight{Act::kReadHeld, 0.8},   Weight{Act::kVerify, 1},
    Weight{Act::kRepost, 12},    Weight{Act::kUnrepost, 1.5},   Weight{Act::kBlock, 0.6},
    Weight{Act::kUnblock, 0.8},  Weight{Act::kMute, 0.8},       Weight{Act::kUnmute, 0.8},
    Weight{Act::kSwitch, 1.5},   Weight{Act::kSuspend, 0.6},    Weight{Act::kUnsuspend, 2},
};

constexpr std::array kPosting{
    Weight{Act::kPost, 14},   Weight{Act::kGather, 6},   Weight{Act::kFlush, 8},
    Weight{Act::kCrash, 0.7}, Weight{Act::kFanOut, 3},   Weight{Act::kCount, 5},
    Weight{Act::kDrain, 0.5}, Weight{Act::kWalk, 6},     Weight{Act::kStore, 6},
    Weight{Act::kRead, 3},    Weight{Act::kRebuild, 1},  Weight{Act::kDrop, 3},
    Weight{Act::kPolicy, 2},  Weight{Act::kCap, 1},      Weight{Act::kTiers, 1},
    Weight{Act::kDecide, 2},  Weight{Act::kRetire, 0.5}, Weight{Act::kTrimLog, 2},
    Weight{Act::kClock, 6},   Weight{Act::kDays, 0.5},   Weight{Act::kRepost, 10},
};

}  // namespace

std::span<const Weight> all_acts() { return kAllActs; }
std::span<const Weight> posting_acts() { return kPosting; }

Action draw(std::mt19937_64& random, std::span<const Weight> weights) {
  double total = 0;
  for (const Weight& weight : weights) total += weight.weight;
  double at = static_cast<double>(random() >> 11) / static_cast<double>(1ULL << 53) * total;
  Action action;
  for (const Weight& weight : weights) {
    action.act = weight.act;
    at -= weight.weight;
    if (at < 0) break;
  }
  const std::uint64_t bits = random();
  action.a = static_cast<std::uint32_t>(bits & 0xff);
  action.b = static_cast<std::uint32_t>(bits >> 8 & 0xff);
  action.k = static_cast<std::uint32_t>(bits >> 16 & 0xff);
  action.x = static_cast<std::uint32_t>(bits >> 32);
  return action;
}

std::string_view name(Act act) {
  for (const Row& row : kRows) {
    if (row.act == act) return row.name;
  }
  return "?";
}

std::ostream& operator<<(std::ostream& out, const Action& action) {
  return out << name(action.act) << '(' << action.a << ',' << action.b << ',' << action.k << ','
             << action.x << ')';
}

void showValue(const Action& action, std::ostream& out) { out << action; }

}  // namespace chirp::test
