#include "core/social/visibility.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/ports/reads.h"

namespace chirp::social {

void Visibility::meet(std::span<const UserNumber> users) {
  std::vector<UserNumber> strangers;
  for (const UserNumber user : users) {
    if (user != kNobody && people_.try_emplace(user).second) strangers.push_back(user);
  }
  if (strangers.empty()) return;
  auto cards = reads::cards(snapshot_, strangers);
  std::vector<ViewerRelation> bonds(strangers.size());
  if (viewer_.kind() == Viewer::Kind::kUser) bonds = snapshot_.bonds(viewer_.number(), strangers);
  for (std::size_t i = 0; i < strangers.size(); ++i) {
    ViewedAuthor& person = people_.at(strangers[i]);
    person.severed = bonds[i].severed();
    person.muted = bonds[i].mutes;
    if (cards[i] && cards[i]->presence == Presence::kPresent) person.card = std::move(cards[i]);
  }
}

Visibility::ViewedAuthor& Visibility::person(UserNumber user) {
  meet({&user, 1});
  return people_.at(user);
}

const AuthorCard* Visibility::card(UserNumber user) {
  if (user == kNobody) return nullptr;
  const ViewedAuthor& found = person(user);
  return found.card ? &*found.card : nullptr;
}

bool Visibility::sees(UserNumber author, Privacy privacy) {
  if (card(author) == nullptr) return false;
  ViewedAuthor& other = person(author);
  AuthorAccess standing{false, other.severed};
  if (privacy == Privacy::kFollowers && viewer_.kind() == Viewer::Kind::kUser) {
    if (!other.follows) {
      other.follows = reads::follows(snapshot_, viewer_.number(), author).has_value();
    }
    standing.follows = *other.follows;
  }
  return chirp::sees(viewer_, author, privacy, standing);
}

bool Visibility::severed_between(UserNumber one, UserNumber other) {
  if (one == other || snapshot_.state().relations == 0) return false;
  const auto [at, fresh] = severed_.try_emplace(std::minmax(one, other));
  if (fresh) at->second = snapshot_.bonds(one, {&other, 1}).front().severed();
  return at->second;
}

bool Visibility::sees_comment(const Comment& comment, UserNumber post_author) {
  if (card(comment.author) == nullptr) return false;
  const AuthorAccess standing{false, person(comment.author).severed};
  return chirp::sees_comment(viewer_, comment.author, standing,
                             severed_between(comment.author, post_author));
}

reads::Listed Visibility::listed() {
  if (viewer_.kind() == Viewer::Kind::kOperator) return reads::Listed::kAll;
  if (!listed_) listed_ = reads::listed_for_readers(snapshot_);
  return *listed_;
}

std::optional<SeenPost> Visibility::seen(Post post, std::optional<Post> original) {
  if (!sees(post.author, post.privacy)) return std::nullopt;
  SeenPost found{std::move(post), {}, std::nullopt, std::nullopt, {}};
  found.author = *card(found.post.author);
  if (!found.post.is_repost()) return found;
  if (!original || original->privacy != Privacy::kPublic ||
      !sees(original->author, Privacy::kPublic)) {
    return std::nullopt;
  }
  found.original_author = *card(original->author);
  found.original = std::move(original);
  return found;
}

// Looks up the authors and the originals of all posts at once.
std::vector<std::optional<SeenPost>> Visibility::seen(std::vector<std::optional<Post>> posts) {
  std::vector<UserNumber> authors;
  std::vector<Entry> reposted;
  for (const auto& post : posts) {
    if (!post) continue;
    authors.push_back(post->author);
    if (!post->is_repost()) continue;
    authors.push_back(post->original_author);
    reposted.push_back({post->original, post->original_author});
  }
  meet(authors);
  auto originals = snapshot_.posts(reposted);
  auto original = originals.begin();
  std::vector<std::optional<SeenPost>> result;
  result.reserve(posts.size());
  for (auto& post : posts) {
    if (!post) {
      result.emplace_back();
    } else if (post->is_repost()) {
      result.push_back(seen(*std::move(post), std::move(*original++)));
    } else {
      result.push_back(seen(*std::move(post), std::nullopt));
    }
  }
  return result;
}

std::vector<std::optional<SeenPost>> Visibility::posts(std::span<const PostId> ids) {
  std::vector<std::optional<Post>> posts;
  posts.reserve(ids.size());
  for (const PostId id : ids) posts.push_back(snapshot_.post(id));
  return seen(std::move(posts));
}

std::vector<std::optional<SeenPost>> Visibility::posts(std::span<const Entry> entries) {
  return seen(snapshot_.posts(entries));
}

std::optional<SeenPost> Visibility::post(PostId id) {
  return std::move(posts(std::span<const PostId>(&id, 1)).front());
}

Error no_such_post(PostId id) {
  return {ErrorCode::kNotFound, fmt::format("There is no post {}.", id.value)};
}

void fill_stats(const ContentReader& snapshot, const Viewer& viewer, std::span<SeenPost> posts) {
  std::vector<PostId> ids;
  ids.reserve(posts.size());
  for (const SeenPost& seen : posts)
    ids.push_back(seen.original ? seen.original->id : seen.post.id);
  const auto stats = feed::stats_of(snapshot, viewer, ids);
  for (std::size_t i = 0; i < posts.size(); ++i) posts[i].stats = stats[i];
}

}  // namespace chirp::social
