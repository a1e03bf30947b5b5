// Goal: lines come whole and with their numbers, wherever the borders of what is read fall.
// Method: texts cut into pieces of every small size, and lines around the bounds.
#include "cli/input/lines.h"

#include <algorithm>

#include <doctest/doctest.h>

#include "tests/support/inputs.h"

namespace chirp::cli::input {
namespace {

using test::OpenText;

std::vector<std::string> lines_of(std::string text, std::size_t step = 1 << 16) {
  OpenText open(std::move(text), step);
  Lines lines(open.buffer());
  std::vector<std::string> found;
  while (const auto line = lines.next()) {
    CHECK(line->number == found.size() + 1);
    found.push_back(line->kind == LineKind::kTooLong ? "too long" : std::string(line->text));
  }
  return found;
}

// The same by blocks.
std::string joined_blocks(std::string text, std::size_t step) {
  OpenText open(std::move(text), step);
  Lines lines(open.buffer());
  std::string joined;
  while (const auto block = lines.next_block()) {
    CHECK(block->first == 1 + static_cast<std::uint64_t>(std::ranges::count(joined, '\n')));
    joined += block->kind == LineKind::kTooLong ? "too long\n" : std::string(block->text);
    if (block->kind == LineKind::kWhole) {
      (void)lines.pass(0, static_cast<std::uint64_t>(std::ranges::count(block->text, '\n')));
    }
  }
  return joined;
}

}  // namespace

TEST_CASE("lines: both line ends, blank lines, and a last line without an end") {
  using Found = std::vector<std::string>;
  for (const std::size_t step : {1u, 2u, 3u, 5u, 100u}) {
    CAPTURE(step);
    CHECK(lines_of("", step).empty());
    CHECK(lines_of("\n", step) == Found{""});
    CHECK(lines_of("a\r\nb\n\nc", step) == Found{"a", "b", "", "c"});
    CHECK(lines_of("a\r\nb\r\n", step) == Found{"a", "b"});
    CHECK(lines_of("\xEF\xBB\xBF"
                   "a\n\xEF\xBB\xBF\n",
                   step) == Found{"a", "\xEF\xBB\xBF"});
    CHECK(joined_blocks("a\r\nb\n\nc", step) == "a\r\nb\n\nc");
  }
}

TEST_CASE("lines: a line that is too long is skipped, and the next line is sound") {
  const std::string longest(kRecordMax, 'x');
  for (const std::size_t extra : {std::size_t{0}, std::size_t{1}, kRecordMax, 5 * kRecordMax}) {
    CAPTURE(extra);
    const std::string line = longest + std::string(extra, 'y');
    const std::string expected = extra == 0 ? longest : "too long";
    CHECK(lines_of("a\n" + line + "\nb\n") == std::vector<std::string>{"a", expected, "b"});
    CHECK(lines_of("a\n" + line) == std::vector<std::string>{"a", expected});
  }
  CHECK(joined_blocks("a\n" + std::string(3 * kRecordMax, 'x') + "\nb\n", 1 << 16) ==
        "a\ntoo long\nb\n");
}

TEST_CASE("lines: a line that crosses the end of the buffer is whole") {
  std::string text;
  std::vector<std::string> expected;
  for (std::size_t i = 0; text.size() < 3 * TextBuffer::kCapacity; ++i) {
    expected.push_back(std::string(i % 300'000, static_cast<char>('a' + i % 26)));
    text += expected.back() + "\n";
    i += 70'001;
  }
  CHECK(lines_of(text) == expected);
  CHECK(joined_blocks(text, 99'991) == text);
}

}  // namespace chirp::cli::input
