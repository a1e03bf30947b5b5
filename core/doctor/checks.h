// The parts of an examination.
#pragma once

#include "core/doctor/doctor.h"
#include "core/ports/reads.h"

namespace chirp::doctor {

// What every part reads: one state of the engine's store, the users, and both stores to look again.
struct Stores {
  const Snapshot& snapshot;
  const Storage& storage;
  const UserDirectory& directory;
  const Clock& clock;
  StoreState state;
};

inline constexpr std::uint32_t kBlock = 1000;  // rows read at once

// Cards and users, both ways; what is left of removed users.
void check_cards(const Stores& stores, Examination& exam);
// Edges, counters and tiers: all that belongs to one user.
void check_neighbourhoods(const Stores& stores, Examination& exam);
void check_posts(const Stores& stores, Examination& exam);
// Reactions and comments, and the counters of what they are to.
void check_contents(const Stores& stores, Examination& exam);
// Sets the counters that were found to be wrong.
void mend_contents(Storage& storage, const std::vector<Finding>& findings, Time now);
// What each user is told against the log and the state; hashtags against the texts of posts.
void check_notifications(const Stores& stores, Examination& exam);
void check_hashtags(const Stores& stores, Examination& exam);
// Look again, and write what should be there in place of what is.
void mend_notifications(Storage& storage, Time now);
void mend_hashtags(Storage& storage, Time now);
void check_timelines(const Stores& stores, Examination& exam);
void check_log(const Stores& stores, Examination& exam);
void check_marks(const Stores& stores, Examination& exam);

// The sets themselves, counted.
[[nodiscard]] UserCounters counted(const Snapshot& snapshot, UserNumber user);

// `@mira`, or the number of somebody whose name is gone.
[[nodiscard]] std::string who(const AuthorCard& card);

// Calls `visit` with every card.
template <class Visit>
void for_each_card(const Snapshot& snapshot, Visit visit) {
  UserNumber after = kNobody;
  for (;;) {
    const auto cards = reads::rows_above<tables::Cards>(snapshot, {after}, kBlock);
    if (cards.empty()) return;
    for (const AuthorCard& card : cards) visit(card);
    after = cards.back().number;
  }
}

}  // namespace chirp::doctor
