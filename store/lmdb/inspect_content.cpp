#include "store/lmdb/inspect_content.h"

#include <functional>

#include <fmt/format.h>

#include "core/error.h"
#include "store/lmdb/comments.h"
#include "store/lmdb/content_counters.h"
#include "store/lmdb/posts.h"
#include "store/lmdb/reactions.h"

namespace chirp::lmdb {
namespace {

// Rows looked at before what was found is written, so that memory stays bounded.
constexpr std::size_t kAtOnce = 10'000;

class Inspector {
 public:
  explicit Inspector(const Txn& txn) : txn_(txn) {}

  std::vector<std::string> run(const StoredState& state) {
    reactions();
    comments();
    each(Table::kContentCounters,
         [](const Item& item) { (void)decode_content_counters(item.key, item.value); });
    expect_rows(Table::kPostRemovals, state.post_removals);
    return std::move(problems_);
  }

 private:
  void reactions() {
    const std::uint64_t rows = each(Table::kReactions, [&](const Item& item) {
      const ReactionRow row = decode_reaction(item.key, item.value);
      if (!txn_.get(Table::kReactionsBy, key(row.reaction.user, row.content))) {
        note("the reaction of user number {} to {} is not in its index", row.reaction.user.value,
             row.content.value);
      }
    });
    expect_rows(Table::kReactionsBy, rows);
  }

  void comments() {
    std::uint64_t there = 0;
    const std::uint64_t rows = each(Table::kComments, [&](const Item& item) {
      const Comment comment = decode_comment(item.key, item.value);
      if (!txn_.get(Table::kThreads, key(comment.post, comment.parent, comment.id))) {
        note("comment {} is not in its thread", comment.id.value);
      }
      if (comment.source) {
        const auto found = txn_.get(Table::kPostSources, key(*comment.source));
        if (!found || u64_at(*found) != comment.id.value) {
          note("comment {} is not in the index of source ids", comment.id.value);
        }
      }
      if (comment.state == CommentState::kRemoved) return;
      ++there;
      if (!txn_.get(Table::kCommentsBy, key(comment.author, comment.id))) {
        note("comment {} is not in the index of its author", comment.id.value);
      }
    });
    expect_rows(Table::kThreads, rows);
    expect_rows(Table::kCommentsBy, there);
  }

  template <class... Args>
  void note(fmt::format_string<Args...> format, Args&&... args) {
    problems_.push_back(fmt::format(format, std::forward<Args>(args)...));
  }
  void expect_rows(Table table, std::uint64_t expected) {
    const std::uint64_t rows = txn_.stat(table).ms_entries;
    if (rows == expected) return;
    note("table {} has {} rows instead of {}", kTableNames[static_cast<unsigned>(table)], rows,
         expected);
  }
  // Walks a table; what is thrown about a row is noted, and the walk goes on.
  std::uint64_t each(Table table, const std::function<void(const Item&)>& look) {
    std::uint64_t rows = 0;
    Cursor cursor(txn_, table);
    for (auto item = cursor.first(); item; item = cursor.next(), ++rows) {
      try {
        look(*item);
      } catch (const Error& error) {
        problems_.emplace_back(error.what());
      }
    }
    return rows;
  }

