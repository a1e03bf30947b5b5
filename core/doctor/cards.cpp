// Cards and users, both ways; what is left of removed users.
#include <algorithm>

#include <fmt/format.h>

#include "core/doctor/checks.h"
#include "core/model/names.h"
#include "core/ports/reads.h"

namespace chirp::doctor {
namespace {

// A user's row, and whether it says that its card is still to come.
struct Row {
  std::optional<User> user;
  bool is_due = false;

  bool operator==(const Row&) const = default;
};

Row row_of(const Patient& patient, UserNumber number) {
  return {patient.directory.find(number), patient.directory.is_card_due(number)};
}

// Row and card are of two stores that share no state, and others go on working. A change of the row
// says that the card is due, and says so until the card is there: so they differ only if the row
// says nothing of the kind, and is the same before and after the look at the card.
bool differs(const Patient& patient, UserNumber number) {
  for (;;) {
    const Row row = row_of(patient, number);
    if (!row.user || row.is_due) return false;
    const auto card = patient.storage.snapshot()->find(tables::Cards::Key{number});
    if (card && card->presence == Presence::kRemoved) return false;
    if (card == social::card_of(*row.user)) return false;
    if (row_of(patient, number) == row) return true;
  }
}

// A row comes before its card and goes after it, so a card that is there after the row was looked
// for in vain has none.
bool is_nobodys(const Patient& patient, UserNumber number) {
  if (patient.directory.find(number)) return false;
  const auto card = patient.storage.snapshot()->find(tables::Cards::Key{number});
  return card && card->presence == Presence::kPresent;
}

void check_users(const Patient& patient, Examination& exam) {
  std::uint64_t count = 0;
  UserNumber after = kNobody;
  for (;;) {
    const auto users = patient.directory.scan(after, kBlock);
    if (users.empty()) break;
    std::vector<UserNumber> numbers;
    for (const User& user : users) numbers.push_back(user.number);
    const auto cards = reads::cards(patient.snapshot, numbers);
    for (std::size_t i = 0; i < users.size(); ++i) {
      const User& user = users[i];
      ++count;
      if (!is_username(user.username)) {
        exam.find(Kind::kUsers, fmt::format("user {} has a name that is none: \"{}\"",
                                            user.id.value, printable(user.username)));
      }
      if (cards[i] == social::card_of(user) || !differs(patient, user.number)) continue;
      exam.find(Kind::kCard,
                cards[i] ? fmt::format("the card of @{} is not what the user is", user.username)
                         : fmt::format("@{} has no card", user.username),
                user.number);
    }
    after = users.back().number;
  }
  exam.checked("users", count);
}

// A removal under way, or left half-way, is nothing wrong: whoever writes next goes on with it.
// What is left of a removal that is finished is known to nobody.
void check_removed(const Patient& patient, const AuthorCard& card,
                   std::span<const UserNumber> unfinished, Examination& exam) {
  if (std::binary_search(unfinished.begin(), unfinished.end(), card.number)) return;
  const auto traces = patient.snapshot.traces_of(card.number);
  if (traces.empty()) return;
  exam.find(Kind::kRemoval,
            fmt::format("of {} there is something left: {}", who(card), fmt::join(traces, ", ")),
            card.number);
}

}  // namespace

void check_cards(const Patient& patient, Examination& exam) {
  check_users(patient, exam);
  const auto unfinished = reads::unfinished_removals(patient.snapshot);
  std::uint64_t count = 0;
  for_each_card(patient.snapshot, [&](const AuthorCard& card) {
    ++count;
    if (card.presence == Presence::kRemoved) return check_removed(patient, card, unfinished, exam);
    if (patient.snapshot.find(tables::UserIds::Key{card.id}) != card.number) {
      exam.find(Kind::kStore, fmt::format("the id of {} leads to somebody else", who(card)));
    }
    if (is_nobodys(patient, card.number)) {
      exam.find(Kind::kCard, fmt::format("there is a card of {}, but no such user", who(card)),
                card.number);
    }
  });
  exam.checked("cards", count);
}

}  // namespace chirp::doctor
