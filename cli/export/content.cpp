#include "cli/export/content.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "cli/process.h"
#include "core/model/reaction.h"
#include "core/model/relation.h"
#include "core/ports/reads.h"
#include "server/json/render_content.h"

namespace chirp::cli {
namespace {

constexpr std::uint32_t kRowsAtOnce = 1000;

// Whether a comment is still there once all traces of removed users are gone; it is made what it is
// then.
bool lasts(const Snapshot& snapshot, const ExportedUsers& users, Comment& comment) {
  if (comment.state == CommentState::kRemoved || users.has(comment.author)) return true;
  const auto replies =
      reads::thread(snapshot, comment.post, comment.id, kNoComment, Direction::kUp, 1);
  if (replies.empty()) return false;
  comment.state = CommentState::kRemoved;
  comment.author = kNobody;
  comment.text.clear();
  comment.source.reset();
  return true;
}

}  // namespace

void write_source(api::JsonWriter& json, const SourceKey& source) {
  if (source.is_word()) {
    json.field("sourceWord", source.word);
  } else {
    json.field("sourceId", source.number);
  }
}

namespace {

void write_comment(api::JsonWriter& json, const Comment& comment, const AuthorCard& author) {
  json.begin_object();
  api::write_comment_fields(json, comment, author);
  if (comment.source) write_source(json, *comment.source);
  if (comment.state == CommentState::kRemoved) json.field("removed", true);
  json.end_object();
}

// Reactions to one post or comment at a time.
class ReactionRows {
 public:
  ReactionRows(const Snapshot& snapshot, const ExportedUsers& users, const WriteLine& write)
      : snapshot_(snapshot), users_(users), write_(write) {}

  void take(const ReactionRow& row) {
    if (row.content != content_) finish();
    content_ = row.content;
    if (users_.has(row.reaction.user)) of_content_.push_back(row.reaction);
  }

  void finish() {
    const auto key = key_of(content_);
    std::ranges::sort(of_content_, {}, [&](const Reaction& one) { return users_.id(one.user); });
    for (const Reaction& reaction : of_content_) {
      if (!key) break;
      json_.begin_object();
      json_.key(*key).id(content_.value);
      json_.field("userId", users_.id(reaction.user));
      json_.field("likeType", name(reaction.type));
      json_.field("createdAt", reaction.since);
      json_.end_object();
      write_(json_.take());
    }
    of_content_.clear();
  }

 private:
  // What is to be named; nothing if it goes away.
  [[nodiscard]] std::optional<const char*> key_of(ContentId content) const {
    if (of_content_.empty()) return std::nullopt;
    if (is_exported_original(snapshot_.post(PostId{content.value}), users_)) return "postId";
    const CommentId id{content.value};
    const auto comment = snapshot_.find(tables::Comments::Key{id});
    if (!comment || comment->state == CommentState::kRemoved || !users_.has(comment->author)) {
      return std::nullopt;
    }
    const bool there = is_exported_original(snapshot_.post(comment->post), users_);
    return there ? std::optional("commentId") : std::nullopt;
  }

  const Snapshot& snapshot_;
  const ExportedUsers& users_;
  const WriteLine& write_;
  ContentId content_{};
  std::vector<Reaction> of_content_;
  api::JsonWriter json_;
};

}  // namespace

bool is_exported_original(const std::optional<Post>& post, const ExportedUsers& users) {
  return post && !post->is_repost() && users.has(post->author);
}

void export_relations(const Snapshot& snapshot, const ExportedUsers& users,
                      const WriteLine& write) {
  api::JsonWriter json;
  for (const auto& [id, number] : users.by_id()) {
    for (const auto& [relation, word] :
         {std::pair{Relation::kBlock, "block"}, std::pair{Relation::kMute, "mute"}}) {
      std::vector<std::pair<UserId, Time>> others;
      UserNumber after = kNobody;
      for (bool more = true; more;) {
        const EdgePage page = reads::related(snapshot, number, relation, after, kRowsAtOnce);
        for (const Edge& edge : page.edges) {
          if (users.has(edge.other)) others.emplace_back(users.id(edge.other), edge.since);
        }
        more = page.more && !page.edges.empty();
        if (more) after = page.edges.back().other;
      }
      std::ranges::sort(others, {}, &std::pair<UserId, Time>::first);
      for (const auto& [other, since] : others) {
        json.begin_object();
        json.field("userId", id);
        json.field("otherId", other);
        json.field("relation", word);
        json.field("createdAt", since);
        json.end_object();
        write(json.take());
      }
    }
  }
}

void export_reactions(const Snapshot& snapshot, const ExportedUsers& users,
                      const WriteLine& write) {
  ReactionRows reactions(snapshot, users, write);
  ContentId content{};
  UserNumber user = kNobody;
  for (;;) {
    const auto rows = reads::reactions_above(snapshot, content, user, kRowsAtOnce);
    if (rows.empty()) break;
    for (const ReactionRow& row : rows) reactions.take(row);
    content = rows.back().content;
    user = rows.back().reaction.user;
  }
  reactions.finish();
}

void export_comments(const Snapshot& snapshot, const ExportedUsers& users, const WriteLine& write) {
  api::JsonWriter json;
  CommentId after = kNoComment;
  for (;;) {
    auto comments = reads::rows_above<tables::Comments>(snapshot, {after}, kRowsAtOnce);
    if (comments.empty()) break;
    for (Comment& comment : comments) {
      if (!is_exported_original(snapshot.post(comment.post), users)) continue;
      if (!lasts(snapshot, users, comment)) continue;
      const auto card = snapshot.find(tables::Cards::Key{comment.author});
      write_comment(json, comment, card.value_or(AuthorCard{}));
      write(json.take());
    }
    after = comments.back().id;
  }
}

namespace {

constexpr std::uint32_t kUsersAtOnce = 1000;

}  // namespace

ExportedUsers::ExportedUsers(const RowReader& snapshot) {
  UserNumber after = kNobody;
  for (;;) {
    const auto cards = reads::rows_above<tables::Cards>(snapshot, {after}, kUsersAtOnce);
    if (cards.empty()) break;
    OrderlyEnd::check();
    for (const AuthorCard& card : cards) {
      if (card.presence != Presence::kRemoved) add(card.number, card.id);
    }
    after = cards.back().number;
  }
  std::sort(by_id_.begin(), by_id_.end(),
            [](const Entry& a, const Entry& b) { return a.id < b.id; });
}

void ExportedUsers::add(UserNumber number, UserId id) {
  by_id_.push_back({id, number});
  if (ids_.size() <= number.value) ids_.resize(number.value + 1);
  ids_[number.value] = id;
}

}  // namespace chirp::cli
