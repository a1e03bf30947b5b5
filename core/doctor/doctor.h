// Checks everything derived against its source, and repairs what can be derived again.
//
// Timelines, counters, tiers, the reverse direction of edges, indexes and author cards all follow
// from users, posts, edges and the log. An examination walks through several states of the engine's
// store (core/ports/walk.h), since others go on working meanwhile: what it compares is read in one
// state, or is looked at again in one. Users are in another store: a difference between the two
// stores counts only if it is the same at a second look. What is half done, and will be finished by
// whoever writes next, is no fault.
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

// More findings than this say nothing new; they are counted, not listed.
inline constexpr std::size_t kFindingsMax = 1000;

// What a finding is about, which also decides how it is repaired.
enum class Kind : std::uint8_t {
  kUsers,         // the user directory's own check: its indexes are rebuilt
  kStore,         // the engine's store's own check: indexes are rebuilt
  kCard,          // author cards against users: written again
  kEdge,          // following against followers: the reverse direction is rebuilt
  kCounter,       // counters against sets: set
  kPost,          // posts against author logs and ids: indexes are rebuilt
  kTimeline,      // timelines against the definition: rebuilt
  kTier,          // tiers and marks against the rule: decided again
  kContent,       // counters of posts and comments against sets: set
  kComment,       // comments of no post, replies to nothing; not derived
  kNotification,  // what users are told against the log and the state: written anew
  kHashtag,       // hashtags against texts: written anew
  kHidden,        // hidden comments against suspensions and blocks: moved
  kLog,           // gaps, offsets out of the log; not derived
  kRemoval,       // what is left of users whose removal is finished: removed again
  kSetting,       // settings that no server should run with; not derived
  kMedia,         // uploads against their bytes: what is half-way is finished
  kMore,          // further findings, not listed
};

[[nodiscard]] std::string_view name(Kind kind);

struct Finding {
  Kind kind = Kind::kStore;
  std::string what;
  UserNumber subject;   // whom it is about; kNobody for nobody in particular
  ContentId content{};  // of kContent: what is miscounted

  bool operator==(const Finding&) const = default;
};

struct Checked {
  std::string_view what;
  std::uint64_t count = 0;
  std::uint64_t of = 0;  // how many there are, if only some were checked
};

struct ExamineOptions {
  // Called for each kind of thing, once all things of that kind are checked.
  std::function<void(const Checked&)> checked = [](const Checked&) {};
  WalkOptions walk = {};
  // More timelines than this are checked by a sample of so many.
  std::uint64_t timelines_max = 100'000;
  // Users whose follows are added up at once: 20 bytes each.
  std::size_t users_at_once = std::size_t{16} << 20;
};

// Collects what an examination finds, as it goes along.
class Examination {
 public:
  // `on_checked` is called for each kind of thing, once all things of that kind are checked.
  explicit Examination(std::function<void(const Checked&)> on_checked)
      : on_checked_(std::move(on_checked)) {}

  void checked(std::string_view what, std::uint64_t count, std::uint64_t of = 0) {
    on_checked_({what, count, of});
  }
  void find(Kind kind, std::string what, UserNumber subject = kNobody, ContentId content = {});
  // Returns the findings; if there were more than are listed, the last one says how many.
  [[nodiscard]] std::vector<Finding> take() &&;

 private:
  std::function<void(const Checked&)> on_checked_;
  std::vector<Finding> findings_;
  std::uint64_t unlisted_ = 0;
};

// Reads all there is; a record that can't be read is a finding.
[[nodiscard]] std::vector<Finding> examine(Engine& engine, const ExamineOptions& options);
[[nodiscard]] std::vector<Finding> examine(Engine& engine,
                                           const std::function<void(const Checked&)>& on_checked);

// Finishes what was left half done, as every command that writes does.
void finish_half_done(Engine& engine);

// Repairs what the findings are about, as far as it can be derived, and what else comes to light on
// the way. Returns what is left.
[[nodiscard]] std::vector<Finding> repair(Engine& engine, std::vector<Finding> findings,
                                          const ExamineOptions& options = {});

}  // namespace chirp::doctor
