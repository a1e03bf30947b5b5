// Goal: the user's description of a table takes precedence over what it looks like. If a table does
// not describe itself enough, nothing is guessed.
// Method: small tables of posts, edges and events, each with every option that describes it.
#include "cli/input/layout.h"

#include <doctest/doctest.h>

#include "cli/input/edges.h"
#include "cli/input/events.h"
#include "cli/input/posts.h"
#include "core/error.h"
#include "core/load/words.h"
#include "tests/support/inputs.h"
#include "tests/support/thrown.h"

namespace chirp::cli::input::layout_test {
namespace {

using namespace chirp::test;
using Said = std::vector<std::string>;

struct Posts {
  Said rows;  // author, time in seconds and text
  std::vector<SourceId> ids;
  Said bad;
  Said notes;
};

Posts posts(const std::string& text, TableLayout layout = {}, IdKind kind = IdKind::kAuto) {
  load::Words words;
  const PostsIn read =
      read_posts(text, {.most_bad = 99, .layout = std::move(layout), .ids = {&words, kind}});
  Posts all{.rows = {}, .ids = {}, .bad = read.bad, .notes = read.notes};
  for (const load::SourcePost& post : read.posts) {
    const std::string author =
        post.author_id ? "#" + text_of(words.key_of(*post.author_id)) : post.username;
    all.rows.push_back(author + " " + std::to_string(post.created_at.ms / 1000) + " " + post.text);
    all.ids.push_back(post.id);
  }
  return all;
}

Said edges(const std::string& text, const TableLayout& layout = {}, IdKind kind = IdKind::kAuto) {
  OpenText open(text);
  Complaints complaints(99);
  load::Words words;
  Said all;
  (void)read_edges(open.buffer(), "f", {.layout = layout}, complaints.bad,
                   {.edges =
                        [&](auto run) {
                          for (const load::SourceEdge& edge : run) {
                            all.push_back(text_of(words.key_of(edge.follower)) + ">" +
                                          text_of(words.key_of(edge.followee)));
                          }
                        },
                    .ids = {&words, kind}});
  for (const std::string& line : complaints.lines) all.push_back("bad " + line.substr(0, 3));
  return all;
}

TableLayout named(const char* columns, TableContent what = TableContent::kPosts) {
  return {.named = parse_named_columns(columns, what)};
}
TableLayout timed(const std::optional<std::string>& format,
                  const std::optional<std::string>& zones = {}) {
  return {.times = Times(format, zones)};
}

}  // namespace

TEST_CASE("layout: fields are named by the columns of the header, in either order") {
  const std::string table = "key,user_name,text,tweet,created,when\n7,mira,no,yes,5,1768000000\n";
  const Said expected{"mira 1768000000 yes"};
  CHECK(posts(table, named("id=key,author=user_name,text=tweet,time=when")).rows == expected);
  CHECK(posts(table, named("key=id,user_name=author,text=tweet,when=createdAt")).rows == expected);
  CHECK(error_of([&] { (void)posts(table, named("text=nosuch")); }).code() ==
        ErrorCode::kInvalidArgument);
  // The same for edges and events.
  CHECK(edges("both,since,a1,b1\n1,1300000000,41,42\n",
              named("from=a1,to=b1", TableContent::kTies)) == Said{"41>42"});
  CHECK(edges("x,y\nalice,bob\n1\n", named("from=y,to=x", TableContent::kTies)) ==
        Said{"bob>alice", "bad f:3"});
}

TEST_CASE("layout: a header without the columns says which it has and which are missing") {
  const std::string words = complaint_of([] { (void)posts("id,author,words\n1,mira,x\n"); });
  CHECK(words.find("It has \"id\", \"author\", \"words\"") != std::string::npos);
  CHECK(words.find("there is no text, createdAt") != std::string::npos);
  CHECK(words.find("--columns FIELD=COLUMN") != std::string::npos);
}

TEST_CASE("layout: whether there is a header is said where it is not seen") {
  const auto with = [](HeaderRow header, const char* columns) {
    return TableLayout{.columns = parse_columns(columns), .header = header};
  };
  const std::string rows = "text,author,1768000000\nyes,mira,1768000000\n";
  CHECK(posts(rows, with(HeaderRow::kYes, "text,author,createdAt")).rows ==
        Said{"mira 1768000000 yes"});
  CHECK(posts(rows, with(HeaderRow::kNo, "text,author,createdAt")).rows.size() == 2);
  CHECK(edges("a x,b x\n1,2\n", {.header = HeaderRow::kYes}) == Said{"1>2"});
  CHECK(edges("friends,others\nalice,bob\n", {.header = HeaderRow::kYes}) == Said{"alice>bob"});
  CHECK(edges("1,2\n3,4\n", {.header = HeaderRow::kYes}) == Said{"3>4"});
  CHECK(edges("name,login\nalice,bob\n", {.header = HeaderRow::kNo}) ==
        Said{"name>login", "alice>bob"});
}

TEST_CASE("layout: users' columns are found by their names, and times are none") {
  CHECK(edges("both,since,user_id,friend_id\n1,1300000000,41,42\n2,1300000001,43,41\n") ==
        Said{"41>42", "43>41"});
  for (const char* text : {"1,1300000000,41,42\n0,1300000300,42,43\n",
                           "\"1\";\"1300000000\";\"41\";\"42\"\n", "1 1300000000000 41 42\n"}) {
    CAPTURE(text);
    CHECK(complaint_of([&] { (void)edges(text); }).find("--columns") != std::string::npos);
    CHECK(edges(text, {.columns = parse_columns("-,-,from,to", TableContent::kTies)}).front() ==
          "41>42");
  }
  CHECK(edges("1300000000,1300000001,3,4\n") == Said{"1300000000>1300000001"});
  CHECK(edges("person,whom\nalice,bob\n").front().starts_with("bad f:1"));
}

TEST_CASE("layout: posts without ids have made-up ones, the same under any name") {
  const std::string rows =
      "author,createdAt,text\nmira,1768000000,a\nmira,1768000000,a\ntomas,1768000000,a\n"
      "mira,1768000001,a\nmira,1768000000,b\n";
  const Posts all = posts(rows);
  CHECK(all.bad.empty());
  REQUIRE(all.ids.size() == 5);
  for (std::size_t i = 0; i < all.ids.size(); ++i) {
    CHECK(load::is_made_up(all.ids[i]));
    CHECK_FALSE(load::Words::is_word(all.ids[i]));
    for (std::size_t j = 0; j < i; ++j) CHECK(all.ids[i] != all.ids[j]);
  }
  CHECK(posts(rows).ids == all.ids);
  CHECK(posts("text,author,createdAt\na,mira,1768000000\n").ids.front() == all.ids.front());
  TableLayout other{.owner = "mira"};
  CHECK(posts("createdAt,text\n1768000000,a\n", other).ids.front() == all.ids.front());
  CHECK(posts("mira;1768000000;a\n", {.columns = parse_columns("author,createdAt,text")}).ids ==
        std::vector{all.ids.front()});
  // An empty id is not a missing column.
  CHECK(posts("id,author,createdAt,text\n,mira,1768000000,a\n").bad.size() == 1);
  CHECK_FALSE(complaint_of([] { (void)posts("createdAt,text\n1,a\n"); }).empty());
}

TEST_CASE("layout: times have the form that is said, with English names") {
  const auto time_of = [](const std::string& time, const TableLayout& layout) {
    const Posts all = posts("id;author;text;createdAt\n1;mira;x;" + time + "\n", layout);
    return all.rows.empty() ? all.bad.front() : all.rows.front();
  };
  const std::string expected = "mira 1704214805 x";  // 2024-01-02T17:00:05Z
  CHECK(time_of("02/01/2024 17:00:05", timed("%d/%m/%Y %H:%M:%S")) == expected);
  CHECK(time_of("Jan 2, 2024 05:00:05.75 PM", timed("%b %d, %Y %I:%M:%S.%f %p")) == expected);
  CHECK(time_of("2024-01-02 18:00:05 +0100", timed("%Y-%m-%d %H:%M:%S %z")) == expected);
  CHECK(time_of("2024-01-02 12:00:05 EST", timed("%Y-%m-%d %H:%M:%S %Z")) == expected);
  CHECK(time_of("at 1704214805", timed("at %s")) == expected);
  CHECK(time_of("02/01/2024 18:00:05", timed("%d/%m/%Y %H:%M:%S", "+01:00")) == expected);
  for (const char* bad : {"31/02/2024 17:00:05", "02/01/2024", "02/01/2024 17:00:05 x", "", "x"}) {
    CAPTURE(bad);
    CHECK(time_of(bad, timed("%d/%m/%Y %H:%M:%S")).starts_with("f:2: the time"));
  }
  for (const char* bad : {"%d/%m", "%Y-%Q", "%Y %", ""}) {
    CAPTURE(bad);
    CHECK(error_of([&] { (void)Times(bad, {}); }).code() == ErrorCode::kInvalidArgument);
  }
}

TEST_CASE("layout: time zones are known, said, or named in a bad line") {
  const auto seconds = [](std::string_view text, const char* zones = nullptr) {
    const auto time =
        Times({}, zones == nullptr ? std::nullopt : std::optional<std::string>(zones)).read(text);
    return time ? time->ms / 1000 : 0;
  };
  CHECK(seconds("Mon May 11 03:17:40 UTC 2009") == 1242011860);
  CHECK(seconds("Mon May 11 03:17:40 2009") == 1242011860);
  CHECK(seconds("Sun May 10 20:17:40 PDT 2009") == 1242011860);
  CHECK(seconds("2009-05-10 22:17:40 EST") == 1242011860);
  CHECK(seconds("2009-05-11 05:17:40 +0200") == 1242011860);
  CHECK(seconds("2009-05-11 05:17:40", "+02:00") == 1242011860);
  CHECK(seconds("2009-05-11T03:17:40Z", "+02:00") == 1242011860);
  CHECK(seconds("1242011860", "+02:00") == 1242011860);
  CHECK(seconds("Mon May 11 05:17:40 CEST 2009", "CEST=+02:00,-05:00") == 1242011860);
  CHECK(seconds("Mon May 11 05:17:40 CEST 2009") == 0);
  CHECK(seconds("2009-05-11 05:17:40Z EST") == 0);
  CHECK(Times().problem("Mon May 11 05:17:40 CEST 2009").find("time zone CEST") !=
        std::string::npos);
  CHECK(Times().problem("soon").find("not a time in a known format") != std::string::npos);
  for (const char* bad : {"CEST", "+25:00", "=+01:00", "A=B"}) {
    CAPTURE(bad);
    CHECK(error_of([&] { (void)Times({}, bad); }).code() == ErrorCode::kInvalidArgument);
  }
}

TEST_CASE("layout: ids that a spreadsheet has spoilt are refused or reported") {
  for (const char* id : {"9.87654E+17", "9,87654E+17", "9E+17", "9.9e+3"}) {
    CAPTURE(id);
    const std::string cell = std::string("\"") + id + "\"";
    for (const IdKind kind : {IdKind::kAuto, IdKind::kWords, IdKind::kNumbers}) {
      const Posts all = posts(
          "id;authorId;text;createdAt\n" + cell + ";1;x;1768000000\n2;" + cell + ";x;1768000000\n",
          {}, kind);
      CHECK(all.rows.empty());
      REQUIRE(all.bad.size() == 2);
      CHECK(all.bad[0].find("a spreadsheet has cut") != std::string::npos);
    }
    CHECK(edges("alice;bob\n" + cell + ";bob\nbob;carol\n") ==
          Said{"alice>bob", "bob>carol", "bad f:2"});
  }
  const auto notes = [](const char* id) {
    std::string rows = "id,author,text,createdAt\n";
    for (int i = 1; i < 5; ++i) rows += std::to_string(i) + id + ",mira,x,1768000000\n";
    return posts(rows).notes.size();
  };
  CHECK(notes("87654321098765000") == 1);
  CHECK(notes("87654321098765001") == 0);
  CHECK(notes("000000000000") == 0);
  CHECK(notes("987654321098760000000") == 1);  // words, because they have more than 63 bits
}

TEST_CASE("layout: an author in digits is an id in every file") {
  CHECK(posts("id,author,text,createdAt\n1,3,x,1768000000\n2,@3,x,1768000000\n3,007,x,1768000000\n")
            .rows == Said{"#3 1768000000 x", "#3 1768000000 x", "007 1768000000 x"});
  CHECK(posts("{\"id\":1,\"author\":\"3\",\"text\":\"x\",\"createdAt\":1768000000}\n").rows ==
        Said{"#3 1768000000 x"});
}

}  // namespace chirp::cli::input::layout_test
