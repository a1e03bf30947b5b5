// Goal: when room runs out it is made among those who hold the most and have lain still longest,
// and whoever holds little finds some. Method: places taken by hand under a clock that the test
// moves; against a plain list of all of them, drawn at random.
#include <map>
#include <random>

#include <doctest/doctest.h>

#include "server/http/room.h"
#include "tests/support/seeds.h"

namespace chirp::test::http_room_test {
namespace {

using http::Holder;
using http::Room;
using std::chrono::seconds;
using Way = Room::Way;

constexpr Room::Moment kStart{};

}  // namespace

TEST_CASE("room: a client at its own bound loses what has been idle longest") {
  Room room({1000, 100, 50}, seconds(2));
  room.take(1, {"a", "u"}, 25, kStart);
  room.take(2, {"a", "u"}, 25, kStart);
  room.progress(1, kStart + seconds(1));
  // The same account, whatever its address.
  CHECK(room.look({"b", "u"}, 1, kStart + seconds(1)).way == Way::kClosed);
  Room::Found found = room.look({"b", "u"}, 1, kStart + seconds(2));
  CHECK(found.way == Way::kTaken);
  CHECK(found.by == 2);
  CHECK(room.look({"b", "v"}, 50, kStart).way == Way::kFree);
  // The same address, whatever the account.
  room.take(3, {"a", "v"}, 50, kStart + seconds(1));
  found = room.look({"a", "w"}, 1, kStart + seconds(9));
  CHECK(found.way == Way::kTaken);
  CHECK(found.by == 2);
  room.leave(2);
  CHECK(room.look({"a", "w"}, 25, kStart).way == Way::kFree);
  CHECK(room.bytes() == 75);
}

TEST_CASE("room: what is worked on is counted and has not to go") {
  Room room({100, 100, 100}, seconds(0));
  room.take(1, {"a", ""}, 60, kStart);
  room.take(2, {"a", ""}, 40, kStart);
  room.settle(1);
  CHECK(room.look({"a", ""}, 1, kStart).by == 2);
  room.settle(2);
  CHECK(room.look({"a", ""}, 1, kStart).way == Way::kClosed);
  CHECK(room.look({"b", ""}, 1, kStart).way == Way::kClosed);
  CHECK_FALSE(room.late(seconds(0), kStart));
  room.resize(1, 10);
  CHECK(room.look({"b", ""}, 50, kStart).way == Way::kFree);
}

TEST_CASE("room: a newcomer with little finds some, however much the others want") {
  Room room({100, 90, 90}, seconds(1000));
  for (http::ConnectionId id = 1; id <= 9; ++id) room.take(id, {"greedy", ""}, 10, kStart);
  room.take(10, {"modest", ""}, 10, kStart);
  const Room::Found found = room.look({"new", ""}, 10, kStart);
  CHECK(found.way == Way::kTaken);
  CHECK(found.by == 1);
  CHECK(room.look({"modest", ""}, 10, kStart).by == 1);
  // Not at the cost of somebody who has as little, unless they lie still.
  Room fair({20, 90, 90}, seconds(2));
  fair.take(1, {"a", ""}, 10, kStart);
  fair.take(2, {"b", ""}, 10, kStart);
  CHECK(fair.look({"c", ""}, 10, kStart + seconds(1)).way == Way::kClosed);
  CHECK(fair.look({"c", ""}, 10, kStart + seconds(2)).by == 1);
}

TEST_CASE("room: a peer that is idle is late only while more than half is taken") {
  Room room({100, 100, 100}, seconds(9));
  room.take(1, {"a", ""}, 50, kStart);
  CHECK_FALSE(room.late(seconds(2), kStart + seconds(60)));
  CHECK_FALSE(room.next_late(seconds(2)));
  room.take(2, {"b", ""}, 1, kStart + seconds(1));
  CHECK(room.next_late(seconds(2)) == kStart + seconds(2));
  CHECK_FALSE(room.late(seconds(2), kStart + seconds(1)));
  CHECK(room.late(seconds(2), kStart + seconds(2)) == http::ConnectionId{1});
  room.progress(1, kStart + seconds(2));
  CHECK_FALSE(room.late(seconds(2), kStart + seconds(2)));
  CHECK(room.late(seconds(2), kStart + seconds(3)) == http::ConnectionId{2});
}

TEST_CASE("room: its sums are those of the places that are taken") {
  std::mt19937 random(first_seed());
  const auto draw = [&](std::size_t below) { return random() % below; };
  Room room({200, 80, 60}, seconds(1000));
  struct Naive {
    Holder holder;
    std::size_t bytes;
  };
  std::map<http::ConnectionId, Naive> places;
  const auto sum = [&](const auto& counts) {
    std::size_t bytes = 0;
    for (const auto& [id, place] : places) bytes += counts(place.holder) ? place.bytes : 0;
    return bytes;
  };
  for (int i = 0; i < 5000; ++i) {
    const http::ConnectionId id = 1 + draw(20);
    const Holder holder{std::string(1, static_cast<char>('a' + draw(4))),
                        draw(3) == 0 ? "" : std::string(1, static_cast<char>('u' + draw(3)))};
    const std::size_t bytes = draw(40);
    if (draw(3) == 0) {
      room.leave(id);
      places.erase(id);
    } else if (draw(2) == 0) {
      room.resize(id, bytes);
      if (places.contains(id)) places[id].bytes = bytes;
    } else {
      room.take(id, holder, bytes, kStart);
      places[id] = {holder, bytes};
    }
    CHECK(room.bytes() == sum([](const Holder&) { return true; }));
    const bool fits =
        sum([](const Holder&) { return true; }) + bytes <= 200 &&
        sum([&](const Holder& other) { return other.address == holder.address; }) + bytes <= 80 &&
        (holder.user.empty() ||
         sum([&](const Holder& other) { return other.user == holder.user; }) + bytes <= 60);
    CHECK((room.look(holder, bytes, kStart).way == Way::kFree) == fits);
  }
}

}  // namespace chirp::test::http_room_test
