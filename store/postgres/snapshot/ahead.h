// Prefetch for a page of a feed: rows that the page needs next are fetched in the same round trip,
// so a page takes four round trips, however many authors are pulled or posts reposted.
//
// The first fetches the page's sources and the reader's timeline. A query for posts also fetches
// the cards and bonds of their known authors, the posts' counters, and the reader's reactions and
// reposts. The next part of a walk through author logs is fetched once the page asks for a second
// window of posts, the next part below the timeline as soon as the timeline has ended.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/far/known.h"
#include "core/ports/snapshot.h"
#include "store/postgres/rows/questions.h"

namespace chirp::postgres {

// A query for a part of the merged logs of some authors; see LogsOf.
struct Logs {
  std::vector<UserNumber> authors;  // ascending
  Levels levels;
  UserNumber owner;
  IdRange range;
  Direction direction = Direction::kDown;
  std::uint32_t limit = 0;
};
void ask_logs(Questions& questions, const Logs& logs, std::function<void(std::vector<Entry>)> then);

// Not thread-safe.
class ReadAhead {
 public:
  // Starts prefetching. `authors` are the feed's authors, including the reader.
  void begin(UserNumber viewer, std::vector<UserNumber> authors, const FeedSources& sources);
  [[nodiscard]] bool begun() const { return viewer_ != kNobody; }
  // kNobody before begin().
  [[nodiscard]] UserNumber viewer() const { return viewer_; }
  [[nodiscard]] const std::vector<UserNumber>& authors() const { return authors_; }

  // Null if nothing is known of the key. An AnyRow without a row means that the row does not exist.
  [[nodiscard]] const AnyRow* find(const AnyRow& key) const {
    return known_.find(key.type->bytes(key.key));
  }
  template <class T>
  [[nodiscard]] const AnyRow* find(const typename T::Key& key) const {
    return known_.find<T>(key);
  }
  template <class T>
  [[nodiscard]] bool knows_all(std::span<const typename T::Key> keys) const {
    for (const auto& key : keys) {
      if (find<T>(key) == nullptr) return false;
    }
    return true;
  }
  [[nodiscard]] std::optional<std::vector<Entry>> find_logs(const Logs& wanted) const;

  // ---- results that the page has received
  void told_entries(std::span<const Entry> entries);
  void told_posts(std::span<const std::optional<Post>> posts);
  void told_timeline(IdRange range, Direction direction, std::uint32_t limit,
                     std::span<const Entry> entries);
  void told_logs(const Logs& logs, std::span<const Entry> entries);

  // ---- additions to the page's queries
  // Adds the rest of a timeline when its newest entries do not suffice.
  void ask_with_timeline(Questions& questions, IdRange range, Direction direction,
                         std::uint32_t limit);
  void ask_with_posts(Questions& questions, std::span<const PostId> ids, bool has_relations);
  void ask_with_logs(Questions& questions, const Logs& asked);
  void ask_stats(Questions& questions, std::span<const ContentId> contents);

 private:
  template <class T>
  void ask(Questions& questions, const std::vector<typename T::Key>& keys);
  void ask_next(Questions& questions);
  void learn_stats(const std::vector<ContentId>& contents, const Result& result);

  UserNumber viewer_ = kNobody;
  std::vector<UserNumber> authors_;
  std::vector<UserNumber> pulled_;  // those of `authors_` that are pulled above the timeline's mark
  std::optional<PostId> complete_from_;
  bool looked_deeper_ = false;               // below the timeline
  std::size_t windows_ = 0;                  // of posts, without originals of reposts
  std::uint32_t batch_ = 0;                  // entries in the first query of the timeline
  std::map<PostId, UserNumber> written_by_;  // authors, learned from entries and reposts
  std::set<PostId> originals_;               // originals of fetched reposts
  std::vector<Logs> next_;                   // sent with the next query
  std::vector<std::pair<Logs, std::vector<Entry>>> logs_;
  far::KnownRows known_;
};

// The keys of the rows that define a viewer's bonds to others, in the order of `others`.
struct BondKeys {
  BondKeys(UserNumber viewer, std::span<const UserNumber> others);
  std::vector<tables::Relations::Key> sets;  // kKinds for each user
  std::vector<tables::Related::Key> blocks;
  static constexpr std::array kKinds{Relation::kBlock, Relation::kMute, Relation::kRepostsOff};
};

}  // namespace chirp::postgres
