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
#include "cli/input/notations.h"
#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli::input {
namespace {

constexpr std::size_t kRun = 4096;       // edges handed over at once
constexpr std::size_t kSniffLines = 50;  // of a member's head
constexpr std::size_t kColumnsMax = 8;   // more are a table of something else

std::optional<load::SourceEdge> edge_of(std::string_view line, char delimiter) {
  const auto cells = cells_of(line, delimiter);
  if (cells.size() < 2) return std::nullopt;
  const auto follower = parse_source_id(cells[0]);
  const auto followee = parse_source_id(cells[1]);
  if (!follower || !followee) return std::nullopt;
  return load::SourceEdge{*follower, *followee};
}

// As `-5`, `1.0` and numbers of more than 63 bits: no ids, and no column's name either.
bool is_number(std::string_view cell) {
  if (cell.starts_with('-') || cell.starts_with('+')) cell.remove_prefix(1);
  const std::size_t point = cell.find('.');
  const auto digits = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (point == std::string_view::npos) return digits(cell);
  return digits(cell.substr(0, point)) && digits(cell.substr(point + 1));
}

bool has_controls(std::string_view line) {
  return std::ranges::any_of(line, [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == '\x7F';
  });
}

class EdgeReader {
 public:
  EdgeReader(TextBuffer& buffer, std::string_view name, EdgeFormat format, BadLines& bad,
             const EdgeSink& sink)
      : lines_(buffer), name_(name), format_(format), bad_(bad), sink_(sink) {
    run_.reserve(kRun);
  }

  std::uint64_t read() {
    while (const auto block = lines_.next_block()) {
      if (block->kind == LineKind::kTooLong) {
        reject(block->first, "the line is longer than 1 MiB");
        continue;
      }
      lines_.end_block(read_block(*block));
    }
    flush();
    return count_;
  }

 private:
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
    if (first.ec != std::errc{} || first.ptr == end || *first.ptr != parted_by) {
      return nullptr;
    }
    const auto second = std::from_chars(first.ptr + 1, end, followee);
    if (second.ec != std::errc{} || ((follower | followee) >> 63) != 0) return nullptr;
    const char* stop = second.ptr;
    if (stop != end && *stop == '\r') ++stop;
    if (stop != end && *stop != '\n') {
      if (*stop != parted_by) return nullptr;
      stop =
          static_cast<const char*>(std::memchr(stop, '\n', static_cast<std::size_t>(end - stop)));
      if (stop == nullptr) stop = end;
    }
    put({SourceId{follower}, SourceId{followee}});
    return stop == end ? end : stop + 1;
  }

  void slow_line(std::string_view line, std::uint64_t number) {
    line = trimmed(line);
    if (line.empty() || is_comment(line)) return;
    if (!settled_) {
      settle(line);
      if (format_ == EdgeFormat::kCsv && !edge_of(line, delimiter_)) {
        check_header(line, number);
        return;
      }
    }
    if (format_ == EdgeFormat::kAdjacency) {
      adjacency_line(line, number);
    } else if (const auto edge = edge_of(line, delimiter_)) {
      put(*edge);
    } else {
      reject_row(line, number);
    }
  }

  // Decides, by the first row, what is read.
  void settle(std::string_view line) {
    settled_ = true;
    const char delimiter = delimiter_of(line);
    if (format_ == EdgeFormat::kAuto) {
      const bool blanks = delimiter == ' ' || delimiter == '\t';
      if (line.find(':') != std::string_view::npos && !edge_of(line, delimiter)) {
        format_ = EdgeFormat::kAdjacency;
      } else if (blanks && edge_of(line, ' ')) {
        format_ = EdgeFormat::kSnap;
      } else {
        format_ = EdgeFormat::kCsv;
      }
    }
    switch (format_) {
      case EdgeFormat::kCsv:
        delimiter_ = delimiter;
        fast_ = delimiter;
        break;
      // Any blanks part the ids; mostly they are all alike.
      case EdgeFormat::kSnap:
        fast_ = delimiter == '\t' ? '\t' : ' ';
        break;
      case EdgeFormat::kAdjacency:
      case EdgeFormat::kAuto:
        break;
    }
  }

