#include "core/social/relations.h"

#include <utility>

#include <fmt/format.h>

#include "core/error.h"

namespace chirp::social {

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
                fmt::format("{} cannot {} themselves", change.user.username,
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

}  // namespace chirp::social
