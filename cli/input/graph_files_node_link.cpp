#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <simdjson.h>

#include "cli/input/encoding.h"
#include "cli/input/graph_edges.h"
#include "cli/input/graph_files.h"
#include "cli/input/json_fields.h"
#include "cli/input/json_values.h"
#include "core/load/words.h"
#include "core/model/names.h"
#include "core/model/source_key.h"

namespace chirp::cli::input {
namespace {

namespace dom = simdjson::dom;

bool is_links(std::string_view key) { return key == "links" || key == "edges"; }

// The first existing one of these members, as an id.
template <class... Keys>
std::optional<std::string> member(const dom::object& object, Keys... keys) {
  std::optional<std::string> found;
  for (const char* key : {keys...}) {
    dom::element value;
    if (!found && object.at_key(key).get(value) == simdjson::SUCCESS) found = json_id_text(value);
  }
  return found;
}

class NodeLinkReader {
 public:
  explicit NodeLinkReader(const GraphText& text)
      : members_(text.buffer), edges_("JSON of nodes and links", text) {}

  std::uint64_t read() {
    while (const auto member = members_.next()) {
      line_ = member->value.line;
      if (!member->value.problem.empty()) {
        edges_.reject(line_, member->value.problem + "; the rest of the file is not read");
        break;
      }
      if (member->value.text != "[]" || member->element > 0) take(member->key, member->value);
    }
    if (naming_ == Naming::kByName) decide(Naming::kByPosition);
    for (const Link& link : waiting_links_) put(link);
    return edges_.end();
  }

 private:
  // How links name nodes.
  enum class Naming : std::uint8_t {
    kUnknown,  // no node has been seen
    kByName,   // nodes have names and no ids: by names or by positions
    kById,
    kByPosition,
  };
  // The source or target of a link.
  struct End {
    std::string text;
    bool is_number = false;
  };
  struct Link {
    End from;
    End to;
    EdgeDirection own;
    std::uint64_t line;
  };
  struct Named {
    std::string name;
    std::uint64_t line;
  };
  // The maximum number of nodes or links that wait until it is known how links name nodes.
  static constexpr std::size_t kWaitingMax = std::size_t{1} << 20;

  void take(std::string_view key, const JsonPiece& piece) {
    const bool of_graph = key == "nodes" || is_links(key);
    if (key == "adjacency") {
      edges_.refuse(line_,
                    "each node lists its neighbours here, which is not read: write nodes and "
                    "links, with node_link_data in NetworkX");
    }
    if (key == "directed" && piece.text == "false") edges_.note_undirected(line_);
    if (!of_graph) return;
    dom::element value;
    constexpr bool kCopied = false;  // the text is followed by padding
    if (const auto code = json_.parse(piece.text.data(), piece.text.size(), kCopied).get(value)) {
      if (code == simdjson::MEMALLOC) throw std::bad_alloc();
      const auto wrong = no_utf8(piece.text, piece.column);
      return edges_.reject(
          line_ + (wrong ? wrong->lines : 0),
          wrong ? wrong->words : fmt::format("not valid JSON: {}", simdjson::error_message(code)));
    }
    key == "nodes" ? node(value) : link(value);
  }

  void node(const dom::element& value) {
    dom::object object;
    const bool is_object = value.get(object) == simdjson::SUCCESS;
    const auto id = is_object ? member(object, "id") : json_id_text(value);
    const std::string label = is_object ? member(object, "label", "name").value_or("") : "";
    if (is_object && member(object, "bipartite")) edges_.refuse_bipartite(line_);
    if (naming_ == Naming::kUnknown) naming_ = id ? Naming::kById : Naming::kByName;
    if (naming_ == Naming::kById) return node(id.value_or(by_names_ ? label : ""), label);
    waiting_nodes_.push_back({label, line_});
    if (naming_ == Naming::kByPosition || waiting_nodes_.size() > kWaitingMax) {
      decide(Naming::kByPosition);
    }
  }

  // Also records the node's position while all ids are words, because links may use positions even
  // so.
  void node(const std::string& id, std::string_view label) {
    const auto source = edges_.node(id, label, line_);
    has_numbers_ = has_numbers_ || by_names_ || (source && !load::Words::is_word(*source));
    if (has_numbers_) {
      ids_ = {};
    } else {
      ids_.push_back(source);
    }
  }

