// The cost of a page in a growing world: the same number of readers with the same number of
// follows, among more and more users and posts.
#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/bench/figure.h"
#include "cli/bench/page_readers.h"
#include "cli/bench/runs.h"
#include "core/feed/home_feed.h"
#include "core/hot/hot_set.h"

namespace chirp::cli::bench {
namespace growth_bench {
namespace {

constexpr std::uint32_t kUsers = 1'000'000;
constexpr std::uint32_t kUsersAtFirst = 10'000;
constexpr std::uint64_t kFollowsAUser = 10;
constexpr std::uint64_t kPostsAUser = 2;

// Powers of ten times a smallest size, a hundredth of the largest or less.
std::vector<std::uint32_t> sizes_up_to(std::uint32_t users) {
  std::vector<std::uint32_t> sizes;
  const std::uint32_t first = std::max(std::min(kUsersAtFirst, users / 100), std::uint32_t{2});
  for (std::uint64_t size = first; size < users; size *= 10) {
    sizes.push_back(static_cast<std::uint32_t>(size));
  }
  sizes.push_back(users);
  return sizes;
}

WorldSize world_of(const BenchRequest& request, std::uint32_t users, std::uint32_t most) {
  const auto part = [&](std::optional<std::uint64_t> of_all, std::uint64_t a_user) {
    if (!of_all) return a_user * users;
    const double wanted = static_cast<double>(*of_all) * users / most;
    return std::max(static_cast<std::uint64_t>(wanted), std::uint64_t{1});
  };
  return {users, part(request.follows, kFollowsAUser), part(request.posts, kPostsAUser)};
}

// The cost of pages in a world of one size: without a hot set, and with a warm one.
struct PageCosts {
  Figure cold;
  Figure warm;
};

class GrowthBench {
 public:
  GrowthBench(Context& context, const BenchRequest& request)
      : context_(context), request_(request) {}

  void measure_at(std::uint32_t users, std::uint32_t most) {
    World world(world_of(request_, users, most), context_.clock());
    // The same number in each world, so that the same share is cached.
    if (readers_ == 0) readers_ = world.readers().size();
    const PageReaders readers(world.readers().first(std::min(readers_, world.readers().size())));
    readers.build_timelines(feed::Feeds(world.storage(), context_.clock()));
    const Figure cold = pages("cold", users, readers, [&](const feed::PageRequest& page) {
      (void)feed::hydrated_page(*world.storage().snapshot(), page, context_.clock());
    });
    hot::HotSet set(world.storage(), context_.clock(), request_.cache_mb << 20);
    const auto read = [&](const feed::PageRequest& page) { (void)set.page(page); };
    readers.read_once(read);
    const Figure warm = pages("warm", users, readers, read);
    print(users, {cold, warm});
  }

 private:
  [[nodiscard]] Figure pages(const char* how, std::uint32_t users, const PageReaders& readers,
                             const std::function<void(const feed::PageRequest&)>& read) const {
    Figure figure{.name = fmt::format("feed, {}, {} users", how, users),
                  .policy = "hybrid",
                  .threads = request_.threads};
    readers.measure(figure, request_.seconds, read);
    return figure;
  }

  void print(std::uint32_t users, PageCosts costs) {
    const bool first = !first_.has_value();
    if (first) first_ = costs;
    stand_beside(costs.cold, first_->cold);
    stand_beside(costs.warm, first_->warm);
    Output& out = context_.out();
    if (out.json()) {
      bench::print(out, costs.cold);
      bench::print(out, costs.warm);
      return;
    }
    if (first) {
      out.print(fmt::format("{:>10}   {:>35}   {:>35}\n", "users",
                            "us a cold page     p50 of the first",
                            "us a warm page     p50 of the first"));
    }
    out.print(fmt::format("{:>10}   {}   {}\n", users, cell(costs.cold), cell(costs.warm)));
    out.flush();
  }
  static void stand_beside(Figure& figure, const Figure& first) {
    figure.reference = first.name;
    figure.reference_rate = first.rate();
  }
  // Rates are sums over all threads; costs are for one page.
  static std::string cell(const Figure& figure) {
    return fmt::format("{:>14.2f} {:>7.2f} {:>12.2f}",
                       1e6 * static_cast<double>(figure.threads) / figure.rate(), figure.p50_micros,
                       figure.reference_rate / figure.rate());
  }

  Context& context_;
  const BenchRequest& request_;
  std::size_t readers_ = 0;
  std::optional<PageCosts> first_;
};

}  // namespace
}  // namespace growth_bench

void run_growth(Context& context, const BenchRequest& request) {
  using namespace growth_bench;
  if (request.cache_mb == 0) {
    context.out().note("Growth is measured with a hot set: not with --cache-mb 0.");
    return;
  }
  GrowthBench growth(context, request);
  const std::uint32_t most = request.users.value_or(kUsers);
  for (const std::uint32_t users : sizes_up_to(most)) growth.measure_at(users, most);
}

}  // namespace chirp::cli::bench
