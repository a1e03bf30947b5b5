// A store whose disk reserve is reached while a test says so. As thread-safe as the inner store.
#pragma once

#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/ports/forwarding_storage.h"
#include "core/rules/changes.h"

namespace chirp::test {

class ReservedStorage final : public ForwardingStorage {
 public:
  using ForwardingStorage::ForwardingStorage;

  void set_reached(bool reached) { reached_ = reached; }
  // Refused turns.
  [[nodiscard]] int refused_turns() const { return refused_turns_; }

  [[nodiscard]] std::optional<Error> refusal(SpaceUse use) const override {
    if (!reached_ || use == SpaceUse::kKeeps) return std::nullopt;
    return Error(ErrorCode::kStorageFull, "Only 1 MiB of disk space are left for /srv/chirp.",
                 std::string(kReserveField));
  }
  std::vector<Outcome> write(std::span<const Change> changes, Time now) override {
    if (rules::adds(changes)) check(SpaceUse::kAdds);
    return inner_.write(changes, now);
  }
  bool decide(Time now, Purpose purpose, const Decision& decision) override {
    check(space_use(purpose));
    return inner_.decide(now, purpose, decision);
  }

 private:
  void check(SpaceUse use) {
    const auto refused = refusal(use);
    if (!refused) return;
    ++refused_turns_;
    throw Error(*refused);
  }

  std::atomic<bool> reached_{false};
  std::atomic<int> refused_turns_{0};
};

}  // namespace chirp::test
