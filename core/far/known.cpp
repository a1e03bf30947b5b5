#include "core/far/known.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace chirp::far {

const AnyRow* KnownRows::find(const std::string& bytes) const {
  static const AnyRow kNone;
  const auto found = rows_.find(bytes);
  if (found != rows_.end()) return &found->second;
  return covering(bytes) == covered_.end() ? nullptr : &kNone;
}

std::optional<std::string> KnownRows::reach(const Stretch& range) const {
  const bool up = range.direction == Direction::kUp;
  const auto at = covering(up ? range.first : range.last);
  if (at == covered_.end()) return std::nullopt;
  return up ? std::min(at->second, range.last) : std::max(at->first, range.first);
}

void KnownRows::learn(AnyRow row) {
  std::string bytes = row.type->bytes(row.key);
  rows_.insert_or_assign(std::move(bytes), std::move(row));
}

void KnownRows::learn(const Stretch& range, std::uint32_t limit, std::span<const AnyRow> rows) {
  if (limit == 0 || range.last < range.first) return;
  for (const AnyRow& row : rows) learn(row);
  const bool all = rows.size() < limit;
  const bool up = range.direction == Direction::kUp;
  const auto end = [&] { return rows.back().type->bytes(rows.back().key); };
  cover(up || all ? range.first : end(), !up || all ? range.last : end());
}

KnownRows::Covered::const_iterator KnownRows::covering(const std::string& bytes) const {
  const auto after = covered_.upper_bound(bytes);
  if (after == covered_.begin()) return covered_.end();
  const auto at = std::prev(after);
  return bytes <= at->second ? at : covered_.end();
}

void KnownRows::cover(std::string first, std::string last) {
  auto at = covered_.upper_bound(first);
  if (at != covered_.begin() && first <= std::prev(at)->second) --at;
  while (at != covered_.end() && at->first <= last) {
    first = std::min(first, at->first);
    last = std::max(last, at->second);
    at = covered_.erase(at);
  }
  covered_.emplace(std::move(first), std::move(last));
}

std::optional<bool> KnownEdges::find(const EdgeEnds& edge) const {
  const auto found = std::ranges::lower_bound(edges_, edge, {}, &std::pair<EdgeEnds, bool>::first);
  if (found == edges_.end() || found->first != edge) return std::nullopt;
  return found->second;
}

void KnownEdges::learn(std::span<const EdgeEnds> edges, const std::vector<bool>& there) {
  const auto before = static_cast<std::ptrdiff_t>(edges_.size());
  for (std::size_t i = 0; i < edges.size(); ++i) edges_.emplace_back(edges[i], there[i]);
  std::ranges::inplace_merge(edges_, edges_.begin() + before);
}

}  // namespace chirp::far
