#include "cli/input/edges.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/input/cells.h"
#include "cli/input/edge_header.h"
#include "cli/input/edge_shape.h"
#include "cli/input/notations.h"
#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli::input {
namespace {

constexpr std::size_t kSniffLines = 50;  // of a member's head
constexpr std::size_t kColumnsMax = 8;   // more are a table of something else

bool is_edge(std::string_view line, char delimiter, IdKind kind) {
  const auto cells = cells_of(line, delimiter);
  const auto is_id = [kind](std::string_view cell) {
    return parse_source_id(cell) || (kind == IdKind::kWords && is_plain_word(cell));
  };
  return cells.size() >= 2 && is_id(cells[0]) && is_id(cells[1]);
}

// Where whose list it is ends: words may have colons inside.
std::size_t colon_of(std::string_view line) {
  const std::size_t colon = line.find(": ");
  if (colon != std::string_view::npos) return colon;
  return line.ends_with(':') ? line.size() - 1 : std::string_view::npos;
}

// Parts the ids of an adjacency list.
bool is_parting(char c) { return is_blank(c) || c == ',' || c == ';'; }

class EdgeReader {
 public:
  EdgeReader(TextBuffer& buffer, std::string_view name, EdgeFormat format, BadLines& bad,
             const EdgeSink& sink)
      : buffer_(buffer), lines_(buffer), name_(name), format_(format), bad_(bad), sink_(sink) {
    run_.reserve(kEdgesAtOnce);
  }

  std::uint64_t read() {
    settle();
    const auto long_lines =
        format_ == EdgeFormat::kAdjacency ? Lines::Long::kInParts : Lines::Long::kPassedOver;
    bool ended = true;
    std::uint64_t line = 0;
    while (const auto block = lines_.next_block(long_lines)) {
      if (block->kind == LineKind::kTooLong) {
        reject(block->first, "the line is longer than 1 MiB");
        in_parts_ = false;
        continue;
      }
      if (block->kind == LineKind::kPart) {
        adjacency_part(block->text, block->first);
        continue;
      }
      ended = block->text.ends_with('\n');
      line = block->first + read_block(*block) - 1;
      lines_.end_block(line + 1 - block->first);
    }
    flush();
    if (!ended && line > 1) {
      note(line, kUnended);
    }
    return count_;
  }

 private:
  // Looks at how the text starts.
  void settle() {
    const std::string_view unread = edges_head(buffer_);
    asked_ = format_;
    shape_ = shape_of({unread.substr(0, kShapeBytes), unread.size() <= kShapeBytes}, format_,
                      sink_.ids.kind());
    if (!shape_.problem.empty()) {
      throw Error(ErrorCode::kBadInput,
                  fmt::format("{}:{}: {}", name_, shape_.line, shape_.problem));
    }
    format_ = shape_.format;
    if (!shape_.note.empty()) note(shape_.line, shape_.note);
    if (shape_.undirected && !sink_.both_ways) {
      note(shape_.line,
           "the file says that it is undirected: with --undirected each edge is two follows");
    }
  }

  // The number of lines.
  std::uint64_t read_block(const Lines::Block& block) {
    const char* at = block.text.data();
    const char* const end = at + block.text.size();
    std::uint64_t line = block.first;
    while (at != end) {
      const char* next = fast_ ? fast_line(at, end, *fast_) : nullptr;
      if (next == nullptr) {
        const auto* const stop =
            static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
        const char* const line_end = stop == nullptr ? end : stop;
        slow_line({at, static_cast<std::size_t>(line_end - at)}, line);
        next = stop == nullptr ? end : stop + 1;
      }
      at = next;
      ++line;
    }
    return line - block.first;
  }

  // Reads a plain row of two numbers; where the next line starts, or null for anything else.
  const char* fast_line(const char* at, const char* end, char parted_by) {
    std::uint64_t follower = 0;
    std::uint64_t followee = 0;
    const auto first = std::from_chars(at, end, follower);
    if (*at == '0' && first.ptr != at + 1) return nullptr;  // `007` is another id than `7`
    if (first.ec != std::errc{} || first.ptr == end || *first.ptr != parted_by) {
      return nullptr;
    }
    const auto second = std::from_chars(first.ptr + 1, end, followee);
    if (second.ec != std::errc{} || ((follower | followee) >> 63) != 0) return nullptr;
    if (first.ptr[1] == '0' && second.ptr != first.ptr + 2) return nullptr;
    const char* stop = second.ptr;
    if (stop != end && *stop == '\r') ++stop;
    if (stop != end && *stop != '\n') {
      if (*stop != parted_by || !wider_) return nullptr;
      const char* const rest = stop;
      stop =
          static_cast<const char*>(std::memchr(stop, '\n', static_cast<std::size_t>(end - stop)));
      if (stop == nullptr) stop = end;
      if (shape_.widest > 0) {
        const auto more = static_cast<std::size_t>(std::count_if(rest, stop, is_blank));
        if (more + 2 > shape_.widest) return nullptr;
      }
    }
    put({SourceId{follower}, SourceId{followee}});
    return stop == end ? end : stop + 1;
  }

