#include "server/live/stream_slots.h"

#include <algorithm>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include "core/error.h"
#include "server/limits.h"

namespace chirp::live {

struct Seats::Book {
  explicit Book(std::uint64_t all) : most(std::min<std::uint64_t>(all, limits::kStreamsMax)) {}

  const std::uint64_t most;
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

Seats::Seats(std::uint64_t all) : book_(std::make_shared<Book>(all)) {}

std::shared_ptr<void> Seats::take(UserNumber user, const std::string& address, std::uint64_t most) {
  const std::lock_guard lock(book_->mutex);
  if (book_->taken >= book_->most) {
    throw Error(ErrorCode::kUnavailable, "Too many streams are open. Try again later.", "streams");
  }
  const auto user_has = book_->by_user.find(user);
  if (user_has != book_->by_user.end() && user_has->second >= limits::kStreamsPerUserMax) {
    throw Error(
        ErrorCode::kUnavailable,
        fmt::format("{} streams of yours are open. Close one, and try again.", user_has->second),
        "streams");
  }
  const auto address_has = book_->by_address.find(address);
  if (address_has != book_->by_address.end() && address_has->second >= most) {
    throw Error(
        ErrorCode::kUnavailable,
        fmt::format("{} streams are open from your address. Try again later.", address_has->second),
        "streams");
  }
  ++book_->taken;
  ++book_->by_user[user];
  ++book_->by_address[address];
  return {nullptr, [book = book_, user, address](void*) { book->give_back(user, address); }};
}

std::uint64_t Seats::taken() const {
  const std::lock_guard lock(book_->mutex);
  return book_->taken;
}

}  // namespace chirp::live
