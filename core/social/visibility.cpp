#include "core/social/visibility.h"

#include <algorithm>
#include <utility>

#include "core/ports/reads.h"

namespace chirp::social {

void Visibility::meet(std::span<const UserNumber> users) {
  std::vector<UserNumber> strangers;
  for (const UserNumber user : users) {
    if (user != kNobody && people_.try_emplace(user).second) strangers.push_back(user);
  }
  if (strangers.empty()) return;
  auto cards = reads::cards(snapshot_, strangers);
  std::vector<Bond> bonds(strangers.size());
  if (viewer_.kind() == Viewer::Kind::kUser) bonds = snapshot_.bonds(viewer_.number(), strangers);
  for (std::size_t i = 0; i < strangers.size(); ++i) {
    Person& person = people_.at(strangers[i]);
    person.severed = bonds[i].severed();
    if (cards[i] && cards[i]->presence == Presence::kPresent) person.card = std::move(cards[i]);
  }
}

Visibility::Person& Visibility::person(UserNumber user) {
  meet({&user, 1});
  return people_.at(user);
}

const AuthorCard* Visibility::card(UserNumber user) {
  if (user == kNobody) return nullptr;
  const Person& found = person(user);
  return found.card ? &*found.card : nullptr;
}

bool Visibility::sees(UserNumber author, Privacy privacy) {
  if (card(author) == nullptr) return false;
  Person& other = person(author);
  Standing standing{false, other.severed};
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
  const Standing standing{false, person(comment.author).severed};
  return chirp::sees_comment(viewer_, comment.author, standing,
                             severed_between(comment.author, post_author));
}

std::optional<SeenPost> Visibility::seen(Post post) {
  if (!sees(post.author, post.privacy)) return std::nullopt;
  SeenPost found{std::move(post), {}, std::nullopt, std::nullopt, {}};
  found.author = *card(found.post.author);
  if (!found.post.is_repost()) return found;
  found.original = snapshot_.post(found.post.original);
  if (!found.original || found.original->privacy != Privacy::kPublic ||
      !sees(found.original->author, Privacy::kPublic)) {
    return std::nullopt;
  }
  found.original_author = *card(found.original->author);
  return found;
}

std::vector<std::optional<SeenPost>> Visibility::posts(std::span<const PostId> ids) {
  std::vector<std::optional<Post>> posts;
  std::vector<UserNumber> authors;
  posts.reserve(ids.size());
  for (const PostId id : ids) {
    posts.push_back(snapshot_.post(id));
    if (posts.back()) {
      authors.push_back(posts.back()->author);
      authors.push_back(posts.back()->original_author);
    }
  }
  meet(authors);
  std::vector<std::optional<SeenPost>> result;
  result.reserve(ids.size());
  for (auto& post : posts) result.push_back(post ? seen(std::move(*post)) : std::nullopt);
  return result;
}

std::optional<SeenPost> Visibility::post(PostId id) { return std::move(posts({&id, 1}).front()); }

void fill_stats(const ContentReader& snapshot, const Viewer& viewer, std::span<SeenPost> posts) {
  std::vector<PostId> ids;
  ids.reserve(posts.size());
  for (const SeenPost& seen : posts)
    ids.push_back(seen.original ? seen.original->id : seen.post.id);
  const auto stats = feed::stats_of(snapshot, viewer, ids);
  for (std::size_t i = 0; i < posts.size(); ++i) posts[i].stats = stats[i];
}

}  // namespace chirp::social
