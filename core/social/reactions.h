// Reactions to posts, and lists of them. A repost's id means its original.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/limits.h"
#include "core/model/post.h"
#include "core/model/reaction.h"
#include "core/model/relation.h"
#include "core/model/user.h"
#include "core/ports/clock.h"
#include "core/ports/storage.h"
#include "core/social/accounts.h"

namespace chirp::social {

enum class Novelty : std::uint8_t { kNew, kThereBefore };

struct ReactionState {
  PostId post;  // never a repost
  UserId user;
  ReactionType type = ReactionType::kLike;
  Time since;
  std::int64_t total = 0;  // number of reactions to the post now, of all types
  Novelty novelty = Novelty::kNew;
};

struct Liker {
  AuthorCard user;
  ReactionType type = ReactionType::kLike;
  Time since;
};

struct LikerPage {
  std::vector<Liker> likers;              // sorted by user number, the order of arrival
  std::optional<UserNumber> next_cursor;  // empty at the end
  std::int64_t total = 0;                 // reactions of the requested type, or of all types
  Privacy privacy = Privacy::kPublic;     // the post's level
};

struct LikersRequest {
  PostId post;
  std::optional<ReactionType> type{};  // only this type
  UserNumber after{};
  std::uint32_t limit = limits::kUserPageDefault;  // 1 … limits::kUserPageMax
};

class Reactions {
 public:
  Reactions(Storage& storage, Accounts& accounts, const Clock& clock);

  // Throws Error{kNotFound} for a post that `user` may not see.
  ReactionState react(const User& user, PostId post, ReactionType type);
  // Returns how many reactions are left. Harmless if `user` had not reacted; throws like
  // react().
  std::int64_t unreact(const User& user, PostId post);
  // Users being removed are left out, and others take their places.
  [[nodiscard]] LikerPage list(const Viewer& viewer, const LikersRequest& request) const;

 private:
  Storage& storage_;
  Accounts& accounts_;
  const Clock& clock_;
};

}  // namespace chirp::social
