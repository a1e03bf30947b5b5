// Readers whose home-feed pages are read in turn, by several threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>

#include "cli/bench/figure.h"
#include "core/feed/home_feed.h"
#include "core/model/ids.h"

namespace chirp::cli::bench {

class PageReaders {
 public:
  // As many of them as have data that exceed the processor's caches, or all. `readers` must outlive
  // this.
  explicit PageReaders(std::span<const UserNumber> readers)
      : all_(readers.first(std::min(readers.size(), kReadersMax))) {}

  [[nodiscard]] std::span<const UserNumber> all() const { return all_; }
  // The index of the reader of a thread's n-th page. Each thread starts at another reader.
  [[nodiscard]] std::size_t index(std::uint64_t thread, std::uint64_t n) const {
    return static_cast<std::size_t>((n * 7919 + thread * 1013) % all_.size());
  }
  [[nodiscard]] feed::PageRequest page_of(std::size_t index) const {
    feed::PageRequest page;
    page.viewer = all_[index];
    return page;
  }

  // Gives each reader a timeline.
  void build_timelines(feed::Feeds feeds) const {
    for (const UserNumber reader : all_) feeds.rebuild(reader);
  }
  // Reads the page of each reader once, to fill a cache.
  void read_once(const std::function<void(const feed::PageRequest&)>& read) const {
    for (std::size_t i = 0; i < all_.size(); ++i) read(page_of(i));
  }
  // Calls `read` on the figure's threads, as the other measure() does.
  void measure(Figure& figure, double seconds,
               const std::function<void(const feed::PageRequest&)>& read) const {
    bench::measure(figure, seconds,
                   [&](std::uint64_t thread, std::uint64_t n) { read(page_of(index(thread, n))); });
  }

 private:
  static constexpr std::size_t kReadersMax = 4'000;

  std::span<const UserNumber> all_;
};

}  // namespace chirp::cli::bench
