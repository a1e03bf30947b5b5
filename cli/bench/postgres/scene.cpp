#include "cli/bench/postgres/scene.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "cli/bench/postgres/plain.h"
#include "cli/bench/postgres/scratch.h"
#include "cli/bench/world.h"
#include "core/error.h"
#include "core/events/consumers.h"
#include "core/feed/home_feed.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "store/data_directory.h"
#include "store/postgres/cluster/places.h"

namespace chirp::cli::bench {
namespace {

constexpr std::size_t kSceneReadersMax = 4'000;
constexpr std::uint32_t kStars = 20;
constexpr std::uint32_t kPostsAtOnce = 5'000;
constexpr std::size_t kTimelinesAtOnce = 200;
constexpr std::uint64_t kPostsAReaction = 4;
// For a temporary store.
constexpr std::string_view kUuid = "00000000-0000-4000-8000-000000000001";
constexpr std::uint32_t kMachine = 1;

WorldSize size_of(const BenchRequest& request) {
  WorldSize size{request.users.value_or(20'000), request.follows.value_or(1'000'000),
                 request.posts.value_or(400'000)};
  size.follows_of_reader = std::max<std::uint64_t>(size.follows / size.users, 1);
  return size;
}

}  // namespace

PostgresScene::PostgresScene(Context& context, const BenchRequest& request,
                             const std::vector<std::string>& urls)
    : context_(context), request_(request), url_(urls.front()), users_(size_of(request).users) {
  for (const std::string& url : urls) {
    connections_.push_back(std::make_unique<postgres::Connection>(postgres::Address{url}));
  }
  make_tables(urls);
  make_world();
  postgres::StorageOptions options;
  options.at_step = [this](postgres::Step step) {
    if (step == postgres::Step::kFetched) ++fetches_;
  };
  storage_ = postgres::open_storage(url_, std::move(options));
  PlainTables::make(unsynced(url_), *storage_->snapshot());
  // Both are run by hand instead of by autovacuum, for both sides. The first one waits until all
  // data are on the disk: before that, vacuum can't mark rows as visible to all.
  for (const auto& connection : connections_) {
    connection->script("analyze");
    connection->script("vacuum");
  }
}

void PostgresScene::make_tables(const std::vector<std::string>& urls) {
  if (!is_spread()) {
    store::make_data_directory(store::DataPlace::named(url_), std::nullopt);
    return;
  }
  const std::vector<std::string> nodes(urls.begin() + 1, urls.end());
  postgres::init_nodes(
      url_, nodes,
      {postgres::kFormatVersion, std::string(kUuid), kMachine, std::string(postgres::kNodes)}, {});
}

// Home opens sessions to the nodes itself, so the nodes' own default for later sessions is changed.
void PostgresScene::let_nodes_wait(bool for_disk) {
  if (!is_spread()) return;
  for (const auto& node : of_rows()) {
    node->script(
        fmt::format("do $$ begin execute format('alter database %I {}',"
                    " current_database()); end $$",
                    for_disk ? "reset synchronous_commit" : "set synchronous_commit = off"));
  }
}

// Loads like an operator, but without waiting for the disk.
void PostgresScene::make_world() {
  let_nodes_wait(false);
  std::chrono::steady_clock::duration later{};
  postgres::StorageOptions options;
  options.now = [&later] { return std::chrono::steady_clock::now() + later; };
  options.edges_at_once = 100'000;  // there are no other writers
  options.database.may_lose = true;
  const auto storage = postgres::open_storage(unsynced(url_), std::move(options));
  readers_ = fill_world(*storage, size_of(request_), clock());
  readers_.resize(std::min(readers_.size(), kSceneReadersMax));
  add_stars(*storage);
  add_reactions(*storage);
  events::drain(*storage, clock());
  build_timelines(*storage);
  // Sweeps replaced versions at once; by itself the store does it two minutes later.
  later = 2 * postgres::kSweepAfter;
  storage->sweep();
  let_nodes_wait(true);
}

void PostgresScene::add_stars(Storage& storage) {
  load_users(storage, clock(), users_ + 1, users_ + kStars);
  for (std::uint32_t i = 1; i <= kStars; ++i) stars_.push_back(UserNumber{users_ + i});
  std::vector<LoadedEdge> edges;
  for (std::size_t i = 0; i < readers_.size(); ++i) edges.push_back({readers_[i], star_of(i)});
  std::span<const LoadedEdge> rest(edges);
  while (!rest.empty()) rest = rest.subspan(rules::load_edges(storage, rest, clock().now()).taken);
}

void PostgresScene::add_reactions(Storage& storage) {
  const auto snapshot = storage.snapshot();
  Random random(4);
  std::uint64_t seen = 0;
  for (PostId after{};;) {
    const auto posts = reads::above<tables::Posts>(*snapshot, {after}, kPostsAtOnce);
    if (posts.empty()) return;
    after = posts.back().first.id;
    std::vector<LoadedReaction> reactions;
    for (const auto& [key, post] : posts) {
      if (++seen % kPostsAReaction == 0) reactions.push_back({user(random.next()), key.id});
    }
    rules::load_reactions(storage, reactions, clock().now());
  }
}

void PostgresScene::build_timelines(Storage& storage) {
  feed::Feeds feeds(storage, clock());
  for (std::span<const UserNumber> rest(readers_); !rest.empty();) {
    const auto some = rest.first(std::min(rest.size(), kTimelinesAtOnce));
    rest = rest.subspan(some.size());
    (void)feeds.rebuild(some);
  }
}

UserNumber PostgresScene::user(std::uint64_t n) const {
  return UserNumber{static_cast<std::uint32_t>(1 + n % users_)};
}

double PostgresScene::count(std::string_view sql, const postgres::Params& params) {
  std::int64_t sum = 0;
  for (const auto& connection : of_rows()) {
    const postgres::Result found = connection->run(sql, params);
    if (!found.is_null(0, 0)) sum += found.number(0, 0);
  }
  return static_cast<double>(sum);
}

double PostgresScene::bytes_of(std::span<const std::string_view> tables) {
  double bytes = 0;
  for (const std::string_view table : tables) {
    bytes +=
        count("select pg_total_relation_size($1::text::regclass)", postgres::Params().text(table));
  }
  return bytes;
}

Figure best_of(const std::function<Figure()>& ours, const std::function<Figure()>& reference) {
  std::optional<Figure> best;
  double best_reference = 0;
  for (int round = 0; round < kRounds; ++round) {
    best_reference = std::max(best_reference, reference().rate());
    Figure figure = ours();
    if (!best || figure.rate() > best->rate()) best = std::move(figure);
  }
  best->reference_rate = best_reference;
  return std::move(*best);
}

}  // namespace chirp::cli::bench
