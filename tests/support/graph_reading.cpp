#include "tests/support/graph_reading.h"

#include <algorithm>

#include <doctest/doctest.h>

#include "cli/input/edges.h"
#include "core/load/words.h"
#include "tests/support/inputs.h"

namespace chirp::test {

GraphRead read_graph_in(const std::string& text, std::size_t step, bool both_ways) {
  using namespace cli::input;
  OpenText open(text, step);
  Complaints complaints(99);
  load::Words words;
  GraphRead read{.format = graph_format_of(edges_head(open.buffer()))};
  const auto word = [&](SourceId id) { return text_of(words.key_of(id)); };
  const auto edges_as = [&](std::string_view mark) {
    return [&, mark](std::span<const load::SourceEdge> edges) {
      for (const load::SourceEdge& edge : edges) {
        read.rows.push_back(word(edge.follower) + " " + word(edge.followee) + std::string(mark));
      }
    };
  };
  const EdgeSink sink{.edges = edges_as(""),
                      .directed = edges_as("!"),
                      .node =
                          [&](const load::SourceUser& user) {
                            CHECK(user.username.empty());
                            std::string row = "node " + word(user.id);
                            if (!user.display_name.empty()) row += " (" + user.display_name + ")";
                            read.rows.push_back(row);
                          },
                      .both_ways = both_ways,
                      .ids = {&words, IdKind::kAuto},
                      .understood = [&](Understood&& what) { read.understood = what.format; }};
  if (read.format == GraphFormat::kNone) return read;
  read.refusal =
      complaint_of([&] { read_graph(open.buffer(), "f", read.format, complaints.bad, sink); });
  read.bad = complaints.lines;
  read.notes = complaints.notes;
  std::stable_partition(read.rows.begin(), read.rows.end(),
                        [](const std::string& row) { return row.starts_with("node "); });
  return read;
}

GraphRead read_graph_text(const std::string& text, bool both_ways) {
  const GraphRead whole = read_graph_in(text, std::size_t{1} << 16, both_ways);
  for (const std::size_t step : {1u, 7u, 100u}) {
    const GraphRead pieces = read_graph_in(text, step, both_ways);
    CHECK(pieces.rows == whole.rows);
    CHECK(pieces.bad == whole.bad);
    CHECK(pieces.notes == whole.notes);
  }
  return whole;
}

}  // namespace chirp::test
