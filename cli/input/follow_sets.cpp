#include "cli/input/follow_sets.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <simdjson.h>

#include "cli/input/encoding.h"
#include "cli/input/json_fields.h"
#include "cli/input/notations.h"
#include "core/error.h"
#include "core/load/source.h"
#include "core/model/names.h"

namespace chirp::cli::input {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kTextMax = std::size_t{256} << 20;

std::string whole_text(TextBuffer& buffer, std::string_view name) {
  std::string text;
  for (;;) {
    text += buffer.unread();
    buffer.consume(buffer.unread().size());
    if (text.size() > kTextMax) {
      throw Error(ErrorCode::kBadInput,
                  fmt::format("{}: a file of follow sets may have at most 256 MiB", name));
    }
    if (buffer.fill() == TextBuffer::Filled::kEnd) return text;
  }
}

std::optional<SourceId> id_of(const dom::element& value, const IdCells& ids) {
  const auto text = json_id_text(value);
  if (!text) return std::nullopt;
  return ids.kind() == IdKind::kWords && value.is_string() ? ids.any(*text)
                                                           : parse_source_id(*text);
}

class SetReader {
 public:
  SetReader(std::string_view name, BadLines& bad, const EdgeSink& sink)
      : name_(name), bad_(bad), sink_(sink), run_(sink) {}

  std::uint64_t read(std::string_view text) {
    dom::parser parser;
    dom::document_stream documents;
    std::size_t broken = 0;
    auto code = parser.parse_many(text.data(), text.size(), std::max(text.size(), kRecordMax))
                    .get(documents);
    for (auto each = documents.begin(); code == simdjson::SUCCESS && each != documents.end();
         ++each) {
      broken = each.current_index();
      dom::element value;
      code = (*each).get(value);
      if (code == simdjson::SUCCESS) take(value, line_at(text, broken));
    }
    if (code == simdjson::SUCCESS && documents.truncated_bytes() > 0) {
      broken = text.size() - documents.truncated_bytes();
      code = simdjson::TAPE_ERROR;
    }
    const std::uint64_t count = run_.end();
    if (code == simdjson::SUCCESS || code == simdjson::EMPTY) return count;
    const auto wrong = no_utf8(text);
    bad_.add({name_, wrong ? wrong->lines + 1 : line_at(text, broken)},
             wrong ? wrong->words
                   : fmt::format("not valid JSON, or cut off: {}", simdjson::error_message(code)));
    return count;
  }

 private:
  static std::uint64_t line_at(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, offset);
    return 1 + static_cast<std::uint64_t>(std::ranges::count(before, '\n'));
  }

  void take(const dom::element& value, std::uint64_t line) {
    if (dom::array list; value.get(list) == simdjson::SUCCESS) {
      for (const dom::element each : list) take(each, line);
      return;
    }
    dom::object object;
    if (value.get(object) != simdjson::SUCCESS) return bad_.add({name_, line}, "no JSON object");
    std::vector<SourceId> from;
    std::vector<SourceId> to;
    for (const auto& [field, ids] : {std::pair("from", &from), std::pair("to", &to)}) {
      if (auto problem = read_ids(object, field, *ids)) return bad_.add({name_, line}, *problem);
    }
    put_all(from, to);
  }

  // Returns an error in the member, or empty.
  std::optional<std::string> read_ids(const dom::object& object, std::string_view field,
                                      std::vector<SourceId>& ids) const {
    dom::array list;
    if (object.at_key(field).get(list) != simdjson::SUCCESS) {
      std::string keys;
      for (const auto [key, value] : object) {
        keys += fmt::format("{}\"{}\"", keys.empty() ? "" : ", ", printable(key, 40));
        if (keys.size() > 200) break;
      }
      return fmt::format("no array \"{}\" beside the other; the object has {}", field, keys);
    }
    for (const dom::element each : list) {
      const auto id = id_of(each, sink_.ids);
      if (!id) {
        return fmt::format(
            "{} in \"{}\" is not an id (whole numbers from 0 to 9223372036854775807, or words with "
            "--ids words)",
            printable(simdjson::minify(each), 40), field);
      }
      ids.push_back(*id);
    }
    return std::nullopt;
  }

  void put_all(const std::vector<SourceId>& from, const std::vector<SourceId>& to) {
    if (from.empty() || to.empty()) {
      run_.flush();
      for (const auto* ids : {&from, &to}) {
        for (const SourceId id : *ids) {
          if (sink_.person) sink_.person(id);
        }
      }
      return;
    }
    for (const SourceId follower : from) {
      for (const SourceId followee : to) run_.put({follower, followee});
    }
  }

  std::string_view name_;
  BadLines& bad_;
  const EdgeSink& sink_;
  EdgeRun run_;
};

// Skips a character and the blanks around it; false if it is missing.
bool pass(std::string_view& text, char c) {
  const std::size_t at = text.find_first_not_of(" \t\r\n");
  text.remove_prefix(std::min(at, text.size()));
  if (text.empty() || text.front() != c) return false;
  text = text.substr(1);
  return true;
}

}  // namespace

bool looks_like_follow_sets(std::string_view head, IdKind kind) {
  (void)pass(head, '[');
  if (!pass(head, '{') || !pass(head, '"')) return false;
  const std::size_t key_end = head.find('"');
  if (key_end == std::string_view::npos) return false;
  head = head.substr(key_end + 1);
  if (!pass(head, ':') || !pass(head, '[')) return false;
  if (pass(head, ']')) return true;
  if (pass(head, '"') && kind == IdKind::kWords) return true;
  return !head.empty() && head.front() >= '0' && head.front() <= '9';
}

std::uint64_t read_follow_sets(TextBuffer& buffer, std::string_view name, BadLines& bad,
                               const EdgeSink& sink) {
  const std::string text = whole_text(buffer, name);
  if (sink.understood) sink.understood({.format = "JSON of from and to"});
  return SetReader(name, bad, sink).read(text);
}

}  // namespace chirp::cli::input