  const Txn& txn_;
  std::vector<std::string> problems_;
};

struct Row {
  Table table;
  std::string key;
  std::string value;
};

// Walks a table, a stretch at a time; `look` says which rows of other tables are missing. Returns
// how many were put.
std::uint64_t put_missing(Batch& batch, Table table,
                          const std::function<void(const Item&, std::vector<Row>&)>& look) {
  std::uint64_t mended = 0;
  std::string after;
  for (bool more = true; more;) {
    std::vector<Row> rows;
    {
      Cursor cursor(batch.txn, table);
      auto item = after.empty() ? cursor.first() : cursor.at_or_after(after);
      if (item && item->key == after) item = cursor.next();
      for (; item && rows.size() < kAtOnce; item = cursor.next()) {
        look(*item, rows);
        after = item->key;
      }
      more = item.has_value();
    }
    for (const Row& row : rows) batch.txn.put(row.table, row.key, row.value);
    mended += rows.size();
  }
  return mended;
}

// Takes away rows whose record `is_sound` does not find. Returns how many.
std::uint64_t weed(Batch& batch, Table table, const std::function<bool(const Item&)>& is_sound) {
  std::uint64_t weeded = 0;
  std::string after;
  for (bool more = true; more;) {
    std::vector<std::string> orphans;
    {
      Cursor cursor(batch.txn, table);
      auto item = after.empty() ? cursor.first() : cursor.at_or_after(after);
      if (item && item->key == after) item = cursor.next();
      for (; item && orphans.size() < kAtOnce; item = cursor.next()) {
        if (!is_sound(*item)) orphans.emplace_back(item->key);
        after = item->key;
      }
      more = item.has_value();
    }
    for (const std::string& k : orphans) batch.txn.erase(table, k);
    weeded += orphans.size();
  }
  return weeded;
}

// Whose a post or comment is; nobody's if it is gone.
UserNumber author_of(const Txn& txn, ContentId content) {
  if (const auto post = read_post(txn, PostId{content.value})) return post->author;
  const auto comment = read_comment(txn, CommentId{content.value});
  return comment ? comment->author : kNobody;
}

std::uint64_t mend_reactions(Batch& batch) {
  const Txn& txn = batch.txn;
  const std::uint64_t missing =
      put_missing(batch, Table::kReactions, [&](const Item& item, std::vector<Row>& rows) {
        const ReactionRow row = decode_reaction(item.key, item.value);
        const auto k = key(row.reaction.user, row.content);
        if (txn.get(Table::kReactionsBy, k)) return;
        rows.push_back({Table::kReactionsBy, std::string(Bytes(k)),
                        std::string(Bytes(key(author_of(txn, row.content))))});
      });
  return missing + weed(batch, Table::kReactionsBy, [&](const Item& item) {
           return txn.get(Table::kReactions, key(ContentId{u64_at(item.key, 4)}, user_at(item.key)))
               .has_value();
         });
}

std::uint64_t mend_comments(Batch& batch) {
  const Txn& txn = batch.txn;
  std::uint64_t mended =
      put_missing(batch, Table::kComments, [&](const Item& item, std::vector<Row>& rows) {
        const Comment comment = decode_comment(item.key, item.value);
        const auto place = key(comment.post, comment.parent, comment.id);
        if (!txn.get(Table::kThreads, place)) {
          rows.push_back({Table::kThreads, std::string(Bytes(place)), {}});
        }
        if (comment.source && !txn.get(Table::kPostSources, key(*comment.source))) {
          rows.push_back({Table::kPostSources, std::string(Bytes(key(*comment.source))),
                          std::string(Bytes(key(comment.id)))});
        }
        const auto by = key(comment.author, comment.id);
        if (comment.state == CommentState::kRemoved || txn.get(Table::kCommentsBy, by)) return;
        const auto author = author_of(txn, content_of(comment.post));
        rows.push_back(
            {Table::kCommentsBy, std::string(Bytes(by)), std::string(Bytes(key(author)))});
      });
  mended += weed(batch, Table::kThreads, [&](const Item& item) {
    const auto comment = read_comment(txn, CommentId{u64_at(item.key, 16)});
    return comment && comment->post.value == u64_at(item.key) &&
           comment->parent.value == u64_at(item.key, 8);
  });
  mended += weed(batch, Table::kCommentsBy, [&](const Item& item) {
    const auto comment = read_comment(txn, CommentId{u64_at(item.key, 4)});
    return comment && comment->state == CommentState::kThere &&
           comment->author == user_at(item.key);
  });
  return mended;
}

}  // namespace

std::vector<std::string> content_problems(const Txn& txn, const StoredState& state) {
  return Inspector(txn).run(state);
}

std::uint64_t mend_content(Batch& batch) {
  const std::uint64_t mended = mend_reactions(batch) + mend_comments(batch);
  batch.state.post_removals = batch.txn.stat(Table::kPostRemovals).ms_entries;
  return mended;
}

}  // namespace chirp::lmdb
