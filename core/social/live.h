// Makes the messages of streams from the events of the log.
//
// Everything is decided from one state, the state at sending: the follows, and which content exists
// and is visible. An event makes at most one post or removal and one notification for a reader.
// Following, unmuting, unblocking and loading make no message: clients find what they add to a feed
// by reading it. Neither does an act repeated within a day, because its first notification was
// sent.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <variant>
#include <vector>

#include "core/feed/page.h"
#include "core/feed/rules.h"
#include "core/model/event.h"
#include "core/ports/snapshot.h"
#include "core/social/notification_filter.h"
#include "core/social/notifications.h"

namespace chirp::social {

// The id of a message is the event's number times 4, plus the place of its kind among the possible
// messages. So an id never depends on what was visible.
enum class LivePlace : std::uint8_t {
  kEntry = 0,  // a post or repost was added or removed
  kNotification = 1,
  kEnd = 3,  // above all messages of an event
};
constexpr std::uint64_t live_id(Sequence event, LivePlace place) {
  return event.value * 4 + static_cast<std::uint64_t>(place);
}

// A post was removed, or a repost undone.
struct LiveRemoval {
  PostId post;
};

struct LiveMessage {
  std::uint64_t id = 0;
  // An item has the original and, if it was reposted, that repost.
  std::variant<feed::FeedItem, LiveRemoval, NotificationView> what;
  std::vector<UserNumber> to;  // ascending
};

// Some events, for many readers at once. All arguments must outlive it.
class LiveBatch {
 public:
  // `readers` is ascending and unique.
  LiveBatch(const ContentReader& snapshot, std::span<const events::Event> events,
            std::span<const UserNumber> readers);

  // The messages that the event at index `at` makes for the readers, ordered by id. A removal goes
  // only to readers who may see the author's posts of that level, so that others do not learn that
  // the post existed. Without such readers, the message has no recipients, and concerns only those
  // to whom the post was sent.
  [[nodiscard]] std::vector<LiveMessage> messages(std::size_t at);

 private:
  // A post or repost, with what is needed to filter and show it; `audience` is empty if it is gone.
  struct Arrival {
    std::vector<UserNumber> audience;  // readers who follow the author, or are the author
    std::optional<Post> post;
    std::optional<Post> original;  // for a repost
    ContentCounters counters;
  };

  void fetch_arrivals();
  void fetch_originals();
  void fetch_counters();
  void fetch_notifications();
  void meet(std::span<const UserNumber> users);

  [[nodiscard]] std::vector<UserNumber> audience_of(UserNumber author);
  [[nodiscard]] const std::vector<UserNumber>& followers_among_readers(UserNumber author);
  [[nodiscard]] bool is_reader(UserNumber user) const;
  [[nodiscard]] const AuthorCard* card(UserNumber user);
  [[nodiscard]] bool is_present(UserNumber user);
  [[nodiscard]] ViewerRelation bond(UserNumber reader, UserNumber other);

  void add_arrival(const events::Event& event, const Arrival& arrival,
                   std::vector<LiveMessage>& messages);
  [[nodiscard]] feed::FeedItem item_of(const Arrival& arrival);
  void add_removal(const events::Event& event, std::vector<LiveMessage>& messages);
  void add_notification(const events::Notification& notification,
                        std::vector<LiveMessage>& messages);

  const ContentReader& snapshot_;
  std::span<const events::Event> events_;
  std::span<const UserNumber> readers_;
  bool has_relations_;
  std::map<std::size_t, Arrival> arrivals_;                      // by index of the event
  std::multimap<Sequence, events::Notification> notifications_;  // for the readers
  std::map<UserNumber, std::vector<UserNumber>> followers_;      // by author, among the readers
  std::map<UserNumber, std::optional<AuthorCard>> cards_;        // cards looked up
  std::unordered_map<std::uint64_t, ViewerRelation> bonds_;      // by reader and other
  std::map<UserNumber, NotificationFilter> filters_;             // by reader
};

// A post whose counters an event changes.
struct CountedPost {
  PostId post;  // never a repost
  UserNumber author;
};
[[nodiscard]] std::optional<CountedPost> counted_post(const events::Event& event);

struct PostCount {
  PostId post;
  feed::PostStats stats;  // without the reader's own reaction
};

// Counters of posts, for many readers at once. `snapshot` must outlive it.
class LiveCounts {
 public:
  LiveCounts(const ContentReader& snapshot, std::span<const PostId> posts);

  // Those of `posts` (among the ones given before) that the reader may see and does not mute.
  [[nodiscard]] std::vector<PostCount> seen_by(UserNumber reader, std::span<const PostId> posts);

 private:
  const ContentReader& snapshot_;
  std::map<PostId, ContentCounters> counters_;
};

}  // namespace chirp::social
