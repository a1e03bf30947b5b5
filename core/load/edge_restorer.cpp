#include "core/load/edge_restorer.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/load/edge_window.h"
#include "core/radix_sort.h"
#include "core/rules/writing.h"

namespace chirp::load {
namespace {

constexpr std::size_t kEdgesAtOnce = 5'000;  // per transaction

}  // namespace

EdgeRestorer::EdgeRestorer(Storage& storage, const Clock& clock, Turns& turns, Bulk bulk,
                           BulkOptions options)
    : storage_(storage), clock_(clock), turns_(turns), kind_(bulk), options_(std::move(options)) {
  if (kind_ == Bulk::kAlways) begin_bulk();
}

std::optional<std::size_t> EdgeRestorer::add(std::span<const RestoredEdge> edges) {
  if (!bulk_ && kind_ == Bulk::kAuto && edges.size() >= kBulkFrom) begin_bulk();
  return bulk_ ? gather(edges) : store(edges);
}

// A store may have no bulk loads.
void EdgeRestorer::begin_bulk() {
  options_.since.reset();
  auto bulk = storage_.bulk_edges(options_);
  const std::lock_guard lock(bulk_mutex_);
  bulk_ = std::move(bulk);
}

// If a batch is refused, its edges are tried one by one to find the faulty one.
std::optional<std::size_t> EdgeRestorer::store(std::span<const RestoredEdge> edges) {
  const auto is_stored = [&](std::span<const RestoredEdge> some) {
    try {
      turns_.take([&] {
        rules::restore_edges(storage_, some, clock_.now());
        return true;
      });
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kAlreadyExists) throw;
      return false;
    }
    return true;
  };
  for (std::size_t done = 0; done < edges.size();) {
    const auto some = edges.subspan(done, std::min(kEdgesAtOnce, edges.size() - done));
    if (!is_stored(some)) {
      for (std::size_t i = 0; i < some.size(); ++i) {
        if (!is_stored(some.subspan(i, 1))) return done + i;
      }
    }
    done += some.size();
  }
  return std::nullopt;
}

// An export lists follows in the order of its users' numbers here.
std::optional<std::size_t> EdgeRestorer::gather(std::span<const RestoredEdge> edges) {
  run_.clear();
  off_.clear();
  for (const RestoredEdge& edge : edges) {
    const std::uint64_t key = edge_key(edge.follower, edge.followee);
    run_.push_back({key, edge.since});
    if (edge.reposts == Reposts::kOff) off_.push_back(key);
  }
  if (!std::ranges::is_sorted(run_, {}, &TimedEdge::key)) {
    radix_sort(run_, scratch_, [](const TimedEdge& edge) { return edge.key; });
    std::ranges::sort(off_);
  }
  const auto twice = std::ranges::adjacent_find(run_, {}, &TimedEdge::key);
  if (twice != run_.end()) {
    bool is_again = false;
    const auto second = std::ranges::find_if(edges, [&](const RestoredEdge& edge) {
      return edge_key(edge.follower, edge.followee) == twice->key && std::exchange(is_again, true);
    });
    return static_cast<std::size_t>(second - edges.begin());
  }
  bulk_->add(run_);
  if (!off_.empty()) bulk_->put_aside(off_);
  return std::nullopt;
}

LoadCounts EdgeRestorer::finish() {
  if (!bulk_) return {};
  LoadCounts counts;
  try {
    counts = finish_bulk(*bulk_, clock_.now(), turns_);
    bulk_->take_aside([this](std::span<const std::uint64_t> run) { switch_reposts_off(run); });
  } catch (...) {
    end_bulk();
    throw;
  }
  end_bulk();
  give_tiers(storage_, clock_, turns_);
  return counts;
}

void EdgeRestorer::end_bulk() {
  const std::lock_guard lock(bulk_mutex_);
  bulk_.reset();
}

void EdgeRestorer::switch_reposts_off(std::span<const std::uint64_t> run) {
  std::vector<LoadedEdge> edges;
  while (!run.empty()) {
    const auto some = run.first(std::min(kEdgesAtOnce, run.size()));
    run = run.subspan(some.size());
    edges.clear();
    for (const std::uint64_t key : some) {
      edges.push_back({UserNumber{static_cast<std::uint32_t>(key >> 32)},
                       UserNumber{static_cast<std::uint32_t>(key)}});
    }
    turns_.take([&] {
      rules::restore_reposts_off(storage_, edges, clock_.now());
      return true;
    });
  }
}

std::optional<BulkProgress> EdgeRestorer::reach() const {
  const std::lock_guard lock(bulk_mutex_);
  return bulk_ ? std::optional(bulk_->reach()) : std::nullopt;
}

}  // namespace chirp::load
