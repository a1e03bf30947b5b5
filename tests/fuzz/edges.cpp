// Follow graphs and interactions as text, in each of their formats: in pieces they say what they
// say whole, and the edges read are read again from the plainest list of them. So are files of
// nodes and edges, whose ids may be words.
#include "cli/input/edges.h"

#include <fmt/format.h>

#include "cli/input/events.h"
#include "cli/input/graph_files.h"
#include "cli/input/other_formats.h"
#include "core/load/words.h"
#include "core/model/utf8.h"
#include "tests/fuzz/texts.h"

namespace chirp::fuzz {
namespace {

using namespace cli::input;

Said read_as(Bytes text, EdgeFormat format) {
  return read_both_ways(text, [&](TextBuffer& buffer, BadLines& bad, Said& said) {
    std::uint64_t seen = 0;
    EdgeSink sink;
    sink.person = [&](SourceId id) { said.push_back(fmt::format("person {}", id.value)); };
    sink.edges = [&](std::span<const load::SourceEdge> edges) {
      seen += edges.size();
      for (const load::SourceEdge& edge : edges) {
        holds(
            edge.follower.value <= load::kSourceIdMax && edge.followee.value <= load::kSourceIdMax,
            "ids have 63 bits");
        said.push_back(fmt::format("{} {}", edge.follower.value, edge.followee.value));
      }
    };
    holds(read_edges(buffer, "f", {.format = format}, bad, sink) == seen, "edges are counted");
  });
}

void read_as(Bytes text, EventFormat format) {
  (void)read_both_ways(text, [&](TextBuffer& buffer, BadLines& bad, Said& said) {
    const EventSink sink = [&](std::span<const load::SourceEvent> events) {
      for (const load::SourceEvent& event : events) {
        holds(event.count <= kInteractionsMax, "no row counts more than one may");
        said.push_back(fmt::format("{} {} {} {} {}", event.actor.value, event.other.value,
                                   static_cast<int>(event.kind), event.count,
                                   event.time ? event.time->ms : 0));
      }
      return std::optional<std::string>();
    };
    (void)read_events(buffer, "f", {.format = format}, bad, sink);
  });
}

void read_as(Bytes text, GraphFormat format) {
  (void)read_both_ways(text, [&](TextBuffer& buffer, BadLines& bad, Said& said) {
    load::Words words;
    std::uint64_t seen = 0;
    const auto take = [&](std::span<const load::SourceEdge> edges) {
      seen += edges.size();
      for (const load::SourceEdge& edge : edges) {
        said.push_back(fmt::format("{} {}", text_of(words.key_of(edge.follower)),
                                   text_of(words.key_of(edge.followee))));
      }
    };
    EdgeSink sink;
    sink.edges = take;
    sink.directed = take;
    sink.both_ways = text.size() % 2 == 0;
    sink.ids = {&words, IdKind::kAuto};
    sink.node = [&](const load::SourceUser& user) {
      holds(utf8::is_valid(user.display_name), "labels are UTF-8");
      said.push_back(fmt::format("node {} {}", text_of(words.key_of(user.id)), user.display_name));
    };
    holds(read_graph(buffer, "f", format, bad, sink) == seen, "edges are counted");
  });
}

bool is_edge(const std::string& line) {
  return line.find_first_not_of("0123456789 ") == std::string::npos;
}

}  // namespace

void edges(Bytes input) {
  (void)looks_like_edges(input);
  (void)other_format(input);
  (void)fields_found(input);
  const GraphFormat graph = graph_format_of(input);
  if (graph != GraphFormat::kNone) read_as(input, graph);
  for (const auto format :
       {EdgeFormat::kAuto, EdgeFormat::kSnap, EdgeFormat::kCsv, EdgeFormat::kAdjacency}) {
    Said said = read_as(input, format);
    std::erase_if(said, [](const std::string& line) { return !is_edge(line); });
    if (format != EdgeFormat::kAuto) continue;
    holds(read_as(fmt::format("{}\n", fmt::join(said, "\n")), EdgeFormat::kSnap) == said,
          "edges written as a plain list are read again");
  }
  for (const auto format :
       {EventFormat::kAuto, EventFormat::kActivity, EventFormat::kInteractions}) {
    read_as(input, format);
  }
}

}  // namespace chirp::fuzz
