#include "core/rules/changes.h"

#include <algorithm>
#include <variant>

namespace chirp::rules {
namespace {

template <class... Kinds>
bool is_any_of(const Change& change) {
  return (std::holds_alternative<Kinds>(change) || ...);
}

}  // namespace

bool adds(std::span<const Change> changes) {
  return std::ranges::any_of(changes, [](const Change& change) {
    return is_any_of<Publish, Repost, Follow, React, AddComment, LikeComment>(change);
  });
}

bool apply_all(Rows& rows, std::span<const Change> changes, std::vector<Outcome>& outcomes) {
  outcomes.clear();
  bool changed = false;
  for (const Change& change : changes) {
    outcomes.push_back(std::visit([&](const auto& what) { return apply(rows, what); }, change));
    changed = changed || outcomes.back().result == Result::kDone;
  }
  return changed;
}

}  // namespace chirp::rules
