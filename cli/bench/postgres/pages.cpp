// Pages of home feeds from a database, compared with one lateral join over rows.
#include <algorithm>
#include <deque>
#include <utility>

#include <fmt/format.h>

#include "cli/bench/postgres/plain.h"
#include "cli/bench/postgres/scene.h"
#include "core/error.h"
#include "core/feed/home_feed.h"
#include "core/limits.h"

namespace chirp::cli::bench {
namespace {

constexpr std::size_t kCompared = 200;
constexpr const char* kReference = "one lateral join over rows";

class Pages {
 public:
  explicit Pages(PostgresScene& scene) : scene_(scene) {
    for (std::uint64_t thread = 0; thread < scene.request().threads; ++thread) {
      plain_.emplace_back(scene.url());
    }
  }

  // Throws Error{kInternal} if the two results differ.
  void compare() {
    const auto readers = scene_.readers();
    for (std::size_t i = 0; i < std::min(kCompared, readers.size()); ++i) {
      const UserNumber reader = readers[i * 7919 % readers.size()];
      if (plain_.front().page(reader, limits::kPostPageDefault) == shown_to(reader)) continue;
      throw Error(
          ErrorCode::kInternal,
          fmt::format(
              "Plain SQL and chirp show user number {} different pages, so they are not compared.",
              reader.value));
    }
  }

  void run() {
    const auto plain = [&] {
      return measured("plain", [&](std::uint64_t thread, UserNumber reader) {
        (void)plain_[thread].ask_page(reader, limits::kPostPageDefault);
      });
    };
    Figure cold = best_of(
        [&] {
          return measured("page, cold", [&](std::uint64_t /*thread*/, UserNumber reader) {
            feed::PageRequest request;
            request.viewer = reader;
            (void)feed::hydrated_page(*scene_.storage().snapshot(), request, scene_.clock());
          });
        },
        plain);
    cold.floor = scene_.is_spread() ? 0.8 : 1.5;
    tell(std::move(cold));
    Figure step = best_of(
        [&] {
          return measured("viewer's step", [&](std::uint64_t /*thread*/, UserNumber reader) {
            const auto snapshot = scene_.storage().snapshot();
            (void)snapshot->feed_sources(reader);
            (void)snapshot->timeline_entries(reader, {}, Direction::kDown,
                                             limits::kPostPageDefault);
          });
        },
        plain);
    if (!scene_.is_spread()) step.floor = 10;
    tell(std::move(step));
  }

 private:
  std::vector<PlainItem> shown_to(UserNumber reader) {
    feed::PageRequest request;
    request.viewer = reader;
    std::vector<PlainItem> items;
    for (const feed::FeedItem& item :
         feed::hydrated_page(*scene_.storage().snapshot(), request, scene_.clock()).items) {
      const ContentCounters& counts = item.stats.counters;
      items.push_back({item.entry, item.author->number, item.post->text, item.author->username,
                       item.author->display_name, counts.reactions_in_all(), counts.comments,
                       counts.reposts, item.stats.reaction});
    }
    return items;
  }

  template <class Use>
  Figure measured(std::string name, const Use& use) {
    const auto readers = scene_.readers();
    Figure figure{.name = std::move(name), .policy = "", .threads = scene_.request().threads};
    measure(figure, scene_.request().seconds / kRounds, [&](std::uint64_t thread, std::uint64_t n) {
      use(thread, readers[(n * 7919 + thread * 1013) % readers.size()]);
    });
    return figure;
  }

  void tell(Figure figure) {
    figure.reference = kReference;
    print(scene_.context().out(), figure);
  }

  PostgresScene& scene_;
  std::deque<PlainTables> plain_;  // one for each thread
};

}  // namespace

void run_postgres_pages(PostgresScene& scene) {
  Pages pages(scene);
  pages.compare();
  pages.run();
}

}  // namespace chirp::cli::bench
