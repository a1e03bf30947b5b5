// Goal: every kind of edge list is recognized, and a bad line is reported with its number.
// Method: small texts in each format, in pieces of odd sizes; the first lines of real data sets.
#include "cli/input/edges.h"

#include <doctest/doctest.h>

#include "core/error.h"
#include "tests/support/inputs.h"

namespace chirp::cli::input::edges_test {
namespace {

using namespace chirp::test;
using Pairs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

struct Read {
  Pairs edges;
  std::vector<std::string> complaints;
  std::vector<std::uint64_t> people;
  std::vector<std::string> notes;
};

Read read(const std::string& text, EdgeFormat format = EdgeFormat::kAuto,
          std::uint64_t most_bad = 0, std::size_t step = 1 << 16, bool both_ways = false) {
  OpenText open(text, step);
  Complaints complaints(most_bad);
  Read result;
  const EdgeSink sink{.edges =
                          [&](auto edges) {
                            for (const load::SourceEdge& edge : edges) {
                              result.edges.emplace_back(edge.follower.value, edge.followee.value);
                            }
                          },
                      .person = [&](SourceId id) { result.people.push_back(id.value); },
                      .both_ways = both_ways};
  const std::uint64_t count =
      read_edges(open.buffer(), "f", {.format = format}, complaints.bad, sink);
  CHECK(count == result.edges.size());
  result.complaints = complaints.lines;
  result.notes = complaints.notes;
  return result;
}

std::string complaint(const std::string& text, EdgeFormat format = EdgeFormat::kAuto) {
  return complaint_of([&] { read(text, format); });
}

}  // namespace

TEST_CASE("edges: SNAP lists have comments, blanks of any kind and more columns") {
  const std::string text =
      "# Directed graph\n% another comment\n1 2\n1\t3\n 4   5  0.5 x\r\n\n2 1\r\n7\t8\t9\n3 3";
  const Pairs expected{{1, 2}, {1, 3}, {4, 5}, {2, 1}, {7, 8}, {3, 3}};
  for (const std::size_t step : {1u, 2u, 3u, 7u, 64u}) {
    CHECK(read(text, EdgeFormat::kAuto, 0, step).edges == expected);
    CHECK(read(text, EdgeFormat::kSnap, 0, step).edges == expected);
  }
}

TEST_CASE("edges: CSV and TSV, with a header or without") {
  const Pairs expected{{10, 20}, {20, 9'223'372'036'854'775'807u}};
  const std::string big = "9223372036854775807";
  for (const std::string& text :
       {"10,20\n20," + big + "\n", "follower,followee\n10,20\n20," + big + "\n",
        "follower\tfollowee\tcount\r\n10\t20\t1\r\n20\t" + big + "\t1\r\n",
        "a;b;c\n10;20;1\n20;" + big + ";2",
        "\"from\",\"to\"\n\"10\",\"20\"\n\"20\", \"" + big + "\"",
        "\xEF\xBB\xBFsource | target\n10 | 20\n20 | " + big, "id other\n10 20\n20 " + big,
        "# c\n10 ,20, 1\n\n20, " + big}) {
    CAPTURE(text);
    CHECK(read(text).edges == expected);
  }
  CHECK(read("a,b\n1,2\n", EdgeFormat::kCsv).edges == Pairs{{1, 2}});
  CHECK(read("1,2\n3,4\n", EdgeFormat::kCsv).edges == Pairs{{1, 2}, {3, 4}});
  // A time in a later column does not make it an adjacency list.
  CHECK(read("1,2,2012-07-01 00:02:52\n3,4,x:y\n").edges == Pairs{{1, 2}, {3, 4}});
}

TEST_CASE("edges: a header the other way round is refused, whatever is allowed") {
  CHECK_THROWS_AS(read("followee,follower\n1,2\n", EdgeFormat::kAuto, 100), Error);
}

TEST_CASE("edges: a line with the size of the graph is not an edge") {
  const Pairs expected{{1, 2}, {3, 1}};
  for (const std::string text :
       {"3,2,u,graph\n1,2\n3,1\n", "3,2,d\n1,2\n3,1\n", "3 3 2\n1 2\n3 1\n",
        "%%MatrixMarket matrix coordinate pattern symmetric\n%\n3 3 2\n1 2\n3 1\n",
        "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 0.5\n3 1 1\n"}) {
    CAPTURE(text);
    for (const std::size_t step : {1u, 1000u}) {
      CHECK(read(text, EdgeFormat::kAuto, 0, step).edges == expected);
    }
  }
  CHECK(read("3,2,u,graph\n1,2\n").notes.at(0).find("--undirected") != std::string::npos);
  CHECK(read("3,2,u,graph\n1,2\n", EdgeFormat::kAuto, 0, 1, true).notes.empty());
  CHECK(read("3,2,d,graph\n1,2\n").notes.empty());
  CHECK(complaint("3 2\n2 3\n1\n1\n").find("METIS") != std::string::npos);
}

TEST_CASE("edges: a header is one whose columns are known") {
  for (const char* first : {"alice,bob", "0x10 2", "name\tparty", "x y"}) {
    CAPTURE(first);
    CHECK(complaint(std::string(first) + "\n1 2\n").starts_with("f:1: expected two ids"));
  }
  CHECK(read("Source,Target,Type\n1,2,Directed\n").edges == Pairs{{1, 2}});
  CHECK(complaint("to,from\n1,2\n").find("followee first") != std::string::npos);
}

TEST_CASE("edges: rows of several numbers are a list, an edge with more, or a question") {
  const Read list = read("#c\n1 2 3 4\n2 3\n3 4\n4\n");
  CHECK(list.edges == Pairs{{1, 2}, {1, 3}, {1, 4}, {2, 3}, {3, 4}});
  CHECK(list.people == std::vector<std::uint64_t>{4});
  CHECK(list.notes.size() == 1);
  CHECK(complaint("1 2 3 4\n").find("--format adjacency") != std::string::npos);
  CHECK(read("1 2 3 4\n", EdgeFormat::kAdjacency).edges == Pairs{{1, 2}, {1, 3}, {1, 4}});
  const Read wide = read("1 2 3 4\n", EdgeFormat::kSnap);
  CHECK(wide.edges == Pairs{{1, 2}});
  CHECK(wide.notes.size() == 1);
  CHECK(read("1 2 1 1341100972\n2 3 1 1341100973\n").edges == Pairs{{1, 2}, {2, 3}});
  CHECK(read("1 2 {}\n2 3 {'weight': 1}\n").edges == Pairs{{1, 2}, {2, 3}});
  // A last row that is cut off makes no list of the others.
  for (const char* text : {"1 2 5\n2 3 7\n22 1", "1 2 1 1341100972\n2 3 1 1341100973\n22 1 1",
                           "1 2 1 1341100972\n2 3 1 1341100973\n22 1 1 13"}) {
    CHECK(read(text).edges.size() >= 2);
    CHECK(read(text).edges[1] == Pairs::value_type{2, 3});
    CHECK(read(text).people.empty());
  }
  CHECK(read("1: 2\n2:\n").people == std::vector<std::uint64_t>{2});
}

TEST_CASE("edges: METIS is recognized by its head, with all of its formats") {
  // Each node's row names its neighbours in a circle, and every third node has two more.
  for (const char* head : {"9000 21000\n", "9000 21000 0\n"}) {
    std::string text = head;
    for (int i = 0; i < 9000; ++i) {
      if (i % 3 == 0) text += "1 " + std::to_string((i + 3) % 9000 + 1) + " ";
      text += std::to_string((i + 8999) % 9000 + 1) + " " + std::to_string((i + 1) % 9000 + 1);
      text += "\n";
    }
    REQUIRE(text.size() > 65'536);
    CHECK(complaint(text).find("METIS") != std::string::npos);
  }
  CHECK(complaint("3 2 0\n2 3\n1\n1\n").find("METIS") != std::string::npos);
  CHECK(complaint("3 2 1\n2 70 3 80\n1 70\n1 80\n").find("METIS") != std::string::npos);
  CHECK(complaint("3 2 10\n5 2 3\n5 1\n5 1\n").find("METIS") != std::string::npos);
  // Rows of one length, in which each names whoever names it.
  for (const char* text :
       {"4 4\n2 4\n1 3\n2 4\n1 3\n", "3 3\n2 3\n3 1\n1 2", "3 3 0\n2 3\n3 1\n1 2\n",
        "4 6\n2 3 4\n1 3 4\n1 2 4\n1 2 3\n", "2 1 1\n2 70\n1 70\n", "2 1 10\n5 2\n5 1\n",
        "2 1 11\n5 2 70\n5 1 70\n"}) {
    CAPTURE(text);
    CHECK(complaint(text).find("METIS") != std::string::npos);
  }
  std::string circle = "9000 9000\n";
  for (int i = 0; i < 9000; ++i) {
    circle += std::to_string((i + 8999) % 9000 + 1) + " " + std::to_string((i + 1) % 9000 + 1);
    circle += "\n";
  }
  CHECK(complaint(circle).find("METIS") != std::string::npos);
  CHECK(read(circle, EdgeFormat::kSnap).edges.size() == 9001);
  // One that is not named in turn, that names itself or nobody there, a row too many: edges.
  for (const char* text :
       {"4 4\n2 4\n1 3\n2 4\n1 2\n", "4 4\n1 4\n1 3\n2 4\n1 3\n", "4 4\n2 5\n1 3\n2 4\n1 3\n",
        "4 4\n2 4\n1 3\n2 4\n1 3\n1 3\n", "4 5\n2 4\n1 3\n2 4\n1 3\n", "1 2\n2 1\n"}) {
    CAPTURE(text);
    CHECK(complaint(text).empty());
  }
  // A list in which each user has one row is read as edges, however long.
  std::string list;
  for (int i = 9000; i > 0; --i) list += std::to_string(i) + (i % 2 == 0 ? " 1 2\n" : " 1 2 3\n");
  CHECK(read(list).edges.size() == 22'500);
}

TEST_CASE("edges: a row wider than those at the start is a bad line") {
  for (const std::string row : {"1 2\n", "1 2 5\n"}) {
    std::string text;
    for (int i = 0; i < 20'000; ++i) text += row;
    const std::string words = complaint(text + "9000 1 2 3 4 5\n1 3\n");
    CAPTURE(words);
    CHECK(words.starts_with("f:20001: the row has 6 numbers"));
    CHECK(words.find("--format adjacency") != std::string::npos);
    CHECK(read(text + "9000 1 2 3 4 5\n", EdgeFormat::kSnap).edges.size() == 20'001);
    CHECK(read(text + "9000 1\n").edges.size() == 20'001);
  }
}

TEST_CASE("edges: what is no time makes no column of times") {
  CHECK(complaint("1 2 3 9100000000\n2 3 1 9200000000\n").find("either") != std::string::npos);
  CHECK(read("1 2 1 1341100972000\n2 3 1 1341100973000\n").edges.size() == 2);
}

TEST_CASE("edges: a last line that may be cut off is said") {
  CHECK(read("1 2\n2 3\n").notes.empty());
  CHECK(read("1 2").notes.empty());
  CHECK(read("1 2\n2 3\n22732 1").notes.size() == 1);
  const Read cut = read("1 2\n22732 1");
  CHECK(cut.edges.size() == 2);
  REQUIRE(cut.notes.size() == 1);
  CHECK(cut.notes[0].starts_with("f:2: the last line has no newline"));
}

TEST_CASE("edges: a list of a million followees is one line") {
  constexpr std::uint64_t kFriends = 1'000'000;
  for (const bool colons : {true, false}) {
    std::string text = colons ? "7:" : "7";
    for (std::uint64_t i = 0; i < kFriends; ++i) text += " " + std::to_string(i + 100);
    const Read all =
        read(text + "\n8" + (colons ? ":" : "") + " 9\n10" + (colons ? ":" : "") + " 11 12\n");
    REQUIRE(all.edges.size() == kFriends + 3);
    CHECK(all.edges[kFriends - 1] == std::pair<std::uint64_t, std::uint64_t>{7, kFriends + 99});
    CHECK(all.edges.back() == std::pair<std::uint64_t, std::uint64_t>{10, 12});
    const std::string broken = text + " x 5\n8" + (colons ? ":" : "") + " 9 10\nx\n";
    const Read some = read(broken, EdgeFormat::kAdjacency, 2);
    CHECK(some.edges.back() == std::pair<std::uint64_t, std::uint64_t>{8, 10});
    REQUIRE(some.complaints.size() == 2);
    CHECK(some.complaints[0].starts_with("f:1: expected ids"));
    CHECK(some.complaints[1].starts_with("f:3: "));
  }
}

TEST_CASE("edges: adjacency lists are recognized by the colon") {
  const Pairs expected{{1, 2}, {1, 3}, {1, 4}, {5, 1}, {6, 1}};
  const std::string text = "# c\n1: 2 3\t4\n2:\n5 : 1\r\n6:1,\n";
  for (const std::size_t step : {1u, 3u, 50u}) {
    CHECK(read(text, EdgeFormat::kAuto, 0, step).edges == expected);
    CHECK(read(text, EdgeFormat::kAdjacency, 0, step).edges == expected);
  }
}

TEST_CASE("edges: in an adjacency list a bare number makes no edge with the next line") {
  for (const std::size_t step : {1u, 64u}) {
    const Read all = read("1: 2\n4\n5\n6: 7\n", EdgeFormat::kAdjacency, 2, step);
    CHECK(all.edges == Pairs{{1, 2}, {6, 7}});
    CHECK(all.complaints.size() == 2);
  }
}

TEST_CASE("edges: a bad line is named and, if allowed, skipped") {
  CHECK(complaint("1 2\n3 x\n4 5\n") ==
        "f:2: expected two ids (whole numbers from 0 to 9223372036854775807), found \"3 x\"");
  CHECK(complaint("1 2\n\n# c\n3\n").starts_with("f:4: "));
  CHECK(complaint("1,2\n3 4\n").starts_with("f:2: "));
  CHECK(complaint("1 2\n3 4x\n").starts_with("f:2: "));
  CHECK(complaint("1 2\n-3 4\n").starts_with("f:2: "));
  CHECK(complaint("1 2\n3 9223372036854775808\n").starts_with("f:2: "));
  CHECK(complaint("1 2\n3 99999999999999999999999\n").starts_with("f:2: "));
  CHECK(complaint("1: 2\n2: 3 x\n").starts_with("f:2: "));
  CHECK(complaint("1: 2\n2 3\n").starts_with("f:2: "));
  CHECK(complaint("a b\n", EdgeFormat::kSnap).starts_with("f:1: "));
  CHECK(complaint("a\n1,2\n", EdgeFormat::kCsv).starts_with("f:1: "));
  // A first row of numbers that are no ids is no header, and neither is what no text would be.
  for (const char* first : {"9223372036854775808 1", "-5 1", "1.5 2", "+1,2", "1;2.5", "1\t-2"}) {
    CAPTURE(first);
    CHECK(complaint(std::string(first) + "\n1 2\n").starts_with("f:1: expected two ids"));
  }
  using namespace std::string_literals;
  CHECK(complaint("1 2\0\n"s).starts_with("f:1: "));
  CHECK(complaint("edges.txt\0\0 000644\0\n1 2\n"s).starts_with("f:1: "));
  CHECK(complaint("1 2\n3 \x1B[31m\n").find('\x1B') == std::string::npos);

  const Read some = read("1 2\nx y\n3 4\nz\n5 6\n", EdgeFormat::kAuto, 2);
  CHECK(some.edges == Pairs{{1, 2}, {3, 4}, {5, 6}});
  REQUIRE(some.complaints.size() == 2);
  CHECK(some.complaints[0].starts_with("f:2: "));
  CHECK(some.complaints[1].starts_with("f:4: "));
  CHECK_THROWS_AS(read("1 2\nx y\n3 4\nz\n5 6\n", EdgeFormat::kAuto, 1), Error);
}

TEST_CASE("edges: line numbers stay right across blocks and long lines") {
  std::string text;
  for (int i = 0; i < 400'000; ++i) text += "123456 " + std::to_string(i) + "\n";
  CHECK(complaint(text + "bad\n").starts_with("f:400001: "));
  const std::string long_line(3 * kRecordMax, '1');
  const Read some = read("1 2\n" + long_line + "\n3 4\nx\n", EdgeFormat::kAuto, 2);
  CHECK(some.edges == Pairs{{1, 2}, {3, 4}});
  REQUIRE(some.complaints.size() == 2);
  CHECK(some.complaints[0] == "f:2: the line is longer than 1 MiB");
  CHECK(some.complaints[1].starts_with("f:4: "));
}

TEST_CASE("edges: members of an archive are distinguished by their first rows") {
  CHECK(looks_like_edges("# c\n1 2\n"));
  CHECK(looks_like_edges("follower\tfollowee\tcount\n1\t2\t3\n"));
  CHECK(looks_like_edges("1: 2 3\n"));
  for (const char* other : {"", "hello\nworld\n", "name,party\nx,y\n", "0 0 1 0 0 1 0 1 0 0\n",
                            "{\"id\": 1}\n", "circle0\t1\tx\n", "a: 1\n"}) {
    CAPTURE(other);
    CHECK_FALSE(looks_like_edges(other));
  }
}

}  // namespace chirp::cli::input::edges_test
