// Goal: rows of tables give the same cells however they are written, and a damaged row does not
// damage others.
// Method: the same small tables with each separator and line end, with and without quotes, in
// pieces of odd sizes; then with a quote in the wrong place of one row.
#include "cli/input/table_rows.h"

#include <doctest/doctest.h>

#include "cli/input/edges.h"
#include "tests/support/inputs.h"

namespace chirp::cli::input::table_rows_test {
namespace {

using namespace chirp::test;
using Rows = std::vector<std::vector<std::string>>;

struct Table {
  Rows rows;
  std::vector<std::uint64_t> lines;      // their line numbers
  std::vector<std::uint64_t> bad_lines;  // lines of bad rows
};

Table read(const std::string& text, const TableStyle& style = {}, std::size_t step = 1 << 16) {
  OpenText open(text, step);
  TableRows reader(open.buffer(), style);
  Table table;
  while (const auto row = reader.next()) {
    if (!row->problem.empty()) {
      table.bad_lines.push_back(row->line);
      continue;
    }
    table.rows.emplace_back(row->cells.begin(), row->cells.end());
    table.lines.push_back(row->line);
  }
  return table;
}

constexpr TableStyle kWords{.cells = TableStyle::Cells::kWords};

std::vector<std::pair<std::uint64_t, std::uint64_t>> edges(const std::string& text,
                                                           std::size_t step = 1 << 16) {
  OpenText open(text, step);
  Complaints complaints(0);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> all;
  (void)read_edges(open.buffer(), "f", {}, complaints.bad, {.edges = [&](auto run) {
                     for (const load::SourceEdge& edge : run) {
                       all.emplace_back(edge.follower.value, edge.followee.value);
                     }
                   }});
  return all;
}

}  // namespace

TEST_CASE("table rows: every separator and line end") {
  const Rows expected{{"a", "b", "c"}, {"1", "", "3 4"}, {"x", "y", "z"}};
  for (const std::string separator : {",", "\t", ";", "|"}) {
    for (const std::string end : {"\n", "\r\n", "\r"}) {
      std::string text;
      for (const auto& row : expected) {
        text += row[0] + separator + row[1] + separator + row[2] + end;
      }
      CAPTURE(text);
      for (const std::size_t step : {1u, 2u, 7u, 1000u}) {
        const Table table = read(text, {}, step);
        CHECK(table.rows == expected);
        CHECK(table.lines == std::vector<std::uint64_t>{1, 2, 3});
        CHECK(read("\xEF\xBB\xBF" + text, kWords, step).rows == expected);
        text.resize(text.size() - end.size());
        CHECK(read(text, {}, step).rows == expected);
        text += end;
      }
    }
  }
}

TEST_CASE("table rows: a return inside of a table of other line ends is text") {
  CHECK(read("a,b\n1,\"x\ry\"\n").rows == Rows{{"a", "b"}, {"1", "x\ry"}});
  CHECK(read("a,b\r\n1,2\r").rows == Rows{{"a", "b"}, {"1", "2"}});
  CHECK(read("a,b\r").rows == Rows{{"a", "b"}});
}

TEST_CASE("table rows: what parts the cells is the most frequent outside of quotes") {
  CHECK(read("1;2;0,5\n", kWords).rows == Rows{{"1", "2", "0,5"}});
  CHECK(read("1\t2\ta, b\n", kWords).rows == Rows{{"1", "2", "a, b"}});
  CHECK(read("\"a, b, c\";d\n").rows == Rows{{"a, b, c", "d"}});
  CHECK(read("1 2   3\n", kWords).rows == Rows{{"1", "2", "3"}});
  CHECK(read("\"Ann Lee\" \"Bo\" 5\n", kWords).rows == Rows{{"Ann Lee", "Bo", "5"}});
}

TEST_CASE("table rows: quotes keep separators and line ends in their cell, in edges too") {
  const std::string text =
      "\"1\",2,\"a, \"\"b\"\"\nand c\"\n# about\n3,\"4\" , d\n5,6,\"x\"\n7,8\n";
  for (const std::size_t step : {1u, 5u, 1000u}) {
    const Table table = read(text, kWords, step);
    CHECK(table.rows ==
          Rows{{"1", "2", "a, \"b\"\nand c"}, {"3", "4", "d"}, {"5", "6", "x"}, {"7", "8"}});
    CHECK(table.lines == std::vector<std::uint64_t>{1, 4, 5, 6});
    using Pairs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
    CHECK(edges(text, step) == Pairs{{1, 2}, {3, 4}, {5, 6}, {7, 8}});
    CHECK(edges("1,2,x\n3,4,\"p\n5,6,q\"\n7,8,x\n", step) == Pairs{{1, 2}, {3, 4}, {7, 8}});
  }
}

TEST_CASE("table rows: a quote in the wrong place takes no other row with it") {
  // Whatever the second row contains, the others are read.
  for (const char* damaged : {"2,\"b", "2,b\"", "2,\"b\"x", "\"2,b", "2,\"\"\""}) {
    for (const char* behind : {"3,c\n", "3,\"c\"\n", "3,c\n4,\"d\"\n", "3,\"c\"\n4,\"d\"\n"}) {
      const std::string text = "1,a\n" + std::string(damaged) + "\n" + behind;
      CAPTURE(text);
      for (const std::size_t step : {1u, 1000u}) {
        const Table texts = read(text, {}, step);
        const Table words = read(text, kWords, step);
        const std::size_t rows = std::string_view(behind).size() > 8 ? 3 : 2;
        CHECK(texts.rows.size() == rows);
        CHECK(texts.rows.front() == Rows::value_type{"1", "a"});
        CHECK(texts.rows.at(1) == Rows::value_type{"3", "c"});
        CHECK(texts.bad_lines == std::vector<std::uint64_t>{2});
        CHECK(words.rows.size() == rows + 1);
        CHECK(words.rows.at(2) == Rows::value_type{"3", "c"});
      }
    }
  }
  // A cell that never ends is reported by its size, and the next row is read.
  std::string text = "1,a\n2,\"b\n";
  for (int i = 0; i < 300'000; ++i) text += "3,c\n";
  const Table table = read(text);
  CHECK(table.rows.size() == 300'001);
  CHECK(table.bad_lines == std::vector<std::uint64_t>{2});
  CHECK(table.lines.back() == 300'002);
}

}  // namespace chirp::cli::input::table_rows_test
