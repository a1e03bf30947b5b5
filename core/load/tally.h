// The results of a load so far. The loading threads add to it; any thread may read it.
#pragma once

#include <atomic>
#include <cstdint>

namespace chirp::load {

struct Counts {
  std::uint64_t stored = 0;              // edges, posts or events
  std::uint64_t duplicates = 0;          // of these, existing or repeated ones
  std::uint64_t same_id_other_text = 0;  // posts whose id belongs to another post: not stored
  std::uint64_t self_loops = 0;          // rows about a user and themselves
  std::uint64_t users_added = 0;
  std::uint64_t users_renamed = 0;       // a real name replaced a made-up one
  std::uint64_t names_changed = 0;       // cut or numbered, because another user has the name
  std::uint64_t control_characters = 0;  // removed from texts
  std::uint64_t reposts = 0;             // of the posts stored
  std::uint64_t comments = 0;            // stored
  std::uint64_t reactions = 0;           // stored
  std::uint64_t originals = 0;           // came inside of posts that repeat them
  std::uint64_t placeholders = 0;        // posts made up for events
  std::uint64_t unknown_users = 0;       // events by or about unknown users
  std::uint64_t missing = 0;             // rows about users or posts that were removed meanwhile
  std::uint64_t unknown_originals = 0;   // reposts of unknown posts, without a text
  std::uint64_t follows = 0;             // of what is stored
  std::uint64_t relations = 0;           // blocks and mutes
  std::uint64_t unknown_posts = 0;       // likes of missing posts
  std::uint64_t media = 0;               // stored files
  std::uint64_t severed = 0;             // follows that a block forbids
  // posts that stopped waiting for another one, because too many waited
  std::uint64_t given_up = 0;

  bool operator==(const Counts&) const = default;
  // Adds the counts of two loaders of one load.
  Counts& operator+=(const Counts& other) {
    stored += other.stored;
    duplicates += other.duplicates;
    same_id_other_text += other.same_id_other_text;
    self_loops += other.self_loops;
    users_added += other.users_added;
    users_renamed += other.users_renamed;
    names_changed += other.names_changed;
    control_characters += other.control_characters;
    reposts += other.reposts;
    comments += other.comments;
    reactions += other.reactions;
    originals += other.originals;
    placeholders += other.placeholders;
    unknown_users += other.unknown_users;
    missing += other.missing;
    unknown_originals += other.unknown_originals;
    follows += other.follows;
    relations += other.relations;
    unknown_posts += other.unknown_posts;
    media += other.media;
    severed += other.severed;
    given_up += other.given_up;
    return *this;
  }
};

class Tally {
 public:
  std::atomic<std::uint64_t> stored{0};
  std::atomic<std::uint64_t> duplicates{0};
  std::atomic<std::uint64_t> same_id_other_text{0};
  std::atomic<std::uint64_t> self_loops{0};
  std::atomic<std::uint64_t> users_added{0};
  std::atomic<std::uint64_t> users_renamed{0};
  std::atomic<std::uint64_t> names_changed{0};
  std::atomic<std::uint64_t> control_characters{0};
  std::atomic<std::uint64_t> reposts{0};
  std::atomic<std::uint64_t> comments{0};
  std::atomic<std::uint64_t> reactions{0};
  std::atomic<std::uint64_t> originals{0};
  std::atomic<std::uint64_t> placeholders{0};
  std::atomic<std::uint64_t> unknown_users{0};
  std::atomic<std::uint64_t> missing{0};
  std::atomic<std::uint64_t> unknown_originals{0};
  std::atomic<std::uint64_t> follows{0};
  std::atomic<std::uint64_t> relations{0};
  std::atomic<std::uint64_t> unknown_posts{0};
  std::atomic<std::uint64_t> severed{0};
  std::atomic<std::uint64_t> given_up{0};

  [[nodiscard]] Counts counts() const {
    return {.stored = stored.load(),
            .duplicates = duplicates.load(),
            .same_id_other_text = same_id_other_text.load(),
            .self_loops = self_loops.load(),
            .users_added = users_added.load(),
            .users_renamed = users_renamed.load(),
            .names_changed = names_changed.load(),
            .control_characters = control_characters.load(),
            .reposts = reposts.load(),
            .comments = comments.load(),
            .reactions = reactions.load(),
            .originals = originals.load(),
            .placeholders = placeholders.load(),
            .unknown_users = unknown_users.load(),
            .missing = missing.load(),
            .unknown_originals = unknown_originals.load(),
            .follows = follows.load(),
            .relations = relations.load(),
            .unknown_posts = unknown_posts.load(),
            .media = 0,  // not counted by a loader
            .severed = severed.load(),
            .given_up = given_up.load()};
  }
};

}  // namespace chirp::load
