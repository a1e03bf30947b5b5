// Goal: every store knows which uploads posts name, in the transaction that publishes or removes.
// Method: one suite, run against each store in turn.

#include <doctest/doctest.h>

#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {

TEST_CASE("storage contract: an upload is named as long as one of its posts is there") {
  for_each_store([](Subject& s) {
    const UserNumber ann = s.users(1).front();
    const MediaId one{77};
    const MediaId two{(std::uint64_t{1} << 63) - 1};
    const std::vector<MediaId> asked{one, MediaId{78}, two};
    const auto named = [&] { return reads::media_named(*s.see(), asked); };
    CHECK(named() == std::vector<bool>{false, false, false});
    const PostId first = s.apply(Publish{ann, "a", Privacy::kPublic, {{one, {}}, {two, {}}}}).post;
    const PostId second =
        s.apply(Publish{ann, "b", Privacy::kPrivate, {{one, {}}, {one, {}}}}).post;
    CHECK(named() == std::vector<bool>{true, false, true});
    s.apply(RemovePost{first});
    CHECK(named() == std::vector<bool>{true, false, false});
    s.apply(RemovePost{second});
    CHECK(named() == std::vector<bool>{false, false, false});
    s.apply(Publish{ann, "c", Privacy::kPublic, {{two, {}}}});
    s.apply(MarkRemoved{ann});
    while (!rules::remove_traces(s.storage(), ann, 1, s.now)) {
    }
    CHECK(named() == std::vector<bool>{false, false, false});
    CHECK(s.see()->problems().empty());
  });
}

}  // namespace chirp::test
