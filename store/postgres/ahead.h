// What a page of a feed asks next, fetched along with what it asks: so it takes four round trips,
// however much is pulled or reposted.
//
// The first brings what the page starts from, with the reader's timeline; with posts come the cards
// of whoever is known to have written them and how the reader stands to them, what is counted of
// them, and the reader's reactions and reposts. What a walk through author logs goes on with comes
// along once the page has looked at a window of posts and asks for more; what it goes on with below
// the timeline, as soon as that has ended.
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
#include "store/postgres/questions.h"

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

// One thread at a time.
class ReadAhead {
 public:
  // Before it nothing is read ahead. `authors` are those of the feed, the reader among them.
  void begin(UserNumber viewer, std::vector<UserNumber> authors, const FeedSources& sources);
  [[nodiscard]] bool begun() const { return viewer_ != kNobody; }
  // Of whom it has begun, if it has.
  [[nodiscard]] UserNumber viewer() const { return viewer_; }
  [[nodiscard]] const std::vector<UserNumber>& authors() const { return authors_; }

  // What is known of a key: nothing (null), that there is no row, or its row.
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

  // ---- what the page was told
  void told_entries(std::span<const Entry> entries);
  void told_posts(std::span<const std::optional<Post>> posts);
  void told_timeline(IdRange range, Direction direction, std::uint32_t limit,
                     std::span<const Entry> entries);
  void told_logs(const Logs& logs, std::span<const Entry> entries);

  // ---- what goes along with what it asks
  // The rest of a timeline whose newest entries are not enough.
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
  std::vector<UserNumber> pulled_;  // of them, above the timeline's mark
  std::optional<PostId> complete_from_;
  bool looked_deeper_ = false;               // below the timeline
  std::size_t windows_ = 0;                  // of posts, but for originals of reposts
  std::uint32_t batch_ = 0;                  // of the first look into the timeline
  std::map<PostId, UserNumber> written_by_;  // as entries and reposts have said
  std::set<PostId> originals_;               // of reposts that were fetched
  std::vector<Logs> next_;                   // go along with what is asked next
  std::vector<std::pair<Logs, std::vector<Entry>>> logs_;
  far::KnownRows known_;
};

// The keys of what says how a user stands to others, in the order of those.
struct BondKeys {
  BondKeys(UserNumber viewer, std::span<const UserNumber> others);
  std::vector<tables::Relations::Key> sets;  // kKinds of them for each
  std::vector<tables::Related::Key> blocks;
  static constexpr std::array kKinds{Relation::kBlock, Relation::kMute, Relation::kRepostsOff};
};

}  // namespace chirp::postgres
