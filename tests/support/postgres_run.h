// One PostgreSQL server for all tests of a ctest run, because starting one takes longer than most
// tests. ctest starts it before the first test with the label `database` and ends it after the last
// (shares.cmake.in). A separate process owns it, and ends it also when ctest has gone. It is found
// by the process id of ctest, so concurrent runs have their own servers. A test run by hand starts
// its own.
#pragma once

#include <filesystem>
#include <optional>

namespace chirp::test {

// The folder of the server's socket; empty outside such a run.
[[nodiscard]] std::optional<std::filesystem::path> postgres_of_run();

// Throws if ctest runs this test without the label `database`: the server might be missing, or the
// test would silently start its own.
void need_database_label();

}  // namespace chirp::test
