// How much has been written, by the system's counters.
//
// `write_bytes` of /proc/self/io is not usable: it grows when a page of the system's cache becomes
// dirty, and if files are cached in large pages, each small change counts as a whole large page. So
// there are two counts: bytes passed to calls that write, and bytes that the disk has written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace chirp::cli::bench {

// The number after the word `name` in a text of names and numbers, such as /proc/self/io.
[[nodiscard]] std::optional<std::uint64_t> number_after(const std::string& text,
                                                        const std::string& name);
// The bytes written by a block device, from its line of counters (`stat` in /sys).
[[nodiscard]] std::optional<std::uint64_t> bytes_written_of(const std::string& device_counts);

// The contents of a small system file; empty if it can't be read.
[[nodiscard]] std::string system_text(const std::filesystem::path& file);

// Bytes that this process has passed to calls that write, since its start, including child
// processes that it has waited for. Counts everything, also terminals and pipes, but not changes of
// mapped memory. 0 if the system does not count.
[[nodiscard]] std::uint64_t bytes_handed_to_writes();
// Bytes written by the disk or partition of `place` since the system's start, by all processes and
// including the file system's journal. Empty if `place` is not on a block device: in memory, in an
// overlay, on a network.
[[nodiscard]] std::optional<std::uint64_t> bytes_written_by_disk(
    const std::filesystem::path& place);

}  // namespace chirp::cli::bench
