// Checks derived data against its source, and repairs what can be derived again.
//
// Timelines, counters, tiers, reverse edges, indexes and author cards all follow from users, posts,
// edges and the log. An examination walks through several states of the engine's store
// (core/ports/walk.h), because other processes keep working. What it compares is read from one
// state, or checked again in one. Users are in another store: a difference between the two stores
// counts only if a second look confirms it. Unfinished work that the next writer will finish is not
// an error.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/engine.h"
#include "core/ports/walk.h"

namespace chirp::doctor {

// Findings beyond this number are counted, not listed.
inline constexpr std::size_t kFindingsMax = 1000;

// The subject of a finding, which decides how it is repaired.
enum class FindingKind : std::uint8_t {
  kUsers,         // the user directory's own check: its indexes are rebuilt
  kStore,         // the engine's store's own check: indexes are rebuilt
  kCard,          // author cards against users: written again
  kEdge,          // following against followers: the reverse direction is rebuilt
  kCounter,       // counters against the rows they count: set
  kPost,          // posts against author logs and ids: indexes are rebuilt
  kTimeline,      // timelines against the definition: rebuilt
  kTier,          // tiers and marks against the rule: computed again
  kContent,       // counters of posts and comments against the rows they count: set
  kComment,       // comments without a post, replies without a parent; not derived
  kNotification,  // notifications against the log and the state: written again
  kHashtag,       // hashtags against texts: written again
  kHidden,        // hidden comments against suspensions and blocks: moved
  kLog,           // gaps, offsets outside the log; not derived
  kRemoval,       // traces of users whose removal is finished: removed
  kSetting,       // harmful settings; not derived
  kMedia,         // uploads against their bytes: interrupted changes are finished
  kMore,          // further findings, not listed
};

[[nodiscard]] std::string_view name(FindingKind kind);

struct Finding {
  FindingKind kind = FindingKind::kStore;
  std::string what;
  UserNumber subject;   // the user concerned, or kNobody
  ContentId content{};  // kContent: the post or comment with wrong counters

  bool operator==(const Finding&) const = default;
};

struct Checked {
  std::string_view what;
  std::uint64_t count = 0;
  std::uint64_t of = 0;  // the total, if only some were checked
};

struct ExamineOptions {
  // Called after each kind of data is checked.
  std::function<void(const Checked&)> checked = [](const Checked&) {};
  WalkOptions walk = {};
  // If there are more timelines than this, a sample of this size is checked.
  std::uint64_t timelines_max = 100'000;
  // Number of users whose follows are summed at once; 20 bytes each.
  std::size_t users_at_once = std::size_t{16} << 20;
};

// Collects the findings of an examination.
class Examination {
 public:
  // `on_checked` is called after each kind of data is checked.
  explicit Examination(std::function<void(const Checked&)> on_checked)
      : on_checked_(std::move(on_checked)) {}

  void checked(std::string_view what, std::uint64_t count, std::uint64_t of = 0) {
    on_checked_({what, count, of});
  }
  void find(FindingKind kind, std::string what, UserNumber subject = kNobody,
            ContentId content = {});
  // Returns the findings; if some were not listed, the last one says how many.
  [[nodiscard]] std::vector<Finding> take() &&;

 private:
  std::function<void(const Checked&)> on_checked_;
  std::vector<Finding> findings_;
  std::uint64_t unlisted_ = 0;
};

// Reads all data; a damaged record is a finding.
[[nodiscard]] std::vector<Finding> examine(Engine& engine, const ExamineOptions& options);
[[nodiscard]] std::vector<Finding> examine(Engine& engine,
                                           const std::function<void(const Checked&)>& on_checked);

// Finishes interrupted work, as every writing command does.
void finish_half_done(Engine& engine);

// Repairs the findings that can be derived again, and what else comes up on the way. Returns what
// is left.
[[nodiscard]] std::vector<Finding> repair(Engine& engine, std::vector<Finding> findings,
                                          const ExamineOptions& options = {});

}  // namespace chirp::doctor
