#include "tests/support/golden.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "tests/support/child.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw std::runtime_error("can't read " + path.string());
  return text.str();
}

// Whether `line` is `pattern`, in which [..] matches anything.
bool matches(std::string_view pattern, std::string_view line) {
  const std::size_t wild = pattern.find("[..]");
  if (wild == std::string_view::npos) return pattern == line;
  if (line.substr(0, wild) != pattern.substr(0, wild)) return false;
  const std::string_view rest = pattern.substr(wild + 4);
  for (std::size_t from = wild; from <= line.size(); ++from) {
    if (matches(rest, line.substr(from))) return true;
  }
  return false;
}

bool matches(const std::vector<std::string>& patterns, const std::vector<std::string>& lines) {
  if (patterns.size() != lines.size()) return false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!matches(std::string_view(patterns[i]), std::string_view(lines[i]))) return false;
  }
  return true;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// With `to` for each `from`.
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
  return text;
}

// What a command said, written as a golden file has it.
std::vector<std::string> transcript(const Ended& ended) {
  std::vector<std::string> lines = lines_of(ended.out);
  for (const std::string& line : lines_of(ended.err)) lines.push_back("! " + line);
  if (ended.signal != 0) lines.push_back("? signal " + std::to_string(ended.signal));
  if (ended.signal == 0 && ended.status != 0) lines.push_back("? " + std::to_string(ended.status));
  return lines;
}

class Golden {
 public:
  explicit Golden(const fs::path& file, std::string database = {})
      : file_(file), database_(std::move(database)), lines_(lines_of(read_file(file))) {
    fs::create_directory(folder_ / "home");
    // A command that lists the folder finds an entry in the place of a data directory.
    if (!database_.empty()) fs::create_directory(folder_ / "world");
  }

  std::vector<GoldenMismatch> run() {
    while (at_ < lines_.size()) step();
    if (std::getenv("CHIRP_UPDATE") != nullptr && database_.empty()) {
      std::ofstream(file_, std::ios::binary) << joined(updated_);
      mismatches_.clear();
    }
    return std::move(mismatches_);
  }

 private:
  [[nodiscard]] bool starts(const char* mark) const {
    return at_ < lines_.size() && lines_[at_].rfind(mark, 0) == 0;
  }
  [[nodiscard]] bool in_step() const {
    return at_ < lines_.size() && !lines_[at_].empty() && !starts("$ ") && !starts("@ ") &&
           !starts("# ");
  }
  std::string take(std::size_t mark) {
    updated_.push_back(lines_[at_]);
    return lines_[at_++].substr(mark);
  }

  void step() {
    if (starts("@ ")) {
      clock_ = take(2);
      return;
    }
    if (!starts("$ ")) {
      take(0);
      return;
    }
    const std::size_t line = at_ + 1;
    std::string command = take(2);
    while (starts("> ")) command += "\n" + take(2);
    std::vector<std::string> expected;
    while (in_step()) expected.push_back(lines_[at_++]);
    const std::vector<std::string> actual = transcript(on_folder(run_shell(command)));
    const bool right = matches(expected, actual);
    if (!right) mismatches_.push_back({line, command, joined(expected), joined(actual)});
    const std::vector<std::string>& kept = right ? expected : actual;
    updated_.insert(updated_.end(), kept.begin(), kept.end());
  }

  // As it would be said of the folder.
  [[nodiscard]] Ended on_folder(Ended ended) const {
    if (database_.empty()) return ended;
    for (std::string* const text : {&ended.out, &ended.err}) {
      *text =
          replaced(std::move(*text), "Made the tables of format 3 in the database: " + database_,
                   "Made a data directory: world");
      *text = replaced(std::move(*text), database_, "world");
    }
    return ended;
  }

  Ended run_shell(const std::string& command) const {
    const std::string folder = folder_.path().string();
    const std::string program = fs::path(CHIRP_BINARY).parent_path().string();
    return test::run(
        {.arguments = {"/bin/sh", "-c", "cd '" + folder + "' && " + command},
         .environment = {
             "PATH=" + program + ":/usr/bin:/bin", "HOME=" + folder + "/home",
             "XDG_DATA_HOME=", "CHIRP_DATA=" + (database_.empty() ? "world" : database_),
             "CHIRP_TEST_CLOCK=" + clock_, "TESTDATA=" CHIRP_SOURCE_DIR "/testdata"}});
  }

  fs::path file_;
  std::string database_;
  std::vector<std::string> lines_;
  TempFolder folder_;
  std::string clock_ = "2026-01-15T18:30:00Z";
  std::size_t at_ = 0;
  std::vector<std::string> updated_;
  std::vector<GoldenMismatch> mismatches_;
};

}  // namespace

std::vector<GoldenMismatch> run_golden(const fs::path& file) { return Golden(file).run(); }

std::vector<GoldenMismatch> run_golden_on(const std::string& database, const fs::path& file) {
  return Golden(file, database).run();
}

}  // namespace chirp::test
