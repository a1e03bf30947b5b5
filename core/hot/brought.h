// What windows lack to take in what has arrived, and what is brought to them.
//
// A window finds the posts of its arrivals in the library if somebody has brought them there. Who
// finds some lacking brings them from a snapshot, without any lock, and asks again.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "core/hot/library.h"
#include "core/model/post.h"
#include "core/model/reaction.h"
#include "core/ports/snapshot.h"

namespace chirp::hot {

// What a reader did with a post.
struct Deeds {
  std::optional<ReactionType> reaction{};
  bool reposted = false;
};

// What a window needs to know of its arrivals and does not find.
struct Lacking {
  std::vector<PostId> posts;
  std::vector<UserNumber> cards;
  std::vector<PostId> deeds;  // the reader's, with what is reposted

  [[nodiscard]] bool any() const { return !(posts.empty() && cards.empty() && deeds.empty()); }
};

// The same as a snapshot has it.
struct Brought {
  std::vector<PostHold> posts;
  std::vector<CardHold> cards;
  std::vector<PostId> absent;  // posts that are not there
  std::map<PostId, Deeds> deeds;

  [[nodiscard]] bool empty() const {
    return posts.empty() && cards.empty() && absent.empty() && deeds.empty();
  }
  // Adds what is lacking to one reader's window.
  void add(const Snapshot& snapshot, UserNumber reader, const Lacking& lacking);
};

}  // namespace chirp::hot
