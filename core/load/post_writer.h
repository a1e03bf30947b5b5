// Stores the posts of a load by their relations: a retweet as a repost and a reply as a comment if
// the other post is known, and anything else as a plain post.
//
// A load never widens who may see a post. A post stays plain if a comment or a repost would show it
// to more people, if it replies to a private post of another author, or if it retweets a post that
// is not public. A post whose other post is missing waits for it until the end of the load, or
// while there is room. Then it becomes a plain post, or is dropped if it has no text. The result
// depends on the batches, not on where transactions end. Posts with equal times keep their order of
// arrival. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_set>
#include <vector>

#include "core/load/places.h"
#include "core/load/post_window.h"
#include "core/load/tally.h"
#include "core/load/turns.h"
#include "core/load/waiting_posts.h"
#include "core/load/words.h"
#include "core/pace.h"
#include "core/ports/clock.h"
#include "core/ports/storage.h"

namespace chirp::load {

struct WriterBounds {
  std::size_t first_rows;  // of the first transaction, and the minimum; later sizes follow the pace
  std::size_t most_rows;   // of a transaction, and of a batch
  std::size_t waiting_bytes;
};

class PostWriter {
 public:
  PostWriter(Storage& storage, const Clock& clock, Turns& turns, Tally& tally, const Words& words,
             const WriterBounds& bounds);

  // A row that is left out because a row with its source id came before.
  struct Again {
    explicit Again(const PostRow& row);

    SourceId source;
    UserNumber author;
    std::uint64_t text;  // digest
    Privacy privacy;
  };

  void store(std::vector<PostRow> rows);
  // Stores entries of posts of the window in the logs of their authors. Together and in the order
  // of authors this is faster than post by post. Then store() must get all of these posts. Don't
  // call it during store(), or while posts of an earlier window are due.
  void put_early(PostWindow& window);
  // Adds rows that were skipped before they came here. Don't call it during store().
  void add_again(std::span<const Again> rows);
  // Ends the load: stores waiting posts.
  void finish();
  // Drops waiting posts.
  void abandon();

 private:
  // A transaction of early entries may have so many times as many rows, because entries of one
  // author are neighbours.
  static constexpr std::size_t kEarlyRows = 8;

  // The kinds of a round of linked posts.
  struct Sorted {
    std::vector<LoadedPost> reposts;
    std::vector<LoadedComment> comments;
    std::vector<SourceId> placed;  // of both
    std::vector<PostRow> plain;
  };

  void note_stored(std::span<const SourceId> sources);
  void place(std::vector<PostRow> plain, std::vector<PostRow> linked);
  [[nodiscard]] Sorted sort(std::vector<PostRow> linked);
  [[nodiscard]] std::vector<std::optional<LoadedContent>> contents_of(
      std::span<const SourceId> ids) const;
  [[nodiscard]] std::vector<bool> kept_apart(
      std::span<PostRow> linked, std::span<const std::optional<LoadedContent>> known) const;
  std::size_t give_up();  // Returns the number of posts.
  [[nodiscard]] std::uint64_t id_of(const PostRow& row, const LoadedContent& content) const;
  // Returns the rows that are skipped because they were stored before this load, as far as it can
  // tell.
  std::vector<StoredRow> leave_out_known(std::vector<PostRow>& rows);
  // Counts the rows that were skipped because of their source id, if the post with that id is
  // stored by now; in the last round also the rest.
  enum class Round : std::uint8_t { kOpen, kLast };
  void count_again(Round round);
  // Counts the posts whose id already belongs to a post with another author or text, or with a
  // wider audience.
  void count_others(std::span<const LoadedPost> posts);
  void store_plain(std::vector<PostRow> rows);
  [[nodiscard]] std::vector<SourceId> known_of(
      std::span<const PostWindow::Candidate> candidates) const;
  void take_back(std::vector<EarlyEntry> entries);
  void end_early();
  template <class Row, class Store>
  LoadCounts store_rows(std::span<const Row> rows, Store store);

  Storage& storage_;
  const Clock& clock_;
  Turns& turns_;
  Tally& tally_;
  const Words& words_;
  Pace pace_;
  Pace early_pace_;
  std::shared_ptr<void> early_;  // while there are early entries
  WriterBounds bounds_;
  WaitingPosts waiting_;
  // The source ids that this load has stored, up to a bound.
  std::unordered_set<SourceId> stored_here_;
  bool knows_stored_ = true;
  std::vector<Again> again_;  // not compared yet with the posts of their source ids
};

}  // namespace chirp::load
