// The disk reserve: the last space of a file system, reserved for work that frees space.
//
// LMDB needs free pages to free pages, so on a full disk nothing could be removed. If free space is
// below the reserve, nothing is added. Removing and changing continue down to a quarter of it.
// Adding resumes at 1.25 times the reserve, so that it does not flap.
//
// All rules are here. The file system and the clock are parameters.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>

#include "core/error.h"
#include "core/ports/clock.h"
#include "core/ports/storage.h"
#include "store/room.h"

namespace chirp::store {

// The requested size in bytes: 0 for no reserve, empty for the default.
using ReserveSize = std::optional<std::uint64_t>;
// Reads `CHIRP_DISK_RESERVE`, which the command line's option sets. Empty if it is not a size.
[[nodiscard]] ReserveSize reserve_from_environment();
// Returns the reserve on this disk; by default the smaller of 1 GiB and 5 % of it.
[[nodiscard]] std::uint64_t reserve_on(const DiskSpace& disk, ReserveSize asked);

// Throws Error{kStorageFull} with is_reserve_reached() unless `bytes` more fit on the file system
// of `destination` above its reserve (above a quarter of it for kKeeps). `doing` is the subject of
// the message: "The backup". `then` says what the failure leaves and what to do.
void check_room_for(
    std::string_view doing, const std::filesystem::path& destination, std::uint64_t bytes,
    ReserveSize asked, SpaceUse use = SpaceUse::kAdds,
    std::string_view then = "Nothing was changed: free some space, or choose another place.");

// Safe to call from any thread.
class DiskReserve {
 public:
  // Where a write takes its space. Free pages of the engine's file count as space for the engine.
  enum class Into : std::uint8_t { kFiles, kEngine };
  // Returns empty if the file system does not answer; then nothing is refused.
  using Look = std::function<std::optional<DiskSpace>()>;
  // Returns the bytes that the engine can use again, counted up to `enough`.
  using Reusable = std::function<std::uint64_t(std::uint64_t enough)>;

  static constexpr std::int64_t kLookEveryNs = 100'000'000;  // at most ten checks per second

  // Guards the reserve on the file system of `place`, which messages name.
  DiskReserve(const std::filesystem::path& place, ReserveSize asked);
  // The same with another file system and clock, for tests. The clock must outlive it.
  DiskReserve(const std::filesystem::path& place, ReserveSize asked, Look look, const Clock& clock);
  DiskReserve(const DiskReserve&) = delete;
  DiskReserve& operator=(const DiskReserve&) = delete;

  // Sets the function that counts free pages. Call it before several threads use this.
  void count_reusable(Reusable reusable) { reusable_ = std::move(reusable); }

  // Returns why such a write, of `bytes` if known, may not begin; empty if it
  // may. Bytes of admitted writes count as used until the next look.
  [[nodiscard]] std::optional<Error> refusal(SpaceUse use, Into into, std::uint64_t bytes = 0);
  // Throws that error.
  void admit(SpaceUse use, Into into, std::uint64_t bytes = 0);

  struct State {
    std::uint64_t reserve = 0;   // bytes; 0 if there is no reserve
    std::uint64_t free = 0;      // bytes of the file system
    std::uint64_t reusable = 0;  // bytes of the engine's file, counted up to the needed number
    bool is_reached = false;     // writes that add to the engine are refused
  };
  [[nodiscard]] State state();

 private:
  // The result of the last look.
  struct Seen {
    std::uint64_t free = 0;
    std::uint64_t reserve = 0;
    std::optional<std::uint64_t> reusable{};  // if it was counted
  };

  void look_if_due();
  [[nodiscard]] std::uint64_t reusable_now();
  [[nodiscard]] std::uint64_t room_for(Into into);
  [[nodiscard]] std::optional<Error> refuse_adding(Into into, std::uint64_t bytes);
  [[nodiscard]] Error refused(SpaceUse use, std::uint64_t room) const;

  const std::filesystem::path place_;
  const ReserveSize asked_;
  const Look look_;
  const Clock& clock_;
  Reusable reusable_;

  std::mutex mutex_;  // guards everything below
  std::optional<std::int64_t> next_look_ns_;
  std::optional<Seen> seen_;
  std::uint64_t used_since_ = 0;
  bool is_reached_[2] = {false, false};  // by Into
};

}  // namespace chirp::store
