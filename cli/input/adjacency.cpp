#include "cli/input/adjacency.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/input/cells.h"
#include "cli/input/notations.h"
#include "core/model/names.h"

namespace chirp::cli::input {
namespace {

// The position of the colon after the list's owner. Words may contain colons themselves.
std::size_t colon_of(std::string_view line) {
  const std::size_t colon = line.find(": ");
  if (colon != std::string_view::npos) return colon;
  return line.ends_with(':') ? line.size() - 1 : std::string_view::npos;
}

// Whether the character separates the ids of an adjacency list.
bool is_parting(char c) { return is_blank(c) || c == ',' || c == ';'; }

class ListReader {
 public:
  ListReader(TextBuffer& buffer, std::string_view name, const EdgeShape& shape, EdgeFormat asked,
             BadLines& bad, const EdgeSink& sink)
      : lines_(buffer),
        name_(name),
        shape_(shape),
        asked_(asked),
        bad_(bad),
        sink_(sink),
        run_(sink) {}

  std::uint64_t read() {
    std::uint64_t last = 0;
    while (const auto block = lines_.next_block()) {
      if (block->kind == LineKind::kTooLong) {
        reject(block->first, "the line is longer than 1 MiB");
        in_parts_ = false;
      } else if (block->kind == LineKind::kPart) {
        adjacency_part(block->text, block->first);
      } else {
        last = lines_.pass(0, read_block(*block));
      }
    }
    run_.flush();
    if (lines_.unended() && last > 1) bad_.note({name_, last}, kUnended);
    return run_.end();
  }

 private:
  // Returns the number of lines read.
  std::uint64_t read_block(const Lines::Block& block) {
    std::uint64_t lines = 0;
    for (std::string_view rest = block.text; !rest.empty(); ++lines) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      line(rest.substr(0, end), block.first + lines);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return lines;
  }

  void line(std::string_view line, std::uint64_t number) {
    if (in_parts_) {
      adjacency_part(line, number);
      in_parts_ = false;
      return;
    }
    line = trimmed(line);
    if (line.empty() || is_comment(line)) return;
    if (!std::exchange(begun_, true) && sink_.understood) {
      sink_.understood(understood(shape_, asked_, {}));
    }
    adjacency_line(line, number);
  }

  void adjacency_line(std::string_view line, std::uint64_t number) {
    const auto start = adjacency_start(line, number);
    if (!start) return;
    std::vector<SourceId> followees;
    const bool good = each_id(line.substr(start->second), number,
                              [&](SourceId followee) { followees.push_back(followee); });
    if (!good) return;
    if (followees.empty() && sink_.person) sink_.person(start->first);
    for (const SourceId followee : followees) run_.put({start->first, followee});
  }

  // Returns the list's owner, and where the list begins.
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

  // Passes each id of a text to `take`. Returns false, and reports a bad line, if it finds anything
  // else.
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
               fmt::format("expected ids (whole numbers from 0 to 9223372036854775807) after the "
                           "{}, found \"{}\"",
                           shape_.colons ? "colon" : "first one", printable({at, rest}, 30)));
        return false;
      }
      take(*id);
      at = stop;
    }
    return true;
  }

  // Reads one part of a list that is longer than a line may be. After an error, the rest of the
  // list is skipped.
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
    const bool good = each_id(text, number, [&](SourceId followee) {
      run_.put({follower, followee});
    });
    if (!good) part_of_.reset();
  }

  void reject(std::uint64_t line, std::string_view what) {
    run_.flush();  // first deliver the edges read before this line
    bad_.add({name_, line}, what);
  }

  Lines lines_;
  std::string_view name_;
  const EdgeShape& shape_;
  EdgeFormat asked_;
  BadLines& bad_;
  const EdgeSink& sink_;
  EdgeRun run_;
  bool begun_ = false;               // whether the first row has been read
  bool in_parts_ = false;            // whether the first parts of a long line have been read
  std::optional<SourceId> part_of_;  // the owner of that list; empty if the rest is skipped
};

}  // namespace

std::uint64_t read_adjacency(TextBuffer& buffer, std::string_view name, const EdgeShape& shape,
                             EdgeFormat asked, BadLines& bad, const EdgeSink& sink) {
  return ListReader(buffer, name, shape, asked, bad, sink).read();
}

}  // namespace chirp::cli::input
