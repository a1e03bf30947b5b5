#include "core/ports/rows.h"

#include "core/model/event.h"

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
