// Goal: texts whose ids are words are read as such, and what is no id makes no users.
// Method: small texts of each kind, with each --ids.
#include <doctest/doctest.h>

#include "cli/input/edges.h"
#include "cli/input/posts.h"
#include "tests/support/inputs.h"

namespace chirp::cli::input::words_test {
namespace {

using namespace chirp::test;
using Pairs = std::vector<std::pair<std::string, std::string>>;

Pairs edges_in(const std::string& text, IdKind kind = IdKind::kAuto,
               EdgeFormat format = EdgeFormat::kAuto,
               std::vector<std::string>* complaints_out = nullptr) {
  OpenText open(text);
  Complaints complaints(complaints_out == nullptr ? 0 : 99);
  load::Words words;
  Pairs pairs;
  const EdgeSink sink{
      .edges =
          [&](auto edges) {
            for (const load::SourceEdge& edge : edges) {
              pairs.emplace_back(text_of(words.key_of(edge.follower)),
                                 text_of(words.key_of(edge.followee)));
            }
          },
      .person = [&](SourceId id) { pairs.emplace_back(text_of(words.key_of(id)), ""); },
      .ids = {&words, kind}};
  read_edges(open.buffer(), "f", {.format = format}, complaints.bad, sink);
  if (complaints_out != nullptr) *complaints_out = complaints.lines;
  return pairs;
}

std::string complaint(const std::string& text, IdKind kind = IdKind::kAuto) {
  return complaint_of([&] { edges_in(text, kind); });
}

struct Posts {
  std::vector<std::string> rows;  // id, author, what is answered
  std::vector<std::string> complaints;
};

Posts posts_in(const std::string& text, IdKind kind = IdKind::kAuto) {
  load::Words words;
  const PostsIn read = read_posts(text, {.most_bad = 99, .ids = {&words, kind}});
  Posts posts{.rows = {}, .complaints = read.bad};
  for (const load::SourcePost& post : read.posts) {
    std::string row = text_of(words.key_of(post.id)) + " ";
    row += post.author_id ? text_of(words.key_of(*post.author_id)) : "@" + post.username;
    if (post.reply_to) row += " " + text_of(words.key_of(*post.reply_to));
    posts.rows.push_back(row);
  }
  return posts;
}

using Said = std::vector<std::string>;

}  // namespace

TEST_CASE("words: an edge list of them") {
  CHECK(edges_in("alice,bob\n") == Pairs{{"alice", "bob"}});
  CHECK(edges_in("alice,bob\nbob,carol\n") == Pairs{{"alice", "bob"}, {"bob", "carol"}});
  CHECK(edges_in("follower,followee\nalice,bob\n") == Pairs{{"alice", "bob"}});
  CHECK(edges_in("source\ttarget\nalice\tbob\n") == Pairs{{"alice", "bob"}});
  CHECK(edges_in("alice\tbob\nbob\talice\n") == Pairs{{"alice", "bob"}, {"bob", "alice"}});
  CHECK(edges_in("\"alice\",\"bob\"\r\n# comment\nbob,alice\r\n") ==
        Pairs{{"alice", "bob"}, {"bob", "alice"}});
  CHECK(edges_in("mira@a.example tomas@b.example\n") ==
        Pairs{{"mira@a.example", "tomas@b.example"}});
  CHECK(edges_in("https://a.example/@m,https://b.example/@t\n") ==
        Pairs{{"https://a.example/@m", "https://b.example/@t"}});
  CHECK(edges_in("alice,bob,3\nbob,carol,0.5\n") == Pairs{{"alice", "bob"}, {"bob", "carol"}});
}

TEST_CASE("words: numbers among them stay numbers, long ones are words") {
  CHECK(edges_in("alice,7\nbob,007\n7,3.0\n") == Pairs{{"alice", "7"}, {"bob", "007"}, {"7", "3"}});
  CHECK(edges_in("123456789012345678901 223456789012345678901\n") ==
        Pairs{{"123456789012345678901", "223456789012345678901"}});
  CHECK(edges_in("9223372036854775807,9223372036854775808\n") ==
        Pairs{{"9223372036854775807", "9223372036854775808"}});
}

TEST_CASE("words: a text of numbers stays one") {
  for (const char* text : {"1,2\n3,4\nalice,bob\n", "1 2\n3 4\n5 007\n", "1 2\n3 4\n007 5\n",
                           "1 2\n2 3\n9223372036854775808 1\n"}) {
    CAPTURE(text);
    CHECK(complaint(text).starts_with("f:3: expected two ids"));
  }
  CHECK(edges_in("1,2\n3,4\nalice,bob\n", IdKind::kWords) ==
        Pairs{{"1", "2"}, {"3", "4"}, {"alice", "bob"}});
  CHECK(complaint("alice,bob\n", IdKind::kNumbers).starts_with("f:1: expected two ids"));
}

TEST_CASE("words: a text that is not a graph is refused as before") {
  for (const char* text :
       {"alice,bob\n1,2\n", "name,id\nalice,1\nbob,2\n", "id,name\nalice,Alice\n", "x\ny\n",
        "0x10 2\n1 2\n", "hello world\n", "This file\nholds a\ngraph of\n",
        "name,city\nalice,Paris\n", "alice,bob,carol,dave\nbob,alice,x,y\n", "{\"a\":1}\n",
        "alice: bob carol\nbob: alice\n", "nan,nan\n", "1.5,2.5\n2.5,3.5\n"}) {
    CAPTURE(text);
    CHECK_FALSE(complaint(text).empty());
  }
}

TEST_CASE("words: a bad cell among them is a bad line") {
  Said complaints;
  CHECK(edges_in(
            "alice,bob\nbob,carol\nthis is prose,bob\nalice,\ncarol,alice\nalice,\xFF\nbob,alice\n",
            IdKind::kAuto, EdgeFormat::kAuto, &complaints) ==
        Pairs{{"alice", "bob"}, {"bob", "carol"}, {"carol", "alice"}, {"bob", "alice"}});
  CHECK(complaints.size() == 3);
  CHECK(complaints.front() ==
        "f:3: expected two ids (numbers or words), found \"this is prose,bob\"");
}

TEST_CASE("words: lists of them where --ids says so") {
  CHECK(edges_in("alice: bob carol\nbob:\n", IdKind::kWords) ==
        Pairs{{"bob", ""}, {"alice", "bob"}, {"alice", "carol"}});
  CHECK(edges_in("alice bob carol\nbob alice\n", IdKind::kWords, EdgeFormat::kAdjacency) ==
        Pairs{{"alice", "bob"}, {"alice", "carol"}, {"bob", "alice"}});
  CHECK(edges_in("Ann Lee,Bo Li\n", IdKind::kWords) == Pairs{{"Ann Lee", "Bo Li"}});
}

TEST_CASE("words: an author's id may be one, beside numbers") {
  CHECK(posts_in("tweet_id,author_id,created_at,text\n1,sprintcare,1509400000,a\n"
                 "2,115712,1509400001,b\n3,nan,1509400002,c\n4,two words,1509400003,d\n")
            .rows == Said{"1 sprintcare", "2 115712"});
  CHECK(
      posts_in("{\"id\":1,\"authorId\":\"alice\",\"text\":\"a\",\"createdAt\":1509400000}\n"
               "{\"id\":2,\"author\":\"mira@a.example\",\"text\":\"b\",\"createdAt\":1509400000}\n"
               "{\"id\":3,\"author\":\"tomas\",\"text\":\"c\",\"createdAt\":1509400000}\n")
          .rows == Said{"1 alice", "2 mira@a.example", "3 @tomas"});
  CHECK(posts_in("id,author,text,createdAt\n1,tomas,a,1509400000\n", IdKind::kWords).rows ==
        Said{"1 tomas"});
}

TEST_CASE("words: posts' ids are words if the first is one") {
  const std::string first =
      "{\"id\":\"https://a.example/1\",\"authorId\":7,\"text\":\"a\",\"createdAt\":1509400000}\n";
  const std::string answer =
      "{\"id\":\"8\",\"authorId\":7,\"text\":\"b\",\"createdAt\":1509400001,"
      "\"replyTo\":\"https://a.example/1\"}\n";
  const Posts read = posts_in(first + answer);
  CHECK(read.rows == Said{"https://a.example/1 7", "8 7 https://a.example/1"});
  CHECK(read.complaints.empty());
  const std::string number = "{\"id\":9,\"authorId\":7,\"text\":\"a\",\"createdAt\":1509400000}\n";
  CHECK(posts_in(number + first).rows == Said{"9 7"});
  const Posts turned = posts_in(answer + first);
  CHECK(turned.rows.empty());
  CHECK(turned.complaints.size() == 2);
  CHECK(posts_in(answer + first, IdKind::kWords).rows.size() == 2);
  CHECK(posts_in(first, IdKind::kNumbers).rows.empty());
}

TEST_CASE("words: names of them are read") {
  OpenText open("id,name\nalice,Alice_1\n7,seven\n");
  Complaints complaints(0);
  load::Words words;
  Said names;
  read_names(open.buffer(), "n", complaints.bad,
             [&](load::SourceUser&& user) {
               names.push_back(text_of(words.key_of(user.id)) + " " + user.username);
             },
             {&words, IdKind::kWords});
  CHECK(names == Said{"alice Alice_1", "7 seven"});
}

}  // namespace chirp::cli::input::words_test
