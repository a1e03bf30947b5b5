#include "core/rules/seen.h"

#include "core/model/relation.h"

namespace chirp::rules {

using namespace tables;

namespace {

bool is_there(const Rows& rows, UserNumber author, AuthorsIn authors) {
  return authors == AuthorsIn::kKept ? rows.kept(author) : rows.present(author);
}

bool may_see(const Rows& rows, UserNumber user, const Post& post, AuthorsIn authors) {
  const bool others = user != post.author;
  const bool there = is_there(rows, post.author, authors);
  AuthorAccess standing;
  standing.severed = others && severed(rows, user, post.author);
  // Looked up only if it matters.
  standing.follows = others && post.privacy == Privacy::kFollowers &&
                     rows.find(Following::Key{user, post.author}).has_value();
  return there && sees(Viewer::user(user), post.author, post.privacy, standing);
}

}  // namespace

bool severed(const Rows& rows, UserNumber one, UserNumber other) {
  if (rows.state().relations == 0 || one == other) return false;
  const bool by_one = rows.find(Relations::Key{one, Relation::kBlock, other}).has_value();
  const bool by_other = rows.find(Relations::Key{other, Relation::kBlock, one}).has_value();
  return by_one || by_other;
}

std::optional<NamedPost> named_post(const Rows& rows, PostId id) {
  auto post = rows.find(Posts::Key{id});
  if (!post) return std::nullopt;
  if (!post->is_repost()) return NamedPost{std::move(*post), std::nullopt};
  auto original = rows.find(Posts::Key{post->original});
  return NamedPost{std::move(*post), std::move(original)};
}

std::optional<Post> seen_original(const Rows& rows, UserNumber user, std::optional<NamedPost> named,
                                  AuthorsIn authors) {
  if (!named) return std::nullopt;
  auto& [post, original] = *named;
  const bool sees_post = may_see(rows, user, post, authors);
  const bool sees_original = original && may_see(rows, user, *original, authors);
  if (!sees_post) return std::nullopt;
  if (!post.is_repost()) return std::move(post);
  if (!sees_original || original->privacy != Privacy::kPublic) return std::nullopt;
  return std::move(original);
}

std::optional<Comment> seen_comment(const Rows& rows, UserNumber user, CommentId id,
                                    AuthorsIn authors) {
  auto comment = rows.find(Comments::Key{id});
  if (!comment || comment->state == CommentState::kRemoved) return std::nullopt;
  const auto post = rows.find(Posts::Key{comment->post});
  const bool there = is_there(rows, comment->author, authors);
  const AuthorAccess standing{false, severed(rows, user, comment->author)};
  if (!post) return std::nullopt;
  const bool block_between = severed(rows, comment->author, post->author);
  const bool sees_post = may_see(rows, user, *post, authors);
  const bool seen = sees_comment(Viewer::user(user), comment->author, standing, block_between);
  return there && sees_post && seen ? std::move(comment) : std::nullopt;
}

}  // namespace chirp::rules
