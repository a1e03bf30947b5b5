// Goal: GraphML and GEXF say what their formats say, damaged elements are bad lines, and nothing
// outside of the file is read.
// Method: small files, whole and in pieces.
#include <algorithm>

#include <doctest/doctest.h>

#include "tests/support/graph_reading.h"

namespace chirp::cli::input::xml_graphs_test {
namespace {

using namespace chirp::test;
using Said = std::vector<std::string>;

std::string graphml(const std::string& body, const std::string& directed = "directed") {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
         "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
         "<key id=\"d0\" for=\"node\" attr.name=\"label\" attr.type=\"string\"/>\n"
         "<graph edgedefault=\"" +
         directed + "\">\n" + body + "</graph>\n</graphml>\n";
}

std::string gexf(const std::string& nodes, const std::string& edges,
                 const std::string& graph = "defaultedgetype=\"directed\"") {
  return "<?xml version='1.0'?>\n<!-- Made by hand. -->\n"
         "<gexf xmlns=\"http://www.gexf.net/1.2draft\" version=\"1.2\">\n<graph " +
         graph + ">\n<nodes>\n" + nodes + "</nodes>\n<edges>\n" + edges +
         "</edges>\n</graph>\n</gexf>\n";
}

}  // namespace

TEST_CASE("graph files: other XML is not recognized as such") {
  for (const char* text : {"", "<", "1 2\n", "<html><body/></html>", "<!-- graphml", "<?xml",
                           "a,b\n<graphml>,c\n", "<!DOCTYPE html><html/>", "<graphmlx/>"}) {
    CAPTURE(text);
    CHECK(graph_format_of(text) == GraphFormat::kNone);
  }
}

TEST_CASE("GraphML: nodes, labels and edges") {
  const GraphRead all = read_graph_text(
      graphml("<node id=\"n0\"><data key=\"d0\">Ada &amp; Ben</data></node>\n"
              "<node id=\"7\"/>\n<node id=\"alone\"><data key=\"d9\">not a label</data></node>\n"
              "<node id=\"me\"><data key=\"d0\">me</data></node>\n"
              "<edge id=\"e0\" source=\"n0\" target=\"7\"><data key=\"d0\">1.5</data></edge>\n"
              "<edge source='7' target='n&#x4e;'/>\n"));
  CHECK(all.format == GraphFormat::kGraphMl);
  CHECK(all.understood == "GraphML");
  CHECK(all.rows == Said{"node n0 (Ada & Ben)", "node 7", "node alone", "node me", "n0 7", "7 nN"});
  CHECK(all.bad.empty());
  CHECK(all.notes.empty());
  CHECK(all.refusal.empty());
}

TEST_CASE("GraphML: prefixes, nested graphs and yEd's labels") {
  const GraphRead all = read_graph_text(
      "<g:graphml xmlns:g='a' xmlns:y='b'><g:graph edgedefault='directed'>\n"
      "<g:node id='1'><g:data key='k'><y:ShapeNode><y:NodeLabel>One</y:NodeLabel></y:ShapeNode>"
      "</g:data><g:graph edgedefault='directed'><g:node id='2'/><g:edge source='1' target='2'/>"
      "</g:graph></g:node></g:graph></g:graphml>");
  CHECK(all.rows == Said{"node 1 (One)", "node 2", "1 2"});
}

TEST_CASE("GraphML: directions") {
  const std::string edges =
      "<edge source=\"1\" target=\"2\"/>\n<edge source=\"2\" target=\"3\" directed=\"true\"/>\n"
      "<edge source=\"3\" target=\"4\" directed=\"false\"/>\n";
  CHECK(read_graph_text(graphml(edges)).rows == Said{"1 2", "2 3", "3 4"});
  CHECK(read_graph_text(graphml(edges)).notes ==
        Said{"f:7: the edge says that it is undirected: with --undirected each such edge is two "
             "follows"});
  CHECK(read_graph_text(graphml(edges, "undirected")).notes ==
        Said{std::string("f:4: ") + kUndirectedFile});
  for (const char* default_type : {"directed", "undirected"}) {
    const GraphRead both = read_graph_text(graphml(edges, default_type), true);
    CHECK(both.rows == Said{"1 2", "3 4", "2 3!"});
    CHECK(both.notes ==
          Said{"f:6: the edge says that it is directed: such edges stay one follow each"});
  }
}

TEST_CASE("GraphML: a bad element is a bad line") {
  const GraphRead all =
      read_graph_text(graphml("<node/>\n<node id=\" \"/>\n<edge source=\"1\"/>\n"
                              "<edge\n target=\"2\"\n/>\n"
                              "<edge source=\"1\" target=\"nan\"/>\n"
                              "<hyperedge><endpoint node=\"1\"/></hyperedge>\n"
                              "<edge source=\"1\" target=\"2\"/>\n"));
  CHECK(all.rows == Said{"1 2"});
  CHECK(all.bad == Said{"f:5: the node's id is missing", "f:6: the node's id is missing",
                        "f:7: the edge's target is missing", "f:10: the edge's source is missing",
                        "f:11: the edge's target \"nan\" is not a number or a word",
                        "f:12: a hyperedge joins more than two nodes, and a follow two"});
}

TEST_CASE("GraphML: lines are right in long files") {
  std::string edges;
  for (int i = 0; i < 70'000; ++i) edges += "<edge source=\"1\" target=\"2\"/>\n";
  const GraphRead all = read_graph_in(graphml(edges + "<edge source=\"1\"/>\n"), 4096, false);
  CHECK(all.rows.size() == 70'000);
  CHECK(all.bad == Said{"f:70005: the edge's target is missing"});
}

TEST_CASE("GraphML: what is not well-formed ends the file") {
  const std::string good = "<edge source=\"1\" target=\"2\"/>\n";
  const auto ending = [&](const std::string& rest) {
    return read_graph_text(graphml(good + rest + good));
  };
  for (const auto& [rest, line] : {std::pair("<edge source=\"3\" target=\"4\">\n", "f:8:"),
                                   std::pair("<edge source=\"3\" target=4/>\n", "f:6:"),
                                   std::pair("<edge source=\"3\" target=\"\xE9\"/>\n", "f:6:"),
                                   std::pair("<edge source=\"3\" target=\"&what;\"/>\n", "f:6:"),
                                   std::pair("<edge source=\"3\" source=\"4\"/>\n", "f:6:"),
                                   std::pair("<edge source=\"<\"/>\n", "f:6:")}) {
    CAPTURE(rest);
    const GraphRead all = ending(rest);
    REQUIRE(all.bad.size() == 1);
    CAPTURE(all.bad[0]);
    CHECK(all.bad[0].starts_with(std::string(line) + " not valid XML: "));
    CHECK(all.bad[0].find("the rest of the file is not read") != std::string::npos);
    CHECK(all.rows.front() == "1 2");
    CHECK(std::ranges::count(all.rows, "1 2") <= 2);
  }
  const GraphRead cut = read_graph_text("<graphml><graph edgedefault='directed'>\n" + good);
  CHECK(cut.rows == Said{"1 2"});
  CHECK(cut.bad.size() == 1);
}

TEST_CASE("GraphML: entities, DTDs and files outside are not read") {
  const std::string bomb =
      "<!DOCTYPE graphml [\n<!ENTITY a \"aaaaaaaaaa\">\n<!ENTITY b \"&a;&a;&a;&a;&a;&a;\">\n]>\n" +
      graphml("<edge source=\"&b;\" target=\"2\"/>\n").substr(39);
  const std::string outside =
      "<!DOCTYPE graphml [<!ENTITY a SYSTEM \"file:///etc/hostname\">]>\n<graphml>"
      "<graph edgedefault='directed'><node id='&a;'/></graph></graphml>";
  for (const std::string& text : {bomb, outside}) {
    const GraphRead all = read_graph_text(text);
    CHECK(all.format == GraphFormat::kGraphMl);
    CHECK(all.rows.empty());
    CHECK(all.refusal.starts_with("f:1: the file has a DTD of its own"));
  }
  const std::string external =
      "<!DOCTYPE graphml SYSTEM \"file:///nowhere/graphml.dtd\">\n"
      "<graphml><graph edgedefault='directed'>\n";
  CHECK(read_graph_text(external + "<edge source='1' target='2'/></graph></graphml>").rows ==
        Said{"1 2"});
  const GraphRead entity =
      read_graph_text(external + "<edge source='1' target='a&b;c'/></graph></graphml>");
  CHECK(entity.rows.empty());
  CHECK(entity.bad.size() == 1);
  const GraphRead text =
      read_graph_text(external + "<node id='1'><x>&b;</x></node></graph></graphml>");
  CHECK(text.bad.size() == 1);
}

TEST_CASE("GraphML: the encoding that a text declares counts unless the text is UTF-8") {
  const auto text = [](const std::string& letter) {
    return "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<graphml><graph "
           "edgedefault='directed'>"
           "<edge source='zo" +
           letter + "' target='2'/></graph></graphml>\n";
  };
  CHECK(read_graph_text(text("\xEB")).rows == Said{"zo\u00EB 2"});
  CHECK(read_graph_text(text("\u00EB")).rows == Said{"zo\u00EB 2"});
}

TEST_CASE("GraphML: one attribute of more than 10 MB ends the file") {
  const std::string long_id(11'000'000, 'a');
  const GraphRead all =
      read_graph_in(graphml("<edge source=\"1\" target=\"2\"/>\n<node id=\"" + long_id + "\"/>\n"),
                    std::size_t{1} << 16, false);
  CHECK(all.rows == Said{"1 2"});
  REQUIRE(all.bad.size() == 1);
  CHECK(all.bad[0].size() < 500);
  const GraphRead shorter = read_graph_in(graphml("<node id=\"" + long_id.substr(0, 5'000'000) +
                                                  "\"/>\n"
                                                  "<edge source=\"1\" target=\"2\"/>\n"),
                                          std::size_t{1} << 16, false);
  CHECK(shorter.rows == Said{"1 2"});
  CHECK(shorter.bad.size() == 1);
}

TEST_CASE("GraphML: a bipartite graph is refused") {
  const GraphRead all = read_graph_text(
      "<graphml><key id='b' for='node' attr.name='bipartite' attr.type='long'/>"
      "<graph edgedefault='undirected'>\n<node id='1'><data key='b'>0</data></node>"
      "<edge source='1' target='2'/></graph></graphml>");
  CHECK(all.refusal.starts_with("f:2: the graph is bipartite"));
}

TEST_CASE("GEXF: nodes, labels and edges") {
  const GraphRead all =
      read_graph_text(gexf("<node id=\"0.0\" label=\"Myra\"/>\n<node id=\"a b\" label=\"a b\">"
                           "<nodes><node id=\"c\"/></nodes></node>\n",
                           "<edge id=\"0\" source=\"0\" target=\"a b\" type=\"directed\"/>\n"
                           "<edge id=\"1\" source=\"c\" target=\"0\" weight=\"2\">"
                           "<attvalues><attvalue for=\"0\" value=\"x\"/></attvalues></edge>\n"));
  CHECK(all.format == GraphFormat::kGexf);
  CHECK(all.understood == "GEXF");
  CHECK(all.rows == Said{"node 0 (Myra)", "node a b", "node c", "0 a b", "c 0"});
  CHECK(all.bad.empty());
  CHECK(all.notes.empty());
}

TEST_CASE("GEXF: directions") {
  const std::string edges =
      "<edge source=\"1\" target=\"2\"/>\n<edge source=\"2\" target=\"3\" type=\"undirected\"/>\n"
      "<edge source=\"3\" target=\"4\" type=\"mutual\"/>\n";
  CHECK(read_graph_text(gexf("", edges)).rows == Said{"1 2", "2 3", "3 4", "4 3"});
  CHECK(read_graph_text(gexf("", edges)).notes.size() == 1);
  CHECK(read_graph_text(gexf("", edges, "")).notes == Said{std::string("f:4: ") + kUndirectedFile});
  CHECK(read_graph_text(gexf("", edges), true).rows == Said{"1 2", "2 3", "3 4!", "4 3!"});
}

}  // namespace chirp::cli::input::xml_graphs_test
