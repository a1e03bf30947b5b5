// The disk reserve: the last of a file system, which is kept for what frees space.
//
// LMDB needs pages to free pages, so in a directory on a full disk nothing could even be removed.
// While less is free than the reserve, nothing is added. Removing and changing go on down to a
// quarter of it. Adding resumes at 1.25 times the reserve, so that it does not flap.
//
// All rules are here. The file system and the clock are handed in.
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

// What was asked for, in bytes: 0 is no reserve, empty is the default.
using ReserveSize = std::optional<std::uint64_t>;
// `CHIRP_DISK_RESERVE`, which the command line sets for its option. Empty also for what is no size.
[[nodiscard]] ReserveSize reserve_from_environment();
// The reserve on such a disk; by default the smaller of 1 GiB and 5 % of it.
[[nodiscard]] std::uint64_t reserve_on(const DiskSpace& disk, ReserveSize asked);

// Throws Error{kStorageFull}, is_reserve_reached(), unless `bytes` more fit on the file system of
// `destination` above its reserve, or above a quarter of it for kKeeps. `doing` begins the
// sentence: "The backup". `then` is what is so if it throws, and what to do.
void check_room_for(
    std::string_view doing, const std::filesystem::path& destination, std::uint64_t bytes,
    ReserveSize asked, SpaceUse use = SpaceUse::kAdds,
    std::string_view then = "Nothing was changed: free some space, or choose another place.");

// Safe to call from any thread.
class DiskReserve {
 public:
  // Where a write takes its space. Free pages of the engine's file count as space for the engine.
  enum class Into : std::uint8_t { kFiles, kEngine };
  // Empty if the file system can't be asked; then nothing is refused.
  using Look = std::function<std::optional<DiskSpace>()>;
  // Returns the bytes that the engine can use again, counted up to `enough`.
  using Reusable = std::function<std::uint64_t(std::uint64_t enough)>;

  static constexpr std::int64_t kLookEveryNs = 100'000'000;  // at most ten times a second

  // Keeps the reserve of the file system of `place`, which messages name.
  DiskReserve(const std::filesystem::path& place, ReserveSize asked);
  // The same with another view of the world. The clock must outlive it.
  DiskReserve(const std::filesystem::path& place, ReserveSize asked, Look look, const Clock& clock);
  DiskReserve(const DiskReserve&) = delete;
  DiskReserve& operator=(const DiskReserve&) = delete;

  // Sets what counts free pages. Call it before several threads ask.
  void count_reusable(Reusable reusable) { reusable_ = std::move(reusable); }

  // Returns why such a write may not begin, and of `bytes` if that is known; empty if it
  // may. Bytes of admitted writes count as used until the next look.
  [[nodiscard]] std::optional<Error> refusal(SpaceUse use, Into into, std::uint64_t bytes = 0);
  // Throws it.
  void admit(SpaceUse use, Into into, std::uint64_t bytes = 0);

  struct State {
    std::uint64_t reserve = 0;   // bytes; 0 if there is no reserve
    std::uint64_t free = 0;      // bytes of the file system
    std::uint64_t reusable = 0;  // bytes of the engine's file, counted as far as it matters
    bool is_reached = false;     // nothing is added to the engine
  };
  [[nodiscard]] State state();

 private:
  // What was seen at the last look.
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

  std::mutex mutex_;  // of all below
  std::optional<std::int64_t> next_look_ns_;
  std::optional<Seen> seen_;
  std::uint64_t used_since_ = 0;
  bool is_reached_[2] = {false, false};  // by Into
};

}  // namespace chirp::store