  void slow_line(std::string_view line, std::uint64_t number) {
    if (in_parts_) {
      adjacency_part(line, number);
      in_parts_ = false;
      return;
    }
    line = trimmed(line);
    if (line.empty() || is_comment(line)) return;
    if (!std::exchange(begun_, true) && first_line(line, number)) return;
    if (format_ == EdgeFormat::kAdjacency) {
      adjacency_line(line, number);
    } else if (const auto edge = edge_of(line)) {
      if (is_too_wide(line, number)) return;
      if (!wider_) note_width(line, number);
      put(*edge);
    } else {
      reject_row(line, number);
    }
  }

  // True if the first row says no edge. Decides what the fast path may take.
  bool first_line(std::string_view line, std::uint64_t number) {
    if (sink_.understood) sink_.understood(understood(shape_, asked_, line));
    if (format_ == EdgeFormat::kAdjacency) return false;
    if (format_ == EdgeFormat::kCsv) delimiter_ = shape_.delimiter;
    if (shape_.words) return shape_.header && is_header(line, number);
    // In SNAP's any blanks part the ids; mostly they are all alike.
    fast_ = format_ == EdgeFormat::kCsv ? delimiter_ : shape_.delimiter == '\t' ? '\t' : ' ';
    if (shape_.size_line) return true;
    return format_ == EdgeFormat::kCsv && !edge_of(line) && is_header(line, number);
  }

  bool is_header(std::string_view line, std::uint64_t number) {
    const auto cells = cells_of(line, delimiter_);
    const Header header = cells.size() < 2 ? Header::kUnknown : header_of(cells[0], cells[1]);
    if (header == Header::kReversed) {
      // Nothing below it could be right either.
      throw Error(ErrorCode::kBadInput,
                  fmt::format("{}:{}: the header has the followee first: an edge list's columns "
                              "are follower, then followee",
                              name_, number));
    }
    if (header == Header::kKnown) {
      wider_ = true;  // the header says what stands there
      return true;
    }
    reject(number, fmt::format("expected two ids (numbers of 63 bits), or a header such as "
                               "follower,followee or source,target, found \"{}\"",
                               printable(line)));
    return true;
  }

  // A row of more numbers than those the text was taken for an edge list by may be a user's list.
  bool is_too_wide(std::string_view line, std::uint64_t number) {
    if (shape_.widest == 0) return false;
    const std::size_t width = cells_of(line, delimiter_).size();
    if (width <= shape_.widest) return false;
    reject(number, edges_or_lists(fmt::format("the row has {} numbers, and those at the start {}",
                                              width, shape_.widest)));
    return true;
  }

  // Says, once, that there are more columns than are read.
  void note_width(std::string_view line, std::uint64_t number) {
    if (cells_of(line, delimiter_).size() <= 2) return;
    wider_ = true;
    note(number, "an edge is the first two columns; what stands behind them is left out");
  }

  void adjacency_line(std::string_view line, std::uint64_t number) {
    const auto start = adjacency_start(line, number);
    if (!start) return;
    std::vector<SourceId> followees;
    const bool good = each_id(line.substr(start->second), number,
                              [&](SourceId followee) { followees.push_back(followee); });
    if (!good) return;
    if (followees.empty() && sink_.person) sink_.person(start->first);
    for (const SourceId followee : followees) put({start->first, followee});
  }

  // Whose list it is, and where it begins.
  std::optional<std::pair<SourceId, std::size_t>> adjacency_start(std::string_view line,
                                                                  std::uint64_t number) {
    const char* const end = std::find_if(line.data(), line.data() + line.size(), is_parting);
    const auto blank = static_cast<std::size_t>(end - line.data());
    const std::size_t stop = !shape_.colons ? blank
                             : shape_.words ? colon_of(line)
                                            : line.find(':');
    const auto follower = id_of(line.substr(0, stop));
    if (stop == std::string_view::npos || !follower) {
      reject(number, fmt::format("expected \"{}\", found \"{}\"",
                                 shape_.colons ? "id: id id …" : "id id id …", printable(line)));
      return std::nullopt;
    }
    return std::pair(*follower, std::min(stop + (shape_.colons ? 1 : 0), line.size()));
  }

  std::optional<SourceId> id_of(std::string_view cell) const {
    return shape_.words ? sink_.ids.user(cell) : parse_source_id(cell);
  }

  std::optional<load::SourceEdge> edge_of(std::string_view line) const {
    const auto cells = cells_of(line, delimiter_);
    if (cells.size() < 2) return std::nullopt;
    const auto follower = id_of(cells[0]);
    const auto followee = id_of(cells[1]);
    if (!follower || !followee) return std::nullopt;
    return load::SourceEdge{*follower, *followee};
  }

