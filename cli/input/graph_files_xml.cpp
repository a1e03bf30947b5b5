#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/input/cells.h"
#include "cli/input/edges.h"
#include "cli/input/graph_edges.h"
#include "cli/input/graph_files.h"
#include "cli/input/notations.h"
#include "cli/input/xml_reader.h"

namespace chirp::cli::input {
namespace {

// The maximum size of a label that is kept.
constexpr std::size_t kLabelMax = 4'096;

class XmlGraph {
 public:
  XmlGraph(const GraphText& text, bool is_gexf)
      : is_gexf_(is_gexf),
        has_entities_(xml_root(edges_head(text.buffer)).has_entities),
        xml_(text.buffer),
        edges_(is_gexf ? "GEXF" : "GraphML", text) {}

  std::uint64_t read() {
    if (has_entities_) {
      edges_.refuse(1,
                    "the file has a DTD of its own, which may declare entities. These are not "
                    "read; remove the <!DOCTYPE …>");
    }
    for (;;) {
      switch (xml_.next()) {
        case XmlReader::Event::kStart:
          start(xml_.name());
          break;
        case XmlReader::Event::kEnd:
          if (xml_.name() == "node") end_node();
          collects_ = false;
          break;
        case XmlReader::Event::kText:
          if (collects_ && node_->label.size() < kLabelMax) node_->label += xml_.text();
          break;
        case XmlReader::Event::kOver:
          end_node();
          if (!xml_.problem().empty()) edges_.reject(xml_.line(), xml_.problem());
          return edges_.end();
      }
    }
  }

 private:
  struct Node {
    std::string id;
    std::string label;
    std::uint64_t line;
  };

  void start(std::string_view element) {
    collects_ = false;
    if (element == "graph") {
      start_graph();
    } else if (element == "key") {
      start_key();
    } else if (element == "node") {
      end_node();  // of a node with a graph inside
      node_ = Node{xml_.attribute("id"), xml_.attribute("label"), xml_.line()};
    } else if (element == "data" && node_) {
      const std::string key = xml_.attribute("key");
      if (std::ranges::find(bipartite_, key) != bipartite_.end()) {
        edges_.refuse_bipartite(xml_.line());
      }
      collects_ = node_->label.empty() && std::ranges::find(labels_, key) != labels_.end();
    } else if (element == "NodeLabel" && node_) {
      collects_ = node_->label.empty();  // the label of yEd
    } else if (element == "edge") {
      start_edge();
    } else if (element == "hyperedge") {
      edges_.reject(xml_.line(), "a hyperedge joins more than two nodes, and a follow two");
    }
  }

  void start_graph() {
    end_node();
    const std::string said = xml_.attribute(is_gexf_ ? "defaultedgetype" : "edgedefault");
    const bool undirected = said.empty() ? is_gexf_  // GEXF's default
                                         : direction_named(said) == EdgeDirection::kUndirected;
    if (undirected) edges_.note_undirected(xml_.line());
  }

  // GraphML declares the names of nodes' data as keys.
  void start_key() {
    const std::string whose = xml_.attribute("for");
    if (whose != "node" && whose != "all" && !whose.empty()) return;
    const std::string called = plain_name(xml_.attribute("attr.name"));
    if (called == "label" || called == "name") labels_.push_back(xml_.attribute("id"));
    if (called == "bipartite") bipartite_.push_back(xml_.attribute("id"));
  }

  void start_edge() {
    end_node();
    const std::string from = xml_.attribute("source");
    const std::string to = xml_.attribute("target");
    const std::string type = xml_.attribute(is_gexf_ ? "type" : "directed");
    if (is_gexf_ && (plain_name(type) == "mutual" || plain_name(type) == "double")) {
      edges_.edge(from, to, EdgeDirection::kDirected, xml_.line());
      if (!trimmed(from).empty() && !trimmed(to).empty()) {
        edges_.edge(to, from, EdgeDirection::kDirected, xml_.line());
      }
      return;
    }
    edges_.edge(from, to, is_gexf_ ? direction_named(type) : direction_of_flag(type), xml_.line());
  }

  void end_node() {
    if (const auto node = std::exchange(node_, std::nullopt)) {
      edges_.node(node->id, trimmed(node->label), node->line);
    }
  }

  bool is_gexf_;
  bool has_entities_;
  XmlReader xml_;
  GraphEdges edges_;
  std::vector<std::string> labels_;     // keys of labels and names
  std::vector<std::string> bipartite_;  // keys for the two sides of a bipartite graph
  std::optional<Node> node_;            // the open node, whose label may follow
  bool collects_ = false;               // whether text events are its label
};

}  // namespace

std::uint64_t read_graphml(const GraphText& text) { return XmlGraph(text, false).read(); }

std::uint64_t read_gexf(const GraphText& text) { return XmlGraph(text, true).read(); }

}  // namespace chirp::cli::input