  void link(const dom::element& value) {
    dom::object object;
    if (value.get(object) != simdjson::SUCCESS) {
      return edges_.reject(line_, fmt::format("a link is an object with \"source\" and "
                                              "\"target\", not {}",
                                              printable(simdjson::minify(value), 40)));
    }
    Link link{.from = end_of(object, "source", "from"),
              .to = end_of(object, "target", "to"),
              .own = EdgeDirection::kUnsaid,
              .line = line_};
    if (bool directed = false; object.at_key("directed").get(directed) == simdjson::SUCCESS) {
      link.own = directed ? EdgeDirection::kDirected : EdgeDirection::kUndirected;
    }
    const bool numbers = link.from.is_number && link.to.is_number;
    const bool known = naming_ == Naming::kById || naming_ == Naming::kByPosition;
    if (!known && !numbers) by_names_ = true;
    if (!known && (!numbers || naming_ == Naming::kByName)) {
      decide(numbers ? Naming::kByPosition : Naming::kById);
    }
    // Nodes after the links decide whether numbers are positions.
    if (naming_ != Naming::kUnknown) return put(link);
    if (waiting_links_.size() == kWaitingMax) {
      edges_.refuse(line_,
                    fmt::format("the links come before the nodes and name them by numbers, which "
                                "may be ids or positions. More than {} of these can't be "
                                "remembered: put \"nodes\" before the links",
                                kWaitingMax));
    }
    waiting_links_.push_back(std::move(link));
  }

  static End end_of(const dom::object& object, const char* key, const char* other) {
    dom::element value;
    if (object.at_key(key).get(value) != simdjson::SUCCESS &&
        object.at_key(other).get(value) != simdjson::SUCCESS) {
      return {};
    }
    // d3 replaces ids by the node objects.
    if (dom::object node; value.get(node) == simdjson::SUCCESS) {
      const auto id = member(node, "id", "name");
      return {id ? *id : member(node, "index").value_or(""), !id};
    }
    return {json_id_text(value).value_or(simdjson::minify(value)), value.is_number()};
  }

  // Decides how links name nodes, and processes the waiting ones.
  void decide(Naming naming) {
    naming_ = naming;
    for (const Named& node : std::exchange(waiting_nodes_, {})) {
      if (naming == Naming::kById) {
        edges_.node(node.name, node.name, node.line);
      } else {
        edges_.node(SourceId{positions_++}, node.name, node.line);
      }
    }
  }

  void put(const Link& link) {
    const auto from = id_of(link.from, "link's source", link.line);
    const auto to = from ? id_of(link.to, "link's target", link.line) : std::nullopt;
    if (to) edges_.edge({*from, *to}, link.own, link.line);
  }

  std::optional<SourceId> id_of(const End& end, std::string_view what, std::uint64_t line) {
    const bool words = naming_ == Naming::kById && !ids_.empty();
    if (!end.is_number || (naming_ != Naming::kByPosition && !words)) {
      return edges_.id(end.text, what, line);
    }
    const auto position = source_number(end.text);
    const std::uint64_t nodes = words ? ids_.size() : positions_;
    const bool is_there = position && position->value < nodes;
    const auto id = !is_there ? std::nullopt : words ? ids_[position->value] : position;
    if (!id) {
      edges_.reject(line, fmt::format("the {} {} is not the position of one of the {} nodes", what,
                                      printable(end.text, 40), nodes));
    }
    return id;
  }

  JsonMembers members_;
  GraphEdges edges_;
  dom::parser json_;
  std::uint64_t line_ = 1;
  Naming naming_ = Naming::kUnknown;
  bool by_names_ = false;                     // whether names serve as ids of nodes without ids
  bool has_numbers_ = false;                  // whether an id of a node is a number
  std::vector<std::optional<SourceId>> ids_;  // ids of the nodes in order, while all are words
  std::uint64_t positions_ = 0;               // the number of nodes without ids
  std::vector<Named> waiting_nodes_;
  std::vector<Link> waiting_links_;
};

}  // namespace

bool looks_like_node_link(std::string_view head) {
  bool nodes = false;
  bool links = false;
  each_json_member(head, [&](std::string_view key, char first) {
    nodes = nodes || (key == "nodes" && first == '[');
    links = links || (is_links(key) && first == '[');
  });
  const bool ends = head.find("\"source\"") != std::string_view::npos ||
                    head.find("\"from\"") != std::string_view::npos;
  return nodes || (links && ends);
}

std::uint64_t read_node_link(const GraphText& text) { return NodeLinkReader(text).read(); }

}  // namespace chirp::cli::input
