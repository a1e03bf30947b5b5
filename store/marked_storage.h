// The engine's store with a mark kept beside it: how many events it has, noted in the user
// directory, so that a directory whose stores are of different times is noticed when it is opened.
//
// The mark follows at the latest kNoteEvery events behind, and at the end. It is a guard and no
// record: a failure to note it is no failure of the change that was made.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include "core/ports/storage.h"

namespace chirp::store {

class MarkedStorage final : public Storage {
 public:
  static constexpr std::uint64_t kNoteEvery = 1000;

  // The last event there is.
  using Note = std::function<void(Sequence)>;

  // `noted` is where the mark stands. `note` is called from any thread, one at a time.
  MarkedStorage(std::unique_ptr<Storage> inner, Sequence noted, Note note);
  ~MarkedStorage() override = default;

  // Where the mark has to move to, if this process has written; for the end.
  [[nodiscard]] std::optional<Sequence> unnoted() const;

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
  bool mark_notified(UserNumber user, Sequence up_to) override;
  std::uint64_t forget_keys(Time before, std::uint32_t rows) override;
  bool mark_feed(UserNumber user, PostId up_to) override;
  void change_settings(const feed::FeedSettings& settings, Time now) override;
  void retire_marks() override;
  [[nodiscard]] std::map<std::string, std::string> plain_settings() const override;
  void set_plain(std::string_view key, std::string_view value) override;
  std::uint64_t trim_log(Time before, std::uint32_t rows) override;
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
  // After a call that may have logged so many events.
  void wrote(std::uint64_t events);
  [[nodiscard]] Sequence last_event() const;

  std::unique_ptr<Storage> inner_;
  Note note_;
  std::atomic<std::uint64_t> unnoted_{0};
  std::mutex noting_;
  Sequence noted_;
  std::atomic<bool> wrote_{false};
};

}  // namespace chirp::store
