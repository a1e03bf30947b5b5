// Another writer beside long work: how long posts and sign-ups take during it, and alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cli/context.h"
#include "cli/isolated.h"
#include "core/rules/timed_storage.h"

namespace chirp::cli::bench {

// Runs `work`, which writes to the directory at `data`, in a process of its own, and writes to the
// directory from this process until the work is done. Prints a figure for posts and one for users,
// `<kind> amid <what>`, without operations if the work ended first. `work` gets a receiver for
// turns of the store; how long they were held is printed as a figure for each purpose, `turn:
// <purpose>`. No store may be open.
void time_other_writer(Context& context, const std::string& what, const std::filesystem::path& data,
                       const std::function<void(const rules::TimedStorage::Told&)>& work);

// The durations of writes, in nanoseconds.
struct Waits {
  std::vector<std::uint32_t> posts;
  std::vector<std::uint32_t> users;
};

// Runs `work` in a process of its own, and calls `receive` here with each line it sends. Until the
// first line, this process writes to the directory at `data`: one thread posts every 20 ms, and
// another one signs a user up every 20 ms. No store may be open.
[[nodiscard]] Waits waits_beside(const std::filesystem::path& data, const Clock& clock,
                                 const std::function<void(const Send&)>& work,
                                 const std::function<void(const std::string&)>& receive);

}  // namespace chirp::cli::bench
