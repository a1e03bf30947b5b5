// The parts of an examination.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "core/doctor/doctor.h"
#include "core/ports/reads.h"

namespace chirp::doctor {

// The input of every part: a walk over the engine's store with the state that it has come to, the
// users, and both stores for a second look.
struct Stores {
  Walk& walk;
  const Snapshot& snapshot;  // of the walk: another state after each rest that says so
  const Storage& storage;
  const UserDirectory& directory;
  const Clock& clock;
  std::uint64_t timelines_max;
  std::size_t users_at_once;

  [[nodiscard]] StoreState state() const { return snapshot.state(); }
};

// What is read of a state once, and again in each new one.
template <class Value>
class OfState {
 public:
  template <class Read>
  const Value& get(const Walk& walk, Read read) {
    if (!value_ || states_ != walk.states()) value_ = read(walk.snapshot());
    states_ = walk.states();
    return *value_;
  }

 private:
  std::optional<Value> value_;
  std::uint64_t states_ = 0;
};

// Called with how many more rows a walk has come by.
using Walked = std::function<void(std::uint64_t rows)>;

inline constexpr std::uint32_t kBlock = 1000;          // rows read at once
inline constexpr std::uint32_t kRepairedAtOnce = 250;  // in one turn: they lie apart

// Checks that every user has a card and every card a user, and that nothing is left of removed
// users.
void check_cards(const Stores& stores, Examination& exam);
// Checks edges, counters and tiers: all that belongs to one user.
void check_neighbourhoods(const Stores& stores, Examination& exam);
void check_posts(const Stores& stores, Examination& exam);
// Finds settings that are valid and still harmful.
void check_settings(const Stores& stores, Examination& exam);
// Checks reactions and comments, and the counters of the posts and comments that they belong to.
void check_contents(const Stores& stores, Examination& exam);
// Sets the counters that were found to be wrong.
void repair_contents(Storage& storage, const std::vector<Finding>& findings, Time now);
// Check the notifications of each user against the log and the state; hashtags against the texts of
// posts.
void check_notifications(const Stores& stores, Examination& exam);
void check_hashtags(const Stores& stores, Examination& exam);
// Checks whether comments that nobody but the operator sees are apart from the others.
void check_hidden_comments(const Stores& stores, Examination& exam);
// Check once more, and write what should be there in place of what is.
void repair_notifications(Storage& storage, Time now);
void repair_hashtags(Storage& storage, Time now);
// Moves comments to where they are due. Safe to repeat.
void hide_comments(Storage& storage, Time now, const Walked& walked = {});
// Puts each post in the log of its privacy level, and recounts the posts of authors with private
// posts. For stores of a format with a single log per author and counters that include all posts.
// Safe to repeat.
void separate_levels(Storage& storage, Time now, const Walked& walked = {});
void check_timelines(const Stores& stores, Examination& exam);
void check_log(const Stores& stores, Examination& exam);
void check_marks(const Stores& stores, Examination& exam);

// Counts the user's edges and posts themselves, whatever the stored counters say.
[[nodiscard]] UserCounters counted(const Snapshot& snapshot, UserNumber user);

// Returns `@mira`, or the user's number if the name is gone.
[[nodiscard]] std::string who(const AuthorCard& card);

// Calls `visit` with blocks of cards, of all there are, each block in the state that it is of.
template <class Visit>
void for_each_cards(Walk& walk, Visit visit) {
  UserNumber after = kNobody;
  for (;;) {
    const auto cards = reads::rows_above<tables::Cards>(walk.snapshot(), {after}, kBlock);
    if (cards.empty()) return;
    visit(std::span<const AuthorCard>(cards));
    after = cards.back().number;
    walk.rest(cards.size());
  }
}
// The same with every card.
template <class Visit>
void for_each_card(Walk& walk, Visit visit) {
  for_each_cards(walk, [&](std::span<const AuthorCard> cards) {
    for (const AuthorCard& card : cards) visit(card);
  });
}

}  // namespace chirp::doctor
