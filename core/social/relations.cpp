#include "core/social/relations.h"

#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/ports/reads.h"

namespace chirp::social {
namespace {

void check_limit(std::uint32_t limit) {
  if (limit >= 1 && limit <= limits::kUserPageMax) return;
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("A page takes 1 to {} users, not {}.", limits::kUserPageMax, limit),
              "limit");
}

}  // namespace

Relations::Relations(Storage& storage, Accounts& accounts, const Clock& clock)
    : storage_(storage), accounts_(accounts), clock_(clock) {}

RelationChange Relations::write(RelationChange change, const Change& what) {
  accounts_.ensure_card(change.user);
  accounts_.ensure_card(change.other);
  const Result result = storage_.write({&what, 1}, clock_.now()).front().result;
  if (result == Result::kMissing) {
    throw Error(ErrorCode::kNotFound,
                fmt::format("user {} or {} was removed meanwhile", change.user.username,
                            change.other.username),
                "name");
  }
  change.changed = result == Result::kDone;
  return change;
}

RelationChange Relations::set(std::string_view name, Relation relation, std::string_view other) {
  RelationChange change{accounts_.resolve(name), accounts_.resolve(other)};
  if (change.user.number == change.other.number) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{} cannot {} themselves. Name somebody else.", change.user.username,
                            relation == Relation::kBlock ? "block" : "mute"),
                "name");
  }
  const Relate what{change.user.number, change.other.number, relation};
  return write(std::move(change), what);
}

RelationChange Relations::lift(std::string_view name, Relation relation, std::string_view other) {
  RelationChange change{accounts_.resolve(name), accounts_.resolve(other)};
  const Unrelate what{change.user.number, change.other.number, relation};
  return write(std::move(change), what);
}

RelatedPage Relations::list(std::string_view name, Relation relation, UserNumber after,
                            std::uint32_t limit) const {
  check_limit(limit);
  const User user = accounts_.resolve(name);
  const auto snapshot = storage_.snapshot();
  RelatedPage page;
  // Who is being removed is passed over, and others take their places. One more than the page holds
  // tells whether there is more.
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
