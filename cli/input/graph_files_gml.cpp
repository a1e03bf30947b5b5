#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "cli/input/cells.h"
#include "cli/input/graph_edges.h"
#include "cli/input/graph_files.h"
#include "cli/input/notations.h"
#include "core/model/names.h"

namespace chirp::cli::input {
namespace {

// A longer string counts as an unclosed quote.
constexpr std::size_t kStringMax = std::size_t{1} << 16;
constexpr std::string_view kBlanks = " \t\r\n";

struct Token {
  enum class Kind : std::uint8_t { kWord, kString, kOpen, kClose, kUnclosed, kEnd };
  Kind kind = Kind::kEnd;
  std::string text{};
  std::uint64_t line = 0;
};

class GmlTokens {
 public:
  explicit GmlTokens(TextBuffer& buffer) : buffer_(buffer) {}

  Token next() {
    skip();
    line_begins_ = false;
    const char c = buffer_.unread().empty() ? '\0' : buffer_.unread().front();
    Token token{.line = line_};
    if (c == '\0' && buffer_.unread().empty()) return token;
    if (c == '[' || c == ']') {
      token.kind = c == '[' ? Token::Kind::kOpen : Token::Kind::kClose;
      pass(1);
    } else if (c == '"') {
      string(token);
    } else {
      token.kind = Token::Kind::kWord;
      const std::size_t size = find_first_of(" \t\r\n[]\"", 0);
      token.text = buffer_.unread().substr(0, size);
      pass(size);
    }
    return token;
  }

 private:
  // Skips blanks, and comments, which begin a line.
  void skip() {
    for (;;) {
      const std::string_view text = buffer_.unread();
      const std::size_t at = text.find_first_not_of(kBlanks);
      const bool is_comment = at != std::string_view::npos && text[at] == '#';
      line_begins_ = line_begins_ || text.substr(0, at).find('\n') != std::string_view::npos;
      if (at != 0) pass(std::min(at, text.size()));
      if (at != std::string_view::npos && !(is_comment && line_begins_)) return;
      if (at != std::string_view::npos) {
        pass(find_first_of("\n", 0));
      } else if (buffer_.fill() != TextBuffer::Filled::kMore) {
        return;
      }
    }
  }

  // A string may span lines. If its next line begins or ends a list, the string is not closed.
  void string(Token& token) {
    std::size_t end = 1;
    for (;;) {
      end = find_first_of("\"\n", end);
      const std::string_view text = buffer_.unread();
      if (end == text.size() || end > kStringMax || (text[end] == '\n' && is_list(end + 1))) break;
      if (text[end] == '"') {
        token.kind = Token::Kind::kString;
        token.text = html_unescaped(text.substr(1, end - 1));
        return pass(end + 1);
      }
      ++end;
    }
    token.kind = Token::Kind::kUnclosed;
    pass(find_first_of("\n", 0));
  }

  // Whether a line that starts here begins or ends a list.
  bool is_list(std::size_t start) {
    const std::size_t end = find_first_of("\n", start);
    const std::string_view line = trimmed(buffer_.unread().substr(start, end - start));
    return line == "]" || line == "[" || line.starts_with("node [") || line.starts_with("edge [") ||
           line == "node" || line == "edge";
  }

  // Returns the size of the unread text if the buffer holds all of it and nothing is found.
  std::size_t find_first_of(std::string_view chars, std::size_t from) {
    for (;;) {
      const std::size_t at = buffer_.unread().find_first_of(chars, from);
      if (at != std::string_view::npos) return at;
      from = buffer_.unread().size();
      if (buffer_.fill() != TextBuffer::Filled::kMore) return buffer_.unread().size();
    }
  }

  void pass(std::size_t size) {
    const std::string_view text = buffer_.unread().substr(0, size);
    line_ += static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
    buffer_.consume(size);
  }

  TextBuffer& buffer_;
  std::uint64_t line_ = 1;
  bool line_begins_ = true;  // whether only blanks precede in the line
};

class GmlReader {
 public:
  explicit GmlReader(const GraphText& text) : tokens_(text.buffer), edges_("GML", text) {}

  std::uint64_t read() {
    for (Token token = tokens_.next();; token = tokens_.next()) {
      switch (token.kind) {
        case Token::Kind::kEnd:
          return end(token.line);
        case Token::Kind::kOpen:
          open();
          break;
        case Token::Kind::kClose:
          close(token.line);
          break;
        case Token::Kind::kUnclosed:
          spoil("a quote is not closed");
          if (!element_) edges_.reject(token.line, "a quote is not closed");
          key_.clear();
          break;
        case Token::Kind::kWord:
        case Token::Kind::kString:
          word(std::move(token));
          break;
      }
    }
  }

