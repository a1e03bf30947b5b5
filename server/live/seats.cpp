#include "server/live/seats.h"

#include <map>
#include <mutex>

#include <fmt/format.h>

#include "core/error.h"
#include "server/limits.h"

namespace chirp::live {

struct Seats::Book {
  std::mutex mutex;
  std::uint64_t taken = 0;
  std::map<UserNumber, std::uint64_t> by_user;

  void give_back(UserNumber user) {
    const std::lock_guard lock(mutex);
    --taken;
    if (--by_user[user] == 0) by_user.erase(user);
  }
};

Seats::Seats() : book_(std::make_shared<Book>()) {}

std::shared_ptr<void> Seats::take(UserNumber user) {
  const std::lock_guard lock(book_->mutex);
  if (book_->taken >= limits::kStreamsMax) {
    throw Error(ErrorCode::kUnavailable, "Too many streams are open. Try again later.", "streams");
  }
  std::uint64_t& of_user = book_->by_user[user];
  if (of_user >= limits::kStreamsPerUserMax) {
    throw Error(ErrorCode::kUnavailable,
                fmt::format("{} streams of yours are open. Close one, and try again.", of_user),
                "streams");
  }
  std::shared_ptr<void> seat(nullptr, [book = book_, user](void*) { book->give_back(user); });
  ++book_->taken;
  ++of_user;
  return seat;
}

std::uint64_t Seats::taken() const {
  const std::lock_guard lock(book_->mutex);
  return book_->taken;
}

}  // namespace chirp::live
