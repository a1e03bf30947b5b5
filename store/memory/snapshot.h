// One state of the in-memory store, never changed again.
#pragma once

#include <memory>

#include "core/ports/snapshot.h"
#include "store/memory/state.h"

namespace chirp::memory {

class MemorySnapshot : public Snapshot {
 public:
  explicit MemorySnapshot(std::shared_ptr<const State> state) : state_(std::move(state)) {}

  [[nodiscard]] StoreState state() const override;

  [[nodiscard]] std::vector<std::optional<AuthorCard>> cards(
      std::span<const UserNumber> numbers) const override;
  [[nodiscard]] std::optional<UserNumber> number_of(UserId id) const override;
  [[nodiscard]] std::vector<UserCounters> counters(
      std::span<const UserNumber> numbers) const override;
  [[nodiscard]] std::optional<feed::AuthorMark> mark(UserNumber author) const override;

  [[nodiscard]] std::vector<std::optional<Post>> posts(
      std::span<const Entry> entries) const override;
  [[nodiscard]] std::optional<Post> post(PostId id) const override;
  [[nodiscard]] std::vector<Entry> author_entries(std::span<const UserNumber> authors,
                                                  IdRange range, Direction direction,
                                                  std::uint32_t limit) const override;

  [[nodiscard]] EdgePage following(UserNumber user, UserNumber after,
                                   std::uint32_t limit) const override;
  [[nodiscard]] EdgePage followers(UserNumber user, UserNumber after,
                                   std::uint32_t limit) const override;
  [[nodiscard]] std::optional<Time> follows(UserNumber follower,
                                            UserNumber followee) const override;

  [[nodiscard]] FeedSources feed_sources(UserNumber viewer) const override;
  [[nodiscard]] std::vector<Entry> timeline_entries(UserNumber viewer, IdRange range,
                                                    Direction direction,
                                                    std::uint32_t limit) const override;

  [[nodiscard]] std::vector<events::Event> events(Sequence from,
                                                  std::uint32_t limit) const override;
  [[nodiscard]] std::vector<FanOutRow> fan_out_queue(std::uint32_t limit) const override;

  [[nodiscard]] std::vector<AuthorCard> scan_cards(UserNumber after,
                                                   std::uint32_t limit) const override;
  [[nodiscard]] std::vector<Post> scan_posts(PostId after, std::uint32_t limit) const override;
  [[nodiscard]] std::optional<Timeline> timeline(UserNumber viewer) const override;
  [[nodiscard]] std::vector<UserNumber> scan_timelines(UserNumber after,
                                                       std::uint32_t limit) const override;
  [[nodiscard]] std::vector<std::pair<UserNumber, UserCounters>> scan_counters(
      UserNumber after, std::uint32_t limit) const override;
  [[nodiscard]] std::vector<feed::AuthorMark> scan_marks(UserNumber after,
                                                         std::uint32_t limit) const override;
  [[nodiscard]] std::vector<UserNumber> unfinished_removals() const override;
  [[nodiscard]] std::map<std::string, std::uint64_t> table_rows() const override;
  [[nodiscard]] std::vector<std::string> problems() const override;

 private:
  std::shared_ptr<const State> state_;
};

}  // namespace chirp::memory
