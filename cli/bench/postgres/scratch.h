// Scratch databases for a benchmark, on a server that is in use.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace chirp::cli::bench {

// Makes `count` new databases on the server of `url`, calls `use` with their addresses, and drops
// them. Another process drops them if `use` throws, or if this process is interrupted or killed.
// The database of `url` is not read or changed. Call it before this process opens a connection.
// Throws Error{kForbidden} for a role that may not create databases, connection errors, and what
// `use` throws.
void with_scratch_databases(const std::string& url, std::size_t count,
                            const std::function<void(std::span<const std::string> urls)>& use);

// Returns the address with one more libpq option, which overrides an earlier one. `value` is
// URL-encoded (%20 for a blank).
[[nodiscard]] std::string with_option(std::string url, std::string_view option,
                                      std::string_view value);

// The address of a session whose commits don't wait for the disk, for preparing data.
[[nodiscard]] std::string unsynced(std::string url);

}  // namespace chirp::cli::bench
