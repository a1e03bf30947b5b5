// Goal: GML says what its format says, and damaged nodes and edges are bad lines.
// Method: small files, whole and in pieces.
#include <doctest/doctest.h>

#include "tests/support/graph_reading.h"

namespace chirp::cli::input::gml_test {
namespace {

using namespace chirp::test;
using Said = std::vector<std::string>;

}  // namespace

TEST_CASE("GML: nodes, labels and edges") {
  const GraphRead all = read_graph_text(
      "# Made by hand\nCreator \"me [x]\"\nVersion 1\ngraph\n[\n  comment \"two\n lines\"\n"
      "  directed 1\n  node [ id 1 label \"Ada &amp; \"\n   graphics [ id 9 x 1.5 fill \"#FF0000\" "
      "] ]\n"
      "  node\n  [\n    id \"b\"\n    label \"b\"\n  ]\n  node [ id 3 color #FF0000 ]\n"
      "  edge [ source 1 target \"b\" weight 2.5e3 ]\n"
      "  edge\n  [\n    source \"b\"\n    target 1\n  ]\n]\n");
  CHECK(all.format == GraphFormat::kGml);
  CHECK(all.understood == "GML");
  CHECK(all.rows == Said{"node 1 (Ada & )", "node b", "node 3", "1 b", "b 1"});
  CHECK(all.bad.empty());
  CHECK(all.notes.empty());
  CHECK(read_graph_text("graph [ directed 1 edge[source 1 target 2]]").rows == Said{"1 2"});
  for (const char* text :
       {"graph of friends\n1 2\n", "graph,[\n", "Creator\n1 2\n", "node [", "# graph [\n"}) {
    CAPTURE(text);
    CHECK(graph_format_of(text) == GraphFormat::kNone);
  }
}

TEST_CASE("GML: directions, and bipartite graphs") {
  const std::string edges =
      " edge [ source 1 target 2 ]\n edge [ source 2 target 3 directed 1 ]\n]\n";
  CHECK(read_graph_text("graph [ directed 0\n" + edges).notes ==
        Said{std::string("f:1: ") + kUndirectedFile});
  CHECK(read_graph_text("graph [\n" + edges).notes == Said{std::string("f:2: ") + kUndirectedFile});
  CHECK(read_graph_text("graph [ directed 1\n" + edges).notes.empty());
  CHECK(read_graph_text("graph [\n" + edges, true).rows == Said{"1 2", "2 3!"});
  CHECK(read_graph_text("graph [\n node [ id 1\n bipartite 0 ]\n")
            .refusal.starts_with("f:3: the graph is bipartite"));
}

TEST_CASE("GML: a damaged node or edge is a bad line") {
  const std::string start = "graph [\n directed 1\n";
  const GraphRead all =
      read_graph_text(start +
                      " node [ label \"x\" ]\n edge [ source 1 ]\n edge [ source nan target 1 ]\n"
                      " node [\n  id 1\n  label \"open\n ]\n"
                      " edge [ source 1 target 2\n edge [ source 2 target 3 ]\n"
                      " node [ id \"\xE9\" ]\n node [ id 5 label \"\xE9\" ]\n"
                      " edge [ source 3 target 4 ]\n]\n]\n");
  CHECK(all.rows == Said{"2 3", "3 4"});
  REQUIRE(all.bad.size() == 8);
  CHECK(all.bad[0] == "f:3: the node's id is missing");
  CHECK(all.bad[1] == "f:4: the edge's target is missing");
  CHECK(all.bad[2] == "f:5: the edge's source \"nan\" is not a number or a word");
  CHECK(all.bad[3] == "f:6: a quote is not closed");
  CHECK(all.bad[4] == "f:10: the edge is not closed");
  CHECK(all.bad[5].find("f:12: the node's id, column 1, byte 0xE9") == 0);
  CHECK(all.bad[6].find("f:13: the node's label, column 1, byte 0xE9") == 0);
  CHECK(all.bad[7] == "f:16: \"]\" closes a list that was not opened");
  CHECK(read_graph_text(start + " edge [ source 1 target 2 ]\n").bad ==
        Said{"f:4: the file ends before its lists are closed"});
  CHECK(read_graph_text(start + " edge [ source 1 target 2\n").bad ==
        Said{"f:3: the list that starts here is not closed"});
  const GraphRead huge =
      read_graph_in(start + " node [ id 1 label \"" + std::string(10'000'000, 'a') +
                        "\" ]\n edge [ source 1 target 2 ]\n]\n",
                    4096, false);
  CHECK(huge.bad.size() >= 1);
}

}  // namespace chirp::cli::input::gml_test
