// Makes the messages of streams from the events of the log.
//
// Everything is decided from one state, the state at sending: who follows whom, and what still
// exists and may be seen. An event makes at most one post or removal and one notification for a
// reader. Following, unmuting, unblocking and loading make no message: a client finds what they add
// to a feed by reading it. An act repeated within a day makes none either, because its first
// notification was sent.
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

// The id of a message is the event's number times 4, plus its place among what the event can make
// for one reader. A place belongs to a kind, so that an id never depends on what could be seen.
enum class LivePlace : std::uint8_t {
  kEntry = 0,  // a post or repost that came or went
  kNotification = 1,
  kEnd = 3,  // above all that the event makes
};
constexpr std::uint64_t live_id(Sequence event, LivePlace place) {
  return event.value * 4 + static_cast<std::uint64_t>(place);
}

// A post was removed, or a repost withdrawn.
struct LiveRemoval {
  PostId post;
};

struct LiveMessage {
  std::uint64_t id = 0;
  // An item is the original and, if a repost brings it, that repost.
  std::variant<feed::FeedItem, LiveRemoval, NotificationView> what;
  std::vector<UserNumber> to;  // ascending
};

// Some events, for many readers at once. What it is made from must outlive it.
class LiveBatch {
 public:
  // `readers` ascending, nobody twice.
  LiveBatch(const ContentReader& snapshot, std::span<const events::Event> events,
            std::span<const UserNumber> readers);

  // The messages that the event at this place makes for the readers, ordered by id. A removal goes
  // to those who may see what the author wrote at that level of privacy, so that nobody else learns
  // that the post was there. If there are no such readers the message is to nobody, and concerns
  // only those to whom the post was sent.
  [[nodiscard]] std::vector<LiveMessage> messages(std::size_t at);

 private:
  // A post or repost, and what it takes to decide on it and to show it; nobody in `audience` if it
  // is gone.
  struct Arrival {
    std::vector<UserNumber> audience;  // readers who follow the author, or are the author
    std::optional<Post> post;
    std::optional<Post> original;  // of a repost
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
  [[nodiscard]] Bond bond(UserNumber reader, UserNumber other);

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
  std::map<std::size_t, Arrival> arrivals_;                      // by place of the event
  std::multimap<Sequence, events::Notification> notifications_;  // to readers
  std::map<UserNumber, std::vector<UserNumber>> followers_;      // by author, among the readers
  std::map<UserNumber, std::optional<AuthorCard>> cards_;        // of whom was met
  std::unordered_map<std::uint64_t, Bond> bonds_;                // by reader and other
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
  feed::PostStats stats;  // without what the reader did
};

// What is counted of posts, for many readers at once. `snapshot` must outlive it.
class LiveCounts {
 public:
  LiveCounts(const ContentReader& snapshot, std::span<const PostId> posts);

  // Of `posts`, which are among those given, the ones that the reader may see and does not mute.
  [[nodiscard]] std::vector<PostCount> seen_by(UserNumber reader, std::span<const PostId> posts);

 private:
  const ContentReader& snapshot_;
  std::map<PostId, ContentCounters> counters_;
};

}  // namespace chirp::social
