// A world for any store, and the figures that compare two stores on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cli/bench/figure.h"
#include "cli/bench/page_readers.h"
#include "cli/bench/runs.h"
#include "cli/context.h"
#include "core/model/ids.h"
#include "core/ports/storage.h"

namespace chirp::cli::bench {

// Users with equal numbers of follows, random posts and reactions, and `stars`. Each reader has a
// timeline and follows one star, so that a post by every star is one delivery for each reader.
struct Scene {
  std::uint32_t users = 0;          // without the stars; numbered from 1
  std::vector<UserNumber> readers;  // ascending
  std::vector<UserNumber> stars;

  // One of the users that are not stars.
  [[nodiscard]] UserNumber user(std::uint64_t n) const;
};

// Fills an empty store, and runs the consumers.
[[nodiscard]] Scene fill_scene(Storage& storage, const BenchRequest& request, const Clock& clock);

// Measures two stores with the same scene in turn, and prints the figures of the first one. All
// arguments must outlive it.
class SceneBench {
 public:
  // `reference_name` says in a figure what the second store is.
  SceneBench(Context& context, const BenchRequest& request, const Scene& scene, Storage& measured,
             Storage& reference, std::string reference_name);

  // Pages without a hot set, and their step that reads the viewer.
  void pages();
  // The steps of fan-out that give each reader so many posts. Returns by how much `log_bytes()` has
  // grown for each delivery to the measured store, in the round in which it grew least.
  double deliveries(const std::string& name, std::uint64_t posts_a_star,
                    const std::function<double()>& log_bytes);
  // Posts and reactions in batches, and posts one a commit.
  void changes();
  // Batches of posts by all these stores at once, compared with those of the first one. Each is the
  // measured store, opened again.
  void posts_at_once(std::span<Storage* const> stores);
  // A load of random follows.
  void load_of_follows();

 private:
  void compare(const std::function<Figure(Storage&)>& measured);
  [[nodiscard]] Figure pages(std::string name,
                             const std::function<void(const feed::PageRequest&)>& read) const;
  [[nodiscard]] Figure posts(std::string name, std::span<Storage* const> stores,
                             std::size_t at_once) const;
  [[nodiscard]] Figure reactions(Storage& storage) const;

  Context& context_;
  const BenchRequest& request_;
  const Scene& scene_;
  Storage& measured_;
  Storage& reference_;
  std::string reference_name_;
  PageReaders readers_;
};

}  // namespace chirp::cli::bench
