// Posts of a load that the same load says their authors deleted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "cli/input/json_objects.h"
#include "core/engine.h"
#include "core/load/source.h"
#include "core/load/words.h"

namespace chirp::cli {

// A deletion may come before its post or after it. Only the author of a post can delete it.
class Deletions {
 public:
  void add(const input::Deletion& deletion);
  // Whether the author has deleted the post before it came.
  [[nodiscard]] bool covers(const input::Deletion& post);
  // Remembers a post that is loaded.
  void see(const input::Deletion& post);
  // Returns the posts that were loaded before their deletion came. Call it once, at the end.
  [[nodiscard]] std::vector<input::Deletion> late();
  // Returns how many deletions may be of posts that were not remembered, because there were too
  // many. Call it after late().
  [[nodiscard]] std::uint64_t not_applied() const;

 private:
  // Limit on the remembered posts.
  static constexpr std::size_t kPostsMax = std::size_t{1} << 22;

  static std::uint64_t key_of(const input::Deletion& post);

  struct Deleted {
    input::Deletion post;
    bool applied = false;
  };
  std::unordered_map<std::uint64_t, Deleted> deleted_;  // by key
  std::vector<std::uint64_t> seen_;                     // keys
  bool full_ = false;
};

// Counts of what was removed: the post, comment or repost, and the comments and reposts below it.
struct Removed {
  std::uint64_t itself = 0;
  std::uint64_t below = 0;
};
// Removes the post if its author loaded it. `as` is the author of all posts of the load, if set.
Removed remove_loaded(Engine& engine, const load::Words& words, const input::Deletion& post,
                      std::optional<UserNumber> as);

}  // namespace chirp::cli
