#include <algorithm>
#include <unordered_set>

#include "core/events/consumers.h"
#include "core/model/deltas.h"

namespace chirp::events {
namespace {

// The deltas of some events.
class CounterChanges {
 public:
  explicit CounterChanges(std::size_t rows) : rows_(rows) {}

  // Adds an event. Returns false and adds nothing if the counters would exceed the number of rows;
  // the first event always fits.
  bool take(const Event& event) {
    const std::size_t users = users_.size();
    const std::size_t contents = contents_.size();
    append_user_deltas(event, users_);
    append_content_deltas(event, contents_);
    if (users_.size() + contents_.size() <= rows_) return true;
    // Counts distinct counters only when it matters.
    for (; users_told_ < users_.size(); ++users_told_) {
      touched_.insert(users_[users_told_].user.value | kUser);
    }
    for (; contents_told_ < contents_.size(); ++contents_told_) {
      touched_.insert(contents_[contents_told_].content.value);
    }
    if (touched_.size() <= rows_ || users + contents == 0) return true;
    users_.resize(users);
    contents_.resize(contents);
    return false;
  }

  [[nodiscard]] CounterStep step(Sequence from, Sequence to) && {
    combine(users_);
    combine(contents_);
    return {from, to, std::move(users_), std::move(contents_)};
  }

 private:
  static constexpr std::uint64_t kUser = std::uint64_t{1} << 63;  // no id has this bit

  std::size_t rows_;
  std::unordered_set<std::uint64_t> touched_;
  std::size_t users_told_ = 0;  // how many of users_ are in touched_
  std::size_t contents_told_ = 0;
  std::vector<CounterDelta> users_;
  std::vector<ContentDelta> contents_;
};

}  // namespace

Progress CounterConsumer::step() {
  auto snapshot = storage_.snapshot();
  const StoreState state = snapshot->state();
  if (state.counters == state.log_end) return Progress::kIdle;
  const Inbox inbox = take_in(*snapshot, state.counters, events_, bindings_);
  snapshot.reset();
  Sequence from = state.counters;
  auto next = inbox.events.begin();
  do {
    CounterChanges counted(turns_.rows());
    while (next != inbox.events.end() && counted.take(*next)) ++next;
    const Sequence to = next == inbox.events.end() ? inbox.next : next->sequence;
    const CounterStep step = std::move(counted).step(from, to);
    if (!rules::commit(turns_.storage(), step, clock_.now())) return Progress::kOvertaken;
    turns_.took(step.deltas.size() + step.contents.size());
    from = to;
  } while (from != inbox.next);
  return Progress::kMoved;
}

}  // namespace chirp::events
