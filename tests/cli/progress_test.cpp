// Goal: what a long command shows of how far it is counts what is done, and fits the terminal.
// Method: loads at points of their way; lines of every width.
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

TEST_CASE("progress: what is read and not stored is not done") {
  const Reach all_read = reach_of(1000, 1000, 400, 100);
  CHECK(all_read.done == 250);
  CHECK(all_read.rows == 100);
  CHECK(progress_words(all_read, "edges", 10) == " 25 %  100 edges, 10/s  30 s left");
  CHECK(reach_of(1000, 1000, 400, 400).done == 1000);
  CHECK(reach_of(1000, 1000, 400, 500).rows == 400);  // what came from inside is more than read
  CHECK(reach_of(600, 1000, 0, 0).done == 600);
  // Users come before the rows that name them, and take a while.
  CHECK(progress_words({.done = 0, .total = 1000, .rows = 0, .users = 12'345}, "edges", 2) ==
        "12,345 new users");
  CHECK(progress_words({.done = 0, .total = 1000, .rows = 20, .users = 30'000}, "edges", 2) ==
        "30,000 new users");
  CHECK(progress_words({.done = 0, .total = 1000, .rows = 0, .users = 0}, "edges", 2) ==
        "0 edges, 0/s");
  CHECK(progress_words({.done = 500, .total = 1000, .rows = 20, .users = 1}, "edges", 2) ==
        " 50 %  20 edges, 10/s, 1 new user  2 s left");
  CHECK(progress_words({.done = 1, .total = 4, .rows = 1}, "runs", 1) ==
        " 25 %  1 run, 1/s  3 s left");
  // The first rows say nothing of the rest.
  CHECK(progress_words({.done = 1, .total = 1000, .rows = 3}, "edges", 1) == "  0 %  3 edges, 3/s");
}

}  // namespace chirp::cli
