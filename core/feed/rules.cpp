#include "core/feed/rules.h"

#include <algorithm>

namespace chirp::feed {

bool Rules::admits(const Entry& entry) const {
  return entry.author == viewer_ ||
         std::binary_search(following_.begin(), following_.end(), entry.author);
}

bool Rules::welcomes(const ViewedAuthor* person, UserNumber author) {
  return person != nullptr && person->card->number == author &&
         person->card->presence == Presence::kPresent && !person->bond.severed() &&
         !person->bond.mutes;
}

bool Rules::shows(const Entry& entry, const HydratedEntry& hydrated) const {
  const Post* post = hydrated.post;
  if (post == nullptr || post->id != entry.id || post->author != entry.author) return false;
  if (!welcomes(hydrated.author, entry.author)) return false;
  // An admitted author other than the viewer is followed by the viewer.
  const AuthorAccess standing{true, hydrated.author->bond.severed()};
  if (!sees(Viewer::user(viewer_), post->author, post->privacy, standing)) return false;
  if (!post->is_repost()) return true;
  const Post* original = hydrated.original;
  return original != nullptr && original->id == post->original &&
         original->privacy == Privacy::kPublic &&
         welcomes(hydrated.original_author, original->author) && !hydrated.author->bond.reposts_off;
}

Reason Rules::reason_of(UserNumber viewer, const Post& post) {
  if (post.author == viewer) return Reason::kSelf;
  return post.is_repost() ? Reason::kRepost : Reason::kFollow;
}

}  // namespace chirp::feed
