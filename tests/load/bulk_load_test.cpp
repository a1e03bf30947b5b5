// Goal: a load of a graph is done in bulk or not as asked, and stores the same edges. Method: a
// store that records bulk loads, over the one in memory.
#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include "core/load/graph_loader.h"
#include "core/ports/forwarding_storage.h"
#include "core/rules/writing.h"
#include "tests/support/load_world.h"

namespace chirp::test::bulk_load_test {
namespace {

using load::Bulk;
using load::GraphLoader;
using load::GraphOptions;

// Stores the edges of a bulk load by transactions, once all are there.
class Bulky final : public ForwardingStorage {
 public:
  explicit Bulky(Storage& inner) : ForwardingStorage(inner) {}

  [[nodiscard]] std::unique_ptr<BulkEdges> bulk_edges(const BulkOptions& options) override {
    ++begun;
    return std::make_unique<Edges>(inner_, options.since.value());
  }
  [[nodiscard]] bool bulk_pays(std::span<const LoadedEdge> some, std::uint64_t all) const override {
    CHECK(some.size() <= all);
    return all >= pays_from;
  }

  int begun = 0;
  std::uint64_t pays_from = 0;

 private:
  class Edges final : public BulkEdges {
   public:
    Edges(Storage& storage, Time since) : storage_(storage), since_(since) {}
    void add(std::span<const std::uint64_t> keys) override {
      for (const std::uint64_t key : keys) {
        edges_.push_back({UserNumber{static_cast<std::uint32_t>(key >> 32)},
                          UserNumber{static_cast<std::uint32_t>(key)}});
      }
    }
    void add(std::span<const TimedEdge> /*edges*/) override { FAIL("edges have one time"); }
    void put_aside(std::span<const std::uint64_t> run) override {
      aside_.emplace_back(run.begin(), run.end());
    }
    void take_aside(const TakeRun& take) override {
      for (const auto& run : aside_) take(run);
      aside_.clear();
    }
    LoadCounts finish(Time /*now*/, const Turn& turn) override {
      LoadCounts counts;
      turn([&] { counts = rules::load_edges(storage_, edges_, since_).counts; });
      return counts;
    }
    [[nodiscard]] BulkProgress reach() const override { return {}; }

   private:
    Storage& storage_;
    Time since_;
    std::vector<LoadedEdge> edges_;
    std::vector<std::vector<std::uint64_t>> aside_;
  };
};

struct Told {
  int begun = 0;
  load::Counts counts;
  std::uint64_t follows = 0;
};

// Three windows of edges, some of them twice.
Told load_some(Bulk bulk, std::uint64_t pays_from, std::size_t ids = 1'000) {
  LoadWorld world;
  Bulky storage(world.storage);
  storage.pays_from = pays_from;
  GraphOptions options{.run = 100, .window_bytes = 300};
  options.bulk = bulk;
  options.people.ids = ids;
  GraphLoader loader(storage, world.directory, world.clock, world.pause(), options);
  std::vector<load::SourceEdge> edges;
  for (std::uint64_t i = 0; i < 500; ++i) {
    edges.push_back({SourceId{1 + i * 7 % 40}, SourceId{50 + i * 11 % 30}});
  }
  loader.add(edges);
  loader.finish();
  CHECK_FALSE(loader.bulk_reach());
  return {storage.begun, loader.counts(), world.storage.snapshot()->table_rows().at("follows")};
}

}  // namespace

TEST_CASE("bulk load: a load follows `--bulk`, and stores the same either way") {
  const Told plain = load_some(Bulk::kNever, 0);
  CHECK(plain.begun == 0);
  CHECK(plain.follows > 100);
  const Told always = load_some(Bulk::kAlways, ~std::uint64_t{0});
  const Told never_pays = load_some(Bulk::kAuto, ~std::uint64_t{0});
  const Told pays = load_some(Bulk::kAuto, 1);
  CHECK(always.begun == 1);
  CHECK(never_pays.begun == 0);
  CHECK(pays.begun == 1);
  const Told in_parts = load_some(Bulk::kAlways, 0, 11);
  CHECK(in_parts.begun == 1);
  for (const Told& told : {always, never_pays, pays, in_parts}) {
    CHECK(told.follows == plain.follows);
    CHECK(told.counts.stored == plain.counts.stored);
    CHECK(told.counts.duplicates == plain.counts.duplicates);
  }
}

}  // namespace chirp::test::bulk_load_test
