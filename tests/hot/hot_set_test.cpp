// Goal: a page that was read before comes out of memory without a look into the store, and says so;
// what others write is in the next one; what the log cannot tell drops what is held.
// Method: small worlds by hand, over a store that counts the snapshots taken of it.
#include "core/hot/hot_set.h"

#include <set>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/rules/writing.h"
#include "tests/support/hot_scene.h"

namespace chirp::test {
namespace {

// Counts what it prints.
class CountingPrinter final : public feed::PostSerializer {
 public:
  [[nodiscard]] std::string post(const Post& post) const override {
    ++posts;
    return std::to_string(post.id.value);
  }
  [[nodiscard]] std::string card(const AuthorCard& card) const override {
    ++cards;
    return card.display_name;
  }

  mutable int posts = 0;
  mutable int cards = 0;
};

}  // namespace

TEST_CASE("hot set: a post and a card are printed once for all who read them") {
  HotScene s;
  const CountingPrinter printer;
  hot::HotSet set(s.storage, s.world.clock, kHotRoom, &printer);
  (void)set.page(SmallWorld::asking(1));
  CHECK(printer.posts == 9);
  CHECK(printer.cards == 3);
  s.world.join(5);
  for (const std::uint32_t author : {2U, 3U, 4U}) s.world.follow(5, author);
  // A page that was just filled is as the store has it; the next is out of memory.
  for (const std::uint32_t reader : {1U, 5U}) {
    (void)set.page(SmallWorld::asking(reader));
    const feed::Page page = set.page(SmallWorld::asking(reader));
    REQUIRE(page.items.size() == 9);
    for (const feed::FeedItem& item : page.items) {
      CHECK(item.printed.post == std::to_string(item.post->id.value));
      CHECK(item.printed.card == item.author->display_name);
    }
  }
  CHECK(printer.posts == 9);
  CHECK(printer.cards == 3);
  auto card = *s.world.storage.snapshot()->find(tables::Cards::Key{UserNumber{4}});
  card.display_name = "another name";
  s.world.write(PutCard{card});
  const feed::Page page = set.page(SmallWorld::asking(1));
  CHECK(printer.posts == 9);
  CHECK(printer.cards == 4);
  for (const feed::FeedItem& item : page.items) {
    CHECK(item.printed.card == item.author->display_name);
  }
}

TEST_CASE("hot set: a page that was read before takes no snapshot of the store") {
  HotScene s;
  const feed::Page first = s.read();
  CHECK_FALSE(first.cost.from_memory);
  CHECK(first.cost.sources > 0);
  const int before = s.storage.taken;
  const feed::Page again = s.read();
  CHECK(s.storage.taken == before);
  CHECK(again.cost.from_memory);
  CHECK(again.cost.sources == 0);
  CHECK(again.cost.examined == first.cost.examined);
  CHECK(SmallWorld::ids(again) == SmallWorld::ids(first));
  CHECK(s.set.use().from_memory == 1);
  CHECK(s.set.use().from_store == 1);
}

TEST_CASE("hot set: a page is had at once only if all of it is held, in the newest state") {
  HotScene s;
  const feed::PageRequest request = SmallWorld::asking(1, 20);
  const auto looks_for = [&](const feed::PageRequest& asked) {
    const int before = s.storage.taken;
    const auto page = s.set.held_page(asked);
    CHECK(s.storage.taken == before);
    return page;
  };
  CHECK_FALSE(looks_for(request));
  const feed::Page first = s.read();
  const auto held = looks_for(request);
  REQUIRE(held);
  CHECK(held->cost.from_memory);
  CHECK(SmallWorld::ids(*held) == SmallWorld::ids(first));
  // Whatever has been written, the set has to move on first.
  s.world.posts(2, 1);
  CHECK_FALSE(looks_for(request));
  CHECK(SmallWorld::ids(s.read()).size() == 10);
  CHECK(looks_for(request)->items.size() == 10);
  // Nothing is held for other requests, and what may not be asked for is refused by the reader.
  CHECK_FALSE(looks_for(SmallWorld::asking(2, 20)));
  CHECK_FALSE(looks_for(SmallWorld::asking(1, 0)));
}

TEST_CASE("hot set: what is not a feed's page from the top, or deeper, is read from the store") {
  HotScene s;
  feed::PageRequest request = SmallWorld::asking(1, 2);
  SUBCASE("a cursor before anything is held") {
    request.before = s.read(1, 4).next_cursor;
    hot::HotSet other(s.storage, s.world.clock, kHotRoom);
    CHECK(SmallWorld::ids(other.page(request)) == SmallWorld::ids(s.world.page(request)));
  }
  SUBCASE("a limit that may not be") {
    request.limit = 0;
    CHECK_THROWS_AS((void)s.set.page(request), Error);
  }
  SUBCASE("two cursors") {
    request.before = PostId{5};
    request.after = PostId{4};
    CHECK_THROWS_AS((void)s.set.page(request), Error);
  }
  SUBCASE("scrolling makes the window deeper, and then memory has it") {
    std::vector<PostId> walked;
    for (int round = 0; round < 2; ++round) {
      request.before.reset();
      walked.clear();
      for (;;) {
        const feed::Page page = s.set.page(request);
        CHECK((round == 0 || page.cost.from_memory));
        for (const PostId id : SmallWorld::ids(page)) walked.push_back(id);
        if (!page.has_more) break;
        request.before = page.next_cursor;
      }
    }
    CHECK(walked == SmallWorld::ids(s.world.page(1, 100)));
  }
}

TEST_CASE(
    "hot set: what somebody else has written is in the next page, out of memory where it can be") {
  HotScene s;
  hot::HotSet other(s.storage, s.world.clock, kHotRoom);
  (void)other.page(SmallWorld::asking(1));
  (void)s.read();
  SUBCASE("a post") {
    const PostId posted = s.world.post(2);
    CHECK(s.read().items.front().post->id == posted);  // brings it into memory
    CHECK(s.read().cost.from_memory);
    CHECK(other.page(SmallWorld::asking(1)).items.front().post->id == posted);
  }
  SUBCASE("a post of a stranger leaves everything as it is") {
    CHECK(s.stays([&] {
      s.world.post(1);
      s.world.join(5);
      s.world.post(5);
    }) == false);
    CHECK(s.stays([&] { s.world.post(5); }));
  }
  SUBCASE("a removal, a name, a reaction") {
    const PostId gone = s.read().items.front().post->id;
    const PostId next = s.read().items[1].post->id;
    CHECK(s.stays([&] { s.world.remove(gone); }));
    CHECK(s.read().items.front().post->id == next);
    CHECK(s.stays([&] { s.world.write(React{UserNumber{1}, next, ReactionType::kLove}); }));
    CHECK(s.read().items.front().stats.reaction == ReactionType::kLove);
    CHECK(s.read().items.front().stats.counters.reactions_in_all() == 1);
    auto card = *s.world.storage.snapshot()->find(tables::Cards::Key{UserNumber{4}});
    card.display_name = "another name";
    CHECK(s.stays([&] { s.world.write(PutCard{card}); }));
    CHECK(s.read().items.front().author->display_name == "another name");
  }
  SUBCASE("a repost by the reader, and its end") {
    const PostId post = s.read().items.front().post->id;
    const auto reposted = [&](const Change& change) {
      s.world.write(change);
      (void)s.read();  // brings what has arrived into memory
      const feed::Page page = s.read();
      CHECK(page.cost.from_memory);
      REQUIRE(page.items.front().post->id == post);
      return page.items.front().stats.reposted;
    };
    CHECK(reposted(Repost{UserNumber{1}, post}));
    CHECK(reposted(Repost{UserNumber{3}, post}));
    CHECK_FALSE(reposted(Unrepost{UserNumber{1}, post}));
  }
  SUBCASE("what consumers do") {
    CHECK(s.stays([&] {
      s.world.fan_out();
      s.world.count();
    }));
  }
}

TEST_CASE(
    "hot set: a post that has arrived and was not taken in yet says that its reader reposted it") {
  HotScene s;
  (void)s.read();
  REQUIRE(s.read().cost.from_memory);
  const PostId post = s.world.post(2);
  s.world.write(Repost{UserNumber{1}, post});
  const feed::Page page = s.read();
  CHECK(page.items.front().post->id == post);
  CHECK(page.items.front().stats.reposted);
}

TEST_CASE("hot set: whatever somebody sets about somebody is in the next page") {
  HotScene s;
  const UserNumber reader{1};
  const UserNumber author{2};
  const PostId original = s.world.post(4);
  s.world.write(Repost{author, original});
  s.world.unfollow(1, 4);
  // Which of authors 2, 3 and 4 (by a repost of 2) stand on the page, after it was in memory.
  const auto shown = [&](const Change& change) {
    (void)s.read();
    REQUIRE(s.read().cost.from_memory);
    s.world.write(change);
    std::set<std::uint32_t> authors;
    for (const feed::FeedItem& item : s.read().items) authors.insert(item.author->number.value);
    return authors;
  };
  using Authors = std::set<std::uint32_t>;
  CHECK(shown(Publish{reader, "own"}) == Authors{1, 2, 3, 4});
  CHECK(shown(Relate{reader, author, Relation::kMute}) == Authors{1, 3});
  CHECK(shown(Unrelate{reader, author, Relation::kMute}) == Authors{1, 2, 3, 4});
  CHECK(shown(Follow{reader, author, Reposts::kOff}) == Authors{1, 2, 3});
  CHECK(shown(Follow{reader, author, Reposts::kOn}) == Authors{1, 2, 3, 4});
  CHECK(shown(Unfollow{reader, author}) == Authors{1, 3});
  CHECK(shown(Follow{reader, author}) == Authors{1, 2, 3, 4});
  CHECK(shown(Relate{UserNumber{4}, reader, Relation::kBlock}) == Authors{1, 2, 3});
  CHECK(shown(Unrelate{UserNumber{4}, reader, Relation::kBlock}) == Authors{1, 2, 3, 4});
  CHECK(shown(Relate{reader, UserNumber{4}, Relation::kBlock}) == Authors{1, 2, 3});
  CHECK(shown(Unrelate{reader, UserNumber{4}, Relation::kBlock}) == Authors{1, 2, 3, 4});
  CHECK(shown(Relate{reader, author, Relation::kBlock}) == Authors{1, 3});
  CHECK(shown(MarkRemoved{UserNumber{3}}) == Authors{1});
}

TEST_CASE("hot set: where a post came from that was pending is asked of the store") {
  HotScene s;
  s.world.post(2);
  (void)s.read();
  s.world.fan_out();
  feed::PageRequest request = SmallWorld::asking(1);
  request.explain = feed::Explain::kYes;
  CHECK(s.stays([] {}));  // who does not ask for it has it out of memory
  const feed::Page explained = s.set.page(request);
  CHECK_FALSE(explained.cost.from_memory);
  const feed::Page stored = feed::hydrated_page(*s.storage.snapshot(), request, s.world.clock);
  REQUIRE(explained.items.size() == stored.items.size());
  for (std::size_t i = 0; i < stored.items.size(); ++i) {
    CHECK(explained.items[i].source == stored.items[i].source);
  }
  CHECK(s.set.page(request).cost.from_memory);
}

TEST_CASE("hot set: where posts came from is asked anew once timelines serve, or serve no more") {
  HotScene s;
  feed::PageRequest request = SmallWorld::asking(1);
  request.explain = feed::Explain::kYes;
  const auto is_told_as_stored = [&] {
    const feed::Page page = s.set.page(request);
    const feed::Page stored = feed::hydrated_page(*s.storage.snapshot(), request, s.world.clock);
    REQUIRE(page.items.size() == stored.items.size());
    for (std::size_t i = 0; i < stored.items.size(); ++i) {
      CHECK(page.items[i].source == stored.items[i].source);
    }
    return page;
  };
  rules::drop_timeline(s.storage, UserNumber{1});
  CHECK(s.stays([] {}));
  CHECK(is_told_as_stored().upkeep == feed::Upkeep::kBuild);
  feed::Feeds(s.world.storage, s.world.clock).after_read(UserNumber{1}, feed::Upkeep::kBuild);
  s.world.post(2);
  s.world.fan_out();
  CHECK(is_told_as_stored().items.front().source == feed::Source::kPushed);
  CHECK(s.set.page(request).cost.from_memory);
  for (const feed::Policy policy : {feed::Policy::kPull, feed::Policy::kPush}) {
    s.world.change(policy);
    CHECK_FALSE(is_told_as_stored().cost.from_memory);
    CHECK(s.set.page(request).cost.from_memory);
    s.world.post(3);
    (void)is_told_as_stored();
    s.world.fan_out();
    (void)is_told_as_stored();
  }
}

TEST_CASE("hot set: what the log does not tell drops everything") {
  HotScene s;
  SUBCASE("a step of a removal") {
    s.world.leave(4);
    CHECK_FALSE(
        s.stays([&] { rules::remove_traces(s.storage, UserNumber{4}, 1, s.world.clock.now()); }));
  }
  SUBCASE("reposts of a removed post") {
    const PostId original = s.read().items.front().post->id;
    s.world.write(Repost{UserNumber{2}, original});
    s.world.remove(original);
    CHECK_FALSE(s.stays([&] { rules::remove_post_traces(s.storage, 10, s.world.clock.now()); }));
  }
  SUBCASE("a repair of what is counted") {
    const PostId post = s.read().items.front().post->id;
    ContentCounters counters;
    counters.comments = 3;
    CHECK_FALSE(s.stays([&] {
      rules::repair_content_counters(s.storage, content_of(post), counters, s.world.clock.now());
    }));
    CHECK(s.read().items.front().stats.counters.comments == 3);
  }
  SUBCASE("a load of posts, below which it holds all") {
    CHECK_FALSE(s.stays([&] { s.world.load_post(2, 77, s.world.clock.now()); }));
  }
  SUBCASE("another generation alone") {
    CHECK_FALSE(s.stays([&] { rules::retire_marks(s.storage); }));
  }
  SUBCASE("a log that was trimmed past what is held") {
    CHECK_FALSE(s.stays([&] {
      s.world.post(2);
      events::drain(s.storage, s.world.clock);
      rules::trim_log(s.storage, Time{s.world.clock.now().ms + kDayMs}, 1000);
    }));
    CHECK(SmallWorld::ids(s.read()) == SmallWorld::ids(s.world.page(1)));
  }
}

TEST_CASE("hot set: a snapshot older than what is held is read as it is, and fills nothing") {
  HotScene s;
  const auto old = s.world.storage.snapshot();
  const auto then = SmallWorld::ids(s.read());
  s.world.post(3);
  const auto now = SmallWorld::ids(s.read());
  REQUIRE(now != then);
  CHECK(SmallWorld::ids(s.set.page(*old, SmallWorld::asking(1))) == then);
  CHECK(SmallWorld::ids(s.set.page(*old, SmallWorld::asking(2))).size() == 3);
  CHECK(SmallWorld::ids(s.read()) == now);
  CHECK_FALSE(s.read(2).cost.from_memory);
}

TEST_CASE("hot set: a read leaves to be done what it did without memory, and says so once") {
  HotScene s;
  rules::drop_timeline(s.storage, UserNumber{1});
  CHECK(s.read().upkeep == feed::Upkeep::kBuild);
  CHECK(s.read().upkeep == feed::Upkeep::kNone);
  s.world.clock.advance(kDayMs);
  CHECK(s.read().upkeep == feed::Upkeep::kNoteRead);
  const feed::Page page = s.read();
  CHECK(page.cost.from_memory);
  CHECK(page.upkeep == feed::Upkeep::kNone);
}

}  // namespace chirp::test
