// Reads LMDB's two meta pages from the file, without LMDB: before LMDB opens it, and for processes
// that may not lock it.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>

namespace chirp::lmdb {

inline constexpr std::size_t kPage = 4096;

struct Meta {
  std::uint64_t transaction = 0;  // the transaction that wrote the page
  std::uint64_t last_page = 0;
  std::uint64_t free_root = 0;  // page number of the free list's root; ~0 if the list is empty
};

struct Metas {
  std::array<char, 2 * kPage> bytes{};
  std::array<Meta, 2> of_page{};

  [[nodiscard]] const Meta& newest() const {
    return of_page[of_page[0].transaction < of_page[1].transaction ? 1 : 0];
  }
};

// Throws Error{kCorrupt} with `file` unless both are LMDB's and in this machine's format, {kIo}.
[[nodiscard]] Metas read_metas(int fd, const std::filesystem::path& file);

// Whether the free list with the root page `root` has all pages from `first` to `last`. False if
// the list can't be read.
[[nodiscard]] bool are_free(int fd, std::uint64_t root, std::uint64_t first, std::uint64_t last);

[[noreturn]] void throw_damaged(const std::filesystem::path& file, std::string_view what);

}  // namespace chirp::lmdb
