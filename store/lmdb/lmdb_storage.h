// The class behind open_storage(); its methods stand in storage.cpp, loads.cpp,
// settings.cpp and repair.cpp.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/ports/rows.h"
#include "store/lmdb/batch.h"
#include "store/lmdb/storage.h"

namespace chirp::lmdb {

class LmdbStorage final : public Storage {
 public:
  LmdbStorage(std::shared_ptr<Env> env, std::uint32_t machine)
      : env_(std::move(env)), machine_(machine) {}

  [[nodiscard]] const std::shared_ptr<Env>& env() const { return env_; }

  [[nodiscard]] std::unique_ptr<Snapshot> snapshot() const override;
  [[nodiscard]] std::uint64_t version() const override { return env_->version(); }

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
  // Runs `body` over a batch in a write transaction and commits; nothing is written if it says so.
  enum class Verdict : std::uint8_t { kCommit, kNothing };
  bool run(Time now, const std::function<Verdict(Batch&)>& body,
           std::chrono::milliseconds patience = std::chrono::milliseconds(limits::kBusyMs));
  // The same of a rule over the rows: commits if it says that it has changed something.
  bool decide(Time now, const std::function<bool(Rows&)>& decision,
              std::chrono::milliseconds patience = std::chrono::milliseconds(limits::kBusyMs));
  // For what a read would like to keep, and goes without rather than wait for long: a turn comes so
  // soon beside any load, if nobody stands still.
  static constexpr std::chrono::milliseconds kUpkeep{limits::kStarveMs};

  std::shared_ptr<Env> env_;
  std::uint32_t machine_;
  // Edges a transaction of a load takes: follows what the last ones took in time.
  std::atomic<std::size_t> edges_at_once_{50'000};
};

}  // namespace chirp::lmdb
