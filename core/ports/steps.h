// The results of the log's consumers: each step is written in one transaction, together with the
// consumer's new offset.
#pragma once

#include <cstdint>
#include <vector>

#include "core/limits.h"
#include "core/model/notification.h"
#include "core/model/policy.h"
#include "core/model/reaction.h"
#include "core/model/timeline.h"
#include "core/model/trend.h"
#include "core/model/user.h"
#include "core/ports/snapshot.h"

namespace chirp {

struct Delivery {
  UserNumber viewer;
  PostId post;
  UserNumber author;
};

// The result of fan-out for the events from `from` to before `to`. Deliveries are merged into each
// valid timeline as a set, so delivering twice changes nothing. A step may be written in parts, by
// viewer; the last one moves S. Viewers without a valid timeline at the time of their part are
// skipped. So after the first part, a timeline built from a state before `reach` must not be
// stored.
struct FanOutStep {
  Sequence from;                     // S when gathering started
  Sequence to;                       // S after the step; equal to `from` for a part
  Sequence reach;                    // for a part: S after the last part
  std::vector<Delivery> deliveries;  // by viewer, then newest first
  std::vector<FanOutRow> queue;      // rows to write: new, or with more deliveries done
  std::vector<Sequence> finished;    // rows to delete
  // Viewers (ascending) of influencers' posts; their timelines are dropped if they have not read
  // since `active_since`.
  std::vector<UserNumber> drop_if_inactive;
  Time active_since;
  std::vector<UserNumber> drop{};  // viewers (ascending) whose timeline is dropped in any case
  // Decided by the cost rule: only push_from is used, and a finite one becomes the next id. A part
  // with marks is rejected under another policy.
  std::vector<feed::AuthorMark> marks;
  std::uint32_t delivery_ns = 0;  // measured, 0 for unknown: averaged into the state
};

// Adds to the counters. Authors who cross a bound get another tier and mark; tier.changed is
// logged.
struct CounterStep {
  Sequence from;
  Sequence to;
  std::vector<CounterDelta> deltas;      // by user, unique
  std::vector<ContentDelta> contents{};  // by content, unique
};

// The notifications of the events from `from` to before `to`. Users who are not present are
// skipped. Of each recipient, the newest `keep` are kept.
struct NotificationStep {
  Sequence from;
  Sequence to;
  std::vector<events::Notification> notifications;  // by user, then sequence
  std::uint32_t keep = limits::kNotificationsKept;
};

// The result of the trends consumer for the events from `from` to before `to`. Posts that no longer
// exist are skipped. Posts older than `since` lose their tags, the oldest first, at most `drop`
// tags in all. When users are suspended, blocked or restored, their posts and comments are listed
// or hidden by their state at the step. A step may be a part of such an event (to == from).
struct TrendStep {
  Sequence from;
  Sequence to;
  std::vector<TaggedPost> posts;
  Time since;
  std::uint32_t drop = 0;
  std::vector<PostId> listed{};      // posts whose author is affected
  std::vector<CommentId> settled{};  // comments whose author is affected
};

// A timeline that was built by a walk and is to be stored.
struct BuiltTimeline {
  UserNumber viewer;
  Timeline timeline;                  // with the generation that the walk saw
  Sequence log_end;                   // in the walk's snapshot
  std::vector<UserNumber> following;  // the users that the walk covered, ascending
  std::uint32_t source_ns = 0;        // measured, 0 for unknown
};

// Whether to replace a valid stored timeline.
enum class Replace : std::uint8_t { kKeepValid, kAlways };

}  // namespace chirp
