#include "tests/support/shown.h"

#include <vector>

#include <fmt/format.h>

#include "core/limits.h"
#include "core/ports/reads.h"
#include "tests/support/feed_simulation.h"
#include "tests/support/naive_changes.h"
#include "tests/support/naive_feed.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

std::vector<PostId> listed(const Snapshot& snapshot, UserNumber user) {
  std::vector<PostId> ids;
  for (const Entry& entry :
       snapshot.author_entries({{&user, 1}, kAllLevels, user}, {}, Direction::kUp, kAll)) {
    ids.push_back(entry.id);
  }
  return ids;
}

std::vector<PostId> written(const World& world, UserNumber user) {
  std::vector<PostId> ids;
  for (const auto& [id, post] : world.posts) {
    if (post.author == user) ids.push_back(id);
  }
  return ids;
}

// Throws what compare_page() throws.
void check_feed(const Snapshot& snapshot, const Clock& clock, const World& world, UserNumber user,
                feed::PageMemory* memory) {
  const std::vector<Entry> feed = naive_feed(world, user);
  feed::PageRequest request;
  request.viewer = user;
  request.limit = limits::kPostPageMax;
  compare_page(feed::home_feed(snapshot, request, clock), request, world, feed);
  if (memory != nullptr) compare_page(memory->page(request), request, world, feed);
  for (const auto policy :
       {feed::Policy::kPush, feed::Policy::kPull, feed::Policy::kHybrid, feed::Policy::kCost}) {
    request.as_if = policy;
    compare_page(feed::home_feed(snapshot, request, clock), request, world, feed);
  }
}

}  // namespace

std::string first_wrong_shown(const Storage& storage, const Clock& clock,
                              feed::PageMemory* memory) {
  const auto snapshot = storage.snapshot();
  if (const auto found = breaches(*snapshot); !found.empty()) return found.front();
  const World world = world_of(*snapshot);
  const bool is_removing = !reads::unfinished_removals(*snapshot).empty();
  for (const UserNumber user : world.users) {
    if (!is_removing && listed(*snapshot, user) != written(world, user)) {
      return fmt::format("the posts of {} are not those that are listed", user.value);
    }
    try {
      check_feed(*snapshot, clock, world, user, memory);
    } catch (const Mismatch& mismatch) {
      return mismatch.what();
    }
  }
  return {};
}

}  // namespace chirp::test
