#include "store/lmdb/inspect_content.h"

#include <functional>

#include <fmt/format.h>

#include "core/error.h"
#include "store/lmdb/table_rows.h"

namespace chirp::lmdb {
namespace {

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
      const UserNumber user = decode_reaction(item.key, item.value).user;
      const ContentId content{u64_at(item.key)};
      if (!txn_.get(Table::kReactionsBy, key(user, content))) {
        note("the reaction of user number {} to {} is not in its index", user.value, content.value);
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
    try {
      for (auto item = cursor.first(); item; item = cursor.next(), ++rows) {
        try {
          look(*item);
        } catch (const Error& error) {
          problems_.emplace_back(error.what());
        }
      }
    } catch (const Error& error) {
      problems_.emplace_back(error.what());  // here it ends, since what follows is out of order
    }
    return rows;
  }

  const Txn& txn_;
  std::vector<std::string> problems_;
};

// Whose a post or comment is; nobody's if it is gone.
UserNumber author_of(const Txn& txn, ContentId content) {
  if (const auto post = find_row<tables::Posts>(txn, {{content.value}})) return post->author;
  const auto comment = find_row<tables::Comments>(txn, {{content.value}});
  return comment ? comment->author : kNobody;
}

void look_at_reaction(const Txn& txn, const Item& item, Fixes& fixes) {
  const ContentId content{u64_at(item.key)};
  const auto k = key(decode_reaction(item.key, item.value).user, content);
  if (txn.get(Table::kReactionsBy, k)) return;
  want(txn, Table::kReactionsBy, k, key(author_of(txn, content)), fixes);
}

bool is_reaction_by(const Txn& txn, const Item& item) {
  return txn.get(Table::kReactions, key(ContentId{u64_at(item.key, 4)}, user_at(item.key)))
      .has_value();
}

void look_at_comment(const Txn& txn, const Item& item, Fixes& fixes) {
  const Comment comment = decode_comment(item.key, item.value);
  want_some(txn, Table::kThreads, key(comment.post, comment.parent, comment.id), {}, fixes);
  if (comment.source) {
    want_some(txn, Table::kPostSources, key(*comment.source), key(comment.id), fixes);
  }
  const auto by = key(comment.author, comment.id);
  if (comment.state == CommentState::kRemoved || txn.get(Table::kCommentsBy, by)) return;
  want(txn, Table::kCommentsBy, by, key(author_of(txn, content_of(comment.post))), fixes);
}

bool is_in_thread(const Txn& txn, const Item& item) {
  const auto comment = find_row<tables::Comments>(txn, {{u64_at(item.key, 16)}});
  return comment && comment->post.value == u64_at(item.key) &&
         comment->parent.value == u64_at(item.key, 8);
}

bool is_comment_by(const Txn& txn, const Item& item) {
  const auto comment = find_row<tables::Comments>(txn, {{u64_at(item.key, 4)}});
  return comment && comment->state == CommentState::kThere && comment->author == user_at(item.key);
}

}  // namespace

std::vector<std::string> content_problems(const Txn& txn, const StoredState& state) {
  return Inspector(txn).run(state);
}

std::vector<MendingStep> content_steps() {
  return {
      mend_by(Table::kReactions, look_at_reaction), weed(Table::kReactionsBy, is_reaction_by),
      mend_by(Table::kComments, look_at_comment),   weed(Table::kThreads, is_in_thread),
      weed(Table::kCommentsBy, is_comment_by),
  };
}

}  // namespace chirp::lmdb
