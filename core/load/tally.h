// What a load has done so far. The loading threads add, anybody may look.
#pragma once

#include <atomic>
#include <cstdint>

namespace chirp::load {

struct Counts {
  std::uint64_t stored = 0;      // edges or posts
  std::uint64_t duplicates = 0;  // edges or posts that were there, or came twice
  std::uint64_t self_loops = 0;  // edges from a user to themselves, a line each
  std::uint64_t users_added = 0;
  std::uint64_t users_renamed = 0;       // a made-up name gave way to a real one
  std::uint64_t names_changed = 0;       // cut or numbered, since somebody else has the name
  std::uint64_t control_characters = 0;  // taken out of texts

  bool operator==(const Counts&) const = default;
};

class Tally {
 public:
  std::atomic<std::uint64_t> stored{0};
  std::atomic<std::uint64_t> duplicates{0};
  std::atomic<std::uint64_t> self_loops{0};
  std::atomic<std::uint64_t> users_added{0};
  std::atomic<std::uint64_t> users_renamed{0};
  std::atomic<std::uint64_t> names_changed{0};
  std::atomic<std::uint64_t> control_characters{0};

  [[nodiscard]] Counts counts() const {
    return {.stored = stored.load(),
            .duplicates = duplicates.load(),
            .self_loops = self_loops.load(),
            .users_added = users_added.load(),
            .users_renamed = users_renamed.load(),
            .names_changed = names_changed.load(),
            .control_characters = control_characters.load()};
  }
};

}  // namespace chirp::load
