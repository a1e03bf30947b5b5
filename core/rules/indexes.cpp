#include "core/rules/indexes.h"

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/ports/reads.h"
#include "core/rules/content.h"
#include "core/rules/counters.h"

namespace chirp::rules {
namespace {

using namespace tables;

constexpr std::uint32_t kBlock = 4096;
constexpr std::uint32_t kCardsAtOnce = 256;
constexpr std::uint32_t kAll = std::numeric_limits<std::uint32_t>::max();

// Index tables whose rows follow from records. A comment may be in HiddenThreads instead of
// Threads.
using Indexes =
    TableList<UserIds, UserSources, UserWords, AuthorLogs, FollowersLogs, PrivateLogs, PostSources,
              PostWords, MediaUses, RepostsOf, ReactionsBy, Threads, CommentsBy, Related>;

// ---------------------------------------------------------------- rows from records

// For the other two tables, only the existence of a row is checked: another record decides its
// value.
template <class T>
constexpr bool kHasWord = !std::is_same_v<T, ReactionsBy> && !std::is_same_v<T, CommentsBy>;

void rows_of(const Cards::Key& /*key*/, const AuthorCard& card, Fixes& wanted) {
  wanted.put<UserIds>({card.id}, card.number);
  if (!card.source) return;
  if (card.source->is_word()) {
    wanted.put<UserWords>({card.source->word}, card.number);
  } else {
    wanted.put<UserSources>({card.source->number}, card.number);
  }
}

void source_of(const std::optional<SourceKey>& source, ContentId content, Fixes& wanted) {
  if (!source) return;
  if (source->is_word()) {
    wanted.put<PostWords>({source->word}, content);
  } else {
    wanted.put<PostSources>({source->number}, content);
  }
}

void rows_of(const Posts::Key& key, const Post& post, Fixes& wanted) {
  with_log_key(post, [&]<class Key>(const Key& log) { wanted.put<TableOf<Key>>(log, EmptyRow{}); });
  source_of(post.source, content_of(key.id), wanted);
  if (post.is_repost()) wanted.put<RepostsOf>({post.original, post.author}, key.id);
  for (const Medium& medium : post.media) {
    if (medium.upload != MediaId{}) wanted.put<MediaUses>({medium.upload, key.id}, EmptyRow{});
  }
}

void rows_of(const Reactions::Key& key, const Reaction& /*reaction*/, Fixes& wanted) {
  wanted.put<ReactionsBy>({key.user, key.content}, kNobody);
}

void rows_of(const Comments::Key& key, const Comment& comment, Fixes& wanted) {
  // In one of the two tables; other users decide which.
  wanted.put<Threads>({comment.post, comment.parent, key.id}, EmptyRow{});
  wanted.put<HiddenThreads>({comment.post, comment.parent, key.id}, EmptyRow{});
  source_of(comment.source, content_of(key.id), wanted);
  if (comment.state != CommentState::kThere) return;
  wanted.put<CommentsBy>({comment.author, key.id}, kNobody);
}

void rows_of(const Relations::Key& key, Time /*since*/, Fixes& wanted) {
  wanted.put<Related>({key.other, key.relation, key.user}, EmptyRow{});
}

// ---------------------------------------------------------------- records of rows

template <class Record, class Key, class Row>
typename Record::Key record_of(const Key& key, const Row& row) {
  constexpr bool kIsInKey = std::is_same_v<Key, AuthorLogs::Key> ||
                            std::is_same_v<Key, FollowersLogs::Key> ||
                            std::is_same_v<Key, PrivateLogs::Key>;
  constexpr bool kIsCard = std::is_same_v<Row, UserNumber> && std::is_same_v<Record, Cards>;
  if constexpr (kIsCard || (std::is_same_v<Row, PostId> && !kIsInKey)) {
    return {row};
  } else if constexpr (kIsInKey) {
    return {key.id};
  } else if constexpr (std::is_same_v<Row, ContentId>) {
    return {{row.value}};
  } else if constexpr (std::is_same_v<Key, MediaUses::Key>) {
    return {key.post};
  } else if constexpr (std::is_same_v<Record, Comments>) {
    return {key.comment};
  } else if constexpr (std::is_same_v<Record, Reactions>) {
    return {key.content, key.user};
  } else {
    return {key.user, key.relation, key.other};
  }
}

// The author of a post or comment; kNobody if it is gone.
UserNumber author_of(const RowReader& rows, ContentId content) {
  const auto post = rows.find(Posts::Key{{content.value}});
  const auto comment = rows.find(Comments::Key{{content.value}});
  if (post) return post->author;
  return comment ? comment->author : kNobody;
}

template <class T>
void fill_in(const RowReader& rows, const typename T::Key& key, typename T::Row& row) {
  if constexpr (std::is_same_v<T, ReactionsBy>) {
    row = author_of(rows, key.content);
  } else if constexpr (std::is_same_v<T, CommentsBy>) {
    const auto comment = rows.find(Comments::Key{key.comment});
    if (comment) row = author_of(rows, content_of(comment->post));
  }
}

// ---------------------------------------------------------------- walks

// The greatest key of a table.
template <class Key>
Key last_key() {
  if constexpr (std::is_same_v<Key, Relations::Key> || std::is_same_v<Key, Related::Key>) {
    return {reads::Greatest{}, Relation{0xFF}, reads::Greatest{}};
  } else {
    return reads::greatest<Key>();
  }
}

// Walks a table in blocks.
template <class T>
class Blocks : public IndexWalk {
 public:
  [[nodiscard]] std::string_view name() const final { return name_; }
  [[nodiscard]] bool go_on() final {
    if (is_end_) return false;
    after_ = reached_;
    is_begun_ = true;
    return true;
  }

