#include "core/rules/changes.h"

#include <algorithm>
#include <variant>

#include "core/model/event.h"
#include "core/ports/rows.h"

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

namespace chirp {

PostId Rows::mint() {
  StoreState& now_state = state();
  now_state.last_id.value = snowflake::next(now(), now_state.last_id.value, turn().machine);
  return now_state.last_id;
}

void Rows::log(events::Event event) {
  StoreState& now_state = state();
  event.sequence = now_state.log_end;
  if (event.time == Time{}) event.time = now();
  put(tables::Events::Key{event.sequence}, event);
  ++now_state.log_end.value;
  if (events::tells_time(event)) now_state.passed.see(event.time);
}

}  // namespace chirp
