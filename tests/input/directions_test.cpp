// Goal: an edge list that says that it is undirected is read as written, with a note; what an edge
// says itself counts; and an edge list of a bipartite graph is refused.
// Method: small texts of each source, with and without --undirected.
#include <doctest/doctest.h>

#include "cli/input/edges.h"
#include "core/load/words.h"
#include "tests/support/inputs.h"

namespace chirp::cli::input::directions_test {
namespace {

using namespace chirp::test;
using Said = std::vector<std::string>;

struct Edges {
  Said rows;  // `a b`, and `a b!` of an edge that stays directed
  Said notes;
  std::string refusal;
};

Edges edges_in(const std::string& text, bool both_ways = false) {
  OpenText open(text);
  Complaints complaints(0);
  load::Words words;
  Edges edges;
  const auto take_as = [&](const char* mark) {
    return [&, mark](std::span<const load::SourceEdge> some) {
      for (const load::SourceEdge& edge : some) {
        edges.rows.push_back(text_of(words.key_of(edge.follower)) + " " +
                             text_of(words.key_of(edge.followee)) + mark);
      }
    };
  };
  const EdgeSink sink{.edges = take_as(""),
                      .directed = take_as("!"),
                      .both_ways = both_ways,
                      .ids = {&words, IdKind::kAuto}};
  edges.refusal =
      test::complaint_of([&] { read_edges(open.buffer(), "f", {}, complaints.bad, sink); });
  edges.notes = complaints.notes;
  return edges;
}

constexpr const char* kNote =
    "the file says that it is undirected: with --undirected each edge is two follows";

}  // namespace

TEST_CASE("directions: comments that say that a graph is undirected") {
  for (const char* text :
       {"# Undirected graph: friends.txt\n# Nodes: 3 Edges: 2\n1\t2\n2\t3\n",
        "# friends\n# undirected graph\n1 2\n2 3\n", "% sym unweighted\n% 2 3 3\n1 2\n2 3\n",
        "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n1 2\n2 3\n",
        "# Undirected graph\nFromNodeId,ToNodeId\n1,2\n2,3\n"}) {
    CAPTURE(text);
    const Edges once = edges_in(text);
    CHECK(once.rows == Said{"1 2", "2 3"});
    REQUIRE(once.notes.size() == 1);
    CHECK(once.notes[0].ends_with(kNote));
    const Edges both = edges_in(text, true);
    CHECK(both.rows == Said{"1 2", "2 3"});
    CHECK(both.notes.empty());
  }
  CHECK(edges_in("# Undirected graph\nada ben@1\nben@1 cy_2\n").refusal != "");
  CHECK(edges_in("# Undirected graph\nada,ben\n").notes.size() == 1);
}

TEST_CASE("directions: comments that do not say so") {
  for (const char* text :
       {"# Directed graph (each unordered pair of nodes is saved once)\n1\t2\n2\t3\n",
        "% asym unweighted\n1 2\n2 3\n", "1 2\n2 3\n# Undirected graph\n",
        "# This is not an undirected graph\n1 2\n2 3\n", "#\n%\n1 2\n2 3\n",
        "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n"}) {
    CAPTURE(text);
    CHECK(edges_in(text).rows == Said{"1 2", "2 3"});
    CHECK(edges_in(text).notes.empty());
  }
}

TEST_CASE("directions: Gephi's column Type") {
  const std::string text =
      "Source,Target,Type,Id,Weight\n1,2,Directed,0,1\n2,3,Undirected,1,1\n3,4,,2,1\n4,5,0,3,1\n";
  const Edges once = edges_in(text);
  CHECK(once.rows == Said{"1 2", "2 3", "3 4", "4 5"});
  CHECK(once.notes == Said{"f:3: the edge says that it is undirected: with --undirected each such "
                           "edge is two follows"});
  const Edges both = edges_in(text, true);
  CHECK(both.rows == Said{"2 3", "3 4", "4 5", "1 2!"});
  CHECK(both.notes ==
        Said{"f:2: the edge says that it is directed: such edges stay one follow each"});
  CHECK(edges_in("Source;Target;Type;Label\nada;ben;Undirected;two words\n").notes.size() == 1);
  CHECK(edges_in("Type,Source,Target\nUndirected,1,2\n").notes.size() == 1);
}

TEST_CASE("directions: bipartite graphs are refused") {
  for (const char* text : {"% bip unweighted\n1 1\n2 1\n", "# Bipartite graph: users, films\n1 2\n",
                           "%%MatrixMarket matrix coordinate real general\n%\n2 5 2\n1 4\n2 5\n"}) {
    CAPTURE(text);
    const Edges edges = edges_in(text);
    CHECK(edges.rows.empty());
    CHECK(edges.refusal.find("the graph is bipartite") != std::string::npos);
  }
}

}  // namespace chirp::cli::input::directions_test
