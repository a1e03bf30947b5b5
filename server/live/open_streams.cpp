#include "server/live/open_streams.h"

#include <exception>
#include <map>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "server/limits.h"

namespace chirp::live {

bool is_allowed(const std::function<bool()>& still_allowed) {
  try {
    return still_allowed();
  } catch (const std::exception&) {
    return false;
  }
}

std::shared_ptr<void> OpenStreams::add(UserNumber viewer, Line line) {
  const std::lock_guard lock(mutex_);
  const auto at = lines_.emplace(viewer, std::move(line));
  return {nullptr, [self = shared_from_this(), at](void*) {
            const std::lock_guard erasing(self->mutex_);
            self->lines_.erase(at);
          }};
}

void OpenStreams::recheck(UserNumber viewer) const {
  for (const Line& line : lines_of(viewer)) {
    if (is_allowed(line.still_allowed)) continue;
    const auto outlet = line.outlet.lock();
    if (!outlet) continue;
    *line.was_cut = true;
    outlet->cut();
  }
}

std::vector<OpenStreams::Line> OpenStreams::lines_of(UserNumber viewer) const {
  const std::lock_guard lock(mutex_);
  std::vector<Line> lines;
  const auto [begin, end] = lines_.equal_range(viewer);
  for (auto at = begin; at != end; ++at) lines.push_back(at->second);
  return lines;
}

struct StreamSlots::Counts {
  Counts(std::uint64_t all, std::uint64_t per_user) : most(all), most_of_user(per_user) {}

  const std::uint64_t most;
  const std::uint64_t most_of_user;
  std::mutex mutex;
  std::uint64_t taken = 0;
  std::map<UserNumber, std::uint64_t> by_user;
  std::map<std::string, std::uint64_t> by_address;

  void give_back(UserNumber user, const std::string& address) {
    const std::lock_guard lock(mutex);
    --taken;
    if (--by_user[user] == 0) by_user.erase(user);
    if (--by_address[address] == 0) by_address.erase(address);
  }
};

StreamSlots::StreamSlots(std::uint64_t all, std::uint64_t per_user)
    : counts_(std::make_shared<Counts>(all, per_user)) {}

std::shared_ptr<void> StreamSlots::take(UserNumber user, const std::string& address,
                                        std::uint64_t most) {
  const std::lock_guard lock(counts_->mutex);
  if (counts_->taken >= counts_->most) {
    throw Error(ErrorCode::kUnavailable, "Too many streams are open. Try again later.", "streams");
  }
  const auto user_has = counts_->by_user.find(user);
  if (user_has != counts_->by_user.end() && user_has->second >= counts_->most_of_user) {
    throw Error(
        ErrorCode::kUnavailable,
        fmt::format("You have {} open streams. Close one, and try again.", user_has->second),
        "streams");
  }
  const auto address_has = counts_->by_address.find(address);
  if (address_has != counts_->by_address.end() && address_has->second >= most) {
    throw Error(
        ErrorCode::kUnavailable,
        fmt::format("Your address has {} open streams. Try again later.", address_has->second),
        "streams");
  }
  ++counts_->taken;
  ++counts_->by_user[user];
  ++counts_->by_address[address];
  return {nullptr, [counts = counts_, user, address](void*) { counts->give_back(user, address); }};
}

std::uint64_t StreamSlots::taken() const {
  const std::lock_guard lock(counts_->mutex);
  return counts_->taken;
}

}  // namespace chirp::live
