#include "cli/load/import_check.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/model/names.h"
#include "core/ports/reads.h"

namespace chirp::cli {
namespace {

// Returns the rows with these keys, in one call.
template <class TextTable>
std::vector<std::optional<typename TextTable::Row>> rows_of(
    const Snapshot& snapshot, const std::vector<typename TextTable::Key>& keys) {
  return snapshot.find_all(std::span<const typename TextTable::Key>(keys));
}

void refuse_if(std::size_t index, std::optional<std::string> problem) {
  if (problem) throw RefusedRow{index, *std::move(problem)};
}

// Posts or comments by id: those of a batch, and the stored ones.
template <class TextTable, class Id>
class RowCache {
 public:
  using Row = typename TextTable::Row;

  RowCache(const Snapshot& snapshot, std::vector<Id> ids) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    std::vector<typename TextTable::Key> keys;
    for (const Id id : ids) keys.push_back({id});
    auto rows = rows_of<TextTable>(snapshot, keys);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (rows[i]) rows_.emplace(ids[i].value, *std::move(rows[i]));
    }
  }
  // Returns false if it exists already.
  bool add(Id id, const Row& row) { return rows_.emplace(id.value, row).second; }
  [[nodiscard]] std::optional<Row> find(Id id) const {
    const auto found = rows_.find(id.value);
    return found == rows_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::unordered_map<std::uint64_t, Row> rows_;
};

// Refuses a source id that the batch or the store already has.
template <class Rows>
void refuse_known_sources(const Snapshot& snapshot, const Rows& rows) {
  std::vector<SourceKey> keys;
  std::vector<std::size_t> places;
  std::set<SourceKey> seen;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].source) continue;
    if (!seen.insert(*rows[i].source).second) {
      throw RefusedRow{i, "another row has its source id"};
    }
    keys.push_back(*rows[i].source);
    places.push_back(i);
  }
  const auto there = reads::contents_of(snapshot, std::span<const SourceKey>(keys));
  for (std::size_t i = 0; i < there.size(); ++i) {
    if (there[i]) throw RefusedRow{places[i], "another row has its source id"};
  }
}

// Neither a clock nor a load produces a time before 2000.
std::optional<std::string> since_problem(std::string_view what, Time since, Time latest) {
  if (since.ms < snowflake::kEpochMs) {
    return fmt::format("{} is {}, which is before 2000", what, iso8601(since));
  }
  return rules::time_problem(what, since, latest);
}

std::string twice(std::uint64_t id) {
  return fmt::format("the id {} occurs twice among posts and comments", id);
}

}  // namespace

void ImportCheck::users(std::span<const User> users, std::span<const ReadingMarks> marks) {
  for (std::size_t i = 0; i < users.size(); ++i) {
    const User& user = users[i];
    refuse_if(i, rules::id_problem(user.id.value, latest_));
    refuse_if(i, since_problem("\"createdAt\"", user.created_at, latest_));
    if (user.old_name) {
      const Time latest{latest_.ms + limits::kOldNameMs};
      refuse_if(i, since_problem("\"oldNameUntil\"", user.old_name->until, latest));
    }
    if (user.old_name) old_names_.push_back(user.old_name->username);
    if (marks[i].feed) refuse_if(i, rules::id_problem(marks[i].feed->value, latest_));
  }
}

// While an old name leads to a user, no other user may have it.
void ImportCheck::finish_users(const UserDirectory& directory) const {
  std::set<std::string> seen;
  for (const std::string& name : old_names_) {
    const auto holder = directory.find_name(name);
    const bool is_taken = holder && folded(holder->username) == folded(name);
    if (!is_taken && seen.insert(folded(name)).second) continue;
    throw Error(
        ErrorCode::kBadInput,
        fmt::format("users.jsonl: the old name {} of a user is also another user's.", name));
  }
}

void ImportCheck::posts(std::span<const Post> posts) {
  const auto snapshot = storage_.snapshot();
  std::vector<PostId> named;
  for (const Post& post : posts) {
    named.push_back(post.id);
    if (post.is_repost()) named.push_back(post.original);
  }
  RowCache<tables::Posts, PostId> found(*snapshot, std::move(named));
  for (std::size_t i = 0; i < posts.size(); ++i) {
    if (!found.add(posts[i].id, posts[i])) throw RefusedRow{i, twice(posts[i].id.value)};
    refuse_if(i, rules::post_problem(posts[i], latest_));
  }
  refuse_known_sources(*snapshot, posts);
  std::set<std::pair<PostId, UserNumber>> reposted;
  std::vector<tables::RepostsOf::Key> keys;
  for (std::size_t i = 0; i < posts.size(); ++i) {
    const Post& post = posts[i];
    if (!post.is_repost()) continue;
    const auto original = found.find(post.original);
    if (!original && post.original != post.id) {
      reposts_.push_back({post.id, post.original, post.original_author});
    } else {
      refuse_if(i, rules::repost_problem(post, original));
    }
    keys.push_back({post.original, post.author});
    if (!reposted.emplace(post.original, post.author).second ||
        snapshot->find(keys.back()).has_value()) {
      throw RefusedRow{i, fmt::format("its author reposts post {} twice", post.original.value)};
    }
  }
}