 protected:
  explicit Blocks(std::string_view name) : name_(name) {}
  [[nodiscard]] RowPairs<T> next(const RowReader& rows) {
    const TableReader<T> table = rows;
    auto block = table.range(after_, last_key<typename T::Key>(), Direction::kUp, kBlock);
    is_end_ = block.size() < kBlock;
    if (!block.empty()) reached_ = block.back().first;
    if (is_begun_ && !block.empty() && block.front().first == after_) block.erase(block.begin());
    return block;
  }

 private:
  std::string_view name_;
  typename T::Key after_{};
  typename T::Key reached_{};
  bool is_begun_ = false;  // the row at `after_` was checked
  bool is_end_ = false;
};

// Marks comments as found that are in HiddenThreads.
void add_hidden(const RowReader& rows, const std::vector<Threads::Key>& keys,
                std::vector<std::optional<EmptyRow>>& found) {
  std::vector<HiddenThreads::Key> hidden;
  for (const auto& [post, parent, comment] : keys) hidden.push_back({post, parent, comment});
  const auto there = rows.find_all(hidden);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (there[i]) found[i] = there[i];
  }
}

// Adds rows that an index lacks, or has with other values.
template <class T>
void compare(const RowReader& rows, const Fixes& wanted, Fixes& fixes) {
  const auto [begin, end] = rows_of_table(wanted.rows, table_type<T>());
  std::vector<typename T::Key> keys;
  for (auto at = begin; at != end; ++at) keys.push_back(key_of<T>(at->second));
  if (keys.empty()) return;
  auto found = rows.find_all(keys);
  if constexpr (std::is_same_v<T, Threads>) add_hidden(rows, keys, found);
  auto there = found.begin();
  for (auto at = begin; at != end; ++at, ++there) {
    typename T::Row row = *row_of<T>(at->second);
    if (*there && (!kHasWord<T> || **there == row)) continue;
    const auto& key = key_of<T>(at->second);
    fill_in<T>(rows, key, row);
    fixes.put<T>(key, row);
  }
}
template <class... T>
void compare_all(const RowReader& rows, const Fixes& wanted, Fixes& fixes, TableList<T...>) {
  (compare<T>(rows, wanted, fixes), ...);
}

// Checks that each record has its index rows.
template <class Record>
class RecordWalk final : public Blocks<Record> {
 public:
  explicit RecordWalk(std::string_view name) : Blocks<Record>(name) {}
  void look(const RowReader& rows, Fixes& fixes) override {
    Fixes wanted;
    for (const auto& [key, row] : this->next(rows)) rows_of(key, row, wanted);
    compare_all(rows, wanted, fixes, Indexes{});
  }
};

// Finds index rows without a record, which must be removed.
template <class T, class... Records>
class RowWalk final : public Blocks<T> {
 public:
  explicit RowWalk(std::string_view name) : Blocks<T>(name) {}
  void look(const RowReader& rows, Fixes& fixes) override {
    const auto block = this->next(rows);
    if (block.empty()) return;
    std::vector<bool> sound(block.size());
    (look_among<Records>(rows, block, sound), ...);
    for (std::size_t i = 0; i < block.size(); ++i) {
      if (!sound[i]) fixes.remove<T>(block[i].first);
    }
  }

 private:
  template <class Record>
  void look_among(const RowReader& rows, const RowPairs<T>& block, std::vector<bool>& sound) {
    std::vector<typename Record::Key> keys;
    for (const auto& [key, row] : block) keys.push_back(record_of<Record>(key, row));
    const TableReader<Record> table = rows;
    const auto records = table.find_all(keys);
    for (std::size_t i = 0; i < block.size(); ++i) {
      if (!records[i]) continue;
      Fixes wanted;
      rows_of(keys[i], *records[i], wanted);
      const auto found = wanted.rows.find(bytes_of<T>(block[i].first));
      if (found == wanted.rows.end()) continue;
      if (!kHasWord<T> || *row_of<T>(found->second) == block[i].second) sound[i] = true;
    }
  }
};

// Adds an edge that exists in only one direction to the other, so that no follow is lost.
template <class From, class To>
class EdgeIndexWalk final : public IndexWalk {
 public:
  explicit EdgeIndexWalk(std::string_view name) : name_(name) {}
  [[nodiscard]] std::string_view name() const override { return name_; }
  void look(const RowReader& rows, Fixes& fixes) override {
    std::vector<KeyRange<From>> wanted;
    const auto add = [&](UserNumber user, UserNumber first) {
      typename From::Key from{user, first};
      typename From::Key to{user, reads::Greatest{}};
      wanted.push_back({from, to});
    };
    std::vector<UserNumber> users;
    const auto cards = reads::rows_above<Cards>(rows, {user_}, kCardsAtOnce);
    if (user_ != kNobody && other_ != reads::Greatest{}) {
      users.push_back(user_);
      add(user_, UserNumber{other_.value + 1});
    }
    for (const AuthorCard& card : cards) {
      users.push_back(card.number);
      add(card.number, UserNumber{0});
    }
    is_end_ = wanted.empty();
    if (is_end_) return;
    const TableReader<From> table = rows;
    const auto found = table.ranges(wanted, Direction::kUp, kBlock, kBlock);
    reached_user_ = users[found.size() - 1];
    reached_other_ = found.back().size() < kBlock ? UserNumber(reads::Greatest{})
                                                  : turned(found.back().back().first).first;
    is_end_ = cards.size() < kCardsAtOnce && found.size() == wanted.size() &&
              found.back().size() < kBlock;
    check(rows, found, fixes);
  }
  [[nodiscard]] bool go_on() override {
    if (is_end_) return false;
    user_ = reached_user_;
    other_ = reached_other_;
    return true;
  }

