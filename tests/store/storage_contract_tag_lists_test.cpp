// Goal: a page of a hashtag reads as many records as it shows, whatever is hidden, and shows what
// the definition says, also while the consumer is only part of the way.
// Method: a tag of which most posts are by users who are suspended, blocked or muted, beside a
// frequent other tag, over each kind of store; records are counted.
#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include "core/events/consumers.h"
#include "core/model/entities.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "core/social/tagged_posts.h"
#include "tests/support/fake_clock.h"
#include "tests/support/metered_storage.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

constexpr rules::TurnRows kFewRows{70, 70, 70};

// Returns false when nothing was left to do. Each step is that of a process of its own.
bool step(Subject& s) {
  const FakeClock clock(s.now);
  return events::TrendConsumer(s.storage(), clock, 4096, kFewRows).step() !=
         events::Progress::kIdle;
}

void take_in(Subject& s) {
  const FakeClock clock(s.now);
  events::TrendConsumer consumer(s.storage(), clock);
  while (consumer.step() != events::Progress::kIdle) continue;
}

void set_presence(Subject& s, UserNumber user, Presence presence) {
  AuthorCard changed = *s.see()->find(tables::Cards::Key{user});
  changed.presence = presence;
  s.apply(PutCard{changed});
}

// From the definition, out of all posts there are; newest first.
std::vector<PostId> expected(const Snapshot& snapshot, const Viewer& viewer,
                             const std::string& tag) {
  std::vector<PostId> ids;
  for (const Post& post : reads::rows_above<tables::Posts>(snapshot, {kBelowAllPosts}, kAll)) {
    const auto tags = tags_in(post.text);
    if (std::find(tags.begin(), tags.end(), tag) == tags.end()) continue;
    const auto author = snapshot.find(tables::Cards::Key{post.author});
    if (author->presence != Presence::kPresent || post.privacy != Privacy::kPublic) continue;
    if (viewer.kind() == Viewer::Kind::kUser) {
      const ViewerRelation bond = snapshot.bonds(viewer.number(), {&post.author, 1}).front();
      if (bond.severed() || bond.mutes) continue;
    }
    ids.push_back(post.id);
  }
  std::sort(ids.rbegin(), ids.rend());
  return ids;
}

// All pages, one after the other. `most` is how many records each may read.
std::vector<PostId> listed(const MeteredStorage& storage, const Viewer& viewer,
                           const std::string& tag, std::uint32_t limit, std::uint64_t most) {
  std::vector<PostId> ids;
  social::TaggedQuery query{tag, kAboveAllPosts, limit};
  for (;;) {
    (void)storage.take_records();
    const auto page = social::tagged_posts_in(*storage.snapshot(), viewer, query);
    const std::uint64_t records = storage.take_records();
    CHECK_MESSAGE(records <= most, records << " records for " << limit);
    for (const auto& post : page.posts) ids.push_back(post.post.id);
    if (!page.next_cursor) return ids;
    REQUIRE(*page.next_cursor < query.before);
    query.before = *page.next_cursor;
  }
}

constexpr std::uint64_t bound(std::uint32_t limit) { return 4 * limit + 64; }

}  // namespace

TEST_CASE("storage contract: a page of a hashtag costs what it shows, whatever is hidden") {
  for_each_store([](Subject& s) {
    const auto u = s.users(5);
    std::vector<Change> changes;
    for (int i = 0; i < 1800; ++i) {
      // In every six posts, two are by the user to suspend, one each by the blocked and the muted
      // one.
      const UserNumber author = u[i % 6 < 2 ? 1u : i % 6 == 2 ? 2u : i % 6 == 3 ? 3u : 0u];
      const bool is_rare = i % 90 < 50 && author == u[0];
      changes.emplace_back(Publish{author, is_rare ? "#thaw" : "#frost #thaw"});
      if (i % 10 == 0) changes.emplace_back(Publish{u[0], "#frost", Privacy::kPrivate});
    }
    (void)s.storage().write(changes, s.now);
    take_in(s);
    set_presence(s, u[1], Presence::kSuspended);
    s.apply(Relate{u[2], u[4], Relation::kBlock});
    s.apply(Relate{u[4], u[3], Relation::kMute});
    take_in(s);
    const MeteredStorage storage(s.storage());
    for (const Viewer viewer : {Viewer::anonymous(), Viewer::user(u[4]), Viewer::the_operator()}) {
      for (const char* const tag : {"frost", "thaw", "none"}) {
        const auto wanted = expected(*s.see(), viewer, tag);
        CHECK(listed(storage, viewer, tag, 20, bound(20)) == wanted);
        CHECK(listed(storage, viewer, tag, 100, bound(100)) == wanted);
      }
    }
    const auto page =
        social::tagged_posts_in(*s.see(), Viewer::anonymous(), {"frost", kAboveAllPosts, 20});
    CHECK(page.posts.size() == 20);
  });
}

TEST_CASE("storage contract: lists of hashtags are right at each step of the consumer") {
  for_each_store([](Subject& s) {
    const auto u = s.users(2);
    std::vector<Change> changes;
    for (int i = 0; i < 300; ++i) changes.emplace_back(Publish{u[i % 3 == 0 ? 1u : 0u], "#frost"});
    const auto outcomes = s.storage().write(changes, s.now);
    while (step(s)) continue;
    const MeteredStorage storage(s.storage());
    const auto list = [&] {
      return listed(storage, Viewer::anonymous(), "frost", 100, bound(100));
    };
    const auto all = expected(*s.see(), Viewer::anonymous(), "frost");
    CHECK(list() == all);
    set_presence(s, u[0], Presence::kSuspended);
    const auto some = expected(*s.see(), Viewer::anonymous(), "frost");
    CHECK(some.size() == 100);
    do {
      CHECK(list() == some);
    } while (step(s));
    CHECK(list() == some);
    // Posts that come and go meanwhile.
    set_presence(s, u[0], Presence::kPresent);
    s.apply(RemovePost{outcomes[1].post});
    CHECK(step(s));
    s.apply(RemovePost{outcomes[2].post});
    s.apply(Publish{u[0], "#frost"});
    set_presence(s, u[1], Presence::kSuspended);
    while (step(s)) continue;
    CHECK(list() == expected(*s.see(), Viewer::anonymous(), "frost"));
    CHECK(list().size() == 199);
    CHECK(reads::above<tables::TagPosts>(*s.see(), {}, kAll).size() == 199);
  });
}

TEST_CASE("storage contract: no list has a post whose hashtags are gone") {
  for_each_store([](Subject& s) {
    const auto u = s.users(2);
    s.apply(Publish{u[0], "#old and #older"});
    const PostId kept = s.apply(Publish{u[1], "#old"}).post;
    take_in(s);
    const auto lists = [&] { return reads::above<tables::TagPosts>(*s.see(), {}, kAll); };
    CHECK(lists().size() == 3);
    s.apply(MarkRemoved{u[0]});
    while (!rules::remove_traces(s.storage(), u[0], 1, s.now)) continue;
    CHECK(lists() == RowPairs<tables::TagPosts>{{{"old", kept}, u[1]}});
    // A clock that has leapt is believed when it has stood there for an hour.
    s.now.ms += kTagsKeptMs + kDayMs;
    s.post(u[1]);
    take_in(s);
    CHECK(lists().size() == 1);
    s.now.ms += kHourMs;
    s.post(u[1]);
    take_in(s);
    CHECK(lists().empty());
  });
}

}  // namespace chirp::test
