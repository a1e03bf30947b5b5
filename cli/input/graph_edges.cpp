#include "cli/input/graph_edges.h"

#include <fmt/format.h>

#include "cli/input/encoding.h"
#include "cli/input/notations.h"
#include "core/error.h"
#include "core/load/words.h"
#include "core/model/names.h"

namespace chirp::cli::input {

GraphEdges::GraphEdges(std::string_view format, const GraphText& text)
    : name_(text.name), bad_(text.bad), sink_(text.sink), run_(text.sink) {
  if (sink_.understood) sink_.understood({.format = std::string(format)});
}

std::optional<SourceId> GraphEdges::id(std::string_view text, std::string_view what,
                                       std::uint64_t line) {
  if (trimmed(text).empty()) {
    reject(line, fmt::format("the {} is missing", what));
    return std::nullopt;
  }
  if (const auto wrong = no_utf8(text)) {
    reject(line, fmt::format("the {}, {}", what, wrong->words));
    return std::nullopt;
  }
  const auto id = says_nothing(text) ? std::nullopt : sink_.ids.any(text);
  if (!id) {
    reject(line, fmt::format("the {} \"{}\" is {}", what, printable(text, 60),
                             sink_.ids.expected_user(text)));
  }
  return id;
}

void GraphEdges::node(SourceId id, std::string_view label, std::uint64_t line) {
  if (const auto wrong = no_utf8(label)) {
    return reject(line, fmt::format("the node's label, {}", wrong->words));
  }
  if (sink_.node) {
    sink_.node({.id = id, .username = {}, .display_name = std::string(label), .bio = {}});
  }
}

std::optional<SourceId> GraphEdges::node(std::string_view id, std::string_view label,
                                         std::uint64_t line) {
  const auto source = this->id(id, "node's id", line);
  // A word is itself used as the display name, without the domain of an account.
  const bool is_id = trimmed(label) == trimmed(id) && source && load::Words::is_word(*source);
  if (source) node(*source, is_id ? std::string_view() : label, line);
  return source;
}

void GraphEdges::edge(const load::SourceEdge& edge, EdgeDirection own, std::uint64_t line) {
  run_.put(edge, own, {name_, line}, bad_);
}

void GraphEdges::edge(std::string_view from, std::string_view to, EdgeDirection own,
                      std::uint64_t line) {
  const auto follower = id(from, "edge's source", line);
  const auto followee = follower ? id(to, "edge's target", line) : std::nullopt;
  if (followee) edge({*follower, *followee}, own, line);
}

void GraphEdges::reject(std::uint64_t line, std::string_view what) {
  run_.flush();  // first deliver the edges read before this line
  bad_.add({name_, line}, what);
}

void GraphEdges::refuse(std::uint64_t line, std::string_view what) const {
  throw Error(ErrorCode::kBadInput, fmt::format("{}:{}: {}", name_, line, what));
}

void GraphEdges::refuse_bipartite(std::uint64_t line) const { refuse(line, kBipartite); }

}  // namespace chirp::cli::input
