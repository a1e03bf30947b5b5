// Goal: nobody who comes often keeps others from having a password hashed.
// Method: the line itself, asked step by step; no thread, no hash.
#include "server/engine/hashing_line.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "server/api/login_failures.h"
#include "server/api/problem.h"
#include "server/limits.h"
#include "tests/support/fake_clock.h"

namespace chirp {
namespace {

// Lets everybody in line have their turn, one by one; whom, in their order.
std::vector<HashingLine::Place> served(HashingLine& line) {
  std::vector<HashingLine::Place> places;
  while (line.first() != 0) {
    const HashingLine::Place place = line.first();
    line.begin(place);
    line.leave(place);
    places.push_back(place);
  }
  return places;
}

using Places = std::vector<HashingLine::Place>;

}  // namespace

TEST_CASE("hashing line: log-ins and changes take turns, and both go before sign-ups") {
  HashingLine line;
  const auto sign_up = *line.join(HashingFor::kSignUp, "a").place;
  const auto change = *line.join(HashingFor::kChange, "b").place;
  const auto log_in = *line.join(HashingFor::kLogIn, "c").place;
  const auto second = *line.join(HashingFor::kLogIn, "d").place;
  CHECK(served(line) == Places{change, log_in, second, sign_up});
  CHECK(line.first() == 0);
}

TEST_CASE("hashing line: log-ins without end do not keep back a change of a password") {
  HashingLine line;
  const auto flood = [&] {
    for (int i = 0; i < 6; ++i)
      (void)line.join(HashingFor::kLogIn, "flood " + std::to_string(i % 3));
  };
  flood();
  const auto change = *line.join(HashingFor::kChange, "owner").place;
  std::size_t before = 0;
  for (; line.first() != change; ++before) {
    REQUIRE(before < 10);
    const auto other = line.first();
    line.begin(other);
    flood();
    line.leave(other);
  }
  CHECK(before <= 3);
}

TEST_CASE("hashing line: clients take turns, however many places one has") {
  HashingLine line;
  Places flood;
  for (int i = 0; i < 4; ++i) flood.push_back(*line.join(HashingFor::kLogIn, "flood").place);
  const auto one = *line.join(HashingFor::kLogIn, "one").place;
  const auto other = *line.join(HashingFor::kLogIn, "other").place;
  const auto again = *line.join(HashingFor::kLogIn, "one").place;
  CHECK(served(line) == Places{flood[0], one, other, flood[1], again, flood[2], flood[3]});
}

TEST_CASE("hashing line: a newcomer goes before other clients' second places") {
  HashingLine line;
  for (int i = 0; i < 4; ++i) (void)line.join(HashingFor::kLogIn, "flood");
  // The flood comes again each time one of its own is through.
  for (int i = 0; i < 100; ++i) {
    const auto first = line.first();
    line.begin(first);
    line.leave(first);
    (void)line.join(HashingFor::kLogIn, "flood");
  }
  const auto late = *line.join(HashingFor::kLogIn, "late").place;
  CHECK(line.first() == late);
}

TEST_CASE("hashing line: a client has so many places, waiting or at work") {
  HashingLine line;
  Places places;
  for (std::size_t i = 0; i < limits::kHashingPerClient; ++i) {
    places.push_back(*line.join(HashingFor::kLogIn, "busy").place);
  }
  CHECK_FALSE(line.join(HashingFor::kLogIn, "busy").place);
  CHECK_FALSE(line.join(HashingFor::kSignUp, "busy").place);
  CHECK(line.join(HashingFor::kLogIn, "other").place);
  line.begin(places[0]);
  CHECK_FALSE(line.join(HashingFor::kLogIn, "busy").place);
  line.leave(places[0]);
  CHECK(line.join(HashingFor::kLogIn, "busy").place);
}

TEST_CASE("hashing line: sign-ups fill their own places and none of a log-in") {
  HashingLine line;
  for (std::size_t i = 0; i < limits::kHashingSignUps; ++i) {
    CHECK(line.join(HashingFor::kSignUp, "client " + std::to_string(i)).place);
  }
  CHECK_FALSE(line.join(HashingFor::kSignUp, "one more").place);
  const auto log_in = line.join(HashingFor::kLogIn, "one more");
  REQUIRE(log_in.place);
  CHECK_FALSE(log_in.given_up);
  CHECK(line.first() == *log_in.place);
}

TEST_CASE("hashing line: when all places are taken, the client with the most gives one up") {
  HashingLine line;
  Places flood;
  std::size_t taken = 0;
  for (; taken < limits::kHashingPerClient; ++taken) {
    flood.push_back(*line.join(HashingFor::kLogIn, "flood").place);
  }
  for (; taken < limits::kHashingPlaces; ++taken) {
    (void)line.join(HashingFor::kLogIn, "client " + std::to_string(taken));
  }
  const auto honest = line.join(HashingFor::kLogIn, "honest");
  CHECK(honest.place);
  CHECK(honest.given_up == flood.back());
  // Nobody has more than one beyond those who come, in the end: then there is no room.
  std::size_t more = 0;
  while (line.join(HashingFor::kLogIn, "more " + std::to_string(more)).place) ++more;
  CHECK(more == limits::kHashingPerClient - 2);
  const Places in_order = served(line);
  CHECK(in_order.size() == limits::kHashingPlaces);
  CHECK(in_order.front() == flood.front());
}

TEST_CASE("hashing line: a sign-up takes the place of another's second one alone") {
  HashingLine line;
  Places flood;
  for (std::size_t i = 0; i < limits::kHashingSignUps; ++i) {
    const std::size_t client = i / limits::kHashingPerClient;
    flood.push_back(*line.join(HashingFor::kSignUp, "flood " + std::to_string(client)).place);
  }
  const auto first = line.join(HashingFor::kSignUp, "honest");
  CHECK(first.place);
  CHECK(first.given_up == flood.back());
  CHECK(line.join(HashingFor::kSignUp, "honest").place);
}

// The attack: log-ins take every turn and every place.
TEST_CASE("hashing line: log-ins without end leave sign-ups places, and one turn in some") {
  HashingLine line;
  const auto flood = [&] {
    for (std::size_t i = 0; i < 4 * limits::kHashingPlaces; ++i) {
      (void)line.join(HashingFor::kLogIn, "flood " + std::to_string(i));
    }
  };
  flood();
  for (int i = 0; i < 20; ++i) {
    const auto sign_up = line.join(HashingFor::kSignUp, "newcomer");
    REQUIRE(sign_up.place);
    CHECK_FALSE(sign_up.given_up);
    std::size_t ahead = 0;
    for (; line.first() != *sign_up.place; ++ahead) {
      REQUIRE(ahead < limits::kHashingTurnsAhead);
      const auto other = line.first();
      line.begin(other);
      flood();
      line.leave(other);
    }
    CHECK(ahead == limits::kHashingTurnsAhead);
    line.begin(*sign_up.place);
    line.leave(*sign_up.place);
  }
}

TEST_CASE("hashing line: turns are counted ahead of a sign-up that waits, and of no other") {
  HashingLine line;
  const auto log_in = [&] { return *line.join(HashingFor::kLogIn, "somebody").place; };
  for (std::size_t i = 0; i < 2 * limits::kHashingTurnsAhead; ++i) {
    const auto place = log_in();
    line.begin(place);
    line.leave(place);
  }
  const auto sign_up = *line.join(HashingFor::kSignUp, "newcomer").place;
  const auto late = log_in();
  CHECK(served(line) == Places{late, sign_up});
}

// The attack: three addresses sign up as fast as they are refused, sixty connections in all.
TEST_CASE("hashing line: a flood of sign-ups delays a log-in by the hash that is under way alone") {
  HashingLine line;
  const auto flood = [&] {
    for (int i = 0; i < 60; ++i) {
      (void)line.join(HashingFor::kSignUp, "flood " + std::to_string(i % 3));
    }
  };
  flood();
  for (int i = 0; i < 83; ++i) {
    const auto under_way = line.first();
    line.begin(under_way);
    const auto honest = line.join(HashingFor::kLogIn, "honest");
    REQUIRE(honest.place);
    flood();
    line.leave(under_way);
    CHECK(line.first() == *honest.place);
    line.begin(*honest.place);
    line.leave(*honest.place);
    flood();
  }
}

// The same of log-ins, and by more addresses than there are places for.
TEST_CASE("hashing line: a flood of log-ins from many addresses delays one by a round") {
  HashingLine line;
  const auto flood = [&] {
    for (int i = 0; i < 60; ++i) {
      (void)line.join(HashingFor::kLogIn, "flood " + std::to_string(i % 12));
    }
  };
  flood();
  for (int i = 0; i < 20; ++i) {
    const auto honest = line.join(HashingFor::kLogIn, "honest");
    REQUIRE(honest.place);
    std::size_t before = 0;
    while (line.first() != *honest.place) {
      const auto other = line.first();
      line.begin(other);
      flood();
      line.leave(other);
      ++before;
    }
    CHECK(before <= 12);
    line.begin(*honest.place);
    line.leave(*honest.place);
  }
}

// Log-ins at a server that hashes one password at a time, and asks for the standing of each.
struct Server {
  test::StillClock clock;
  api::LoginFailures failures{clock};
  HashingLine line;
  std::map<HashingLine::Place, api::LoginAttempt> waiting;

