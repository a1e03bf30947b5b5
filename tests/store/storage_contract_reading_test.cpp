// Goal: every store keeps how far the home feed has been read.
// Method: each promise on a fresh store of every kind.
#include <doctest/doctest.h>

#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {

TEST_CASE("storage contract: the reading position is kept, up and down, and goes with its user") {
  for_each_store([](Subject& s) {
    const auto users = s.users(2);
    CHECK(reads::reading(*s.see(), users[0]) == ReadingMarks{});
    CHECK(rules::mark_feed(s.storage(), users[0], PostId{50}));
    CHECK(reads::reading(*s.see(), users[0]).feed == PostId{50});
    CHECK_FALSE(reads::reading(*s.see(), users[1]).feed);
    const auto held = s.see();
    CHECK(rules::mark_feed(s.storage(), users[0], PostId{7}));
    CHECK(rules::mark_feed(s.storage(), users[0], PostId{7}));
    CHECK(reads::reading(*s.see(), users[0]).feed == PostId{7});
    CHECK(reads::reading(*held, users[0]).feed == PostId{50});
    CHECK(rules::mark_feed(s.storage(), users[1], kBelowAllPosts));
    CHECK(reads::reading(*s.see(), users[1]).feed == kBelowAllPosts);
    CHECK_FALSE(rules::mark_feed(s.storage(), UserNumber{99}, PostId{7}));
    CHECK_FALSE(reads::reading(*s.see(), UserNumber{99}).feed);

    s.apply(MarkRemoved{users[0]});
    CHECK_FALSE(rules::mark_feed(s.storage(), users[0], PostId{8}));
    while (!rules::remove_traces(s.storage(), users[0], 5, s.now)) {
    }
    CHECK(reads::reading(*s.see(), users[0]) == ReadingMarks{});
    CHECK(breaches(*s.see()) == std::vector<std::string>{});
  });
}

}  // namespace chirp::test
