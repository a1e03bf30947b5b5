// Another writer beside a long work: how long a post and a sign-up take while it runs, and alone.
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

// Runs `work`, which writes to the directory at `data`, in a process of its own, and writes to it
// from this one until that is done; prints a figure for posts and one for users, `<kind> amid
// <what>`, of no operations where the work was over first. Nothing of a store may be open.
void time_other_writer(Context& context, const std::string& what, const std::filesystem::path& data,
                       const std::function<void()>& work);

// The same of upkeep, which is given whom to tell of its turns: prints also how long those were
// held, a figure a purpose, `turn: <purpose>`.
void time_upkeep(Context& context, const std::string& what, const std::filesystem::path& data,
                 const std::function<void(const rules::TimedStorage::Told&)>& work);

// How long each write took, in nanoseconds.
struct Waits {
  std::vector<std::uint32_t> posts;
  std::vector<std::uint32_t> users;
};

// Runs `work` in a process of its own, and calls `receive` here with each line that it sends. Until
// the first of them this process writes to the directory at `data`: one thread posts every 20 ms,
// and another one signs a user up every 20 ms. Nothing of a store may be open.
[[nodiscard]] Waits waits_beside(const std::filesystem::path& data, const Clock& clock,
                                 const std::function<void(const Send&)>& work,
                                 const std::function<void(const std::string&)>& receive);

}  // namespace chirp::cli::bench
