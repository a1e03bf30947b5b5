#include "store/marked_storage.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace chirp::store {

MarkedStorage::MarkedStorage(std::unique_ptr<Storage> inner, Sequence noted, Note note,
                             DirectoryWatch* watch)
    : ForwardingStorage(*inner),
      owned_(std::move(inner)),
      note_(std::move(note)),
      watch_(watch),
      noted_(noted.value) {}

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
  if (!one.owns_lock()) return;  // another thread is recording it
  try {
    const std::uint64_t reached = last_;
    note_(Sequence{reached});
    noted_ = reached;
  } catch (const Error&) {
    // If it can't be recorded now, the next commit records it.
  }
}

bool MarkedStorage::decide(Time now, Purpose purpose, const Decision& decision) {
  if (watch_ != nullptr) watch_->before_write();
  Sequence last{0};
  const bool changed = inner_.decide(now, purpose, [&](Rows& rows) {
    const bool done = decision(rows);
    last = {rows.state().log_end.value - 1};
    return done;
  });
  if (!changed) return false;
  wrote(last);
  if (watch_ != nullptr) watch_->after_write();
  return true;
}

// Moves the mark when everything is stored. A load writes for minutes, so each turn checks that the
// directory is still in its place.
class MarkedStorage::MarkedBulk final : public BulkEdges {
 public:
  MarkedBulk(MarkedStorage& storage, std::unique_ptr<BulkEdges> inner)
      : storage_(storage), inner_(std::move(inner)) {}

  void add(std::span<const std::uint64_t> keys) override { inner_->add(keys); }
  void add(std::span<const TimedEdge> edges) override { inner_->add(edges); }
  void put_aside(std::span<const std::uint64_t> run) override { inner_->put_aside(run); }
  void take_aside(const TakeRun& take) override { inner_->take_aside(take); }
  LoadCounts finish(Time now, const Turn& turn) override {
    DirectoryWatch* const watch = storage_.watch_;
    if (watch != nullptr) watch->before_write();
    const LoadCounts counts = inner_->finish(now, [&](const std::function<void()>& transaction) {
      turn(transaction);
      if (watch != nullptr) watch->after_write();
    });
    storage_.wrote({storage_.snapshot()->state().log_end.value - 1});
    return counts;
  }
  [[nodiscard]] BulkProgress reach() const override { return inner_->reach(); }

 private:
  MarkedStorage& storage_;
  std::unique_ptr<BulkEdges> inner_;
};

std::unique_ptr<BulkEdges> MarkedStorage::bulk_edges(const BulkOptions& options) {
  auto inner = inner_.bulk_edges(options);
  return inner ? std::make_unique<MarkedBulk>(*this, std::move(inner)) : nullptr;
}

void MarkedStorage::settle() {
  inner_.settle();
  if (watch_ != nullptr) watch_->after_write();
}

std::uint64_t MarkedStorage::repair_indexes(Time now) {
  const std::uint64_t repaired = inner_.repair_indexes(now);
  if (watch_ != nullptr) watch_->after_write();
  return repaired;
}

}  // namespace chirp::store
