// What the consumers of the log have made of it, offered to the store: each step is written in one
// transaction, with the consumer's new offset.
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

// What fan-out did with the events from `from` to before `to`. Deliveries are merged into each
// valid timeline as a set, so delivering twice changes nothing. A step may be written in parts, by
// viewer; the last one moves S. Who has no valid timeline when their part comes is passed over, so
// from the first part on no timeline walked before `reach` may be stored.
struct FanOutStep {
  Sequence from;                             // where S was when the gathering started
  Sequence to;                               // where S stands afterwards; == from for a part
  Sequence reach;                            // of a part: where S will stand after the last one
  std::vector<Delivery> deliveries;          // by viewer, then newest first
  std::vector<FanOutRow> queue;              // rows to write: new ones, or further on
  std::vector<Sequence> finished;            // rows to delete
  std::vector<UserNumber> drop_if_inactive;  // viewers (ascending) of influencers' posts: who has
                                             // not read since `active_since` loses the timeline
  Time active_since;
  std::vector<UserNumber> drop{};       // viewers (ascending) who lose the timeline in any case
  std::vector<feed::AuthorMark> marks;  // decided by the cost rule: push_from alone counts; a
                                        // finite one becomes the next id. Under another policy a
                                        // part with marks is not taken
  std::uint32_t delivery_ns = 0;        // measured, 0 for unknown: averaged into the state
};

// Adds to the counters; who crosses a bound of tiers gets another mark, and tier.changed is logged.
struct CounterStep {
  Sequence from;
  Sequence to;
  std::vector<CounterDelta> deltas;      // by user, nobody twice
  std::vector<ContentDelta> contents{};  // by content, none twice
};

// What the notifications' consumer made of the events from `from` to before `to`. Those of users
// who are not present are passed over. Of each user told, the newest `keep` stay.
struct NotificationStep {
  Sequence from;
  Sequence to;
  std::vector<events::Notification> notifications;  // by user, then sequence
  std::uint32_t keep = limits::kNotificationsKept;
};

// What the trends' consumer made of the events from `from` to before `to`. Posts that are not there
// any more are passed over. Posts of before `since` lose their tags, the oldest first, as long as
// no more than `drop` tags go. What is of users who were suspended or blocked, or are so no more,
// is listed or hidden as it is due at the step; a step may be a part of such an event (to == from).
struct TrendStep {
  Sequence from;
  Sequence to;
  std::vector<TaggedPost> posts;
  Time since;
  std::uint32_t drop = 0;
  std::vector<PostId> listed{};      // posts whose author is affected
  std::vector<CommentId> settled{};  // comments whose author is affected
};

// A timeline built by a walk, offered for storing.
struct BuiltTimeline {
  UserNumber viewer;
  Timeline timeline;                  // generation: that of the walk
  Sequence log_end;                   // of the walk's snapshot
  std::vector<UserNumber> following;  // whom the walk covered, ascending
  std::uint32_t source_ns = 0;        // measured, 0 for unknown
};

// Whether a timeline that is stored and valid gives way to the one offered.
enum class Replace : std::uint8_t { kKeepValid, kAlways };

}  // namespace chirp