  // The place in line; none if it was refused.
  HashingLine::Place come(const api::LoginAttempt& attempt) {
    constexpr api::FailuresMost kMost{10, 100};
    try {
      failures.check(attempt, kMost);
    } catch (const api::Problem&) {
      return 0;
    }
    const auto joined = line.join(HashingFor::kLogIn, attempt.address, failures.standing(attempt));
    if (joined.given_up) waiting.erase(*joined.given_up);
    if (!joined.place) return 0;
    waiting.emplace(*joined.place, attempt);
    return *joined.place;
  }
  // One password is hashed; whose.
  HashingLine::Place hash(bool is_right, const std::function<void()>& meanwhile) {
    const HashingLine::Place place = line.first();
    line.begin(place);
    meanwhile();
    clock.advance(290);
    line.leave(place);
    const api::LoginAttempt attempt = waiting.at(place);
    waiting.erase(place);
    is_right ? failures.succeeded(attempt) : failures.failed(attempt);
    return place;
  }
};

// So many hashes an honest client waits for, who asks again whenever it is refused, when so many
// addresses log in as often as they can; the worst of those who come after so many hashes.
std::size_t longest_wait(std::uint32_t attackers, bool with_own_accounts,
                         const std::vector<std::size_t>& arrivals) {
  std::size_t longest = 0;
  for (const std::size_t arrival : arrivals) {
    Server server;
    const auto flood = [&] {
      for (std::uint32_t i = 0; i < attackers; ++i) {
        const std::string who = std::to_string(i);
        std::optional<UserNumber> account;
        if (with_own_accounts) account = UserNumber{i + 10};
        for (std::size_t n = 0; n < limits::kHashingPerClient; ++n) {
          // Each guesses at another name each time, or knows its own password.
          const std::string name = with_own_accounts ? who : who + " " + std::to_string(n);
          (void)server.come({"u " + name, account, "198.51.100." + who});
        }
      }
    };
    flood();
    for (std::size_t i = 0; i < arrival && server.line.first() != 0; ++i) {
      (void)server.hash(with_own_accounts, flood);
    }
    const api::LoginAttempt honest{"u mira", UserNumber{1}, "192.0.2.1"};
    std::size_t waited = 0;
    HashingLine::Place place = 0;
    for (;; ++waited) {
      REQUIRE(waited < 20 * attackers);
      flood();
      if (!server.waiting.contains(place)) place = server.come(honest);
      if (place != 0 && server.line.first() == place) break;
      (void)server.hash(with_own_accounts, flood);
    }
    longest = std::max(longest, waited);
  }
  return longest;
}

TEST_CASE("hashing line: an attacker goes to the back after its first failure") {
  // While every attacker still has its first failure before it, an honest client is one of them.
  const std::size_t places = limits::kHashingPlaces;
  CHECK(longest_wait(40, false, {0, 1, 20, 39}) <= 40 + places);
  CHECK(longest_wait(400, false, {0, 1, 200, 399}) <= 400 + places);
  // Then it waits for the hash that is under way.
  CHECK(longest_wait(40, false, {40 + places, 100, 200, 300}) <= 1);
  CHECK(longest_wait(400, false, {400 + places, 1'000}) <= 1);
}

TEST_CASE("hashing line: accounts of their own don't help attackers for long") {
  // While they log in for the first time they are like anybody, and those who have leave every
  // fourth turn.
  CHECK(longest_wait(40, true, {0, 20, 60, 100}) <= 40 * 4 + limits::kHashingPlaces);
  // Familiar where they are, they leave every fourth turn and half of the places to others.
  CHECK(longest_wait(40, true, {300, 600, 700, 1'000}) <= limits::kHashingTurnsAhead + 1);
}

TEST_CASE("hashing line: familiar clients go first, and leave others a turn in some") {
  HashingLine line;
  const auto join = [&](const std::string& client, HashingStanding standing) {
    return *line.join(HashingFor::kLogIn, client, standing).place;
  };
  const auto failed = join("failed", {true, 2, 2});
  const auto stranger = join("stranger", {true, 0, 0});
  const auto often = join("often", {true, 0, 5});
  Places familiar;
  for (int i = 0; i < 5; ++i)
    familiar.push_back(join("familiar " + std::to_string(i), {false, i == 0, 0}));
  CHECK(served(line) == Places{familiar[1], familiar[2], familiar[3], stranger, familiar[4],
                               familiar[0], often, failed});
}

TEST_CASE("hashing line: a full line makes room for a better standing, at the cost of the worst") {
  HashingLine line;
  Places places;
  for (std::uint64_t i = 0; i < limits::kHashingPlaces; ++i) {
    const HashingStanding standing{true, i / 2, 0};
    places.push_back(*line.join(HashingFor::kLogIn, "client " + std::to_string(i), standing).place);
  }
  CHECK_FALSE(line.join(HashingFor::kLogIn, "bad", {true, 8, 0}).place);
  CHECK_FALSE(line.join(HashingFor::kLogIn, "as bad", {true, 7, 0}).place);
  CHECK(line.join(HashingFor::kLogIn, "good", {true, 0, 0}).given_up == places.back());
  // A client that failed meanwhile loses what it has in line, too.
  CHECK_FALSE(line.join(HashingFor::kSignUp, "client 0", {true, 9, 0}).given_up);
  CHECK(line.join(HashingFor::kLogIn, "next", {true, 0, 0}).given_up == places.front());
}

}  // namespace chirp