void ImportCheck::finish_posts() const {
  const auto snapshot = storage_.snapshot();
  for (const Repost& repost : reposts_) {
    Post row;
    row.id = repost.id;
    row.original = repost.original;
    row.original_author = repost.original_author;
    const auto problem =
        rules::repost_problem(row, snapshot->find(tables::Posts::Key{repost.original}));
    if (!problem) continue;
    throw Error(ErrorCode::kBadInput,
                fmt::format("posts.jsonl: post {}: {}.", repost.id.value, *problem));
  }
}

void ImportCheck::comments(std::span<const Comment> comments) {
  const auto snapshot = storage_.snapshot();
  std::vector<CommentId> ids;
  std::vector<PostId> posts;
  for (const Comment& comment : comments) {
    ids.push_back(comment.id);
    if (comment.parent != kNoComment) ids.push_back(comment.parent);
    posts.push_back(comment.post);
    posts.push_back(PostId{comment.id.value});
  }
  RowCache<tables::Comments, CommentId> found(*snapshot, std::move(ids));
  const RowCache<tables::Posts, PostId> known(*snapshot, std::move(posts));
  for (std::size_t i = 0; i < comments.size(); ++i) {
    const Comment& comment = comments[i];
    if (known.find(PostId{comment.id.value}) || !found.add(comment.id, comment)) {
      throw RefusedRow{i, twice(comment.id.value)};
    }
    refuse_if(i, rules::comment_problem(comment, known.find(comment.post), latest_));
  }
  refuse_known_sources(*snapshot, comments);
  for (std::size_t i = 0; i < comments.size(); ++i) {
    const Comment& comment = comments[i];
    if (comment.parent == kNoComment) continue;
    if (comment.parent > comment.id) {
      replies_.push_back({comment.id, comment.post, comment.parent});
    } else {
      refuse_if(i, rules::reply_problem(comment, found.find(comment.parent)));
    }
  }
}

void ImportCheck::finish_comments() const {
  const auto snapshot = storage_.snapshot();
  const auto find = [&](CommentId id) { return snapshot->find(tables::Comments::Key{id}); };
  rules::ReplyCircles circles(find);
  for (const Reply& reply : replies_) {
    Comment row;
    row.id = reply.id;
    row.post = reply.post;
    row.parent = reply.parent;
    auto problem = rules::reply_problem(row, find(reply.parent));
    if (!problem && circles.closes(row)) problem = "it replies to itself, by other comments";
    if (!problem) continue;
    throw Error(ErrorCode::kBadInput,
                fmt::format("comments.jsonl: comment {}: {}.", reply.id.value, *problem));
  }
}

void ImportCheck::reactions(std::span<const RestoredReaction> reactions) const {
  const auto snapshot = storage_.snapshot();
  std::vector<CommentId> comments;
  for (const RestoredReaction& reaction : reactions) {
    comments.push_back(CommentId{reaction.content.value});
  }
  const RowCache<tables::Comments, CommentId> commented(*snapshot, std::move(comments));
  const auto post_of = [&](const RestoredReaction& reaction) {
    const auto comment = commented.find(CommentId{reaction.content.value});
    return comment ? comment->post : PostId{reaction.content.value};
  };
  std::vector<PostId> posts;
  for (const RestoredReaction& reaction : reactions) posts.push_back(post_of(reaction));
  const RowCache<tables::Posts, PostId> found(*snapshot, std::move(posts));
  std::set<std::pair<ContentId, UserNumber>> seen;
  for (std::size_t i = 0; i < reactions.size(); ++i) {
    const RestoredReaction& reaction = reactions[i];
    refuse_if(i, since_problem("its time", reaction.since, latest_));
    const auto post = found.find(post_of(reaction));
    if (!post) {
      throw RefusedRow{i, fmt::format("it is to {}, which does not exist", reaction.content.value)};
    }
    refuse_if(i, rules::reaction_problem(reaction.user, *post));
    if (!seen.emplace(reaction.content, reaction.user).second) {
      throw RefusedRow{i, "its user reacts twice to the same"};
    }
  }
}

void ImportCheck::edges(std::span<const RestoredEdge> edges) const {
  for (std::size_t i = 0; i < edges.size(); ++i) {
    refuse_if(i, since_problem("its time", edges[i].since, latest_));
  }
}

// An export lists follows before blocks.
void ImportCheck::relations(std::span<const RestoredRelation> relations) const {
  const auto snapshot = storage_.snapshot();
  std::vector<tables::Following::Key> follows;
  for (const RestoredRelation& one : relations) {
    follows.push_back({one.user, one.other});
    follows.push_back({one.other, one.user});
  }
  const auto there = rows_of<tables::Following>(*snapshot, follows);
  std::set<std::tuple<UserNumber, UserNumber, Relation>> seen;
  for (std::size_t i = 0; i < relations.size(); ++i) {
    refuse_if(i, since_problem("its time", relations[i].since, latest_));
    if (relations[i].relation == Relation::kBlock && (there[2 * i] || there[2 * i + 1])) {
      throw RefusedRow{i, "one of both follows the other, which a block forbids"};
    }
    if (!seen.emplace(relations[i].user, relations[i].other, relations[i].relation).second) {
      throw RefusedRow{i, "this block or mute is there already"};
    }
  }
}

}  // namespace chirp::cli
