#include "server/web/assets.h"

#include <algorithm>

namespace chirp::web {

const Asset* find(std::string_view path) {
  const std::span<const Asset> all = assets();
  const auto found = std::lower_bound(
      all.begin(), all.end(), path,
      [](const Asset& asset, std::string_view sought) { return asset.path < sought; });
  return found != all.end() && found->path == path ? &*found : nullptr;
}

}  // namespace chirp::web
