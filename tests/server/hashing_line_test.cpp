// Goal: nobody who comes often keeps others from having a password hashed.
// Method: the line itself, asked step by step; no thread, no hash.
#include "server/engine/hashing_line.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "server/limits.h"

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

TEST_CASE("hashing line: who comes anew waits for nobody's second place") {
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

TEST_CASE("hashing line: when all places are taken, who waits with most gives one up") {
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

}  // namespace chirp
