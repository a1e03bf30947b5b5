// What bare SQLite does with the same rows: a reference that `chirp bench` prints beside its
// figures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace chirp::sqlite {

// Puts so many users into an empty file in `folder`, the row, its indexes and the search of names,
// a statement a row, `at_once` a transaction. Seconds.
double bare_add_users(const std::filesystem::path& folder, std::uint32_t users,
                      std::size_t at_once);

}  // namespace chirp::sqlite
