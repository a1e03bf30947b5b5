// The entries of a walk that its viewer may see, with their posts and cards. Takes entries from the
// walk in batches, fetches the rows, and applies the rules.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/feed/merge.h"
#include "core/feed/page.h"
#include "core/feed/rules.h"
#include "core/model/shared.h"
#include "core/ports/snapshot.h"

namespace chirp::feed {

// Cache of the authors in one read, each looked up once. `snapshot` must outlive it.
class Authors {
 public:
  // `relations` is StoreState::relations: while it is 0, relations are not looked up.
  Authors(const ContentReader& snapshot, UserNumber viewer, std::uint64_t relations)
      : snapshot_(snapshot), viewer_(viewer), relations_(relations) {}

  // Looks up the unknown ones of these users, in one step. Invalidates pointers from find().
  void meet(std::vector<UserNumber> users);
  // Null for a user who was not passed to meet() or has no card.
  [[nodiscard]] const ViewedAuthor* find(UserNumber user) const;

 private:
  const ContentReader& snapshot_;
  UserNumber viewer_;
  std::uint64_t relations_;
  std::vector<ViewedAuthor> authors_;  // sorted by number
};

// An entry that passes the rules.
struct Shown {
  Entry entry;
  Source source = Source::kPulled;
  std::uint64_t reached = 0;  // timelines and author logs read when this entry came
  Shared<Post> post;
  Shared<AuthorCard> author;
  Shared<Post> original;  // for a repost, like the next; else null
  Shared<AuthorCard> original_author;
  SerializedPost printed{};  // serialised subject()

  // The post that the page shows: the post, or the original that it reposts.
  [[nodiscard]] const Post& subject() const { return original ? *original : *post; }
};

// A read of one viewer's feed from one state: its sources, rules and authors. `snapshot` must
// outlive it.
struct FeedRead {
  FeedRead(const Snapshot& from, UserNumber reader)
      : snapshot(from),
        viewer(reader),
        sources(from.feed_sources(reader)),
        rules(reader, sources.following),
        authors(from, reader, sources.state.relations) {}
  FeedRead(const FeedRead&) = delete;
  FeedRead& operator=(const FeedRead&) = delete;

  const Snapshot& snapshot;
  UserNumber viewer;
  FeedSources sources;
  Rules rules;
  Authors authors;
};

// All arguments must outlive it.
class ShownEntries {
 public:
  ShownEntries(FeedRead& read, Candidates& walk) : read_(read), walk_(walk) {}

  // Replaces `batch` with the shown ones of the next `count` candidates, in the order of the walk.
  // Returns false at the end of the walk.
  bool next(std::uint32_t count, std::vector<Shown>& batch);

  // The last candidate read; call it only after a batch.
  [[nodiscard]] PostId reached() const { return entries_.back().id; }
  // Whether the last batch had entries of an author whom the walk now skips.
  [[nodiscard]] bool left_out() const { return left_out_; }
  // Timelines and author logs read so far.
  [[nodiscard]] std::uint64_t sources() const { return walk_.sources(); }

 private:
  bool take(std::uint32_t count);
  void hydrate(std::vector<Shown>& batch);
  [[nodiscard]] std::vector<Shared<Post>> originals_of(
      std::span<const std::optional<Post>> posts) const;
  void meet_authors(std::span<const std::optional<Post>> posts,
                    std::span<const Shared<Post>> originals);

  FeedRead& read_;
  Candidates& walk_;
  std::vector<Entry> entries_;          // entries of the current batch
  std::vector<Source> sources_;         // sources of entries_
  std::vector<std::uint64_t> reached_;  // number of sources read when each of entries_ came
  bool left_out_ = false;
};

}  // namespace chirp::feed