  // A header may be any words, except those that say the columns stand the other way round.
  void check_header(std::string_view line, std::uint64_t number) {
    const auto cells = cells_of(line, delimiter_);
    if (cells.size() >= 2 && folded(cells[0]) == "followee" && folded(cells[1]) == "follower") {
      // Nothing below it could be right either.
      throw Error(ErrorCode::kBadInput,
                  fmt::format("{}:{}: the header has the followee first: an edge list's columns "
                              "are follower, then followee",
                              name_, number));
    }
    if (cells.size() < 2) {
      reject(number, fmt::format("expected two columns, found \"{}\"", printable(line)));
    } else if ((is_number(cells[0]) && is_number(cells[1])) || has_controls(line)) {
      reject_row(line, number);
    }
  }

  void adjacency_line(std::string_view line, std::uint64_t number) {
    const std::size_t colon = line.find(':');
    const auto follower = parse_source_id(line.substr(0, colon));
    if (colon == std::string_view::npos || !follower) {
      reject(number, fmt::format("expected \"id: id id …\", found \"{}\"", printable(line)));
      return;
    }
    std::vector<load::SourceEdge> edges;
    const char* at = line.data() + colon + 1;
    const char* const end = line.data() + line.size();
    while (at != end) {
      if (is_blank(*at) || *at == ',' || *at == ';') {
        ++at;
        continue;
      }
      std::uint64_t followee = 0;
      const auto [stop, error] = std::from_chars(at, end, followee);
      const bool cut = stop == end || is_blank(*stop) || *stop == ',' || *stop == ';';
      if (error != std::errc{} || !cut || followee > load::kSourceIdMax) {
        reject(number,
               fmt::format("expected ids (numbers of 63 bits) after the colon, found \"{}\"",
                           printable({at, static_cast<std::size_t>(end - at)}, 30)));
        return;
      }
      edges.push_back({*follower, SourceId{followee}});
      at = stop;
    }
    for (const load::SourceEdge& edge : edges) put(edge);
  }

  void put(const load::SourceEdge& edge) {
    run_.push_back(edge);
    if (run_.size() == kRun) flush();
  }
  void flush() {
    count_ += run_.size();
    if (!run_.empty()) sink_(run_);
    run_.clear();
  }
  void reject_row(std::string_view line, std::uint64_t number) {
    reject(number,
           fmt::format("expected two ids (numbers of 63 bits), found \"{}\"", printable(line)));
  }
  void reject(std::uint64_t line, std::string_view what) {
    flush();  // what stands before it has been read
    bad_.add({name_, line}, what);
  }

  Lines lines_;
  std::string_view name_;
  EdgeFormat format_;
  BadLines& bad_;
  const EdgeSink& sink_;
  char delimiter_ = ' ';
  std::optional<char> fast_;  // what parts the two ids on the fast path; empty: it is never taken
  bool settled_ = false;      // the format is known: the first row has been read
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

bool looks_like_edges(std::string_view head) {
  for (std::size_t lines = 0; lines < kSniffLines && !head.empty(); ++lines) {
    const std::size_t end = head.find('\n');
    const std::string_view line = trimmed(head.substr(0, end));
    head.remove_prefix(end == std::string_view::npos ? head.size() : end + 1);
    if (line.empty() || is_comment(line)) continue;
    if (const std::size_t colon = line.find(':'); colon != std::string_view::npos) {
      return parse_source_id(line.substr(0, colon)).has_value();
    }
    const char delimiter = delimiter_of(line);
    const char parted = delimiter == '\t' ? ' ' : delimiter;
    if (cells_of(line, parted).size() > kColumnsMax) return false;
    if (edge_of(line, parted)) return true;
  }
  return false;
}

std::uint64_t read_edges(TextBuffer& buffer, std::string_view name, EdgeFormat format,
                         BadLines& bad, const EdgeSink& sink) {
  return EdgeReader(buffer, name, format, bad, sink).read();
}

}  // namespace chirp::cli::input
