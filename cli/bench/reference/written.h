// How much has been written, by the system's own counts.
//
// `write_bytes` of /proc/self/io is of no use for it: the system adds to it when a page of its
// cache becomes dirty, and where files lie in large pages of that cache, each small change counts
// as the whole large page. So the bytes are told twice: as they were handed to calls that write,
// and as the disk has taken them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace chirp::cli::bench {

// The number behind the word `name` in a text of names and numbers, such as /proc/self/io.
[[nodiscard]] std::optional<std::uint64_t> number_after(const std::string& text,
                                                        const std::string& name);
// The bytes written of a block device, of its line of counts (`stat` in /sys).
[[nodiscard]] std::optional<std::uint64_t> bytes_written_of(const std::string& device_counts);

// The whole text of a small file of the system; empty if it can't be read.
[[nodiscard]] std::string system_text(const std::filesystem::path& file);

// Bytes that this process has handed to calls that write, since it began, with those of processes
// that it has waited for. Everything counts, also what goes to a terminal or a pipe; what is
// changed in mapped memory does not. 0 where the system does not count.
[[nodiscard]] std::uint64_t bytes_handed_to_writes();
// Bytes that the disk or partition of `place` has written since the system began, whoever wrote
// them, the file system's journal among them. Empty where `place` is on no block device: in memory,
// in an overlay, across a network.
[[nodiscard]] std::optional<std::uint64_t> bytes_written_by_disk(
    const std::filesystem::path& place);

}  // namespace chirp::cli::bench
