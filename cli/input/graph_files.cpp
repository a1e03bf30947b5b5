#include "cli/input/graph_files.h"

#include "cli/input/xml_reader.h"
#include "core/error.h"

namespace chirp::cli::input {

GraphFormat graph_format_of(std::string_view head) {
  const std::string_view root = xml_root(head).name;
  if (root == "graphml") return GraphFormat::kGraphMl;
  if (root == "gexf") return GraphFormat::kGexf;
  if (looks_like_node_link(head)) return GraphFormat::kNodeLink;
  if (looks_like_gml(head)) return GraphFormat::kGml;
  return looks_like_pajek(head) ? GraphFormat::kPajek : GraphFormat::kNone;
}

std::uint64_t read_graph(TextBuffer& buffer, std::string_view name, GraphFormat format,
                         BadLines& bad, const EdgeSink& sink) {
  switch (format) {
    case GraphFormat::kGraphMl:
      return read_graphml(buffer, name, bad, sink);
    case GraphFormat::kGexf:
      return read_gexf(buffer, name, bad, sink);
    case GraphFormat::kNodeLink:
      return read_node_link(buffer, name, bad, sink);
    case GraphFormat::kGml:
      return read_gml(buffer, name, bad, sink);
    case GraphFormat::kPajek:
      return read_pajek(buffer, name, bad, sink);
    case GraphFormat::kNone:
      break;
  }
  check(false, "a graph file has a format");
  return 0;
}

}  // namespace chirp::cli::input
