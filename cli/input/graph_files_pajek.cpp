#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/input/cells.h"
#include "cli/input/graph_edges.h"
#include "cli/input/graph_files.h"
#include "cli/input/notations.h"
#include "core/model/names.h"

namespace chirp::cli::input {
namespace {

enum class Section : std::uint8_t {
  kOther,
  kVertices,
  kArcs,
  kEdges,
  kArcsList,
  kEdgesList,
  kMatrix
};

constexpr std::array kSections{std::pair{std::string_view("*vertices"), Section::kVertices},
                               std::pair{std::string_view("*arcs"), Section::kArcs},
                               std::pair{std::string_view("*edges"), Section::kEdges},
                               std::pair{std::string_view("*arcslist"), Section::kArcsList},
                               std::pair{std::string_view("*edgeslist"), Section::kEdgesList},
                               std::pair{std::string_view("*matrix"), Section::kMatrix}};

std::optional<Section> section_of(std::string_view line) {
  if (!line.starts_with('*')) return std::nullopt;
  const std::string name = plain_name(line.substr(0, line.find_first_of(" \t:")));
  return meaning_in(kSections, name).value_or(Section::kOther);
}

class PajekReader {
 public:
  explicit PajekReader(const GraphText& text)
      : lines_(text.buffer), name_(text.name), bad_(text.bad), edges_("Pajek", text) {}

  std::uint64_t read() {
    std::uint64_t last = 0;
    while (const auto line = lines_.next()) {
      last = line->number;
      if (line->kind == LineKind::kTooLong) {
        edges_.reject(line->number, "the line is longer than 1 MiB");
        continue;
      }
      const std::string_view text = trimmed(line->text);
      if (text.empty() || text.starts_with('%') || text.starts_with("/*")) continue;
      if (const auto section = section_of(text)) {
        begin(*section, text, line->number);
      } else {
        take(text, line->number);
      }
    }
    if (lines_.unended() && last > 1) bad_.note({name_, last}, kUnended);
    return edges_.end();
  }

 private:
  void begin(Section section, std::string_view line, std::uint64_t number) {
    // The vertices of a partition or vector are values, not nodes.
    const bool values = section == Section::kVertices && values_follow_;
    section_ = values ? Section::kOther : section;
    values_follow_ = false;
    if (values) return;
    if (section == Section::kMatrix) {
      edges_.refuse(number, "a full matrix is not a list of edges");
    }
    if (section == Section::kOther) {
      const bool names_it = plain_name(line.substr(0, line.find(' '))) == "*network";
      values_follow_ = !names_it;
      if (!names_it) {
        bad_.note({name_, number}, fmt::format("the section {} is not about edges and is skipped",
                                               printable(line, 40)));
      }
      return;
    }
    if (section != Section::kVertices) return;
    const auto cells = cells_of(line, ' ');
    const auto count = cells.size() > 1 ? parse_source_id(cells[1]) : std::nullopt;
    if (!count)
      return edges_.reject(number, "expected the number of vertices, as in \"*Vertices 3\"");
    if (cells.size() > 2) edges_.refuse_bipartite(number);
    vertices_ = count->value;
    last_vertex_ = 0;
  }

  void take(std::string_view line, std::uint64_t number) {
    switch (section_) {
      case Section::kVertices:
        return vertex(line, number);
      case Section::kArcs:
      case Section::kEdges:
      case Section::kArcsList:
      case Section::kEdgesList:
        return edge(line, number);
      case Section::kOther:
      case Section::kMatrix:
        return;
    }
  }

  void vertex(std::string_view line, std::uint64_t number) {
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    const auto id = vertex_id(line.substr(0, end), number);
    if (!id) return;
    std::string_view label = trimmed(line.substr(end));
    if (label.empty() && id->value <= last_vertex_) {
      return edges_.reject(number,
                           "the line has no label and is not the next vertex: the file may "
                           "hold values of vertices and not a network");
    }
    last_vertex_ = id->value;
    if (label.starts_with('"')) {
      label.remove_prefix(1);
      const std::size_t close = closing_quote(label);
      if (close == std::string_view::npos) return edges_.reject(number, "a quote is not closed");
      label = label.substr(0, close);
    } else {
      label = label.substr(0, label.find_first_of(" \t"));
    }
    edges_.node(*id, html_unescaped(trimmed(label)), number);
  }

  // Labels may contain quotes. The closing quote ends a word and leaves no other quote open.
  static std::size_t closing_quote(std::string_view text) {
    auto behind = std::ranges::count(text, '"');
    for (std::size_t at = text.find('"'); at != std::string_view::npos;
         at = text.find('"', at + 1)) {
      const std::string_view rest = text.substr(at + 1);
      const bool ends = rest.empty() || rest.front() == ' ' || rest.front() == '\t';
      if (--behind % 2 == 0 && ends) return at;
    }
    return std::string_view::npos;
  }

  void edge(std::string_view line, std::uint64_t number) {
    const auto cells = cells_of(line, ' ');
    const bool list = section_ == Section::kArcsList || section_ == Section::kEdgesList;
    if (cells.size() < 2) return edges_.reject(number, "expected two vertices in the line");
    const auto from = vertex_id(cells[0], number);
    if (!from) return;
    std::vector<SourceId> others;
    for (std::size_t i = 1; i < (list ? cells.size() : 2); ++i) {
      const auto to = vertex_id(cells[i], number);
      if (!to) return;
      others.push_back(*to);
    }
    const bool directed = section_ == Section::kArcs || section_ == Section::kArcsList;
    for (const SourceId to : others) {
      edges_.edge({*from, to}, directed ? EdgeDirection::kDirected : EdgeDirection::kUndirected,
                  number);
    }
  }

  std::optional<SourceId> vertex_id(std::string_view cell, std::uint64_t line) {
    const auto id = parse_source_id(cell);
    if (id && id->value > 0 && id->value <= vertices_) return id;
    edges_.reject(line, fmt::format("\"{}\" is not the number of one of the {} vertices",
                                    printable(cell, 40), vertices_));
    return std::nullopt;
  }

  Lines lines_;
  std::string_view name_;
  BadLines& bad_;
  GraphEdges edges_;
  Section section_ = Section::kOther;
  std::uint64_t vertices_ = 0;
  std::uint64_t last_vertex_ = 0;
  bool values_follow_ = false;  // whether the next vertices belong to a section that is skipped
};

}  // namespace

bool looks_like_pajek(std::string_view head) {
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find('\n'));
    head.remove_prefix(std::min(line.size() + 1, head.size()));
    const std::string_view text = trimmed(line);
    if (text.empty() || text.starts_with('%') || text.starts_with("/*")) continue;
    const auto section = section_of(text);
    return section && (*section != Section::kOther ||
                       plain_name(text.substr(0, text.find_first_of(" \t"))) == "*network");
  }
  return false;
}

std::uint64_t read_pajek(const GraphText& text) { return PajekReader(text).read(); }

}  // namespace chirp::cli::input
