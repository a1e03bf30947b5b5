// Goal: tables of edges and events are read by the columns that the options name, and a row without
// them is a bad line.
// Method: small texts with columns in every place, with words and numbers, headers and wrong rows.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/input/edges.h"
#include "cli/input/events.h"
#include "core/error.h"
#include "core/load/words.h"
#include "tests/support/inputs.h"
#include "tests/support/thrown.h"

namespace chirp::cli::input {
namespace {

using namespace chirp::test;
using Said = std::vector<std::string>;

TableLayout layout_of(const char* columns, std::optional<char> separator = {}) {
  return {.separator = separator, .columns = parse_columns(columns, TableContent::kTies)};
}

// Edges as `a>b`, then the places of bad lines.
Said edges(const std::string& text, const char* columns, std::optional<char> separator = {},
           IdKind kind = IdKind::kAuto) {
  OpenText open(text);
  Complaints complaints(99);
  load::Words words;
  Said said;
  const EdgeSink sink{.edges =
                          [&](auto run) {
                            for (const load::SourceEdge& edge : run) {
                              said.push_back(text_of(words.key_of(edge.follower)) + ">" +
                                             text_of(words.key_of(edge.followee)));
                            }
                          },
                      .ids = {&words, kind}};
  const auto rows = read_edges(open.buffer(), "f", {.layout = layout_of(columns, separator)},
                               complaints.bad, sink);
  CHECK(rows == said.size());
  for (const std::string& line : complaints.lines) said.push_back(line.substr(0, 3));
  return said;
}

Said events(const std::string& text, const char* columns,
            std::optional<load::EventKind> kind = {}) {
  OpenText open(text);
  Complaints complaints(99);
  load::Words words;
  Said said;
  (void)read_events(
      open.buffer(), "f",
      {.kind = kind, .ids = IdCells(&words, IdKind::kAuto), .layout = layout_of(columns)},
      complaints.bad, [&](auto row) -> std::optional<std::string> {
        for (const load::SourceEvent& event : row) {
          said.push_back(
              text_of(words.key_of(event.actor)) + ">" + text_of(words.key_of(event.other)) + " " +
              std::string(event_kind_name(event.kind)) + " " + std::to_string(event.count) + " " +
              std::to_string(event.time ? event.time->ms / 1000 : 0));
        }
        return std::nullopt;
      });
  for (const std::string& line : complaints.lines) said.push_back(line.substr(0, 3));
  return said;
}

}  // namespace

TEST_CASE("named columns: edges wherever they stand") {
  CHECK(edges("0,1,2\n1,2,3\n", "-,from,to") == Said{"1>2", "2>3"});
  CHECK(edges("2;x;1\n3;y y;2\n", "to,-,from") == Said{"1>2", "2>3"});
  CHECK(edges("1\t\t2\n", "from,-,to") == Said{"1>2"});
  CHECK(edges("1 2 0.5\n", "from,to,-") == Said{"1>2"});
  CHECK(edges("1:2\n", "source,target", ':') == Said{"1>2"});
  CHECK(edges("# about\nid,from,to\n0,1,2\n", "-,from,to") == Said{"1>2"});
  CHECK(edges("0,alice,bob\n1,7,alice\n", "-,from,to") == Said{"alice>bob", "7>alice"});
  CHECK(edges("Ann Lee,Bo\n", "from,to", {}, IdKind::kWords) == Said{"Ann Lee>Bo"});
}

TEST_CASE("named columns: a row without these columns is a bad line") {
  CHECK(edges("0,1,2\n0,1\n0,1,2,3\n0,x,2\n0,,2\n0,2,3\n", "-,from,to") ==
        Said{"1>2", "2>3", "f:2", "f:3", "f:4", "f:5"});
  CHECK(edges("0,alice,bob\n", "-,from,to", {}, IdKind::kNumbers) == Said{"f:1"});
  CHECK(edges("Ann Lee,Bo\n", "from,to") == Said{"f:1"});
}

TEST_CASE("named columns: of a folder, what names no users is skipped") {
  for (const char* text : {"a note, with a comma\n1,2\n", "from,to\na note, with a comma\n", ""}) {
    CAPTURE(text);
    CHECK_FALSE(looks_like_edges(text, IdKind::kAuto, layout_of("from,to")));
  }
  for (const char* text : {"1,2\n", "# ids\nfrom,to\nalice,2\n", "alice,bob"}) {
    CAPTURE(text);
    CHECK(looks_like_edges(text, IdKind::kAuto, layout_of("from,to")));
  }
}

TEST_CASE("named columns: events") {
  const std::string rows = "1341100972,1,2,RT\n1341100973,alice,2,like\n1341100974,1,2,MT\n";
  CHECK(events(rows, "time,from,to,kind") ==
        Said{"1>2 retweet 1 1341100972", "1>2 mention 1 1341100974", "f:2"});
  CHECK(events("alice,3,bob\nbob,0,alice\n", "from,count,to", load::EventKind::kReply) ==
        Said{"alice>bob reply 3 0"});
  CHECK(events("1,2,soon,like\n1,2,5,love\n1,2,1341100972,likes\n", "from,to,time,kind").size() ==
        3);
  CHECK(events("1,2,1.5\n1,2,1000001\n", "from,to,count", load::EventKind::kLike) ==
        Said{"f:1", "f:2"});
}

TEST_CASE("named columns: invalid names of columns are refused") {
  for (const char* columns :
       {"", "from", "to", "-,-", "from,to,from", "from,to,text", "from,to,", "to,-"}) {
    CAPTURE(columns);
    CHECK(error_of([&] { (void)parse_columns(columns, TableContent::kTies); }).code() ==
          ErrorCode::kInvalidArgument);
  }
}

}  // namespace chirp::cli::input
