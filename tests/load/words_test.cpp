// Goal: ids that are words join loads as numbers do, are compared whole, and join nobody by name.
// Method: small graphs and posts over a model of the stores, loaded twice and in both orders.
#include "core/load/words.h"

#include <set>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/load/event_loader.h"
#include "core/load/graph_loader.h"
#include "core/load/post_loader.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "tests/support/load_world.h"

namespace chirp::load::words_test {
namespace {

using test::LoadWorld;
using Names = std::map<std::string, std::string>;

// Usernames by source id.
Names names_in(const LoadWorld& world) {
  Names names;
  for (const AuthorCard& card :
       reads::rows_above<tables::Cards>(*world.storage.snapshot(), {kNobody}, 99)) {
    if (card.source) names.emplace(text_of(*card.source), card.username);
  }
  return names;
}

std::set<std::string> follows_in(const LoadWorld& world) {
  const auto snapshot = world.storage.snapshot();
  std::set<std::string> follows;
  const auto cards = reads::rows_above<tables::Cards>(*snapshot, {kNobody}, 99);
  for (const AuthorCard& card : cards) {
    for (const Edge& edge : reads::following(*snapshot, card.number, kNobody, 99).edges) {
      const auto other = snapshot->find(tables::Cards::Key{edge.other});
      follows.insert(text_of(*card.source) + ">" + text_of(*other->source));
    }
  }
  return follows;
}

Counts load_graph(LoadWorld& world,
                  std::initializer_list<std::pair<const char*, const char*>> pairs) {
  GraphLoader loader(world.storage, world.directory, world.clock, world.pause());
  const auto id = [&](const char* text) {
    const SourceKey key = *source_key(text);
    return key.is_word() ? loader.words().id_of(key.word) : key.number;
  };
  for (const auto& [follower, followee] : pairs) {
    const SourceEdge edge{id(follower), id(followee)};
    loader.add({&edge, 1});
  }
  loader.finish();
  return loader.counts();
}

struct Said {
  const char* id;
  const char* author;
  const char* answers = nullptr;
};

Counts load_posts(LoadWorld& world, std::initializer_list<Said> said) {
  PostLoader loader(world.storage, world.directory, world.clock, world.pause(), {});
  const auto id = [&](const char* text) {
    const SourceKey key = *source_key(text);
    return key.is_word() ? loader.words().id_of(key.word) : key.number;
  };
  for (const auto& [own, author, answers] : said) {
    SourcePost post;
    post.id = id(own);
    post.author_id = id(author);
    post.text = own;
    post.created_at = LoadWorld::kNow;
    if (answers != nullptr) post.reply_to = id(answers);
    CHECK_FALSE(loader.add(std::move(post)));
  }
  loader.finish();
  return loader.counts();
}

}  // namespace

TEST_CASE("words: a word has one id, however often it comes") {
  Words words;
  const SourceId alice = words.id_of("alice");
  CHECK(Words::is_word(alice));
  CHECK_FALSE(Words::is_word(SourceId{7}));
  CHECK(words.id_of("alice") == alice);
  CHECK(words.id_of("Alice") != alice);
  CHECK(words.key_of(alice) == SourceKey(std::string("alice")));
  CHECK(words.key_of(SourceId{7}) == SourceKey(SourceId{7}));
  CHECK(words.lasting(SourceId{7}) == SourceId{7});
  Words others;
  (void)others.id_of("first");
  CHECK(others.id_of("alice") != alice);
  CHECK(others.lasting(others.id_of("alice")) == words.lasting(alice));
  for (int i = 0; i < 9'000; ++i) (void)words.id_of("word " + std::to_string(i));
  CHECK(words.key_of(words.id_of("word 17")).word == "word 17");
  CHECK(words.id_of("alice") == alice);
}

TEST_CASE("words: too many of them are said") {
  Words words(200);
  (void)words.id_of("alice");
  (void)words.id_of("bob");
  CHECK_THROWS_AS((void)words.id_of("carol"), Error);
  CHECK_NOTHROW((void)words.id_of("bob"));
}

TEST_CASE("words: a graph of them is loaded once") {
  LoadWorld world;
  const Counts first = load_graph(world, {{"alice", "bob"},
                                          {"alice", "mira@example.org"},
                                          {"bob", "alice"},
                                          {"alice", "alice"},
                                          {"123456789012345678901234567890", "bob"}});
  CHECK(first.stored == 4);
  CHECK(first.self_loops == 1);
  CHECK(follows_in(world) == std::set<std::string>{"alice>bob", "alice>mira@example.org",
                                                   "bob>alice",
                                                   "123456789012345678901234567890>bob"});
  Names names = names_in(world);
  CHECK(names.at("alice") == "alice");
  CHECK(names.at("mira@example.org") == "mira");
  CHECK(names.at("123456789012345678901234567890").starts_with("u"));
  const Counts again = load_graph(world, {{"bob", "alice"}, {"alice", "carol"}});
  CHECK(again.stored == 1);
  CHECK(again.duplicates == 1);
  CHECK(again.users_added == 1);
}

TEST_CASE("words: they are compared whole") {
  LoadWorld world;
  load_graph(world, {{"7", "007"}, {"alice", "Alice"}, {"alic", "alice"}});
  CHECK(follows_in(world) == std::set<std::string>{"7>007", "alice>Alice", "alic>alice"});
  const Names names = names_in(world);
  CHECK(names.size() == 5);
  CHECK(names.at("7") == "u7");
  CHECK(names.at("007") == "007");
  CHECK(names.at("alice") == "alice");
  CHECK(names.at("Alice") == "Alice_2");  // usernames have no case
}

TEST_CASE("words: nobody is joined for bearing the name") {
  LoadWorld world;
  const UserNumber alice = world.sign_up("alice");
  load_graph(world, {{"alice", "bob"}});
  CHECK(names_in(world) == Names{{"alice", "alice_2"}, {"bob", "bob"}});
  CHECK(reads::following(*world.storage.snapshot(), alice, kNobody, 9).edges.empty());
  load_graph(world, {{"alice", "carol"}});
  CHECK(names_in(world).at("alice") == "alice_2");
  CHECK(world.directory.count() == 4);
}

TEST_CASE("words: a made-up name gives way to a real one") {
  LoadWorld world;
  load_graph(world, {{"alice", "bob"}});
  GraphLoader loader(world.storage, world.directory, world.clock, world.pause());
  loader.say({loader.words().id_of("alice"), "real_alice", {}, {}});
  loader.finish();
  CHECK(names_in(world) == Names{{"alice", "real_alice"}, {"bob", "bob"}});
}

TEST_CASE("words: posts and their authors, and what they answer") {
  for (const bool graph_first : {true, false}) {
    CAPTURE(graph_first);
    LoadWorld world;
    if (graph_first) load_graph(world, {{"alice", "115712"}});
    const Counts counts = load_posts(world, {{"https://example.org/2", "alice", "first"},
                                             {"first", "115712"},
                                             {"3", "alice", "https://example.org/2"}});
    CHECK(counts.stored == 3);
    CHECK(counts.comments == 2);
    if (!graph_first) load_graph(world, {{"alice", "115712"}});
    CHECK(names_in(world) == Names{{"alice", "alice"}, {"115712", "u115712"}});
    const Counts again = load_posts(world, {{"first", "alice"}, {"First", "alice"}});
    CHECK(again.stored == 1);
    CHECK(again.same_id_other_text == 1);
  }
}

TEST_CASE("words: events between users of words fall where those of numbers do") {
  LoadWorld world;
  load_graph(world, {{"alice", "bob"}, {"7", "bob"}});
  load_posts(world, {{"first", "bob"}});
  const auto load_events = [&](std::initializer_list<std::pair<const char*, const char*>> pairs) {
    EventLoader loader(world.storage, world.clock, world.pause());
    const auto id = [&](const char* text) {
      const SourceKey key = *source_key(text);
      return key.is_word() ? loader.words().id_of(key.word) : key.number;
    };
    for (const auto& [actor, other] : pairs) {
      const SourceEvent event{id(actor), id(other), EventKind::kReply, std::nullopt, 1};
      CHECK_FALSE(loader.add({&event, 1}));
    }
    loader.finish();
    return loader.counts();
  };
  const Counts counts = load_events({{"alice", "bob"},
                                     {"7", "bob"},
                                     {"bob", "alice"},
                                     {"Alice", "bob"},
                                     {"007", "bob"},
                                     {"alice", "alice"}});
  CHECK(counts.stored == 3);
  CHECK(counts.comments == 3);
  CHECK(counts.placeholders == 1);  // alice has written nothing
  CHECK(counts.unknown_users == 2);
  CHECK(counts.self_loops == 1);
  // The words come in another order, and so under other numbers of the load.
  const Counts again = load_events({{"bob", "alice"}, {"7", "bob"}, {"alice", "bob"}});
  CHECK(again.stored == 0);
  CHECK(again.duplicates == 3);
  CHECK(names_in(world) == Names{{"alice", "alice"}, {"bob", "bob"}, {"7", "u7"}});
}

TEST_CASE("words: a removed user's word is free for others") {
  LoadWorld world;
  load_graph(world, {{"alice", "bob"}});
  const SourceKey key(std::string("alice"));
  const auto number = reads::numbers_of(*world.storage.snapshot(), {&key, 1}).front();
  REQUIRE(number);
  const std::vector<Change> change{MarkRemoved{*number}};
  (void)world.storage.write(change, LoadWorld::kNow);
  CHECK_FALSE(reads::numbers_of(*world.storage.snapshot(), {&key, 1}).front());
}

}  // namespace chirp::load::words_test
