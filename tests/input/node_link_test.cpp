// Goal: JSON of nodes and links says what those who write it mean, and damaged elements are bad
// lines. Method: small files, whole and in pieces.
#include <doctest/doctest.h>

#include "tests/support/graph_reading.h"

namespace chirp::cli::input::node_link_test {
namespace {

using namespace chirp::test;
using Said = std::vector<std::string>;

}  // namespace

TEST_CASE("node-link JSON: ids, labels and edges") {
  const GraphRead all = read_graph_text(
      "{\"directed\": true, \"multigraph\": false, \"graph\": {\"name\": \"links\"},\n"
      " \"nodes\": [{\"id\": \"a\", \"label\": \"Ada\"},\n  {\"group\": 1, \"id\": 7},\n"
      "  {\"id\": 3.0}, \"b\"],\n"
      " \"links\": [{\"source\": \"a\", \"target\": 7, \"weight\": 0.5},\n"
      "  {\"source\": 7, \"target\": \"b\", \"key\": 0}]\n}\n");
  CHECK(all.format == GraphFormat::kNodeLink);
  CHECK(all.understood == "JSON of nodes and links");
  CHECK(all.rows == Said{"node a (Ada)", "node 7", "node 3", "node b", "a 7", "7 b"});
  CHECK(all.bad.empty());
  CHECK(all.notes.empty());
  CHECK(read_graph_text("{\"edges\":[{\"from\":\"x\",\"to\":\"y\"}]}").rows == Said{"x y"});
  CHECK(read_graph_text("{\"nodes\":[{\"id\":\"x\"}],\"links\":[]}").rows == Said{"node x"});
}

TEST_CASE("node-link JSON: other JSON is not recognized as such") {
  for (const char* text : {"{\"from\":[1],\"to\":[2]}", "{\"id\":1,\"links\":[{\"url\":\"x\"}]}",
                           "[{\"nodes\":[]}]", "{\"a\":{\"nodes\":[]}}", "{\"nodes\":{}}",
                           "{\"a\":\"nodes\",\"b\":[]}", "{", "{\"nodes\""}) {
    CAPTURE(text);
    CHECK(graph_format_of(text) == GraphFormat::kNone);
  }
}

TEST_CASE("node-link JSON: links name nodes by positions, by names or by ids") {
  const std::string named = "\"nodes\":[{\"name\":\"Ada\"},{\"name\":\"Ben\",\"group\":2}]";
  const std::string words = "\"nodes\":[{\"id\":\"a\"},{\"id\":\"b\"}]";
  const std::string numbers = "\"nodes\":[{\"id\":1},{\"id\":0}]";
  const std::string links = "\"links\":[{\"source\":1,\"target\":0}]";
  const std::string by_name = "\"links\":[{\"source\":\"Ben\",\"target\":\"Ada\"}]";
  const std::string replaced =
      "\"links\":[{\"source\":{\"id\":\"b\",\"index\":1,\"x\":0.1},\"target\":{\"id\":\"a\"}}]";
  const auto rows = [](const std::string& first, const std::string& second) {
    const GraphRead all = read_graph_text("{" + first + "," + second + "}");
    CHECK(all.bad.empty());
    return all.rows;
  };
  // Links may come before the nodes.
  for (const bool swapped : {false, true}) {
    CAPTURE(swapped);
    const auto either = [&](const std::string& a, const std::string& b) {
      return swapped ? rows(b, a) : rows(a, b);
    };
    CHECK(either(named, links) == Said{"node 0 (Ada)", "node 1 (Ben)", "1 0"});
    CHECK(either(words, links) == Said{"node a", "node b", "b a"});
    CHECK(either(numbers, links) == Said{"node 1", "node 0", "1 0"});
    CHECK(either(named, by_name) == Said{"node Ada", "node Ben", "Ben Ada"});
    CHECK(either(words, replaced) == Said{"node a", "node b", "b a"});
  }
  const GraphRead outside =
      read_graph_text("{" + named +
                      ",\"links\":[{\"source\":2,\"target\":0},\n"
                      "{\"source\":0,\"target\":-1},{\"source\":0,\"target\":1}]}");
  CHECK(outside.rows == Said{"node 0 (Ada)", "node 1 (Ben)", "0 1"});
  CHECK(outside.bad == Said{"f:1: the link's source 2 is not the position of one of the 2 nodes",
                            "f:2: the link's target -1 is not the position of one of the 2 nodes"});
}

TEST_CASE("node-link JSON: directions, and graphs that are refused") {
  const std::string rest =
      "\"nodes\":[],\"links\":[{\"source\":1,\"target\":2},\n"
      "{\"source\":2,\"target\":3,\"directed\":true}]}";
  const GraphRead once = read_graph_text("{\"directed\":false,\n" + rest);
  CHECK(once.rows == Said{"1 2", "2 3"});
  CHECK(once.notes == Said{std::string("f:1: ") + kUndirectedFile});
  CHECK(read_graph_text("{\"directed\":false,\n" + rest, true).rows == Said{"1 2", "2 3!"});
  CHECK(read_graph_text("{\"directed\":true,\"nodes\":[\n{\"id\":1,\"bipartite\":0}]}")
            .refusal.starts_with("f:2: the graph is bipartite"));
  CHECK(read_graph_text("{\"nodes\":[{\"id\":1}],\"adjacency\":[[{\"id\":1}]]}")
            .refusal.starts_with("f:1: each node lists its neighbours"));
}

TEST_CASE("node-link JSON: a bad element is a bad line, and what is not JSON ends the file") {
  const GraphRead all = read_graph_text(
      "{\"nodes\":[{\"id\":\"a\"},\n{\"label\":\"b\"},\n{\"id\":[]}],\"links\":[\n"
      "{\"source\":\"a\"},\n7,\n{\"source\":\"a\",\"target\":null},\n"
      "{\"source\":\"a\",\"target\":NaN},\n{\"source\":\"\xE9\",\"target\":1},\n"
      "{\"source\":\"a\",\"target\":\"c\"}]}");
  CHECK(all.rows == Said{"node a", "a c"});
  REQUIRE(all.bad.size() == 7);
  CHECK(all.bad[0] == "f:2: the node's id is missing");
  CHECK(all.bad[1] == "f:3: the node's id is missing");
  CHECK(all.bad[2] == "f:4: the link's target is missing");
  CHECK(all.bad[3].starts_with("f:5: a link is an object with"));
  CHECK(all.bad[4] == "f:6: the link's target \"null\" is not a number or a word");
  CHECK(all.bad[5].starts_with("f:7: not valid JSON"));
  CHECK(all.bad[6].find("byte 0xE9") != std::string::npos);
  const std::string good = "{\"nodes\":[],\"links\":[{\"source\":1,\"target\":2}";
  for (const auto& [tail, problem] :
       {std::pair("", "ends inside an object"), std::pair(",{\"source\":", "ends inside an entry"),
        std::pair("]", "ends inside an object"), std::pair("]}]", "expected the end of the text"),
        std::pair("],7}", "expected a name in quotes"),
        std::pair("],\"x\" 7}", "expected a colon")}) {
    CAPTURE(tail);
    const GraphRead cut = read_graph_text(good + tail);
    CHECK(cut.rows == Said{"1 2"});
    REQUIRE(cut.bad.size() == 1);
    CHECK(cut.bad[0].find(problem) != std::string::npos);
  }
  const GraphRead huge =
      read_graph_in(good + ",{\"x\":\"" + std::string(2'000'000, 'a') + "\"}]}", 4096, false);
  CHECK(huge.rows == Said{"1 2"});
  CHECK(huge.bad == Said{"f:1: the entry is longer than 1 MiB; the rest of the file is not read"});
}

}  // namespace chirp::cli::input::node_link_test
