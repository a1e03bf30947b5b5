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
    // Entries that fold make fewer items than entries: then as many are fetched again as items are
    // missing, and more each time while none is shown. Entries of an author who is left out from
    // then on say nothing of the next ones.
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
