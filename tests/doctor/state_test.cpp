// Goal: doctor finds each wrong number of the state record, and each breach of the records beside
// it: offsets of the log, unfinished deliveries, generations of timelines, ids that ascend with the
// log, comments that others reply to. It repairs what can be derived.
// Method: a small directory in which one of them is changed behind the engine's back.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "store/lmdb/rows.h"
#include "tests/support/doctor_village.h"

namespace chirp::test {
namespace {

using doctor::FindingKind;
using Edit = std::function<void(lmdb::StoredState&)>;

// What is changed, and what doctor says of it or how it is called here.
struct FeedError {
  std::string words;
  Edit edit;
};

void damage_rows(const Village& village, const std::function<void(Rows&)>& change) {
  village.damage([&](lmdb::WriteTxn& txn) {
    lmdb::Batch batch(txn, {{}, snowflake::kMachineDefault});
    change(*lmdb::rows_of(batch));
    batch.finish();
  });
}

void damage_state(const Village& village, const Edit& edit) {
  village.damage([&](lmdb::WriteTxn& txn) {
    lmdb::Batch batch(txn, {{}, snowflake::kMachineDefault});
    edit(batch.state);
    batch.finish();
  });
}

bool says(const std::vector<doctor::Finding>& findings, FindingKind kind, const std::string& part) {
  for (const doctor::Finding& finding : findings) {
    if (finding.kind == kind && finding.what.find(part) != std::string::npos) return true;
  }
  return false;
}

// The newest post or repost that the log tells of.
events::Event last_entry(const Snapshot& snapshot) {
  const auto log = reads::events(snapshot, snapshot.state().log_first, ~std::uint32_t{0});
  for (auto at = log.rbegin(); at != log.rend(); ++at) {
    if (events::makes_entry(at->topic)) return *at;
  }
  FAIL("nothing was posted");
  return {};
}

}  // namespace

TEST_CASE("doctor: a count of the state that is not the table's is found and mended") {
  for (const FeedError& wrong : {
           FeedError{"removals", [](auto& state) { ++state.removals; }},
           FeedError{"push-from marks", [](auto& state) { ++state.pulled; }},
           FeedError{"relations", [](auto& state) { ++state.relations; }},
           FeedError{"removed posts", [](auto& state) { ++state.post_removals; }},
           FeedError{"unfinished deliveries", [](auto& state) { ++state.fan_out_queue; }},
           FeedError{"follows", [](auto& state) { state.follows += 3; }},
       }) {
    CAPTURE(wrong.words);
    const Village village;
    const auto before = village.contents();
    damage_state(village, wrong.edit);
    {
      Opened opened(village.path());
      const auto found = opened.examine();
      INFO("found:\n" << words(found));
      REQUIRE(found.size() == 1);
      CHECK(has(found, FindingKind::kStore));
      CHECK(words(doctor::repair(opened.engine(), found)).empty());
    }
    CHECK(village.contents() == before);
  }
}

TEST_CASE("doctor: an offset that is not in the log is found") {
  const auto behind = [](const lmdb::StoredState& state) {
    return Sequence{state.log_end.value + 1};
  };
  for (const FeedError& wrong : {
           FeedError{"the offset of fan-out is",
                     [&](auto& state) { state.fan_out = state.fan_out_reach = behind(state); }},
           FeedError{"the offset of the counters is",
                     [&](auto& state) { state.counters = behind(state); }},
           FeedError{"the offset of the notifications is",
                     [&](auto& state) { state.notifications = behind(state); }},
           FeedError{"the offset of the trends is",
                     [&](auto& state) { state.trends = behind(state); }},
           FeedError{"fan-out has delivered up to",
                     [&](auto& state) { state.fan_out_reach = behind(state); }},
           FeedError{"fan-out has delivered up to",
                     [](auto& state) { state.fan_out_reach = Sequence{state.fan_out.value - 1}; }},
       }) {
    CAPTURE(wrong.words);
    const Village village;
    damage_state(village, wrong.edit);
    const auto found = Opened(village.path()).examine();
    INFO("found:\n" << words(found));
    CHECK(says(found, FindingKind::kLog, wrong.words));
  }
}

TEST_CASE("doctor: an unfinished delivery of nothing that was taken in, or of another author") {
  const Village village;
  damage_rows(village, [](Rows& rows) {
    const Sequence pending = rows.state().log_end;
    const FanOutRow early{pending, PostId{1}, UserNumber{1}, kNobody};
    rows.put(tables::FanOutQueue::Key{pending}, early);
    ++rows.state().fan_out_queue;
  });
  CHECK(says(Opened(village.path()).examine(), FindingKind::kLog, "has not read its event"));

  const Village other;
  const events::Event last = last_entry(*Opened(other.path()).directory().storage().snapshot());
  damage_rows(other, [&](Rows& rows) {
    const UserNumber stranger{last.actor.value == 1 ? 2u : 1u};
    const FanOutRow wrong{last.sequence, last.post, stranger, kNobody};
    rows.put(tables::FanOutQueue::Key{last.sequence}, wrong);
    ++rows.state().fan_out_queue;
  });
  CHECK(says(Opened(other.path()).examine(), FindingKind::kLog, "who is not its author"));
}

TEST_CASE("doctor: a post that is not above those before it in the log is found") {
  const Village village;
  events::Event last = last_entry(*Opened(village.path()).directory().storage().snapshot());
  last.post = PostId{1};
  damage_rows(village, [&](Rows& rows) { rows.put(tables::Events::Key{last.sequence}, last); });
  CHECK(says(Opened(village.path()).examine(), FindingKind::kLog,
             "is not above the posts before it"));
}

TEST_CASE("doctor: a timeline of a generation that is yet to come is found and made anew") {
  const Village village;
  const auto before = village.contents();
  const UserNumber viewer{3};
  auto timeline = Opened(village.path()).directory().storage().snapshot()->timeline(viewer);
  REQUIRE(timeline);
  timeline->generation += 2;
  timeline->entries.pop_back();
  damage_rows(village, [&](Rows& rows) { rows.put_timeline(viewer, *timeline); });
  {
    Opened opened(village.path());
    const auto found = opened.examine();
    INFO("found:\n" << words(found));
    REQUIRE(found.size() == 1);
    CHECK(says(found, FindingKind::kTimeline, "generation"));
    CHECK(words(doctor::repair(opened.engine(), found)).empty());
    CHECK(opened.directory().storage().snapshot()->timeline(viewer).has_value());
  }
  CHECK(village.contents() == before);
}

TEST_CASE("doctor: networks of proxies that were set when any were taken are found") {
  const Village village;
  for (const char* const proxies : {"0.0.0.0/0", "10.0.0.1,::/0", "10.0.0.0/8,fc00::/7"}) {
    CAPTURE(proxies);
    Opened opened(village.path());
    rules::set_plain(opened.engine().storage(), "http.trusted_proxies", proxies);
    const bool is_right = std::string_view(proxies).ends_with("/7");
    CHECK(says(opened.examine(), FindingKind::kSetting,
               "http.trusted_proxies has a network so large") == !is_right);
  }
}

TEST_CASE("doctor: a cost of passwords that was set when any was taken is found") {
  const Village village;
  for (const auto& [cost, is_found] : {std::pair{"18", false}, {"19", true}, {"31", true}}) {
    CAPTURE(cost);
    Opened opened(village.path());
    rules::set_plain(opened.engine().storage(), "auth.bcrypt_cost", cost);
    CHECK(says(opened.examine(), FindingKind::kSetting, "auth.bcrypt_cost is ") == is_found);
  }
}

TEST_CASE("doctor: a reply to no comment, or to one on another post, is found") {
  const Village village;
  CommentId parent{};
  CommentId reply{};
  {
    Opened opened(village.path());
    Engine& engine = opened.engine();
    const auto user = engine.accounts().resolve("a1");
    const PostId post = engine.posts().publish(user, "hello", Privacy::kPublic).post.id;
    parent = engine.comments().add(user, post, "well", kNoComment).comment.id;
    reply = engine.comments().add(user, post, "no", parent).comment.id;
  }
  bool is_there = false;
  SUBCASE("to none") {}
  SUBCASE("to one on another post") { is_there = true; }
  damage_rows(village, [&](Rows& rows) {
    auto row = rows.find(tables::Comments::Key{parent});
    REQUIRE(row);
    ++row->post.value;
    if (is_there) rows.put(tables::Comments::Key{parent}, *row);
    if (!is_there) REQUIRE(rows.erase(tables::Comments::Key{parent}));
  });
  const auto found = Opened(village.path()).examine();
  INFO("found:\n" << words(found));
  CHECK(says(found, FindingKind::kComment,
             fmt::format("comment {}: it replies to comment", reply.value)));
}

}  // namespace chirp::test
