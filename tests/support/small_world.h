// A handmade world in the in-memory store: users 1, 2, 3, … and short functions for their actions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/events/consumers.h"
#include "core/feed/home_feed.h"
#include "core/rules/writing.h"
#include "tests/model/storage.h"
#include "tests/support/fake_clock.h"

namespace chirp::test {

class SmallWorld {
 public:
  explicit SmallWorld(std::uint32_t users, const feed::FeedSettings& settings = {}) {
    rules::change_settings(storage, settings, clock.now());
    for (std::uint32_t number = 1; number <= users; ++number) join(number);
  }

  void join(std::uint32_t number) {
    AuthorCard card;
    card.number = UserNumber{number};
    card.id = UserId{number};
    card.username = "u" + std::to_string(number);
    card.display_name = card.username;
    write(PutCard{card});
  }
  PostId post(std::uint32_t author) {
    return write(Publish{UserNumber{author}, "text", Privacy::kPublic}).post;
  }
  std::vector<PostId> posts(std::uint32_t author, std::size_t count) {
    std::vector<PostId> ids;
    while (ids.size() < count) ids.push_back(post(author));
    return ids;
  }
  void follow(std::uint32_t follower, std::uint32_t followee) {
    write(Follow{UserNumber{follower}, UserNumber{followee}});
  }
  void unfollow(std::uint32_t follower, std::uint32_t followee) {
    write(Unfollow{UserNumber{follower}, UserNumber{followee}});
  }
  void remove(PostId id) { write(RemovePost{id}); }
  void leave(std::uint32_t user) { write(MarkRemoved{UserNumber{user}}); }
  Outcome write(const Change& change) { return storage.write({&change, 1}, clock.now()).front(); }

  void load_post(std::uint32_t author, std::uint64_t source, Time written) {
    const LoadedPost post{SourceId{source}, UserNumber{author}, written, "loaded"};
    rules::load_posts(storage, {&post, 1}, clock.now());
  }
  void change(feed::Policy policy) {
    feed::FeedSettings settings = state().settings;
    settings.policy = policy;
    rules::change_settings(storage, settings, clock.now());
  }
  void fan_out() {
    events::FanOut consumer(storage, clock);
    while (consumer.step() != events::Progress::kIdle) continue;
  }
  void count() {
    events::CounterConsumer consumer(storage, clock);
    while (consumer.step() != events::Progress::kIdle) continue;
  }

  [[nodiscard]] StoreState state() const { return storage.snapshot()->state(); }
  [[nodiscard]] std::optional<Timeline> timeline(std::uint32_t viewer) const {
    return storage.snapshot()->timeline(UserNumber{viewer});
  }
  // The posts in a viewer's timeline, which must exist.
  [[nodiscard]] std::vector<PostId> held(std::uint32_t viewer) const {
    std::vector<PostId> posts;
    const Timeline kept = timeline(viewer).value();
    for (const Entry& entry : kept.entries) posts.push_back(entry.id);
    return posts;
  }
  [[nodiscard]] feed::Page page(const feed::PageRequest& request) const {
    return feed::home_feed(*storage.snapshot(), request, clock);
  }
  [[nodiscard]] feed::Page page(std::uint32_t viewer, std::uint32_t limit = 20) const {
    return page(asking(viewer, limit));
  }

  [[nodiscard]] static feed::PageRequest asking(std::uint32_t viewer, std::uint32_t limit = 20) {
    feed::PageRequest request;
    request.viewer = UserNumber{viewer};
    request.limit = limit;
    return request;
  }
  [[nodiscard]] static std::vector<PostId> ids(const feed::Page& page) {
    std::vector<PostId> result;
    for (const feed::FeedItem& item : page.items) result.push_back(item.post->id);
    return result;
  }

  model::ModelStorage storage;
  FakeClock clock;
};

}  // namespace chirp::test
