#include "server/live/open_streams.h"

#include <exception>
#include <utility>

namespace chirp::live {

bool is_allowed(const std::function<bool()>& still_allowed) {
  try {
    return still_allowed();
  } catch (const std::exception&) {
    return false;
  }
}

std::shared_ptr<void> OpenStreams::add(UserNumber viewer, Line line) {
  const std::lock_guard lock(mutex_);
  const auto at = lines_.emplace(viewer, std::move(line));
  return {nullptr, [self = shared_from_this(), at](void*) {
            const std::lock_guard erasing(self->mutex_);
            self->lines_.erase(at);
          }};
}

void OpenStreams::recheck(UserNumber viewer) const {
  for (const Line& line : lines_of(viewer)) {
    if (is_allowed(line.still_allowed)) continue;
    const auto outlet = line.outlet.lock();
    if (!outlet) continue;
    *line.was_cut = true;
    outlet->cut();
  }
}

std::vector<OpenStreams::Line> OpenStreams::lines_of(UserNumber viewer) const {
  const std::lock_guard lock(mutex_);
  std::vector<Line> lines;
  const auto [begin, end] = lines_.equal_range(viewer);
  for (auto at = begin; at != end; ++at) lines.push_back(at->second);
  return lines;
}

}  // namespace chirp::live
