// The rules that all graph files share (GraphML, GEXF, JSON of nodes and links, GML, Pajek): how
// nodes and edges that arrive as texts become users and edges.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/input/edge_run.h"
#include "cli/input/lines.h"

namespace chirp::cli::input {

// A text to read: see read_graph().
struct GraphText {
  TextBuffer& buffer;
  std::string_view name;  // for messages
  BadLines& bad;
  const EdgeSink& sink;
};

class GraphEdges {
 public:
  // `format` is the format's name for people.
  GraphEdges(std::string_view format, const GraphText& text);

  // Reads an id. A number is a number, and any other text a word. Reports a bad line if it is
  // missing or can't be an id; `what` names it: "source".
  [[nodiscard]] std::optional<SourceId> id(std::string_view text, std::string_view what,
                                           std::uint64_t line);
  // Adds a node. A label becomes the display name, unless it is the id.
  void node(SourceId id, std::string_view label, std::uint64_t line);
  std::optional<SourceId> node(std::string_view id, std::string_view label, std::uint64_t line);
  void edge(const load::SourceEdge& edge, EdgeDirection own, std::uint64_t line);
  void edge(std::string_view from, std::string_view to, EdgeDirection own, std::uint64_t line);

  void note_undirected(std::uint64_t line) { run_.note_undirected({name_, line}, bad_); }
  void reject(std::uint64_t line, std::string_view what);
  // Throws Error{kBadInput}.
  [[noreturn]] void refuse(std::uint64_t line, std::string_view what) const;
  [[noreturn]] void refuse_bipartite(std::uint64_t line) const;

  // Delivers the remaining edges, and returns the number of all edges.
  std::uint64_t end() { return run_.end(); }

 private:
  std::string_view name_;
  BadLines& bad_;
  const EdgeSink& sink_;
  EdgeRun run_;
};

// Why a bipartite graph is refused.
inline constexpr std::string_view kBipartite =
    "the graph is bipartite: its edges join users to things of another kind, and a follow joins "
    "two users. Write out which of the users follow each other, and load that";

}  // namespace chirp::cli::input
