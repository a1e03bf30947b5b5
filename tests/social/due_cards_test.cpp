// Goal: a command finishes the cards that a process which died has left due, and leaves to a living
// one what that goes on making. Method: a directory in memory that makes more users each time cards
// are settled, as a load beside the command does.
#include <algorithm>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "core/ports/reads.h"
#include "tests/support/directories.h"
#include "tests/support/social_world.h"

namespace chirp::test {
namespace {

constexpr std::uint64_t kLeft = 1'000;  // a command brings 250 of them, and then all
constexpr std::uint64_t kAtOnce = 1'000;
constexpr std::uint64_t kMost = kLeft + 10 * kAtOnce;

class LoadingDirectory final : public model::ModelUserDirectory {
 public:
  void load_more(std::uint64_t count) {
    std::vector<LoadedUser> users;
    for (; count > 0; --count) users.push_back(loaded(++loaded_));
    (void)load(users, kNow);
  }
  void settle_cards(std::span<const PendingCard> settled) override {
    ModelUserDirectory::settle_cards(settled);
    if (loaded_ < kMost) load_more(kAtOnce);
  }
  [[nodiscard]] std::uint64_t users_loaded() const { return loaded_; }

 private:
  std::uint64_t loaded_ = 0;
};

}  // namespace

TEST_CASE("due cards: a command brings those that were left, and none that come meanwhile") {
  model::ModelStorage storage;
  LoadingDirectory directory;
  const PlainHasher hasher;
  const FakeClock clock;
  directory.load_more(kLeft);
  social::Accounts(storage, directory, hasher, clock).resume();
  CHECK(directory.users_loaded() == kLeft + 2 * kAtOnce);
  std::vector<UserNumber> left;
  for (std::uint32_t number = 1; number <= kLeft; ++number) left.push_back({number});
  const auto cards = reads::cards(*storage.snapshot(), left);
  CHECK(std::ranges::all_of(cards, [](const auto& card) { return card.has_value(); }));
  CHECK_FALSE(storage.snapshot()->timeline(left.front()));  // as if the load had brought them
}

}  // namespace chirp::test
