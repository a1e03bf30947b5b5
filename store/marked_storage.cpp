#include "store/marked_storage.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace chirp::store {

MarkedStorage::MarkedStorage(std::unique_ptr<Storage> inner, Sequence noted, Note note)
    : inner_(std::move(inner)), note_(std::move(note)), noted_(noted.value) {}

std::optional<Sequence> MarkedStorage::unnoted() const {
  if (last_ <= noted_) return std::nullopt;
  return Sequence{last_};
}

void MarkedStorage::wrote(Sequence last) {
  std::uint64_t known = last_;
  while (known < last.value && !last_.compare_exchange_weak(known, last.value)) {
  }
  if (last_ < noted_ + kNoteEvery) return;
  const std::unique_lock one(noting_, std::try_to_lock);
  if (!one.owns_lock()) return;  // somebody is at it
  try {
    const std::uint64_t reached = last_;
    note_(Sequence{reached});
    noted_ = reached;
  } catch (const Error&) {
    // A mark that could not be noted is noted after the next commit.
  }
}

bool MarkedStorage::decide(Time now, Purpose purpose, const Decision& decision) {
  Sequence last{0};
  const bool changed = inner_->decide(now, purpose, [&](Rows& rows) {
    const bool done = decision(rows);
    last = {rows.state().log_end.value - 1};
    return done;
  });
  if (changed) wrote(last);
  return changed;
}

}  // namespace chirp::store
