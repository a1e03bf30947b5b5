#include "tests/support/source_tree.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRoot = CHIRP_SOURCE_DIR;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Folders that hold what was made from the project.
bool is_left_out(const fs::path& folder) {
  const std::string name = folder.filename().string();
  if (folder.parent_path() != fs::path(kRoot)) return name == "__pycache__";
  return name.starts_with("build") || (name.starts_with('.') && name != ".ci");
}

std::vector<SourceFile> read_tree() {
  std::vector<SourceFile> files;
  for (auto at = fs::recursive_directory_iterator(kRoot); at != fs::recursive_directory_iterator();
       ++at) {
    if (at->is_directory()) {
      if (is_left_out(at->path())) at.disable_recursion_pending();
      continue;
    }
    if (!at->is_regular_file() || at->path().filename() == ".git") continue;
    std::ifstream in(at->path(), std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (text.find('\0') != std::string::npos) continue;  // a picture, a store
    files.push_back({at->path().lexically_relative(kRoot).generic_string(), std::move(text)});
  }
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

// Walks C++ and blanks what is no code.
class Blanker {
 public:
  explicit Blanker(std::string_view text) : text_(text), out_(text) {}

  std::string run() {
    while (at_ < text_.size()) step();
    return std::move(out_);
  }

 private:
  [[nodiscard]] char here(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void step() {
    if (here() == '/' && here(1) == '/') return blank_until(text_.find('\n', at_));
    if (here() == '/' && here(1) == '*') return blank_past("*/", at_ + 2);
    if (here() == '"') return is_raw() ? raw_string() : quoted('"');
    // Between digits it only groups them.
    if (here() == '\'' && (at_ == 0 || !is_word(text_[at_ - 1]))) return quoted('\'');
    ++at_;
  }

  [[nodiscard]] bool is_raw() const {
    return at_ > 0 && text_[at_ - 1] == 'R' && (at_ == 1 || !is_word(text_[at_ - 2]));
  }

  void raw_string() {
    const std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos) return blank_until(text_.size());
    const std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    blank_past(close, open);
  }

  void quoted(char quote) {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n') {
      end += text_[end] == '\\' ? 2U : 1U;
    }
    blank_until(end + 1);
  }

  void blank_past(std::string_view close, std::size_t from) {
    const std::size_t end = text_.find(close, from);
    blank_until(end == std::string_view::npos ? end : end + close.size());
  }

  void blank_until(std::size_t end) {
    for (end = std::min(end, text_.size()); at_ < end; ++at_) {
      if (out_[at_] != '\n') out_[at_] = ' ';
    }
  }

  std::string_view text_;
  std::string out_;
  std::size_t at_ = 0;
};

// What an opening brace opens, as far as it matters here.
enum class Scope : std::uint8_t { kDeclarations, kFunction, kOther };

bool says(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool starts = at == 0 || !is_word(text[at - 1]);
    if (starts && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

// From the words between the last declaration and the brace.
Scope scope_of(std::string_view words) {
  if (says(words, "namespace")) return Scope::kDeclarations;
  if (words.find('(') != std::string_view::npos) return Scope::kFunction;
  for (const char* const kind : {"class", "struct", "union", "extern"}) {
    if (says(words, kind)) return Scope::kDeclarations;
  }
  return Scope::kOther;
}

std::string without_directives(std::string code) {
  bool continued = false;
  for (std::size_t begin = 0; begin < code.size();) {
    const std::size_t end = std::min(code.find('\n', begin), code.size());
    const std::size_t first = std::min(code.find_first_not_of(" \t", begin), end);
    const bool directive = continued || (first < end && code[first] == '#');
    continued = directive && end > begin && code[end - 1] == '\\';
    if (directive) std::fill_n(code.begin() + static_cast<std::ptrdiff_t>(begin), end - begin, ' ');
    begin = end + 1;
  }
  return code;
}

class FunctionFinder {
 public:
  explicit FunctionFinder(std::string code) : code_(std::move(code)) {}

  std::vector<Function> run() {
    for (at_ = 0; at_ < code_.size(); ++at_) step(code_[at_]);
    return std::move(functions_);
  }

 private:
  struct Open {
    Scope scope;
    std::size_t line;
  };

  [[nodiscard]] bool among_declarations() const {
    return parentheses_ == 0 && (open_.empty() || open_.back().scope == Scope::kDeclarations);
  }

  void step(char c) {
    if (c == '\n') ++line_;
    const bool declares = among_declarations();
    if (c == '{') return open(declares);
    if (c == '}') return close();
    if (!declares && !open_.empty() && open_.back().scope != Scope::kDeclarations) return;
    if (c == '(') ++parentheses_;
    if (c == ')' && parentheses_ > 0) --parentheses_;
    if (c == ';' && declares) words_.clear();
    if (c != ';') words_ += c;
  }

  void open(bool declares) {
    const Scope scope = declares ? scope_of(words_) : Scope::kOther;
    open_.push_back({scope, line_});
    if (scope == Scope::kDeclarations) words_.clear();
  }

  void close() {
    if (open_.empty()) return;
    const Open opened = open_.back();
    open_.pop_back();
    if (opened.scope == Scope::kFunction && among_declarations()) {
      // A member's initialiser is followed by another or by the body.
      const std::size_t next = code_.find_first_not_of(" \n", at_ + 1);
      if (next != std::string::npos && (code_[next] == ',' || code_[next] == '{')) return;
      functions_.push_back({opened.line, line_ - opened.line + 1});
    }
    if (among_declarations()) words_.clear();
  }

  std::string code_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  int parentheses_ = 0;
  std::string words_;  // since the last declaration
  std::vector<Open> open_;
  std::vector<Function> functions_;
};

}  // namespace

std::string_view SourceFile::layer() const {
  const std::size_t slash = path.find('/');
  return slash == std::string::npos ? std::string_view{} : std::string_view(path).substr(0, slash);
}

bool SourceFile::is_cpp() const {
  return path.ends_with(".cpp") || path.ends_with(".h") || path.ends_with(".c");
}

std::vector<std::string_view> SourceFile::lines() const {
  std::vector<std::string_view> lines;
  const std::string_view all = text;
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = std::min(all.find('\n', begin), all.size());
    lines.push_back(all.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

const std::vector<SourceFile>& source_tree() {
  static const std::vector<SourceFile> files = read_tree();
  return files;
}

void each_cpp(const std::function<void(const SourceFile&)>& visit) {
  for (const SourceFile& file : source_tree()) {
    if (file.is_cpp()) visit(file);
  }
}

void report(const SourceFile& file, std::size_t line, std::string_view what) {
  FAIL_CHECK(fmt::format("{}:{}: {}", file.path, line, what));
}

const SourceFile& source_file(std::string_view path) {
  for (const SourceFile& file : source_tree()) {
    if (file.path == path) return file;
  }
  throw std::runtime_error("the project has no " + std::string(path));
}

bool is_in_tree(std::string_view path) { return fs::exists(fs::path(kRoot) / path); }

std::string code_only(std::string_view text) { return Blanker(text).run(); }

std::vector<Function> functions_in(std::string_view text) {
  return FunctionFinder(without_directives(code_only(text))).run();
}

}  // namespace chirp::test
