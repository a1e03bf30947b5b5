// Goal: every event is sent to exactly the readers it concerns in the state at sending, with what
// the feed and the list of notifications would show.
// Method: a table of events by the relation of a reader to the actor; messages compared with the
// list and the feed; and random worlds whose messages are derived again from the contract, for many
// readers at once, on each kind of store.
#include "core/social/live.h"

#include <algorithm>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "tests/support/fake_clock.h"
#include "tests/support/live_world.h"
#include "tests/support/seeds.h"

namespace chirp::test::live_test {
namespace {

using social::LiveBatch;
using social::LiveMessage;

constexpr std::string_view kNames[] = {"post", "post_removed", "notification"};

std::vector<LiveMessage> messages_of(const Snapshot& snapshot,
                                     const std::vector<events::Event>& events,
                                     const std::vector<UserNumber>& readers) {
  LiveBatch batch(snapshot, events, readers);
  std::vector<LiveMessage> all;
  for (std::size_t at = 0; at < events.size(); ++at) {
    for (LiveMessage& message : batch.messages(at)) all.push_back(std::move(message));
  }
  return all;
}

// The user whose acts are sent, and the relations of the readers to them at sending.
constexpr UserNumber kActor{1};
constexpr UserNumber kFollower{2};
constexpr UserNumber kBlocker{4};
constexpr UserNumber kBlocked{5};
constexpr UserNumber kMuter{6};
constexpr UserNumber kNoReposts{7};
constexpr UserNumber kOther{8};  // a stranger like 3; somebody whose posts are reposted

struct Row {
  const char* what;
  std::function<void(Subject&)> act;
  const char* told;  // by event: to whom
};

PostId post_as(Subject& s, UserNumber author, Privacy privacy) {
  return s.apply(Publish{author, "text", privacy}).post;
}

// Once for each user but the actor.
void towards_each(const std::function<void(UserNumber)>& act) {
  for (std::uint32_t number = 2; number <= kOther.value; ++number) act(UserNumber{number});
}

std::vector<Row> coming_and_going() {
  return {
      {"a public post", [](Subject& s) { post_as(s, kActor, Privacy::kPublic); }, "post 1 2 7"},
      {"a post for followers", [](Subject& s) { post_as(s, kActor, Privacy::kFollowers); },
       "post 1 2 7"},
      {"a private post", [](Subject& s) { post_as(s, kActor, Privacy::kPrivate); }, "post 1"},
      {"a repost",
       [](Subject& s) {
         s.apply(Repost{kActor, post_as(s, kOther, Privacy::kPublic)});
       },
       "post 8, post 1 2, notification 8"},
      {"a public post, removed before it is sent",
       [](Subject& s) { s.apply(RemovePost{post_as(s, kActor, Privacy::kPublic)}); },
       "post_removed 1 2 3 6 7 8"},
      {"a post for followers, removed",
       [](Subject& s) { s.apply(RemovePost{post_as(s, kActor, Privacy::kFollowers)}); },
       "post_removed 1 2 6 7"},
      {"a private post, removed",
       [](Subject& s) { s.apply(RemovePost{post_as(s, kActor, Privacy::kPrivate)}); },
       "post_removed 1"},
      {"a repost, withdrawn",
       [](Subject& s) {
         const PostId post = post_as(s, kOther, Privacy::kPublic);
         s.apply(Repost{kActor, post});
         s.apply(Unrepost{kActor, post});
       },
       "post 8, post_removed 1 2 3 6 7 8"},
      {"a repost whose original is gone",
       [](Subject& s) {
         const PostId post = post_as(s, kOther, Privacy::kPublic);
         s.apply(Repost{kActor, post});
         s.apply(RemovePost{post});
       },
       "post_removed 1 2 3 4 5 6 7 8"},
  };
}

std::vector<Row> notices() {
  return {
      {"likes of everybody's posts",
       [](Subject& s) {
         towards_each([&](UserNumber user) {
           s.apply(React{kActor, post_as(s, user, Privacy::kPublic)});
         });
       },
       "post 2, notification 2, post 3, notification 3, post 4, post 5, post 6, post 7, "
       "notification 7, post 8, notification 8"},
      {"another type of a like, and one that was taken back",
       [](Subject& s) {
         const PostId post = post_as(s, kOther, Privacy::kPublic);
         s.apply(React{kActor, post});
         s.apply(React{kActor, post, ReactionType::kSad});
         s.apply(React{kFollower, post});
         s.apply(Unreact{kFollower, post});
       },
       "post 8, notification 8"},
      {"comments on everybody's posts",
       [](Subject& s) {
         towards_each([&](UserNumber user) {
           s.apply(AddComment{kActor, post_as(s, user, Privacy::kPublic), "c"});
         });
       },
       "post 2, notification 2, post 3, notification 3, post 4, post 5, post 6, post 7, "
       "notification 7, post 8, notification 8"},
      {"what is taken back and given again, and a follow that is taken back in the end",
       [](Subject& s) {
         const PostId post = post_as(s, kOther, Privacy::kPublic);
         for (int i = 0; i < 10; ++i) {
           s.apply(Unreact{kActor, post});
           s.apply(React{kActor, post});
           s.follow(kActor, kOther);
           s.apply(Unfollow{kActor, kOther});
         }
       },
       "post 8, notification 8"},
      {"a reply to one on the post of another",
       [](Subject& s) {
         const PostId post = post_as(s, kOther, Privacy::kPublic);
         const CommentId comment = s.apply(AddComment{kFollower, post, "c"}).comment;
         s.apply(AddComment{kActor, post, "r", comment});
       },
       "post 8, notification 8, notification 8, notification 2"},
      {"mentions of everybody",
       [](Subject& s) {
         Publish post{kActor, "text"};
         towards_each([&](UserNumber user) { post.mentions.push_back(user); });
         s.apply(post);
       },
       "post 1 2 7, notification 2, notification 3, notification 7, notification 8"},
      {"a mention in a private post",
       [](Subject& s) {
         Publish post{kActor, "text", Privacy::kPrivate};
         post.mentions = {kFollower};
         s.apply(post);
       },
       "post 1"},
      {"following everybody",
       [](Subject& s) { towards_each([&](UserNumber user) {
                          s.apply(Follow{kActor, user});
                        }); },
       "notification 2, notification 3, notification 7, notification 8"},
  };
}

std::vector<Row> others() {
  return {
      {"loads",
       [](Subject& s) {
         const LoadedPost post{SourceId{1}, kActor, s.now, "text"};
         rules::load_posts(s.storage(), {&post, 1}, s.now);
         const LoadedEdge edge{kActor, UserNumber{3}};
         (void)rules::load_edges(s.storage(), {&edge, 1}, s.now);
       },
       ""},
      {"what shapes feeds: following, muting, blocking, and all of it undone",
       [](Subject& s) {
         s.post(UserNumber{3});
         for (const Relation relation : {Relation::kMute, Relation::kBlock}) {
           s.apply(Relate{UserNumber{3}, kOther, relation});
           s.apply(Unrelate{UserNumber{3}, kOther, relation});
         }
         s.apply(Follow{UserNumber{3}, kOther, Reposts::kOff});
         s.apply(Follow{UserNumber{3}, kOther, Reposts::kOn});
         s.apply(Unfollow{UserNumber{3}, kOther});
       },
       "post 3"},
      {"an author who is gone",
       [](Subject& s) {
         const UserNumber gone = s.users(1).front();
         s.apply(Follow{kFollower, gone});
         const PostId post = s.post(kOther);
         s.post(gone);
         s.apply(React{gone, post});
         s.apply(MarkRemoved{gone});
       },
       "post 8"},
  };
}

// After what happened, before it is sent.
void set_relations(Subject& s) {
  for (const UserNumber user : {kFollower, kBlocker, kBlocked, kMuter}) s.follow(user, kActor);
  s.apply(Follow{kNoReposts, kActor, Reposts::kOff});
  s.apply(Relate{kBlocker, kActor, Relation::kBlock});
  s.apply(Relate{kActor, kBlocked, Relation::kBlock});
  s.apply(Relate{kMuter, kActor, Relation::kMute});
}

std::string words(const std::vector<LiveMessage>& messages) {
  std::string text;
  for (const LiveMessage& message : messages) {
    if (message.to.empty()) continue;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", kNames[message.what.index()]);
    for (const UserNumber user : message.to) text += fmt::format(" {}", user.value);
  }
  return text;
}

// The messages of each reader, by id.
std::map<UserNumber, std::vector<NaiveMessage>> by_reader(
    const std::vector<LiveMessage>& messages) {
  std::map<UserNumber, std::vector<NaiveMessage>> told;
  for (const LiveMessage& message : messages) {
    for (const UserNumber user : message.to) {
      told[user].emplace_back(message.id, kNames[message.what.index()]);
    }
  }
  return told;
}

}  // namespace

TEST_CASE("live: each event is sent to the readers it concerns in the state at sending") {
  std::vector<Row> rows = coming_and_going();
  for (auto& more : {notices(), others()}) rows.insert(rows.end(), more.begin(), more.end());
  for (const Row& row : rows) {
    CAPTURE(row.what);
    for_each_store([&](Subject& s) {
      const auto readers = s.users(kOther.value);
      const Sequence from = s.log_end();
      row.act(s);
      const Sequence to = s.log_end();
      set_relations(s);
      auto events = s.events(from);
      std::erase_if(events, [&](const events::Event& event) { return event.sequence >= to; });
      // Only the author gets an event of their own post: they have another reason.
      std::string told = words(messages_of(*s.see(), events, readers));
      for (std::size_t at; (at = told.find("post 1, post 2")) != std::string::npos;) {
        told.replace(at, 14, "post 1 2");
      }
      CHECK(told == row.told);
    });
  }
}

TEST_CASE("live: a repost brings the original, with who reposted it and what the reader did") {
  for_each_store([](Subject& s) {
    const auto users = s.users(4);
    s.follow(users[1], users[0]);
    s.follow(users[2], users[0]);
    const PostId post = s.post(users[3]);
    s.apply(React{users[1], post, ReactionType::kLove});
    s.apply(Repost{users[2], post});
    const Sequence from = s.log_end();
    const PostId repost = s.apply(Repost{users[0], post}).post;
    const auto messages = messages_of(*s.see(), s.events(from), users);
    REQUIRE(words(messages) == "post 1, post 2, post 3, notification 4");
    const auto& item = std::get<feed::FeedItem>(messages[1].what);
    CHECK(*item.post == *s.see()->post(post));
    CHECK(item.author->number == users[3]);
    CHECK(item.entry == repost);
    REQUIRE(item.reposted_by.size() == 1);
    CHECK(item.reposted_by.front().post == repost);
    CHECK(item.reposted_by.front().user->number == users[0]);
    CHECK(item.stats.counters.reactions_in_all() == 1);
    CHECK(item.stats.counters.reposts == 2);
    CHECK(item.stats.reaction == ReactionType::kLove);
    CHECK(!std::get<feed::FeedItem>(messages[2].what).stats.reaction);
    CHECK(std::get<feed::FeedItem>(messages[0].what).stats.reposted);
    CHECK_FALSE(item.stats.reposted);
    CHECK(std::get<feed::FeedItem>(messages[2].what).stats.reposted);
    CHECK(messages[1].id == from.value * 4);
    CHECK(messages[3].id == from.value * 4 + 1);
    CHECK(std::get<social::NotificationView>(messages[3].what).id == from);
  });
}

TEST_CASE("live: counts are of posts, for readers who may see them and do not mute") {
  for_each_store([](Subject& s) {
    const auto users = s.users(4);
    const PostId post = s.post(users[0]);
    const PostId hidden = post_as(s, users[0], Privacy::kPrivate);
    const Sequence from = s.log_end();
    s.apply(React{users[1], post});
    const CommentId comment = s.apply(AddComment{users[1], post, "c"}).comment;
    s.apply(LikeComment{users[2], comment});
    s.apply(Repost{users[2], post});
    s.apply(Unrepost{users[2], post});
    s.apply(Unreact{users[1], post});
    s.apply(RemoveComment{comment});
    s.apply(Follow{users[1], users[0]});
    std::string counted;
    for (const auto& event : s.events(from)) {
      const auto one = social::counted_post(event);
      if (one) CHECK((one->post == post && one->author == users[0]));
      counted += one ? '+' : '-';
    }
    CHECK(counted ==
          "++-+++"
          "+-");
    s.apply(React{users[1], post, ReactionType::kLove});
    s.apply(Relate{users[2], users[0], Relation::kBlock});
    s.apply(Relate{users[3], users[0], Relation::kMute});
    const std::array posts{post, hidden};
    const auto snapshot = s.see();
    social::LiveCounts counts(*snapshot, posts);
    CHECK(counts.seen_by(users[0], posts).size() == 2);
    const auto seen = counts.seen_by(users[1], posts);
    REQUIRE(seen.size() == 1);
    CHECK(seen.front().post == post);
    CHECK(seen.front().stats.counters.reactions[index_of(ReactionType::kLove)] == 1);
    CHECK(counts.seen_by(users[2], posts).empty());
    CHECK(counts.seen_by(users[3], posts).empty());
  });
}

TEST_CASE("live: more readers than followers, or fewer, get the same messages") {
  for_each_store([](Subject& s) {
    const auto users = s.users(40);
    for (std::size_t i = 1; i < 30; ++i) s.follow(users[i], users[0]);
    const Sequence from = s.log_end();
    s.post(users[0]);
    const auto all = by_reader(messages_of(*s.see(), s.events(from), users));
    CHECK(all.size() == 30);
    for (const std::size_t readers : {1u, 5u, 12u, 29u, 31u}) {
      const std::vector<UserNumber> some(users.end() - static_cast<std::ptrdiff_t>(readers),
                                         users.end());
      const auto told = by_reader(messages_of(*s.see(), s.events(from), some));
      const auto expected = std::count_if(some.begin(), some.end(),
                                          [&](UserNumber user) { return all.contains(user); });
      CHECK(told.size() == static_cast<std::size_t>(expected));
    }
  });
}

TEST_CASE("live: messages of random worlds are as the contract says, from any place in the log") {
  for (const StoreKind& kind : store_kinds()) {
    for (std::uint64_t number = 0; number < worlds_on(kind, 6); ++number) {
      const std::uint64_t seed = first_seed() + number;
      CAPTURE(kind.name);
      CAPTURE(seed);
      LiveWorld world(kind, seed);
      std::vector<UserNumber> readers;
      for (std::uint32_t user = 1; user <= LiveWorld::kUsers; ++user) readers.push_back({user});
      for (int i = 0; i < 120; ++i) {
        world.act(Acts::kAnything);
        if (i % 8 != 0) continue;
        const auto snapshot = world.subject().see();
        const LiveState state = LiveWorld::state_of(*snapshot);
        auto events = reads::events(*snapshot, Sequence{1}, kAll);
        events.erase(events.begin(),
                     events.begin() + static_cast<std::ptrdiff_t>(world.below(events.size())));
        const auto told = by_reader(messages_of(*snapshot, events, readers));
        for (const UserNumber reader : readers) {
          std::vector<NaiveMessage> expected;
          for (const auto& event : events) {
            for (const auto& one : world.meaning(state, event, reader)) {
              expected.push_back(one);
            }
          }
          const auto found = told.find(reader);
          CAPTURE(reader.value);
          CHECK((found == told.end() ? std::vector<NaiveMessage>{} : found->second) == expected);
        }
      }
    }
  }
}

}  // namespace chirp::test::live_test