 private:
  // Swaps the two users.
  static std::pair<UserNumber, UserNumber> turned(const typename From::Key& key) {
    const auto& [user, other] = key;
    return {other, user};
  }
  void check(const RowReader& rows, const std::vector<RowPairs<From>>& found, Fixes& fixes) {
    std::vector<typename To::Key> keys;
    std::vector<Time> times;
    for (const auto& edges : found) {
      for (const auto& [key, since] : edges) {
        const auto [other, user] = turned(key);
        keys.push_back({other, user});
        times.push_back(since);
      }
    }
    const TableReader<To> table = rows;
    const auto there = table.find_all(keys);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (!there[i]) fixes.put<To>(keys[i], times[i]);
    }
  }

  std::string_view name_;
  UserNumber user_ = kNobody;
  UserNumber other_;
  UserNumber reached_user_;
  UserNumber reached_other_;
  bool is_end_ = false;
};

}  // namespace

void apply(Rows& rows, const Fixes& fixes) {
  for (const auto& [bytes, fix] : fixes.rows) {
    if (fix.row != nullptr) {
      rows.put_row(*fix.type, fix.key, fix.row);
    } else {
      rows.discard_row(*fix.type, fix.key);
    }
  }
}

std::vector<std::unique_ptr<IndexWalk>> index_walks() {
  std::vector<std::unique_ptr<IndexWalk>> walks;
  const auto add = [&]<class Walk>(std::string_view name) {
    walks.push_back(std::make_unique<Walk>(name));
  };
  add.operator()<RowWalk<UserIds, Cards>>("ids of users");
  add.operator()<RowWalk<UserSources, Cards>>("source ids of users");
  add.operator()<RowWalk<UserWords, Cards>>("source words of users");
  add.operator()<RowWalk<AuthorLogs, Posts>>("logs of authors");
  add.operator()<RowWalk<FollowersLogs, Posts>>("logs of posts for followers");
  add.operator()<RowWalk<PrivateLogs, Posts>>("logs of private posts");
  add.operator()<RowWalk<PostSources, Posts, Comments>>("source ids of posts");
  add.operator()<RowWalk<PostWords, Posts, Comments>>("source words of posts");
  add.operator()<RowWalk<MediaUses, Posts>>("uses of media");
  add.operator()<RowWalk<RepostsOf, Posts>>("reposts");
  add.operator()<RowWalk<ReactionsBy, Reactions>>("reactions by users");
  add.operator()<RowWalk<Threads, Comments>>("threads");
  add.operator()<RowWalk<HiddenThreads, Comments>>("threads of hidden comments");
  add.operator()<RowWalk<CommentsBy, Comments>>("comments by users");
  add.operator()<RowWalk<Related, Relations>>("relations by whom they are about");
  add.operator()<RecordWalk<Cards>>("cards");
  add.operator()<RecordWalk<Posts>>("posts");
  add.operator()<RecordWalk<Reactions>>("reactions");
  add.operator()<RecordWalk<Comments>>("comments");
  add.operator()<RecordWalk<Relations>>("relations");
  add.operator()<EdgeIndexWalk<Following, Followers>>("follows");
  add.operator()<EdgeIndexWalk<Followers, Following>>("followers");
  return walks;
}

std::size_t settle_marks(Rows& rows) {
  StoreState& state = rows.state();
  const feed::Policy policy = state.settings.policy;
  std::size_t moved = 0;
  const PostId all = feed::push_from_all(state.push_from_all, policy, rows.next_id());
  if (all != state.push_from_all) {
    state.push_from_all = all;
    ++moved;
  }
  for (const feed::AuthorMark& mark : reads::rows_above<Marks>(rows, {kNobody}, kAll)) {
    const feed::AuthorMark due = feed::under_policy(mark, policy, rows.next_id());
    if (due == mark) continue;
    put_mark(rows, due);
    ++moved;
  }
  return moved;
}

}  // namespace chirp::rules
