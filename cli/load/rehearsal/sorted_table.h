// A table of many small rows in sorted blocks. Rows arrive in any order and stay. A row keeps only
// what loads read, and digests of texts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

#include "core/load/text_digest.h"
#include "core/ports/row_reader.h"
#include "core/ports/tables.h"

namespace chirp::cli::rehearsal {

// A row of table T with its key.
template <class T>
struct Packed;

template <>
struct Packed<tables::Posts> {
  PostId id;
  PostId original;
  std::uint64_t text;              // digest
  std::optional<SourceId> source;  // the number of a word, or the id itself
  bool source_is_word = false;
  UserNumber author;
  Privacy privacy;

  Packed(const tables::Posts::Key& key, const Post& post)
      : id(key.id),
        original(post.original),
        text(load::text_digest(post.text)),
        author(post.author),
        privacy(post.privacy) {}
  [[nodiscard]] tables::Posts::Key key() const { return {id}; }
  [[nodiscard]] Post row() const {
    Post post;
    post.id = id;
    post.author = author;
    post.privacy = privacy;
    post.original = original;
    post.text = load::text_of_digest(text);
    return post;
  }
};

// Also for words: then `source` is the word's number.
template <>
struct Packed<tables::PostSources> {
  SourceId source;
  ContentId content;

  Packed(const tables::PostSources::Key& key, ContentId row) : source(key.source), content(row) {}
  [[nodiscard]] tables::PostSources::Key key() const { return {source}; }
  [[nodiscard]] ContentId row() const { return content; }
};

template <>
struct Packed<tables::RepostsOf> {
  PostId original;
  PostId repost;
  UserNumber user;

  Packed(const tables::RepostsOf::Key& key, PostId row)
      : original(key.original), repost(row), user(key.user) {}
  [[nodiscard]] tables::RepostsOf::Key key() const { return {original, user}; }
  [[nodiscard]] PostId row() const { return repost; }
};

template <>
struct Packed<tables::Comments> {
  CommentId id;
  PostId post;
  CommentId parent;
  std::uint64_t text;  // digest
  UserNumber author;
  CommentState state;

  Packed(const tables::Comments::Key& key, const Comment& row)
      : id(key.id),
        post(row.post),
        parent(row.parent),
        text(load::text_digest(row.text)),
        author(row.author),
        state(row.state) {}
  [[nodiscard]] tables::Comments::Key key() const { return {id}; }
  [[nodiscard]] Comment row() const {
    Comment comment;
    comment.id = id;
    comment.post = post;
    comment.author = author;
    comment.parent = parent;
    comment.state = state;
    comment.text = load::text_of_digest(text);
    return comment;
  }
};

template <>
struct Packed<tables::Reactions> {
  ContentId content;
  UserNumber user;
  ReactionType type;

  Packed(const tables::Reactions::Key& key, const Reaction& row)
      : content(key.content), user(key.user), type(row.type) {}
  [[nodiscard]] tables::Reactions::Key key() const { return {content, user}; }
  [[nodiscard]] Reaction row() const { return {user, type, {}, {}}; }
};

template <class T>
class SortedTable {
 public:
  using Key = typename T::Key;

  // Null if there is no such row.
  [[nodiscard]] const Packed<T>* find(const Key& key) const {
    const auto block = block_of(key);
    if (block == blocks_.end()) return nullptr;
    const auto at = std::ranges::lower_bound(*block, key, {}, &Packed<T>::key);
    return at != block->end() && at->key() == key ? &*at : nullptr;
  }

  // Adds the row, or replaces the one there.
  void put(const Packed<T>& row) {
    const Key key = row.key();
    if (blocks_.empty()) blocks_.push_back({row});
    auto block = blocks_.begin();
    if (const auto found = block_of(key); found != blocks_.end()) block += found - blocks_.cbegin();
    const auto at = std::ranges::lower_bound(*block, key, {}, &Packed<T>::key);
    if (at != block->end() && at->key() == key) {
      *at = row;
    } else if (block->size() < kRows) {
      block->insert(at, row);
    } else if (at == block->end() && std::next(block) == blocks_.end()) {
      blocks_.push_back({row});
    } else {
      const auto middle = block->begin() + kRows / 2;
      std::vector<Packed<T>> upper(middle, block->end());
      block->erase(middle, block->end());
      blocks_.insert(std::next(block), std::move(upper));
      put(row);
    }
  }

  // Works like TableReader::range.
  [[nodiscard]] RowPairs<T> range(const Key& first, const Key& last, Direction direction,
                                  std::uint32_t limit) const {
    RowPairs<T> rows;
    if (blocks_.empty() || last < first) return rows;
    const bool up = direction == Direction::kUp;
    auto block = block_of(up ? first : last);
    if (block == blocks_.end()) block = blocks_.begin();
    auto at = up ? std::ranges::lower_bound(*block, first, {}, &Packed<T>::key)
                 : std::ranges::upper_bound(*block, last, {}, &Packed<T>::key);
    while (rows.size() < limit) {
      if (at == (up ? block->end() : block->begin())) {
        if (up ? std::next(block) == blocks_.end() : block == blocks_.begin()) return rows;
        block = up ? std::next(block) : std::prev(block);
        at = up ? block->begin() : block->end();
        continue;
      }
      const Packed<T>& row = up ? *at++ : *--at;
      if (row.key() < first || last < row.key()) return rows;
      rows.emplace_back(row.key(), row.row());
    }
    return rows;
  }

  [[nodiscard]] std::size_t bytes() const { return blocks_.size() * kRows * sizeof(Packed<T>); }

 private:
  static constexpr std::size_t kRows = 512;
  using Blocks = std::vector<std::vector<Packed<T>>>;  // none is empty

  // The last block that begins at or before the key; the end if there is no such block.
  [[nodiscard]] typename Blocks::const_iterator block_of(const Key& key) const {
    const auto after = std::ranges::upper_bound(
        blocks_, key, {}, [](const auto& block) { return block.front().key(); });
    return after == blocks_.begin() ? blocks_.end() : std::prev(after);
  }

  Blocks blocks_;
};

}  // namespace chirp::cli::rehearsal
