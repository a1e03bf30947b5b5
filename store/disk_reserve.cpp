#include "store/disk_reserve.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "core/model/byte_count.h"
#include "store/deadline.h"

namespace chirp::store {
namespace {

constexpr std::uint64_t kReserveMax = std::uint64_t{1} << 30;
constexpr std::uint64_t kShareOfDisk = 20;

// Removing stops at this share of the reserve.
constexpr std::uint64_t least_for_removing(std::uint64_t reserve) { return reserve / 4; }
// Adding resumes here.
constexpr std::uint64_t enough_to_resume(std::uint64_t reserve) { return reserve + reserve / 4; }

std::uint64_t less(std::uint64_t from, std::uint64_t what) { return from - std::min(from, what); }

Error reserve_error(const std::string& message) {
  return Error(ErrorCode::kStorageFull, message, std::string(kReserveField));
}

}  // namespace

ReserveSize reserve_from_environment() {
  const char* const text = std::getenv("CHIRP_DISK_RESERVE");
  return text == nullptr ? std::nullopt : parse_byte_count(text);
}

std::uint64_t reserve_on(const DiskSpace& disk, ReserveSize asked) {
  return asked ? *asked : std::min(kReserveMax, disk.bytes / kShareOfDisk);
}

void check_room_for(std::string_view doing, const std::filesystem::path& destination,
                    std::uint64_t bytes, ReserveSize asked, SpaceUse use, std::string_view then) {
  const auto disk = disk_at(destination);
  if (!disk) return;
  const std::uint64_t reserve = reserve_on(*disk, asked);
  const std::uint64_t kept = use == SpaceUse::kAdds ? reserve : least_for_removing(reserve);
  if (reserve == 0 || (disk->free >= kept && disk->free - kept >= bytes)) return;
  const std::string need =
      bytes == 0 ? "needs disk space" : fmt::format("takes up to {}", byte_count(bytes));
  throw reserve_error(fmt::format(
      "{} {}. {} are free on the file system of {}, of which the last {} are reserved "
      "(--disk-reserve). {}",
      doing, need, byte_count(disk->free), destination.string(), byte_count(kept), then));
}

DiskReserve::DiskReserve(const std::filesystem::path& place, ReserveSize asked)
    : DiskReserve(
          place, asked, [place] { return disk_at(place); }, machine_clock()) {}

DiskReserve::DiskReserve(const std::filesystem::path& place, ReserveSize asked, Look look,
                         const Clock& clock)
    : place_(place), asked_(asked), look_(std::move(look)), clock_(clock) {}

void DiskReserve::look_if_due() {
  const std::int64_t now = clock_.steady_ns();
  if (next_look_ns_ && now < *next_look_ns_) return;
  next_look_ns_ = now + kLookEveryNs;
  used_since_ = 0;
  seen_.reset();
  if (const auto disk = look_()) seen_ = Seen{disk->free, reserve_on(*disk, asked_), {}};
}

// Counting walks the free list, so it is done only if it decides, and once per look.
std::uint64_t DiskReserve::reusable_now() {
  const std::uint64_t enough = enough_to_resume(seen_->reserve);
  if (seen_->free >= enough || !reusable_) return 0;
  if (!seen_->reusable) seen_->reusable = reusable_(enough - seen_->free);
  return *seen_->reusable;
}

std::uint64_t DiskReserve::room_for(Into into) {
  const std::uint64_t free = less(seen_->free, used_since_);
  return into == Into::kEngine ? free + reusable_now() : free;
}

std::optional<Error> DiskReserve::refuse_adding(Into into, std::uint64_t bytes) {
  const std::uint64_t room = room_for(into);
  bool& is_reached = is_reached_[static_cast<std::size_t>(into)];
  is_reached = room < (is_reached ? enough_to_resume(seen_->reserve) : seen_->reserve);
  if (is_reached) return refused(SpaceUse::kAdds, room);
  // Refuses only this large write: smaller ones still fit.
  if (room - seen_->reserve < bytes) return refused(SpaceUse::kAdds, room);
  used_since_ += bytes;
  return std::nullopt;
}

std::optional<Error> DiskReserve::refusal(SpaceUse use, Into into, std::uint64_t bytes) {
  if (asked_ == 0) return std::nullopt;
  const std::lock_guard guard(mutex_);
  look_if_due();
  if (!seen_ || seen_->reserve == 0) return std::nullopt;
  if (use == SpaceUse::kAdds) return refuse_adding(into, bytes);
  const std::uint64_t room = room_for(into);
  if (room < least_for_removing(seen_->reserve)) return refused(use, room);
  return std::nullopt;
}

void DiskReserve::admit(SpaceUse use, Into into, std::uint64_t bytes) {
  if (const auto no = refusal(use, into, bytes)) throw Error(*no);
}

Error DiskReserve::refused(SpaceUse use, std::uint64_t room) const {
  const std::uint64_t reserve = seen_->reserve;
  if (use == SpaceUse::kKeeps) {
    return reserve_error(
        fmt::format("Only {} of disk space are left for {}, and changes and removals need a "
                    "quarter of the disk reserve ({}). Nothing was changed: free some space on its "
                    "file system.",
                    byte_count(room), place_.string(), byte_count(least_for_removing(reserve))));
  }
  return reserve_error(
      fmt::format("Only {} of disk space are left for {}, and the last {} are reserved "
                  "(--disk-reserve). Nothing was added: free some space. Removing and unfollowing "
                  "go on, and adding does with {}.",
                  byte_count(room), place_.string(), byte_count(reserve),
                  byte_count(enough_to_resume(reserve))));
}

DiskReserve::State DiskReserve::state() {
  if (asked_ == 0) return {};
  const bool is_reached = refusal(SpaceUse::kAdds, Into::kEngine).has_value();
  const std::lock_guard guard(mutex_);
  if (!seen_) return {};
  return {seen_->reserve, seen_->free, reusable_now(), is_reached};
}

}  // namespace chirp::store
