// The project's own files as text, for tests of its conventions.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace chirp::test {

struct SourceFile {
  std::string path;  // from the project's root, with slashes
  std::string text;

  // The first folder: "core", "store", …; empty for a file in the root.
  [[nodiscard]] std::string_view layer() const;
  [[nodiscard]] bool is_cpp() const;  // C and C++
  [[nodiscard]] bool is_header() const { return path.ends_with(".h"); }
  [[nodiscard]] std::vector<std::string_view> lines() const;  // without line ends
};

// All text files of the project, sorted by path, without build output and hidden files, except .ci
// and the tools' settings in the root.
[[nodiscard]] const std::vector<SourceFile>& source_tree();

// Calls `visit` with each C and C++ file.
void each_cpp(const std::function<void(const SourceFile&)>& visit);
// Fails the test with the place and the words, and goes on.
void report(const SourceFile& file, std::size_t line, std::string_view what);

// The file at `path`; fails the test if missing.
[[nodiscard]] const SourceFile& source_file(std::string_view path);
// Whether there is a file or a folder at `path`.
[[nodiscard]] bool is_in_tree(std::string_view path);

// C++ with the insides of comments, strings and characters blanked, line for line.
[[nodiscard]] std::string code_only(std::string_view text);

struct Function {
  std::size_t line = 0;   // where its body opens, from 1
  std::size_t lines = 0;  // up to the closing brace
};

// The functions of a C++ file, including those in classes, found by counting braces.
[[nodiscard]] std::vector<Function> functions_in(std::string_view text);

}  // namespace chirp::test
