#include "core/social/relations.h"

#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/ports/reads.h"

namespace chirp::social {
Relations::Relations(Storage& storage, Accounts& accounts, const Clock& clock)
    : storage_(storage), accounts_(accounts), clock_(clock) {}

bool Relations::write(const User& user, const User& other, const Change& change) {
  accounts_.ensure_card(user);
  accounts_.ensure_card(other);
  const Result result = storage_.write_one(change, clock_.now()).result;
  if (result == Result::kMissing) {
    throw Error(ErrorCode::kNotFound,
                fmt::format("user {} or {} was removed or suspended meanwhile", user.username,
                            other.username),
                "name");
  }
  return result == Result::kDone;
}

bool Relations::set(const User& user, Relation relation, const User& other) {
  if (user.number == other.number) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{} cannot {} themselves. Name another user.", user.username,
                            relation == Relation::kBlock ? "block" : "mute"),
                "name");
  }
  return write(user, other, Relate{user.number, other.number, relation});
}

bool Relations::lift(const User& user, Relation relation, const User& other) {
  return write(user, other, Unrelate{user.number, other.number, relation});
}

RelatedPage Relations::list(const User& user, Relation relation, UserNumber after,
                            std::uint32_t limit) const {
  check_page_limit(limit, limits::kUserPageMax, "users");
  const auto snapshot = storage_.snapshot();
  RelatedPage page;
  // Skips removed users, and fills the page with later ones. One more than the page holds shows
  // whether there are more.
  for (bool more = true; more && page.users.size() <= limit;) {
    const auto missing = limit + 1 - static_cast<std::uint32_t>(page.users.size());
    const EdgePage found = reads::related(*snapshot, user.number, relation, after, missing);
    for (const Edge& edge : found.edges) {
      if (auto other = accounts_.present(edge.other)) {
        page.users.push_back({*std::move(other), {}});
      }
    }
    more = found.more && !found.edges.empty();
    if (more) after = found.edges.back().other;
  }
  if (page.users.size() > limit) {
    page.users.resize(limit);
    page.next_cursor = page.users.back().user.number;
  }
  std::vector<UserNumber> numbers;
  for (const UserView& view : page.users) numbers.push_back(view.user.number);
  const auto counters = snapshot->counters(numbers);
  for (std::size_t i = 0; i < page.users.size(); ++i) page.users[i].counters = counters[i];
  return page;
}

}  // namespace chirp::social
