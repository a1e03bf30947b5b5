// Goal: both stores do the same with mentions, idempotency keys, hashtags and notifications, in
// whatever order they come.
// Method: random calls on both kinds side by side, with everything compared after each.
#include <random>
#include <tuple>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/limits.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "tests/support/seeds.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

// One random call on both stores of a pair; true if they answer alike.
class NoticeTwins {
 public:
  explicit NoticeTwins(std::uint64_t seed)
      : random_(seed), a_(store_kinds()[0]), b_(store_kinds()[1]) {
    for (Subject* s : {&a_, &b_}) s->users(kUsers);
  }

  void step() {
    switch (below(12)) {
      case 0: {
        const Change change = MarkRemoved{anybody()};
        if (below(10) == 0) both([&](Subject& s) { return s.apply(change).result; });
        break;
      }
      case 1: {
        const UserNumber gone = anybody();
        both([&](Subject& s) { return rules::remove_traces(s.storage(), gone, kAll, s.now); });
        break;
      }
      case 2: {
        const auto posts = reads::rows_above<tables::Posts>(*a_.see(), {kBelowAllPosts}, kAll);
        if (posts.empty()) break;
        const PostId post = posts[below(posts.size())].id;
        both([&](Subject& s) { return s.apply(RemovePost{post}).result; });
        break;
      }
      case 3: {
        const TrendStep step =
            trend_step(*a_.see(), Time{a_.now.ms - static_cast<std::int64_t>(below(60))},
                       static_cast<std::uint32_t>(below(6)));
        both([&](Subject& s) { return rules::commit(s.storage(), step, s.now); });
        break;
      }
      case 4: {
        const auto step = notification_step(*a_.see(), static_cast<std::uint32_t>(1 + below(4)));
        both([&](Subject& s) { return rules::commit(s.storage(), step, s.now); });
        break;
      }
      case 5: {
        const UserNumber reader = anybody();
        const Sequence up_to{below(60)};
        both([&](Subject& s) { return rules::mark_notified(s.storage(), reader, up_to); });
        break;
      }
      case 6: {
        const Time before{a_.now.ms - static_cast<std::int64_t>(below(30))};
        both([&](Subject& s) { return rules::forget_keys(s.storage(), before, kAll); });
        break;
      }
      case 7: {
        const auto ms = static_cast<std::int64_t>(below(10) == 0 ? limits::kKeyKeptMs - 20 : 7);
        for (Subject* s : {&a_, &b_}) s->now.ms += ms;
        break;
      }
      case 8: {
        const UserNumber follower = anybody();
        const UserNumber followee = anybody();
        if (follower == followee) break;
        both([&](Subject& s) { return s.apply(Follow{follower, followee}).result; });
        break;
      }
      default:
        publish();
    }
    compare();
  }

 private:
  static constexpr std::uint32_t kUsers = 5;

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  UserNumber anybody() { return {static_cast<std::uint32_t>(1 + below(kUsers))}; }

  template <class Call>
  void both(Call call) {
    CHECK(call(a_) == call(b_));
  }

  void publish() {
    Publish change{anybody(), fmt::format("#t{} #T{} x{}", below(3), below(3), below(2))};
    if (below(4) == 0) change.privacy = Privacy::kFollowers;
    if (below(2) == 0) change.idempotency_key = fmt::format("k{}", below(4));
    if (below(2) == 0) change.mentions = {UserNumber{1 + change.author.value % kUsers}};
    both([&](Subject& s) {
      const Outcome outcome = s.apply(change);
      return std::tuple(outcome.result, outcome.post, outcome.time);
    });
  }

  void compare() {
    const auto a = a_.see();
    const auto b = b_.see();
    CHECK(reads::events(*a, Sequence{1}, kAll) == reads::events(*b, Sequence{1}, kAll));
    CHECK(a->state().notifications == b->state().notifications);
    CHECK(a->state().trends == b->state().trends);
    CHECK(a->oldest_key() == b->oldest_key());
    const PostId below_post{a->state().last_id.value + below(2)};
    const auto limit = static_cast<std::uint32_t>(1 + below(8));
    CHECK(reads::tagged_posts(*a, kAboveAllPosts, kAll) ==
          reads::tagged_posts(*b, kAboveAllPosts, kAll));
    CHECK(reads::tagged_posts(*a, below_post, limit) == reads::tagged_posts(*b, below_post, limit));
    CHECK(reads::oldest_tagged_post(*a) == reads::oldest_tagged_post(*b));
    CHECK(reads::rows_above<tables::Notifications>(*a, {kNobody, Sequence{0}}, kAll) ==
          reads::rows_above<tables::Notifications>(*b, {kNobody, Sequence{0}}, kAll));
    for (std::uint32_t user = 1; user <= kUsers; ++user) {
      const Sequence before{below(80)};
      CHECK(reads::notifications(*a, {user}, before, limit) ==
            reads::notifications(*b, {user}, before, limit));
      CHECK(reads::reading(*a, {user}).notified == reads::reading(*b, {user}).notified);
    }
    CHECK(a->table_rows().at("notifications") == b->table_rows().at("notifications"));
    CHECK(b->problems().empty());
  }

  std::mt19937_64 random_;
  Subject a_;
  Subject b_;
};

}  // namespace

TEST_CASE("storage contract: random posts, mentions and consumers do the same in both stores") {
  for (std::uint64_t world = 0; world < worlds_or(6); ++world) {
    const std::uint64_t seed = first_seed() + world;
    CAPTURE(seed);
    NoticeTwins twins(seed);
    for (int i = 0; i < 300; ++i) {
      CAPTURE(i);
      twins.step();
    }
  }
}

}  // namespace chirp::test
