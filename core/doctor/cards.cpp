// Cards and users, both ways; removals.
#include <fmt/format.h>

#include "core/doctor/checks.h"
#include "core/model/names.h"

namespace chirp::doctor {
namespace {

// Looks again, at the newest state of both stores: what a writer was in the middle of is no
// finding.
bool still_differs(const Patient& patient, UserNumber number) {
  const auto user = patient.directory.find(number);
  if (!user) return false;
  const auto cards = patient.storage.snapshot()->cards({&number, 1});
  return !cards.front() || *cards.front() != social::card_of(*user);
}

bool still_nobody(const Patient& patient, UserNumber number) {
  if (patient.directory.find(number)) return false;
  const auto cards = patient.storage.snapshot()->cards({&number, 1});
  return cards.front() && cards.front()->presence == Presence::kPresent;
}

void check_users(const Patient& patient, Examination& exam) {
  std::uint64_t count = 0;
  UserNumber after = kNobody;
  for (;;) {
    const auto users = patient.directory.scan(after, kBlock);
    if (users.empty()) break;
    std::vector<UserNumber> numbers;
    for (const User& user : users) numbers.push_back(user.number);
    const auto cards = patient.snapshot.cards(numbers);
    for (std::size_t i = 0; i < users.size(); ++i) {
      const User& user = users[i];
      ++count;
      if (!is_username(user.username)) {
        exam.find(Kind::kUsers, fmt::format("user {} has a name that is none: \"{}\"",
                                            user.id.value, printable(user.username)));
      }
      if (cards[i] && cards[i]->presence == Presence::kRemoved) continue;  // a removal under way
      if (cards[i] == social::card_of(user) || !still_differs(patient, user.number)) continue;
      exam.find(Kind::kCard,
                cards[i] ? fmt::format("the card of @{} is not what the user is", user.username)
                         : fmt::format("@{} has no card", user.username),
                user.number);
    }
    after = users.back().number;
  }
  exam.checked("users", count);
}

}  // namespace

void check_cards(const Patient& patient, Examination& exam) {
  check_users(patient, exam);
  std::uint64_t count = 0;
  for_each_card(patient.snapshot, [&](const AuthorCard& card) {
    ++count;
    if (card.presence == Presence::kRemoved) return;
    if (patient.snapshot.number_of(card.id) != card.number) {
      exam.find(Kind::kStore, fmt::format("the id of {} leads to somebody else", who(card)));
    }
    if (still_nobody(patient, card.number)) {
      exam.find(Kind::kCard, fmt::format("there is a card of {}, but no such user", who(card)));
    }
  });
  exam.checked("cards", count);
  const auto unfinished = patient.snapshot.unfinished_removals();
  const auto cards = patient.snapshot.cards(unfinished);
  for (std::size_t i = 0; i < unfinished.size(); ++i) {
    exam.find(Kind::kRemoval,
              fmt::format("the removal of {} is not finished",
                          cards[i] ? who(*cards[i]) : std::to_string(unfinished[i].value)),
              unfinished[i]);
  }
}

}  // namespace chirp::doctor
