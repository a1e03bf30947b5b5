#include "core/rules/seen.h"

#include "core/model/relation.h"

namespace chirp::rules {

using namespace tables;

namespace {

bool may_see(const Rows& rows, UserNumber user, const Post& post) {
  const bool others = user != post.author;
  const bool there = rows.present(post.author);
  Standing standing;
  standing.severed = others && severed(rows, user, post.author);
  // Looked up where it decides.
  standing.follows = others && post.privacy == Privacy::kFollowers &&
                     rows.find(Following::Key{user, post.author}).has_value();
  return there && sees(Viewer::user(user), post.author, post.privacy, standing);
}

bool may_see_comment(const Rows& rows, UserNumber user, UserNumber author, UserNumber post_author) {
  const bool there = rows.present(author);
  const Standing standing{false, severed(rows, user, author)};
  const bool quarrel = severed(rows, author, post_author);
  return there && sees_comment(Viewer::user(user), author, standing, quarrel);
}

}  // namespace

bool severed(const Rows& rows, UserNumber one, UserNumber other) {
  if (rows.state().relations == 0 || one == other) return false;
  const bool by_one = rows.find(Relations::Key{one, Relation::kBlock, other}).has_value();
  const bool by_other = rows.find(Relations::Key{other, Relation::kBlock, one}).has_value();
  return by_one || by_other;
}

std::optional<Post> seen_original(const Rows& rows, UserNumber user, PostId id) {
  auto post = rows.find(Posts::Key{id});
  if (!post) return std::nullopt;
  const bool repost = post->is_repost();
  auto original = repost ? rows.find(Posts::Key{post->original}) : std::nullopt;
  const bool sees_post = may_see(rows, user, *post);
  const bool sees_original = original && may_see(rows, user, *original);
  if (!sees_post) return std::nullopt;
  if (!repost) return post;
  if (!sees_original || original->privacy != Privacy::kPublic) return std::nullopt;
  return original;
}

std::optional<Comment> seen_comment(const Rows& rows, UserNumber user, CommentId id) {
  auto comment = rows.find(Comments::Key{id});
  if (!comment || comment->state == CommentState::kRemoved) return std::nullopt;
  const auto post = seen_original(rows, user, comment->post);
  if (!post || !may_see_comment(rows, user, comment->author, post->author)) return std::nullopt;
  return comment;
}

std::optional<FoundComment> present_comment(const Rows& rows, CommentId id) {
  auto comment = rows.find(Comments::Key{id});
  if (!comment || comment->state == CommentState::kRemoved) return std::nullopt;
  const auto post = rows.find(Posts::Key{comment->post});
  const bool by_somebody = rows.present(comment->author);
  if (!post || !by_somebody || !rows.present(post->author)) return std::nullopt;
  return FoundComment{std::move(*comment), post->author};
}

}  // namespace chirp::rules
