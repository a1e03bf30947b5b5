// Checks that every user has a card and every card a user, and that nothing is left of removed
// users.
#include <algorithm>

#include <fmt/format.h>

#include "core/doctor/checks.h"
#include "core/model/names.h"
#include "core/ports/reads.h"
#include "core/rules/row_problems.h"

namespace chirp::doctor {
namespace {

// A user's row, and whether it says that its card is still to come.
struct Row {
  std::optional<User> user;
  bool is_due = false;

  bool operator==(const Row&) const = default;
};

Row row_of(const Stores& stores, UserNumber number) {
  return {stores.directory.find(number), stores.directory.is_card_due(number)};
}

// Row and card are in two stores that share no state, and others go on working. A change of the row
// notes that the card is due, and the note stays until the card is written. So the two differ only
// if there is no such note, and the row is the same before and after the look at the card.
bool differs(const Stores& stores, UserNumber number) {
  for (;;) {
    const Row row = row_of(stores, number);
    if (!row.user || row.is_due) return false;
    const auto card = stores.storage.snapshot()->find(tables::Cards::Key{number});
    if (card && card->presence == Presence::kRemoved) return false;
    if (card == social::card_of(*row.user)) return false;
    if (row_of(stores, number) == row) return true;
  }
}

// A row is written before its card and removed after it. So if no row was found, a card that is
// there afterwards has no row.
bool is_nobodys(const Stores& stores, UserNumber number) {
  if (stores.directory.find(number)) return false;
  const auto card = stores.storage.snapshot()->find(tables::Cards::Key{number});
  return card && card->presence != Presence::kRemoved;
}

void check_users(const Stores& stores, Examination& exam) {
  std::uint64_t count = 0;
  UserNumber after = kNobody;
  for (;;) {
    const auto users = stores.directory.scan(after, kBlock);
    if (users.empty()) break;
    std::vector<UserNumber> numbers;
    for (const User& user : users) numbers.push_back(user.number);
    const auto cards = reads::cards(stores.snapshot, numbers);
    for (std::size_t i = 0; i < users.size(); ++i) {
      const User& user = users[i];
      ++count;
      if (!is_username(user.username)) {
        exam.find(Kind::kUsers, fmt::format("user {} has a name that is none: \"{}\"",
                                            user.id.value, printable(user.username)));
      }
      const Time latest{stores.clock.now().ms + rules::kOwnClockMs};
      auto problem = rules::id_problem(user.id.value, latest);
      if (!problem) problem = rules::time_problem("the time of sign-up", user.created_at, latest);
      if (problem) {
        exam.find(Kind::kUsers, fmt::format("@{}: {}", printable(user.username), *problem));
      }
      if (cards[i] == social::card_of(user) || !differs(stores, user.number)) continue;
      exam.find(Kind::kCard,
                cards[i] ? fmt::format("the card of @{} is not what the user is", user.username)
                         : fmt::format("@{} has no card", user.username),
                user.number);
    }
    after = users.back().number;
  }
  exam.checked("users", count);
}

// A removal that is under way, or was left half done, is no fault: whoever writes next goes on with
// it. What a finished removal has left is one, since nobody would ever come back for it.
void check_removed(const Stores& stores, const AuthorCard& card,
                   std::span<const UserNumber> unfinished, Examination& exam) {
  if (std::binary_search(unfinished.begin(), unfinished.end(), card.number)) return;
  const auto traces = stores.snapshot.traces_of(card.number);
  if (traces.empty()) return;
  exam.find(Kind::kRemoval,
            fmt::format("of {} there is something left: {}", who(card), fmt::join(traces, ", ")),
            card.number);
}

}  // namespace

void check_cards(const Stores& stores, Examination& exam) {
  check_users(stores, exam);
  const auto unfinished = reads::unfinished_removals(stores.snapshot);
  std::uint64_t count = 0;
  for_each_card(stores.snapshot, [&](const AuthorCard& card) {
    ++count;
    if (card.presence == Presence::kRemoved) return check_removed(stores, card, unfinished, exam);
    if (stores.snapshot.find(tables::UserIds::Key{card.id}) != card.number) {
      exam.find(Kind::kStore, fmt::format("the id of {} leads to somebody else", who(card)));
    }
    if (is_nobodys(stores, card.number)) {
      exam.find(Kind::kCard, fmt::format("there is a card of {}, but no such user", who(card)),
                card.number);
    }
  });
  exam.checked("cards", count);
}

}  // namespace chirp::doctor
