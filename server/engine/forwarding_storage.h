// A Storage that hands every call to another: for what changes a few of them. Safe to call from any
// thread if the other is.
#pragma once

#include "core/ports/storage.h"

namespace chirp {

class ForwardingStorage : public Storage {
 public:
  // `inner` must outlive it.
  explicit ForwardingStorage(Storage& inner) : inner_(inner) {}

  [[nodiscard]] std::unique_ptr<Snapshot> snapshot() const override { return inner_.snapshot(); }
  [[nodiscard]] std::uint64_t version() const override { return inner_.version(); }
  std::vector<Outcome> write(std::span<const Change> changes, Time now) override {
    return inner_.write(changes, now);
  }
  bool remove_traces(UserNumber user, std::uint32_t rows, Time now) override {
    return inner_.remove_traces(user, rows, now);
  }
  bool remove_post_traces(std::uint32_t rows, Time now) override {
    return inner_.remove_post_traces(rows, now);
  }
  bool commit(const FanOutStep& step, Time now) override { return inner_.commit(step, now); }
  bool commit(const CounterStep& step, Time now) override { return inner_.commit(step, now); }
  bool commit(const NotificationStep& step, Time now) override { return inner_.commit(step, now); }
  bool commit(const TrendStep& step, Time now) override { return inner_.commit(step, now); }
  bool store(const BuiltTimeline& built, Replace replace, Time now) override {
    return inner_.store(built, replace, now);
  }
  void drop_timeline(UserNumber viewer) override { inner_.drop_timeline(viewer); }
  void note_read(UserNumber viewer, Time now) override { inner_.note_read(viewer, now); }
  bool mark_feed(UserNumber user, PostId up_to) override { return inner_.mark_feed(user, up_to); }
  bool mark_notified(UserNumber user, Sequence up_to) override {
    return inner_.mark_notified(user, up_to);
  }
  std::uint64_t forget_keys(Time before, std::uint32_t rows) override {
    return inner_.forget_keys(before, rows);
  }
  void change_settings(const feed::FeedSettings& settings, Time now) override {
    inner_.change_settings(settings, now);
  }
  void retire_marks() override { inner_.retire_marks(); }
  [[nodiscard]] std::map<std::string, std::string> plain_settings() const override {
    return inner_.plain_settings();
  }
  void set_plain(std::string_view key, std::string_view value) override {
    inner_.set_plain(key, value);
  }
  std::uint64_t trim_log(Time before, std::uint32_t rows) override {
    return inner_.trim_log(before, rows);
  }
  [[nodiscard]] std::vector<std::optional<UserNumber>> numbers_of(
      std::span<const SourceId> sources) const override {
    return inner_.numbers_of(sources);
  }
  void load_cards(std::span<const AuthorCard> cards, Time now) override {
    inner_.load_cards(cards, now);
  }
  EdgeResult load_edges(std::span<const LoadedEdge> edges, Time now) override {
    return inner_.load_edges(edges, now);
  }
  [[nodiscard]] std::vector<std::optional<LoadedContent>> contents_of(
      std::span<const SourceId> sources) const override {
    return inner_.contents_of(sources);
  }
  LoadCounts load_posts(std::span<const LoadedPost> posts, Time now) override {
    return inner_.load_posts(posts, now);
  }
  LoadCounts load_comments(std::span<const LoadedComment> comments, Time now) override {
    return inner_.load_comments(comments, now);
  }
  LoadCounts load_reactions(std::span<const LoadedReaction> reactions, Time now) override {
    return inner_.load_reactions(reactions, now);
  }
  void restore_posts(std::span<const Post> posts, Time now) override {
    inner_.restore_posts(posts, now);
  }
  void restore_edges(std::span<const RestoredEdge> edges, Time now) override {
    inner_.restore_edges(edges, now);
  }
  void restore_comments(std::span<const Comment> comments, Time now) override {
    inner_.restore_comments(comments, now);
  }
  void restore_reactions(std::span<const RestoredReaction> reactions, Time now) override {
    inner_.restore_reactions(reactions, now);
  }
  void restore_relations(std::span<const RestoredRelation> relations, Time now) override {
    inner_.restore_relations(relations, now);
  }
  void repair_removals(std::span<const UserNumber> users, Time now) override {
    inner_.repair_removals(users, now);
  }
  void repair_counters(UserNumber user, const UserCounters& actual, Time now) override {
    inner_.repair_counters(user, actual, now);
  }
  void repair_tags(std::span<const TaggedPost> posts, Time now) override {
    inner_.repair_tags(posts, now);
  }
  void repair_notifications(std::span<const events::Notification> wrong,
                            std::span<const events::Notification> missing, Time now) override {
    inner_.repair_notifications(wrong, missing, now);
  }
  void repair_content_counters(ContentId content, const ContentCounters& actual,
                               Time now) override {
    inner_.repair_content_counters(content, actual, now);
  }
  std::uint64_t repair_indexes(Time now) override { return inner_.repair_indexes(now); }

 protected:
  Storage& inner_;
};

}  // namespace chirp
