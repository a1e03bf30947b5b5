// Goal: Pajek networks say what their format says, and damaged lines are bad lines.
// Method: small files, whole and in pieces.
#include <doctest/doctest.h>

#include "tests/support/graph_reading.h"

namespace chirp::cli::input::pajek_test {
namespace {

using namespace chirp::test;
using Said = std::vector<std::string>;

}  // namespace

TEST_CASE("Pajek: vertices, arcs and edges") {
  const GraphRead all = read_graph_text(
      "% Made by hand\r\n*Network friends\r\n*Vertices 4\r\n1 \"Ada \"\" x\" 0.1 0.2\r\n 2 Ben "
      "ellipse\r\n"
      "3 \"3\"\r\n*arcs :1 \"likes\"\r\n1 2 1.5 c \"red\"\r\n*Arcslist\r\n2 3 4\r\n");
  CHECK(all.format == GraphFormat::kPajek);
  CHECK(all.understood == "Pajek");
  CHECK(all.rows == Said{"node 1 (Ada \"\" x)", "node 2 (Ben)", "node 3 (3)", "1 2", "2 3", "2 4"});
  CHECK(all.bad.empty());
  CHECK(all.notes.empty());
  const std::string mixed = "*Vertices 4\n*Arcs\n1 2\n*Edges\n2 3\n*Edgeslist\n3 4 1\n";
  CHECK(read_graph_text(mixed).rows == Said{"1 2", "2 3", "3 4", "3 1"});
  CHECK(read_graph_text(mixed).notes.size() == 1);
  CHECK(read_graph_text(mixed, true).rows == Said{"2 3", "3 4", "3 1", "1 2!"});
  CHECK(graph_format_of("* a list\n* of things\n") == GraphFormat::kNone);
}

TEST_CASE("Pajek: bad lines, other sections, and what is refused") {
  const GraphRead all = read_graph_text(
      "*Vertices 2\n1 \"Ada\nx\n3\n*Arcs\n1\n1 3\n0 1\n1 2\n*Partition p\n1\n2\n*Edges\n2 1");
  CHECK(all.rows == Said{"1 2", "2 1"});
  CHECK(all.bad == Said{"f:2: a quote is not closed",
                        "f:3: \"x\" is not the number of one of the 2 vertices",
                        "f:4: \"3\" is not the number of one of the 2 vertices",
                        "f:6: expected two vertices in the line",
                        "f:7: \"3\" is not the number of one of the 2 vertices",
                        "f:8: \"0\" is not the number of one of the 2 vertices"});
  REQUIRE(all.notes.size() == 3);
  CHECK(all.notes[0].starts_with("f:10: the section *Partition p is not about edges"));
  CHECK(all.notes[2].starts_with("f:14: the last line has no newline"));
  CHECK(read_graph_text("*Vertices 5 2\n").refusal.starts_with("f:1: the graph is bipartite"));
  CHECK(read_graph_text("*Vertices 2\n*Matrix\n0 1\n").refusal.starts_with("f:2: a full matrix"));
  CHECK(read_graph_text("*Vertices\n1 x\n").bad.size() == 2);
  const GraphRead project = read_graph_text(
      "*Network n\n*Vertices 2\n1 \"Ada\"\n2\n*Arcs\n1 2\n*Partition p\n*Vertices 2\n2\n1\n"
      "*Network m\n*Vertices 3\n*Arcs\n3 1\n");
  CHECK(project.rows == Said{"node 1 (Ada)", "node 2", "1 2", "3 1"});
  CHECK(project.bad.empty());
  CHECK(project.notes.size() == 1);
  const GraphRead values = read_graph_text("*Vertices 3\n2\n1\n2\n");
  CHECK(values.bad.size() == 2);
  CHECK(values.bad[0].starts_with("f:3: the line has no label and is not the next vertex"));
}

TEST_CASE("Pajek: quotes within a label, and labels that are numbers") {
  CHECK(read_graph_text("*Vertices 4\n1 \"1\"\n2 \"A \"q\" & B\" 0.0 0.0 ellipse\n"
                        "3 \"Ada\" ic Red font \"Helvetica\"\n4 \"open\n*Arcs\n1 2\n")
            .rows ==
        std::vector<std::string>{"node 1 (1)", "node 2 (A \"q\" & B)", "node 3 (Ada)", "1 2"});
}

}  // namespace chirp::cli::input::pajek_test
