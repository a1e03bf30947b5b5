#include "cli/export/users.h"

#include <algorithm>

#include "cli/process.h"
#include "core/ports/reads.h"

namespace chirp::cli {
namespace {

constexpr std::uint32_t kUsersAtOnce = 1000;

}  // namespace

ExportedUsers::ExportedUsers(const RowReader& snapshot) {
  UserNumber after = kNobody;
  for (;;) {
    const auto cards = reads::rows_above<tables::Cards>(snapshot, {after}, kUsersAtOnce);
    if (cards.empty()) break;
    OrderlyEnd::check();
    for (const AuthorCard& card : cards) {
      if (card.presence != Presence::kRemoved) add(card.number, card.id);
    }
    after = cards.back().number;
  }
  std::sort(by_id_.begin(), by_id_.end(),
            [](const Entry& a, const Entry& b) { return a.id < b.id; });
}

void ExportedUsers::add(UserNumber number, UserId id) {
  by_id_.push_back({id, number});
  if (ids_.size() <= number.value) ids_.resize(number.value + 1);
  ids_[number.value] = id;
}

}  // namespace chirp::cli
