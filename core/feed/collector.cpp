#include "core/feed/collector.h"

#include <algorithm>
#include <utility>

namespace chirp::feed {
namespace {

constexpr std::uint32_t kFetchMin = 8;
constexpr std::uint32_t kFetchMax = 1024;

}  // namespace

void Collector::run() {
  std::vector<Shown> batch;
  std::uint32_t fetch = std::min(folding_.missing() + 1, kFetchMax);
  for (;;) {
    if (!shown_.next(fetch, batch)) return folding_.end(shown_.sources());
    const std::uint32_t before = folding_.missing();
    for (Shown& shown : batch) {
      if (folding_.add(std::move(shown)) == nullptr) return;
    }
    // Folding makes fewer items than entries. So the next batch is half as large again as the
    // number of missing items, and doubles while no item is added. Entries of an author who is left
    // out from now on say nothing about the next entries.
    const std::uint32_t missing = folding_.missing() + 1;
    if (shown_.left_out()) {
      fetch = missing;
    } else {
      fetch = missing == before + 1 ? fetch * 2 : std::max(missing + missing / 2, kFetchMin);
    }
    fetch = std::min(fetch, kFetchMax);
  }
}

}  // namespace chirp::feed
