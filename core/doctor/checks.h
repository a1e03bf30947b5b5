// The parts of an examination.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "core/doctor/doctor.h"
#include "core/ports/reads.h"

namespace chirp::doctor {

// The input of every part: a walk over the engine's store with its current state, the users, and
// both stores for a second look.
struct CheckInput {
  Walk& walk;
  const Snapshot& snapshot;  // the walk's; another state after each rest() that returns true
  const Storage& storage;
  const UserDirectory& directory;
  const Clock& clock;
  std::uint64_t timelines_max;
  std::size_t users_at_once;

  [[nodiscard]] StoreState state() const { return snapshot.state(); }
};

// A value that is read once per state.
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

// Called with the number of rows that a walk has passed since the last call.
using Walked = std::function<void(std::uint64_t rows)>;

inline constexpr std::uint32_t kBlock = 1000;          // rows read at once
inline constexpr std::uint32_t kRepairedAtOnce = 250;  // in one turn; the rows are scattered

// Checks that users and cards match, and that no traces of removed users are left.
void check_cards(const CheckInput& stores, Examination& exam);
// Checks edges, counters and tiers: all that belongs to one user.
void check_neighbourhoods(const CheckInput& stores, Examination& exam);
void check_posts(const CheckInput& stores, Examination& exam);
// Finds settings that are valid but harmful.
void check_settings(const CheckInput& stores, Examination& exam);
// Checks reactions and comments, and their counters on posts and comments.
void check_contents(const CheckInput& stores, Examination& exam);
// Sets the counters that were wrong.
void repair_contents(Storage& storage, const std::vector<Finding>& findings, Time now);
// Check the notifications of each user against the log and the state; hashtags against the texts of
// posts.
void check_notifications(const CheckInput& stores, Examination& exam);
void check_hashtags(const CheckInput& stores, Examination& exam);
// Checks whether comments that only the operator sees are in their own table.
void check_hidden_comments(const CheckInput& stores, Examination& exam);
// Checks again, and writes the right rows in place of wrong ones.
void repair_notifications(Storage& storage, Time now);
void repair_hashtags(Storage& storage, Time now);
// Moves comments to the right table. Safe to repeat.
void hide_comments(Storage& storage, Time now, const Walked& walked = {});
// Puts each post in the log of its privacy level, and recounts the posts of authors with private
// posts. For stores of a format with a single log per author and counters that include all posts.
// Safe to repeat.
void separate_levels(Storage& storage, Time now, const Walked& walked = {});
void check_timelines(const CheckInput& stores, Examination& exam);
void check_log(const CheckInput& stores, Examination& exam);
void check_marks(const CheckInput& stores, Examination& exam);

// Counts the user's edges and posts, without the stored counters.
[[nodiscard]] UserCounters counted(const Snapshot& snapshot, UserNumber user);

// Returns `@mira`, or the user's number if the name is gone.
[[nodiscard]] std::string who(const AuthorCard& card);

// Calls `visit` with all cards in blocks, each block with the state that it was read from.
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
