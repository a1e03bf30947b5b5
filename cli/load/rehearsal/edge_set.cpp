#include "cli/load/rehearsal/edge_set.h"

#include <algorithm>
#include <iterator>

namespace chirp::cli::rehearsal {
namespace {

constexpr std::size_t kBlockEdges = 4096;
// Overhead of a block in bytes.
constexpr std::size_t kBlockBytes = 100;

}  // namespace

std::size_t EdgeSet::share(Blocks::const_iterator block,
                           std::span<const std::uint64_t> keys) const {
  const auto next = std::next(block);
  const auto end = next == blocks_.end() ? keys.end() : std::ranges::lower_bound(keys, next->first);
  return static_cast<std::size_t>(end - keys.begin());
}

std::vector<std::uint64_t> EdgeSet::among(std::span<const std::uint64_t> keys) const {
  std::vector<std::uint64_t> there;
  while (!blocks_.empty() && !keys.empty()) {
    const auto block = std::prev(blocks_.upper_bound(keys.front()));
    const auto some = keys.first(share(block, keys));
    auto wanted = some.begin();
    for (load::PackedEdges::Cursor at(block->second); !at.done() && wanted != some.end();
         at.next()) {
      while (wanted != some.end() && *wanted < at.key()) ++wanted;
      if (wanted != some.end() && *wanted == at.key()) there.push_back(at.key());
    }
    keys = keys.subspan(some.size());
  }
  return there;
}

void EdgeSet::add(std::span<const std::uint64_t> keys) {
  if (blocks_.empty()) blocks_.emplace(0, std::span<const std::uint64_t>());
  std::vector<std::uint64_t> merged;
  while (!keys.empty()) {
    const auto block = std::prev(blocks_.upper_bound(keys.front()));
    const auto some = keys.first(share(block, keys));
    merged.clear();
    auto added = some.begin();
    for (load::PackedEdges::Cursor at(block->second); !at.done(); at.next()) {
      while (added != some.end() && *added < at.key()) merged.push_back(*added++);
      merged.push_back(at.key());
    }
    merged.insert(merged.end(), added, some.end());
    bytes_ -= block->second.bytes();
    const std::uint64_t first = block->first;
    for (std::span<const std::uint64_t> rest(merged); !rest.empty();) {
      // Halves a block that is too large: others will be inserted between them.
      const std::size_t count =
          rest.size() <= kBlockEdges ? rest.size() : std::min(rest.size() / 2, kBlockEdges);
      load::PackedEdges packed(rest.first(count));
      bytes_ += packed.bytes();
      const bool is_first = rest.data() == merged.data();
      const auto [place, fresh] =
          blocks_.insert_or_assign(is_first ? first : rest.front(), std::move(packed));
      if (fresh) bytes_ += kBlockBytes;
      rest = rest.subspan(count);
    }
    keys = keys.subspan(some.size());
  }
}

}  // namespace chirp::cli::rehearsal
