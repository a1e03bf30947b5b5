// One server of PostgreSQL for all tests of a run of ctest: starting one takes longer than most
// tests. ctest starts it before the first test with the label `database` and ends it after the last
// (shares.cmake.in). A process of its own keeps it, and ends it too when ctest is gone. It is found
// by the number of the process of ctest, so runs beside each other have servers of their own. A
// test that is run by hand starts its own server.
#pragma once

#include <filesystem>
#include <optional>

namespace chirp::test {

// The folder of the socket of this server; none outside such a run.
[[nodiscard]] std::optional<std::filesystem::path> postgres_of_run();

// Throws where ctest runs this test without the label `database`: no server might be there, or the
// test would silently start its own.
void need_database_label();

}  // namespace chirp::test
