// Bare SQLite with the same rows: a reference that `chirp bench` prints next to its figures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace chirp::sqlite {

// Puts `users` users into an empty file in `folder`: row, indexes and name search, one statement
// per row, `at_once` per transaction. Returns seconds.
double bare_add_users(const std::filesystem::path& folder, std::uint32_t users,
                      std::size_t at_once);

}  // namespace chirp::sqlite
