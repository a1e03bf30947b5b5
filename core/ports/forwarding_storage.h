// A Storage that forwards every call to another one: a base class for wrappers. As thread-safe as
// the other.
#pragma once

#include "core/ports/storage.h"

namespace chirp {

class ForwardingStorage : public Storage {
 public:
  // `inner` must outlive it.
  explicit ForwardingStorage(Storage& inner) : inner_(inner) {}

  [[nodiscard]] std::unique_ptr<Snapshot> snapshot() const override { return inner_.snapshot(); }
  [[nodiscard]] std::uint64_t version() const override { return inner_.version(); }
  [[nodiscard]] std::optional<Error> refusal(SpaceUse use) const override {
    return inner_.refusal(use);
  }
  std::vector<Outcome> write(std::span<const Change> changes, Time now) override {
    return inner_.write(changes, now);
  }
  bool decide(Time now, Purpose purpose, const Decision& decision) override {
    return inner_.decide(now, purpose, decision);
  }
  [[nodiscard]] std::unique_ptr<BulkEdges> bulk_edges(const BulkOptions& options) override {
    return inner_.bulk_edges(options);
  }
  [[nodiscard]] bool bulk_pays(std::span<const LoadedEdge> some, std::uint64_t all) const override {
    return inner_.bulk_pays(some, all);
  }
  void settle() override { inner_.settle(); }
  [[nodiscard]] std::shared_ptr<void> early_entries() override { return inner_.early_entries(); }
  [[nodiscard]] bool early_pays() const override { return inner_.early_pays(); }
  [[nodiscard]] std::unique_ptr<Scratch> scratch(std::string_view doing,
                                                 std::size_t memory) override {
    return inner_.scratch(doing, memory);
  }
  std::uint64_t repair_indexes(Time now) override { return inner_.repair_indexes(now); }

 protected:
  Storage& inner_;
};

}  // namespace chirp
