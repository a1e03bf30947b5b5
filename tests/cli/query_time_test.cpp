// Goal: a query ends when its time is up, even where SQLite does not look at the clock, and what it
// has found by then is printed.
// Method: the program, with a search that takes hours inside of one operation.
#include <string>

#include <doctest/doctest.h>

#include "tests/support/child.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

// Each place of a long text is compared with millions of characters.
constexpr const char* kHours =
    "SELECT CASE value WHEN 1 THEN 'found' ELSE "
    "instr(hex(zeroblob(7000000 + value)), hex(zeroblob(3500000)) || '1') END AS place "
    "FROM json_each('[1,2]')";

}  // namespace

TEST_CASE("query: an operation without an end is ended, and the rows before it are printed") {
  const TempFolder folder;
  const std::string data = (folder.path() / "world").string();
  REQUIRE(run(chirp_command(data, {"init"})).ok());
  const Ended tabs = run(chirp_command(data, {"query", kHours, "--seconds", "1"}));
  CHECK_MESSAGE(tabs.status == 1, to_string(tabs));
  CHECK(tabs.out == "found\n");
  CHECK_MESSAGE(tabs.err.starts_with("chirp: The query was ended after 1 s"), tabs.err);
  const Ended csv = run(chirp_command(data, {"query", kHours, "--seconds", "1", "--csv"}));
  CHECK_MESSAGE(csv.status == 1, to_string(csv));
  CHECK(csv.out == "place\r\nfound\r\n");
  // The directory is as it was, and whatever comes next finds it so.
  CHECK(run(chirp_command(data, {"query", "SELECT count(*) FROM users"})).out == "0\n");
  CHECK(run(chirp_command(data, {"doctor"})).ok());
}

}  // namespace chirp::test
