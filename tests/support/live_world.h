// A small world with random events, and what its log means to a reader, straight from the contract
// of the stream.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "tests/support/naive_feed.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {

// The possible actions: all; or only those that add and remove content, without changing relations
// between users.
enum class Acts : std::uint8_t { kAnything, kContent };

// A message by its id and event name.
using NaiveMessage = std::pair<std::uint64_t, std::string>;

// The contents of a state, for all existing users.
struct LiveState {
  World world;
  std::map<UserNumber, std::set<PostId>> feeds;      // entries
  std::map<UserNumber, std::set<Sequence>> notices;  // listed ones
};

class LiveWorld {
 public:
  static constexpr std::uint32_t kUsers = 6;

  LiveWorld(const StoreKind& kind, std::uint64_t seed);

  // Takes a random action.
  void act(Acts acts);
  [[nodiscard]] UserNumber anybody() { return {static_cast<std::uint32_t>(1 + below(kUsers))}; }
  [[nodiscard]] std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  [[nodiscard]] Subject& subject() { return subject_; }

  [[nodiscard]] static LiveState state_of(const Snapshot& snapshot);
  // The messages of the event for the reader in this state, by id.
  [[nodiscard]] std::set<NaiveMessage> meaning(const LiveState& state, const events::Event& event,
                                               UserNumber reader) const;

 private:
  [[nodiscard]] PostId some_post();
  [[nodiscard]] CommentId some_comment();
  void publish(UserNumber author);
  void comment(UserNumber author);
  void react(UserNumber user);
  void relate(UserNumber one, UserNumber two);
  void follow(UserNumber one, UserNumber two);
  void tidy_up();
  void content(Acts acts);
  void remember_posts();

  std::mt19937_64 random_;
  Subject subject_;
  std::map<PostId, NaivePost> posts_;  // including removed ones
};

}  // namespace chirp::test
