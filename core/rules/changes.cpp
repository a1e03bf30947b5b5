#include "core/rules/changes.h"

namespace chirp::rules {

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
