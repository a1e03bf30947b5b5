// The results of a load so far. The loading threads add to it; any thread may read it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/ports/loads.h"

namespace chirp::load {

template <class Number>
struct CountsOf {
  Number stored{0};              // edges, posts or events
  Number duplicates{0};          // of these, existing or repeated ones
  Number same_id_other_text{0};  // posts whose id belongs to another post: not stored
  Number self_loops{0};          // rows about a user and themselves
  Number users_added{0};
  Number users_renamed{0};       // a real name replaced a made-up one
  Number names_changed{0};       // cut or numbered, because another user has the name
  Number control_characters{0};  // removed from texts
  Number reposts{0};             // of the posts stored
  Number comments{0};            // stored
  Number reactions{0};           // stored
  Number originals{0};           // came inside of posts that repeat them
  Number placeholders{0};        // posts made up for events
  Number unknown_users{0};       // events by or about unknown users
  Number missing{0};             // rows about users or posts that were removed meanwhile
  Number unknown_originals{0};   // reposts of unknown posts, without a text
  Number follows{0};             // of what is stored
  Number relations{0};           // blocks and mutes
  Number unknown_posts{0};       // likes of missing posts
  Number media{0};               // stored files; no loader counts them
  Number severed{0};             // follows that a block forbids
  Number given_up{0};            // stopped waiting for another post, because too many did

  static constexpr auto all() {
    using C = CountsOf;
    return std::array{&C::stored,
                      &C::duplicates,
                      &C::same_id_other_text,
                      &C::self_loops,
                      &C::users_added,
                      &C::users_renamed,
                      &C::names_changed,
                      &C::control_characters,
                      &C::reposts,
                      &C::comments,
                      &C::reactions,
                      &C::originals,
                      &C::placeholders,
                      &C::unknown_users,
                      &C::missing,
                      &C::unknown_originals,
                      &C::follows,
                      &C::relations,
                      &C::unknown_posts,
                      &C::media,
                      &C::severed,
                      &C::given_up};
  }

  bool operator==(const CountsOf&) const = default;
  // Adds the counts of another loader of the same load.
  CountsOf& operator+=(const CountsOf<std::uint64_t>& other) {
    for (std::size_t i = 0; i < all().size(); ++i) {
      this->*all()[i] += other.*CountsOf<std::uint64_t>::all()[i];
    }
    return *this;
  }
};

using Counts = CountsOf<std::uint64_t>;
static_assert(sizeof(Counts) == Counts::all().size() * sizeof(std::uint64_t),
              "all() has each member");

class Tally : public CountsOf<std::atomic<std::uint64_t>> {
 public:
  // What a transaction has done.
  void add(const LoadCounts& counts) {
    stored += counts.stored;
    duplicates += counts.duplicates;
    missing += counts.missing;
    severed += counts.severed;
  }

  [[nodiscard]] Counts counts() const {
    Counts counts;
    for (std::size_t i = 0; i < all().size(); ++i) counts.*Counts::all()[i] = this->*all()[i];
    return counts;
  }
};

}  // namespace chirp::load
