// The class behind LmdbStorage::snapshot(); its methods stand in snapshot.cpp, content.cpp,
// walks.cpp and problems.cpp.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/ports/snapshot.h"
#include "store/lmdb/batch.h"
#include "store/lmdb/env.h"

namespace chirp::lmdb {

class LmdbSnapshot final : public Snapshot {
 public:
  explicit LmdbSnapshot(std::shared_ptr<const Env> env);

  [[nodiscard]] StoreState state() const override { return state_; }

  [[nodiscard]] std::vector<std::optional<AuthorCard>> cards(
      std::span<const UserNumber> numbers) const override;
  [[nodiscard]] std::optional<UserNumber> number_of(UserId id) const override;
  [[nodiscard]] std::vector<std::optional<UserNumber>> numbers_of(
      std::span<const SourceId> sources) const override;
  [[nodiscard]] std::vector<UserCounters> counters(
      std::span<const UserNumber> numbers) const override;
  [[nodiscard]] std::optional<feed::AuthorMark> mark(UserNumber author) const override;

  [[nodiscard]] std::vector<std::optional<Post>> posts(
      std::span<const Entry> entries) const override;
  [[nodiscard]] std::optional<Post> post(PostId id) const override;
  [[nodiscard]] std::vector<std::optional<LoadedContent>> contents_of(
      std::span<const SourceId> sources) const override;
  [[nodiscard]] std::vector<Entry> author_entries(std::span<const UserNumber> authors,
                                                  IdRange range, Direction direction,
                                                  std::uint32_t limit) const override;

  [[nodiscard]] std::vector<std::optional<PostId>> reposts_by(
      UserNumber user, std::span<const PostId> originals) const override;
  [[nodiscard]] std::vector<Entry> reposts(PostId original, UserNumber after,
                                           std::uint32_t limit) const override;

  [[nodiscard]] std::vector<ContentCounters> content_counters(
      std::span<const ContentId> contents) const override;
  [[nodiscard]] std::vector<std::optional<Reaction>> reactions_of(
      UserNumber user, std::span<const ContentId> contents) const override;
  [[nodiscard]] std::vector<Reaction> reactions(ContentId content, UserNumber after,
                                                std::optional<ReactionType> type,
                                                std::uint32_t limit) const override;
  [[nodiscard]] std::vector<std::optional<Comment>> comments(
      std::span<const CommentId> ids) const override;
  [[nodiscard]] std::vector<CommentId> thread(PostId post, CommentId parent, CommentId bound,
                                              Direction direction,
                                              std::uint32_t limit) const override;
  [[nodiscard]] std::vector<UserNumber> recent_partners(UserNumber user,
                                                        std::uint32_t limit) const override;

  [[nodiscard]] EdgePage following(UserNumber user, UserNumber after,
                                   std::uint32_t limit) const override;
  [[nodiscard]] EdgePage followers(UserNumber user, UserNumber after,
                                   std::uint32_t limit) const override;
  [[nodiscard]] std::optional<Time> follows(UserNumber follower,
                                            UserNumber followee) const override;

  [[nodiscard]] std::vector<Bond> bonds(UserNumber viewer,
                                        std::span<const UserNumber> others) const override;
  [[nodiscard]] std::vector<bool> media_named(std::span<const MediaId> uploads) const override;
  [[nodiscard]] EdgePage related(UserNumber user, Relation relation, UserNumber after,
                                 std::uint32_t limit) const override;

  [[nodiscard]] FeedSources feed_sources(UserNumber viewer) const override;
  [[nodiscard]] std::vector<Entry> timeline_entries(UserNumber viewer, IdRange range,
                                                    Direction direction,
                                                    std::uint32_t limit) const override;

  [[nodiscard]] std::vector<events::Notification> notifications(UserNumber user, Sequence before,
                                                                std::uint32_t limit) const override;
  [[nodiscard]] Sequence notified(UserNumber user) const override;
  [[nodiscard]] std::vector<TaggedPost> tagged_posts(PostId below,
                                                     std::uint32_t limit) const override;
  [[nodiscard]] std::optional<PostId> oldest_tagged_post() const override;
  [[nodiscard]] std::map<std::string, std::string> plain_settings() const override;
  [[nodiscard]] std::optional<Time> oldest_key() const override;
  [[nodiscard]] ReadingMarks reading(UserNumber user) const override;

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
  [[nodiscard]] std::vector<ReactionRow> scan_reactions(ContentId after_content,
                                                        UserNumber after_user,
                                                        std::uint32_t limit) const override;
  [[nodiscard]] std::vector<Comment> scan_comments(CommentId after,
                                                   std::uint32_t limit) const override;
  [[nodiscard]] std::vector<ContentDelta> scan_content_counters(ContentId after,
                                                                std::uint32_t limit) const override;
  [[nodiscard]] std::vector<ContentId> unfinished_post_removals() const override;
  [[nodiscard]] std::vector<events::Notification> scan_notifications(
      UserNumber after_user, Sequence after, std::uint32_t limit) const override;
  [[nodiscard]] std::vector<UserNumber> unfinished_removals() const override;
  [[nodiscard]] std::vector<std::string_view> traces_of(UserNumber user) const override;
  [[nodiscard]] std::map<std::string, std::uint64_t> table_rows() const override;
  [[nodiscard]] std::vector<std::string> problems() const override;

 private:
  // True if the author is being removed: then nothing of theirs is there for a reader.
  [[nodiscard]] bool is_going(UserNumber author) const;

  Env::Reader reader_;
  const Txn& txn_;
  StoredState state_;
  std::vector<UserNumber> going_;  // ascending; nearly always empty
};

}  // namespace chirp::lmdb