  // Hands over the ids of a text; false if something else stands there, which is said.
  template <class Take>
  bool each_id(std::string_view text, std::uint64_t number, Take take) {
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
      if (is_parting(*at)) {
        ++at;
        continue;
      }
      const char* const stop = std::find_if(at, end, is_parting);
      const auto id = id_of({at, static_cast<std::size_t>(stop - at)});
      if (!id) {
        const auto rest = static_cast<std::size_t>(end - at);
        reject(number,
               fmt::format("expected ids (numbers of 63 bits) after the {}, found \"{}\"",
                           shape_.colons ? "colon" : "first one", printable({at, rest}, 30)));
        return false;
      }
      take(*id);
      at = stop;
    }
    return true;
  }

  // A list of more followees than a line may have comes in parts. One that goes wrong is passed
  // over from there on.
  void adjacency_part(std::string_view text, std::uint64_t number) {
    if (!std::exchange(in_parts_, true)) {
      text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
      part_of_.reset();
      if (const auto start = adjacency_start(text, number)) {
        part_of_ = start->first;
        text.remove_prefix(start->second);
      }
    }
    if (!part_of_) return;
    const SourceId follower = *part_of_;
    if (text.ends_with('\r')) text.remove_suffix(1);
    const bool good = each_id(text, number, [&](SourceId followee) { put({follower, followee}); });
    if (!good) part_of_.reset();
  }

  void put(const load::SourceEdge& edge) {
    run_.push_back(edge);
    if (run_.size() == kEdgesAtOnce) flush();
  }
  void flush() {
    count_ += run_.size();
    if (!run_.empty()) sink_.edges(run_);
    run_.clear();
  }
  void note(std::uint64_t line, std::string_view what) {
    if (sink_.note) sink_.note(fmt::format("{}:{}: {}", name_, line, what));
  }
  void reject_row(std::string_view line, std::uint64_t number) {
    reject(number,
           fmt::format("expected two ids ({}), found \"{}\"",
                       shape_.words ? "numbers or words" : "numbers of 63 bits", printable(line)));
  }
  void reject(std::uint64_t line, std::string_view what) {
    flush();  // what stands before it has been read
    bad_.add({name_, line}, what);
  }

  TextBuffer& buffer_;
  Lines lines_;
  std::string_view name_;
  EdgeFormat format_;
  EdgeFormat asked_ = EdgeFormat::kAuto;
  BadLines& bad_;
  const EdgeSink& sink_;
  char delimiter_ = ' ';
  std::optional<char> fast_;  // what parts the two ids on the fast path; empty: it is never taken
  EdgeShape shape_;
  bool begun_ = false;               // the first row has been read
  bool wider_ = false;               // there are more columns than two
  bool in_parts_ = false;            // of a line the first parts have come
  std::optional<SourceId> part_of_;  // whose list that is; empty if nothing of it is to be read
  std::vector<load::SourceEdge> run_;
  std::uint64_t count_ = 0;
};

}  // namespace

std::optional<EdgeFormat> edge_format_named(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, EdgeFormat>, 4> kNames{
      {{"auto", EdgeFormat::kAuto},
       {"snap", EdgeFormat::kSnap},
       {"csv", EdgeFormat::kCsv},
       {"adjacency", EdgeFormat::kAdjacency}}};
  for (const auto& [known, format] : kNames) {
    if (name == known) return format;
  }
  return std::nullopt;
}

std::string_view edges_head(TextBuffer& buffer) {
  while (buffer.unread().size() <= kShapeBytes && buffer.fill() == TextBuffer::Filled::kMore) {
    continue;
  }
  return buffer.unread();
}

bool looks_like_edges(std::string_view head, IdKind kind) {
  for (std::size_t lines = 0; lines < kSniffLines && !head.empty(); ++lines) {
    const std::size_t end = head.find('\n');
    const std::string_view line = trimmed(head.substr(0, end));
    head.remove_prefix(end == std::string_view::npos ? head.size() : end + 1);
    if (line.empty() || is_comment(line)) continue;
    if (const std::size_t colon = line.find(':'); colon != std::string_view::npos) {
      if (parse_source_id(line.substr(0, colon))) return true;
      if (kind != IdKind::kWords) return false;
    }
    if (list_row(line) == ListRow::kSure) return true;
    const char delimiter = delimiter_of(line);
    const char parted = delimiter == '\t' ? ' ' : delimiter;
    if (cells_of(line, parted).size() > kColumnsMax) return false;
    if (is_edge(line, parted, kind)) return true;
  }
  return false;
}

std::uint64_t read_edges(TextBuffer& buffer, std::string_view name, EdgeFormat format,
                         BadLines& bad, const EdgeSink& sink) {
  return EdgeReader(buffer, name, format, bad, sink).read();
}

}  // namespace chirp::cli::input
