// Databases for a benchmark alone, on a server that others use.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace chirp::cli::bench {

// Makes so many databases of its own on the server of `url`, calls `use` with their addresses, and
// drops them: also where `use` throws, and where this process is interrupted or killed, since
// another process waits for its end. Nothing that is in the database of `url` is read or changed.
// Call it before anything of PostgreSQL is opened here. Throws Error{kForbidden} for a role that
// may not make databases, what connecting throws, and what `use` throws.
void with_scratch_databases(const std::string& url, std::size_t count,
                            const std::function<void(std::span<const std::string> urls)>& use);

// The address with one more of libpq's options, which is the one that holds. `value` is written as
// an address has it (%20 for a blank).
[[nodiscard]] std::string with_option(std::string url, std::string_view option,
                                      std::string_view value);

// The address of a session whose commits don't wait for the disk: to make what is measured on.
[[nodiscard]] std::string unsynced(std::string url);

}  // namespace chirp::cli::bench
