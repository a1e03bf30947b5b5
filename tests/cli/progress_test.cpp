// Goal: what a long command shows of how far it is fits the terminal.
// Method: lines of every width.
#include "cli/progress.h"

#include <doctest/doctest.h>

namespace chirp::cli {

TEST_CASE("progress: a line fits the terminal, whatever its width") {
  const std::string words = " 50 %  1,000 posts, 1.0 K/s  1 s left";
  const Reach half{.done = 1, .total = 2, .rows = 1000};
  CHECK(progress_line(half, words, 80) == "[############............] " + words);
  for (std::size_t columns = 0; columns < 90; ++columns) {
    CAPTURE(columns);
    const std::string line = progress_line(half, words, columns);
    CHECK(line.size() <= (columns == 0 ? 0 : columns - 1));
    if (columns > words.size()) CHECK(line.ends_with(words));
  }
  CHECK(progress_line(half, words, words.size() + 8) == "[##..] " + words);
  CHECK(progress_line(half, words, words.size() + 7) == words);
  CHECK(progress_line(half, words, 10) == words.substr(0, 9));
  CHECK(progress_line({.done = 1, .total = std::nullopt, .rows = 2}, words, 80) == words);
}

}  // namespace chirp::cli
