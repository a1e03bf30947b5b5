// The engine's store in memory: the model that other stores are compared with, and a world that
// tests make in a microsecond.
//
// Keeps every promise of core/ports/storage.h but durability. Simple before fast: a snapshot shares
// the state, and the first change after a snapshot copies it. Safe to call from any thread.
#pragma once

#include <memory>
#include <mutex>

#include "core/ports/storage.h"
#include "store/memory/state.h"

namespace chirp::memory {

class MemoryStorage : public Storage {
 public:
  // `machine` is the number in the live ids: snowflake::kMachineMin … kMachineMax.
  explicit MemoryStorage(std::uint32_t machine = snowflake::kMachineDefault);

  [[nodiscard]] std::unique_ptr<Snapshot> snapshot() const override;
  [[nodiscard]] std::uint64_t version() const override;

  std::vector<Outcome> write(std::span<const Change> changes, Time now) override;
  bool remove_traces(UserNumber user, std::uint32_t rows, Time now) override;
  bool remove_post_traces(std::uint32_t rows, Time now) override;

  bool commit(const FanOutStep& step, Time now) override;
  bool commit(const CounterStep& step, Time now) override;
  bool commit(const NotificationStep& step, Time now) override;
  bool commit(const TrendStep& step, Time now) override;
  bool store(const BuiltTimeline& built, Replace replace, Time now) override;
  void drop_timeline(UserNumber viewer) override;
  void note_read(UserNumber viewer, Time now) override;
  bool mark_feed(UserNumber user, PostId up_to) override;
  std::uint64_t trim_log(Time before, std::uint32_t rows) override;

  bool mark_notified(UserNumber user, Sequence up_to) override;
  std::uint64_t forget_keys(Time before, std::uint32_t rows) override;

  void change_settings(const feed::FeedSettings& settings, Time now) override;
  void retire_marks() override;
  [[nodiscard]] std::map<std::string, std::string> plain_settings() const override;
  void set_plain(std::string_view key, std::string_view value) override;

  [[nodiscard]] std::vector<std::optional<UserNumber>> numbers_of(
      std::span<const SourceId> sources) const override;
  void load_cards(std::span<const AuthorCard> cards, Time now) override;
  EdgeResult load_edges(std::span<const LoadedEdge> edges, Time now) override;
  [[nodiscard]] std::vector<std::optional<LoadedContent>> contents_of(
      std::span<const SourceId> sources) const override;
  LoadCounts load_posts(std::span<const LoadedPost> posts, Time now) override;
  LoadCounts load_comments(std::span<const LoadedComment> comments, Time now) override;
  LoadCounts load_reactions(std::span<const LoadedReaction> reactions, Time now) override;
  void restore_posts(std::span<const Post> posts, Time now) override;
  void restore_edges(std::span<const RestoredEdge> edges, Time now) override;
  void restore_comments(std::span<const Comment> comments, Time now) override;
  void restore_reactions(std::span<const RestoredReaction> reactions, Time now) override;
  void restore_relations(std::span<const RestoredRelation> relations, Time now) override;

  void repair_removals(std::span<const UserNumber> users, Time now) override;
  void repair_counters(UserNumber user, const UserCounters& actual, Time now) override;
  void repair_content_counters(ContentId content, const ContentCounters& actual, Time now) override;
  void repair_tags(std::span<const TaggedPost> posts, Time now) override;
  void repair_notifications(std::span<const events::Notification> wrong,
                            std::span<const events::Notification> missing, Time now) override;
  std::uint64_t repair_indexes(Time now) override;

 private:
  // Runs `change` on the state as one commit. What a snapshot may be reading is copied first. A
  // change throws before it has changed anything, or not at all.
  template <class Change>
  auto transact(Change change) {
    const std::lock_guard lock(mutex_);
    if (lent_) state_ = std::make_shared<State>(*state_);
    lent_ = false;
    ++state_->scalars.version;
    return change(*state_);
  }

  mutable std::mutex mutex_;
  std::shared_ptr<State> state_;
  mutable bool lent_ = false;  // a snapshot was taken of this very state
};

}  // namespace chirp::memory
