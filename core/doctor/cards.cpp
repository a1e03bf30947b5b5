// Checks that users and cards match, and that no traces of removed users are left.
#include <algorithm>

#include <fmt/format.h>

#include "core/doctor/checks.h"
#include "core/model/names.h"
#include "core/ports/reads.h"
#include "core/rules/row_problems.h"

namespace chirp::doctor {
namespace {

// A user's row, and whether its card is still due.
struct CardRow {
  std::optional<User> user;
  bool is_due = false;

  bool operator==(const CardRow&) const = default;
};

CardRow row_of(const CheckInput& stores, UserNumber number) {
  return {stores.directory.find(number), stores.directory.is_card_due(number)};
}

// Row and card are in two stores without a common state, and other processes keep working. A change
// of the row notes that the card is due until the card is written. So the two differ only if there
// is no note, and the row is the same before and after the card is read.
bool differs(const CheckInput& stores, UserNumber number) {
  for (;;) {
    const CardRow row = row_of(stores, number);
    if (!row.user || row.is_due) return false;
    const auto card = stores.storage.snapshot()->find(tables::Cards::Key{number});
    if (card && card->presence == Presence::kRemoved) return false;
    if (card == social::card_of(*row.user)) return false;
    if (row_of(stores, number) == row) return true;
  }
}

// A row is written before its card and removed after it. So if no row was found, a card found
// afterwards has no row.
bool is_nobodys(const CheckInput& stores, UserNumber number) {
  if (stores.directory.find(number)) return false;
  const auto card = stores.storage.snapshot()->find(tables::Cards::Key{number});
  return card && card->presence != Presence::kRemoved;
}

void check_user(const CheckInput& stores, const User& user, Examination& exam) {
  if (!is_username(user.username)) {
    exam.find(FindingKind::kUsers, fmt::format("user {} has an invalid username: \"{}\"",
                                               user.id.value, printable(user.username)));
  }
  const Time latest{stores.clock.now().ms + rules::kOwnClockMs};
  auto problem = rules::id_problem(user.id.value, latest);
  if (!problem) problem = rules::time_problem("the time of sign-up", user.created_at, latest);
  if (problem)
    exam.find(FindingKind::kUsers, fmt::format("@{}: {}", printable(user.username), *problem));
}

// An unfinished removal is not an error, because the next writer continues it. Traces of a finished
// removal are, because nothing else would ever remove them.
void check_traces(const CheckInput& stores, const AuthorCard& card,
                  std::span<const UserNumber> unfinished, Examination& exam) {
  if (std::binary_search(unfinished.begin(), unfinished.end(), card.number)) return;
  const auto traces = stores.snapshot.traces_of(card.number);
  if (traces.empty()) return;
  exam.find(
      FindingKind::kRemoval,
      fmt::format("{} was removed, but something is left: {}", who(card), fmt::join(traces, ", ")),
      card.number);
}

// Users and cards by number: one block of users at a time, with the cards up to its last user.
class Pairs {
 public:
  Pairs(const CheckInput& stores, Examination& exam) : stores_(stores), exam_(exam) {}

  void check() {
    bool more = true;
    for (UserNumber after = kNobody; more;) {
      const auto users = stores_.directory.scan(after, kBlock);
      more = !users.empty();
      const UserNumber last = more ? users.back().number : UserNumber{~std::uint32_t{0}};
      check_between(after, last, users);
      after = last;
    }
    exam_.checked("users", users_);
    exam_.checked("cards", cards_);
  }

 private:
  void check_between(UserNumber after, UserNumber last, std::span<const User> users) {
    std::vector<bool> has_card(users.size());
    users_ += users.size();
    for (const User& user : users) check_user(stores_, user, exam_);
    while (after < last) {
      auto cards = reads::rows_above<tables::Cards>(stores_.snapshot, {after}, kBlock);
      std::erase_if(cards, [&](const AuthorCard& card) { return card.number > last; });
      if (cards.empty()) break;
      for (const AuthorCard& card : cards) check_card(card, users, has_card);
      check_removed(cards);
      after = cards.back().number;
      stores_.walk.rest(cards.size());
    }
    for (std::size_t i = 0; i < users.size(); ++i) {
      if (has_card[i] || !differs(stores_, users[i].number)) continue;
      exam_.find(FindingKind::kCard, fmt::format("@{} has no card", users[i].username),
                 users[i].number);
    }
    stores_.walk.rest(4 * users.size());
  }

  void check_card(const AuthorCard& card, std::span<const User> users,
                  std::vector<bool>& has_card) {
    ++cards_;
    const auto user = std::ranges::lower_bound(users, card.number, {}, &User::number);
    const bool has_user = user != users.end() && user->number == card.number;
    if (has_user) {
      has_card[static_cast<std::size_t>(user - users.begin())] = true;
      if (card != social::card_of(*user) && differs(stores_, card.number)) {
        exam_.find(FindingKind::kCard,
                   fmt::format("the card of @{} does not match the user", user->username),
                   card.number);
      }
    }
    if (card.presence == Presence::kRemoved) return;
    if (stores_.snapshot.find(tables::UserIds::Key{card.id}) != card.number) {
      exam_.find(FindingKind::kStore, fmt::format("the id of {} leads to another user", who(card)));
    }
    if (!has_user && is_nobodys(stores_, card.number)) {
      exam_.find(FindingKind::kCard,
                 fmt::format("there is a card of {}, but no such user", who(card)), card.number);
    }
  }

  void check_removed(std::span<const AuthorCard> cards) {
    const auto& unfinished = unfinished_.get(stores_.walk, &reads::unfinished_removals);
    for (const AuthorCard& card : cards) {
      if (card.presence == Presence::kRemoved) {
        check_traces(stores_, card, unfinished, exam_);
      }
    }
  }

  const CheckInput& stores_;
  Examination& exam_;
  OfState<std::vector<UserNumber>> unfinished_;
  std::uint64_t users_ = 0;
  std::uint64_t cards_ = 0;
};

}  // namespace

void check_cards(const CheckInput& stores, Examination& exam) { Pairs(stores, exam).check(); }

}  // namespace chirp::doctor
