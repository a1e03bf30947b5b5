#include "server/engine/hashing_pool.h"

#include <algorithm>
#include <mutex>
#include <thread>
#include <unordered_set>
#include <utility>

#include "core/error.h"
#include "server/limits.h"
#include "server/timed_condition.h"

namespace chirp {
namespace {

unsigned at_once() {
  constexpr unsigned kMost = limits::kHashingPlaces / 2;
  return std::clamp(std::thread::hardware_concurrency() / 2, 1U, kMost);
}

[[noreturn]] void refuse() {
  throw Error(ErrorCode::kUnavailable,
              "Too many passwords are being checked at once. Try again in a moment.");
}

}  // namespace

class PooledHasher final : public PasswordHasher {
 public:
  PooledHasher(const PasswordHasher& inner, const Clock& clock)
      : inner_(inner), clock_(clock), changed_(clock, mutex_) {}

  [[nodiscard]] std::string hash(std::string_view password, unsigned cost) const override {
    const Turn turn(*this);
    return inner_.hash(password, cost);
  }
  [[nodiscard]] bool matches(std::string_view password, std::string_view hash,
                             unsigned cost) const override {
    const Turn turn(*this);
    return inner_.matches(password, hash, cost);
  }

 private:
  class Turn {
   public:
    explicit Turn(const PooledHasher& pool) : pool_(pool), place_(pool.wait()) {}
    ~Turn() { pool_.leave(place_); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    const PooledHasher& pool_;
    HashingLine::Place place_;
  };

  // Waits until this place may hash.
  HashingLine::Place wait() const {
    static const std::string kNoAddress;
    const HashingFrom* const from = HashingFrom::present;
    std::unique_lock lock(mutex_);
    const auto joined = from == nullptr ? line_.join(HashingFor::kSignUp, kNoAddress)
                                        : line_.join(from->what_, from->client_, from->standing_);
    if (!joined.place) refuse();
    const HashingLine::Place place = *joined.place;
    if (joined.given_up) {
      given_up_.insert(*joined.given_up);
      changed_.notify_all();
    }
    const std::int64_t until = clock_.steady_ns() + limits::kHashingWaitMs * 1'000'000;
    const bool in_time = changed_.wait_until(lock, until, [&] {
      return given_up_.contains(place) || (hashing_ < most_ && line_.first() == place);
    });
    if (given_up_.erase(place) != 0) refuse();
    if (!in_time) {
      line_.leave(place);
      refuse();
    }
    line_.begin(place);
    ++hashing_;
    // The next in line may be able to begin too.
    changed_.notify_all();
    return place;
  }

  void leave(HashingLine::Place place) const {
    {
      const std::lock_guard lock(mutex_);
      line_.leave(place);
      --hashing_;
    }
    changed_.notify_all();
  }

  const PasswordHasher& inner_;
  const Clock& clock_;
  const unsigned most_ = at_once();
  mutable std::mutex mutex_;
  mutable TimedCondition changed_;
  mutable HashingLine line_;
  mutable std::unordered_set<HashingLine::Place> given_up_;  // their threads have not noticed yet
  mutable unsigned hashing_ = 0;
};

std::unique_ptr<PasswordHasher> pool_hashing(const PasswordHasher& inner, const Clock& clock) {
  return std::make_unique<PooledHasher>(inner, clock);
}

unsigned hashing_threads_max() {
  return static_cast<unsigned>(limits::kHashingPlaces + limits::kHashingSignUps);
}

thread_local const HashingFrom* HashingFrom::present = nullptr;

HashingFrom::HashingFrom(HashingFor what, std::string client, HashingStanding standing)
    : what_(what),
      client_(std::move(client)),
      standing_(standing),
      before_(std::exchange(present, this)) {}

HashingFrom::~HashingFrom() { present = before_; }

}  // namespace chirp