 private:
  struct Element {
    bool is_node;
    std::size_t depth;
    std::uint64_t line;
    std::string id{};
    std::string label{};
    std::string from{};
    std::string to{};
    EdgeDirection own = EdgeDirection::kUnsaid;
    std::string problem{};
  };

  std::uint64_t end(std::uint64_t line) {
    if (element_) {
      spoil("the list that starts here is not closed");
      end_element();
    } else if (depth_ > 0) {
      edges_.reject(line, "the file ends before its lists are closed");
    }
    return edges_.end();
  }

  // Keys and values alternate.
  void word(Token&& token) {
    if (key_.empty()) {
      key_ = token.kind == Token::Kind::kWord ? plain_name(token.text) : "?";
      key_line_ = token.line;
      return;
    }
    value(std::exchange(key_, {}), token);
  }

  void value(const std::string& key, const Token& token) {
    if (!element_) {
      if (key != "directed" || depth_ != 1) return;
      says_direction_ = true;
      if (direction_of_flag(token.text) == EdgeDirection::kUndirected) {
        edges_.note_undirected(token.line);
      }
      return;
    }
    if (depth_ != element_->depth) return;  // belongs to an inner list
    if (key == "bipartite") edges_.refuse_bipartite(token.line);
    if (key == "id") element_->id = token.text;
    if (key == "label" || (key == "name" && element_->label.empty())) element_->label = token.text;
    if (key == "source") element_->from = token.text;
    if (key == "target") element_->to = token.text;
    if (key == "directed") element_->own = direction_of_flag(token.text);
  }

  void open() {
    const std::string key = std::exchange(key_, {});
    const bool is_node = key == "node";
    const bool is_element = is_node || key == "edge";
    if (is_element && element_) {
      // Nodes and edges do not contain each other, so the previous one is not closed.
      spoil(fmt::format("the {} is not closed", element_->is_node ? "node" : "edge"));
      depth_ = element_->depth - 1;
      end_element();
    }
    ++depth_;
    // The format's default is undirected.
    if (is_element && !std::exchange(says_direction_, true)) edges_.note_undirected(key_line_);
    if (is_element) element_ = Element{.is_node = is_node, .depth = depth_, .line = key_line_};
  }

  void close(std::uint64_t line) {
    key_.clear();
    if (depth_ == 0) return edges_.reject(line, "\"]\" closes a list that was not opened");
    --depth_;
    if (element_ && depth_ < element_->depth) end_element();
  }

  void spoil(std::string_view problem) {
    if (element_ && element_->problem.empty()) element_->problem = problem;
  }

  void end_element() {
    const auto element = std::exchange(element_, std::nullopt);
    if (!element) return;
    if (!element->problem.empty()) {
      edges_.reject(element->line, element->problem);
    } else if (element->is_node) {
      edges_.node(element->id, element->label, element->line);
    } else {
      edges_.edge(element->from, element->to, element->own, element->line);
    }
  }

  GmlTokens tokens_;
  GraphEdges edges_;
  std::string key_;  // its value comes next; empty if a key comes next
  std::uint64_t key_line_ = 0;
  std::size_t depth_ = 0;
  std::optional<Element> element_;  // the node or edge that is open
  bool says_direction_ = false;     // whether the graph has `directed`
};

}  // namespace

bool looks_like_gml(std::string_view head) {
  // `graph [` after comments, and after keys with values such as `Creator "yFiles"`.
  while (!head.empty()) {
    head.remove_prefix(std::min(head.find_first_not_of(kBlanks), head.size()));
    const std::string_view line = head.substr(0, head.find('\n'));
    head.remove_prefix(line.size());
    if (line.starts_with('#')) continue;
    const std::string_view key = line.substr(0, line.find_first_of(" \t\r["));
    std::string_view rest = line.substr(key.size());
    if (plain_name(key) == "graph") {
      rest = trimmed(rest).empty() ? trimmed(head.substr(0, 100)) : trimmed(rest);
      return rest.starts_with('[');
    }
    const std::string name = plain_name(key);
    if (name != "creator" && name != "version" && name != "comment" && name != "label")
      return false;
  }
  return false;
}

std::uint64_t read_gml(const GraphText& text) { return GmlReader(text).read(); }

}  // namespace chirp::cli::input
