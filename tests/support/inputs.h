// Inputs for tests of readers: streams, temporary files, packed files.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/input/byte_stream.h"
#include "cli/input/lines.h"
#include "cli/input/posts.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {

// A text that arrives in pieces of `step` bytes, to test every boundary.
class TextStream final : public cli::input::ByteStream {
 public:
  explicit TextStream(std::string text, std::size_t step = 1 << 16)
      : text_(std::move(text)), step_(step) {}
  std::size_t read(std::span<char> into) override;

 private:
  std::string text_;
  std::size_t step_;
  std::size_t at_ = 0;
};

// A text, opened in a buffer.
class OpenText {
 public:
  explicit OpenText(std::string text, std::size_t step = 1 << 16) : stream_(std::move(text), step) {
    buffer_.open(stream_);
  }
  [[nodiscard]] cli::input::TextBuffer& buffer() { return buffer_; }

 private:
  TextStream stream_;
  cli::input::TextBuffer buffer_;
};

// Input files, removed at the end.
class InputFiles {
 public:
  // Writes a file and returns its path.
  [[nodiscard]] std::string write(std::string_view name, std::string_view contents) const;
  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }

 private:
  TempFolder folder_;
};

// Collects up to `most` bad lines, then refuses.
struct Complaints {
  explicit Complaints(std::uint64_t most)
      : bad(
            most, [this](const std::string& words) { lines.push_back(words); },
            [this](const std::string& words) { notes.push_back(words); }) {}
  std::vector<std::string> lines;
  std::vector<std::string> notes;  // remarks that are not faults
  cli::input::BadLines bad;
};

// How to read posts from a text, and what is read.
struct ReadAs {
  std::uint64_t most_bad = 0;
  cli::input::TableLayout layout{};
  cli::input::IdCells ids{};
};
struct PostsIn {
  std::vector<load::SourcePost> posts;
  std::vector<std::string> bad;
  std::vector<std::string> notes;
};
[[nodiscard]] PostsIn read_posts(std::string text, ReadAs as = {});

// The error of reading an input, or empty.
[[nodiscard]] std::string complaint_of(const std::function<void()>& read);

enum class Packing { kGzip, kZstd, kBzip2, kXz };
[[nodiscard]] std::string packed(std::string_view text, Packing packing);

using Members = std::vector<std::pair<std::string, std::string>>;  // name and contents
enum class Wrapping { kTar, kZip };
[[nodiscard]] std::string wrapped(const Members& members, Wrapping wrapping);
// A zip with uncompressed members.
[[nodiscard]] std::string stored_zip(const Members& members);

}  // namespace chirp::test
