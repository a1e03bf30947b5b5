#include "cli/bench/scene.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "cli/bench/world.h"
#include "core/events/consumers.h"
#include "core/feed/home_feed.h"
#include "core/limits.h"
#include "core/load/edge_window.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"

namespace chirp::cli::bench {
namespace {

constexpr std::size_t kSceneReadersMax = 4'000;
constexpr std::uint32_t kStars = 20;
constexpr std::uint64_t kPostsAReaction = 4;
constexpr std::size_t kTimelinesAtOnce = 200;
constexpr std::size_t kBatchOfChanges = 1'024;
constexpr std::size_t kBatchesReactedTo = 8;
constexpr std::uint64_t kFollowsAUser = 10;
constexpr double kSeveralFloor = 0.8;

WorldSize scene_size(const BenchRequest& request) {
  WorldSize size{request.users.value_or(20'000), request.follows.value_or(1'000'000),
                 request.posts.value_or(400'000)};
  size.follows_of_reader = std::max<std::uint64_t>(size.follows / size.users, 1);
  return size;
}

void add_stars(Storage& storage, Scene& scene, const Clock& clock) {
  load_users(storage, clock, scene.users + 1, scene.users + kStars);
  for (std::uint32_t i = 1; i <= kStars; ++i) scene.stars.push_back(UserNumber{scene.users + i});
  std::vector<LoadedEdge> edges;
  for (std::size_t i = 0; i < scene.readers.size(); ++i) {
    edges.push_back({scene.readers[i], scene.stars[i % kStars]});
  }
  load_follows(storage, edges, clock.now());
}

void add_reactions(Storage& storage, const Scene& scene, const Clock& clock) {
  const std::vector<PostId> posts = post_ids(*storage.snapshot());
  Random random(4);
  in_batches<LoadedReaction>(
      posts.size() / kPostsAReaction, kBatchOfChanges,
      [&](auto& reactions, std::uint64_t n) {
        reactions.push_back({scene.user(random.next()), posts[n * kPostsAReaction]});
      },
      [&](const auto& reactions) { rules::load_reactions(storage, reactions, clock.now()); });
}

// Publishes posts of all stars without delivering them.
void publish_as_stars(Storage& storage, const Scene& scene, std::uint64_t posts_a_star, Time now) {
  std::vector<Change> changes;
  for (std::uint64_t i = 0; i < posts_a_star; ++i) {
    for (const UserNumber star : scene.stars) changes.emplace_back(Publish{star, post_text(i)});
  }
  storage.write(changes, now);
}

std::vector<Change> batch_of_posts(const Scene& scene, std::uint64_t n, std::size_t count) {
  std::vector<Change> changes;
  for (std::uint64_t i = 0; i < count; ++i) {
    changes.emplace_back(Publish{scene.user(n * 7919 + i * 104'729), post_text(i)});
  }
  return changes;
}

// Random follows among all users. Some of them exist already.
load::EdgeWindow some_follows(const Scene& scene) {
  Random random(6);
  std::vector<std::uint64_t> keys;
  for (std::uint64_t n = 0; n < kFollowsAUser * scene.users; ++n) {
    const UserNumber follower = scene.user(n);
    const UserNumber followee = scene.user(random.next());
    if (follower != followee) keys.push_back(load::edge_key(follower, followee));
  }
  std::vector<std::uint64_t> scratch;
  load::sort_edges(keys, scratch);
  load::EdgeWindow window;
  window.add_run(keys);
  return window;
}

}  // namespace

UserNumber Scene::user(std::uint64_t n) const {
  return UserNumber{static_cast<std::uint32_t>(1 + n % users)};
}

Scene fill_scene(Storage& storage, const BenchRequest& request, const Clock& clock) {
  const WorldSize size = scene_size(request);
  Scene scene{size.users, fill_world(storage, size, clock), {}};
  scene.readers.resize(std::min(scene.readers.size(), kSceneReadersMax));
  add_stars(storage, scene, clock);
  add_reactions(storage, scene, clock);
  events::drain(storage, clock);
  feed::Feeds feeds(storage, clock);
  for (std::span<const UserNumber> rest(scene.readers); !rest.empty();) {
    const auto some = rest.first(std::min(rest.size(), kTimelinesAtOnce));
    rest = rest.subspan(some.size());
    (void)feeds.rebuild(some);
  }
  return scene;
}

SceneBench::SceneBench(Context& context, const BenchRequest& request, const Scene& scene,
                       Storage& measured, Storage& reference, std::string reference_name)
    : context_(context),
      request_(request),
      scene_(scene),
      measured_(measured),
      reference_(reference),
      reference_name_(std::move(reference_name)),
      readers_(scene.readers) {}

void SceneBench::compare(const std::function<Figure(Storage&)>& measured) {
  Figure figure = best_of(
      kRounds, [&] { return measured(measured_); }, [&] { return measured(reference_); });
  figure.reference = reference_name_;
  print(context_.out(), figure);
}

Figure SceneBench::pages(std::string name,
                         const std::function<void(const feed::PageRequest&)>& read) const {
  Figure figure{.name = std::move(name), .policy = "", .threads = request_.threads};
  readers_.measure(figure, request_.seconds / kRounds, read);
  return figure;
}

void SceneBench::pages() {
  compare([&](Storage& storage) {
    return pages("page, cold", [&](const feed::PageRequest& page) {
      (void)feed::hydrated_page(*storage.snapshot(), page, context_.clock());
    });
  });
  compare([&](Storage& storage) {
    return pages("viewer's step", [&](const feed::PageRequest& page) {
      const auto snapshot = storage.snapshot();
      (void)snapshot->feed_sources(page.viewer);
      (void)snapshot->timeline_entries(page.viewer, {}, Direction::kDown, limits::kPostPageDefault);
    });
  });
}

double SceneBench::deliveries(const std::string& name, std::uint64_t posts_a_star,
                              const std::function<double()>& log_bytes) {
  double least = std::numeric_limits<double>::max();
  compare([&](Storage& storage) {
    publish_as_stars(storage, scene_, posts_a_star, context_.now());
    Figure figure{.name = name, .policy = ""};
    const double before = log_bytes();
    measure_deliveries(figure, storage, context_.clock());
    // Without those to the stars themselves, which have no timelines.
    figure.operations = scene_.readers.size() * posts_a_star;
    if (&storage == &measured_) {
      least = std::min(least, (log_bytes() - before) / static_cast<double>(figure.operations));
    }
    return figure;
  });
  return least;
}

Figure SceneBench::posts(std::string name, std::span<Storage* const> stores,
                         std::size_t at_once) const {
  Figure figure{.name = std::move(name), .policy = "", .threads = stores.size()};
  measure(figure, request_.seconds / kRounds, [&](std::uint64_t thread, std::uint64_t n) {
    stores[thread]->write(batch_of_posts(scene_, n, at_once), context_.now());
  });
  figure.operations *= at_once;
  return figure;
}

// Each batch reacts to the posts after those of the last batch, by other users every time.
Figure SceneBench::reactions(Storage& storage) const {
  std::vector<Outcome> posts;
  for (std::size_t i = 0; i < kBatchesReactedTo; ++i) {
    const auto some = storage.write(batch_of_posts(scene_, i, kBatchOfChanges), context_.now());
    posts.insert(posts.end(), some.begin(), some.end());
  }
  Figure figure{.name = "reactions, 1024", .policy = ""};
  measure(figure, request_.seconds / kRounds, [&](std::uint64_t, std::uint64_t n) {
    std::vector<Change> changes;
    for (std::uint64_t i = n * kBatchOfChanges; i < (n + 1) * kBatchOfChanges; ++i) {
      changes.emplace_back(React{scene_.user(i + i / posts.size()), posts[i % posts.size()].post});
    }
    storage.write(changes, context_.now());
  });
  figure.operations *= kBatchOfChanges;
  return figure;
}

void SceneBench::changes() {
  compare([&](Storage& storage) {
    return posts("posts, 1024 a batch", std::array{&storage}, kBatchOfChanges);
  });
  compare([&](Storage& storage) { return reactions(storage); });
  compare([&](Storage& storage) { return posts("lone posts", std::array{&storage}, 1); });
}

void SceneBench::posts_at_once(std::span<Storage* const> stores) {
  // Connects, and prepares statements.
  for (Storage* const store : stores) store->write(batch_of_posts(scene_, 0, 1), context_.now());
  const auto measured = [&](std::span<Storage* const> some) {
    return posts("posts, four servers at once", some, kBatchOfChanges);
  };
  Figure figure = best_of(
      kRounds, [&] { return measured(stores); }, [&] { return measured(stores.first(1)); });
  figure.reference = "one server alone";
  figure.floor = kSeveralFloor;
  print(context_.out(), figure);
}

void SceneBench::load_of_follows() {
  const load::EdgeWindow window = some_follows(scene_);
  const auto measured = [&](Storage& storage) {
    Figure figure{.name = "follows, a load", .policy = "", .operations = window.edges()};
    const auto start = BenchClock::now();
    window.each_slice(
        [&](std::span<const LoadedEdge> edges) { load_follows(storage, edges, context_.now()); });
    figure.seconds = seconds_since(start);
    return figure;
  };
  // Once, because the follows exist afterwards.
  Figure figure = best_of(
      1, [&] { return measured(measured_); }, [&] { return measured(reference_); });
  figure.reference = reference_name_;
  print(context_.out(), figure);
}

}  // namespace chirp::cli::bench
