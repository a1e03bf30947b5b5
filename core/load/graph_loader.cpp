#include "core/load/graph_loader.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/rules/writing.h"

namespace chirp::load {
namespace {

// How many edges ahead the table of ids is prefetched, which hides most of the wait for memory.
constexpr std::size_t kAhead = 16;

// At most so many users with a name may wait to be made. It is less than People keeps.
constexpr std::size_t kDescribed = 8'192;

constexpr std::uint64_t packed(Slot follower, Slot followee) {
  return (std::uint64_t{follower} << 32) | followee;
}

}  // namespace

GraphLoader::GraphLoader(Storage& storage, UserDirectory& directory, const Clock& clock,
                         Pause pause, GraphOptions options)
    : storage_(storage),
      clock_(clock),
      options_(std::move(options)),
      since_(options_.since.value_or(clock.now())),
      turns_(clock, std::move(pause)),
      people_(storage, directory, clock, turns_, tally_, options_.people),
      storing_([this](const EdgeWindow& window) { store(window); }) {
  check(options_.run >= 2 && options_.people.ids >= 2, "a run holds an edge both ways");
  if (options_.bulk == Bulk::kAlways) begin_bulk();
}

void GraphLoader::add(std::span<const SourceEdge> edges, Ways ways) {
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (i + kAhead < edges.size()) {
      people_.prefetch(edges[i + kAhead].follower);
      people_.prefetch(edges[i + kAhead].followee);
    }
    gather(edges[i], ways);
  }
}

void GraphLoader::meet(SourceId id) {
  if (!people_.has_room(2)) make_room();
  (void)people_.slot_of(id);
}

void GraphLoader::meet(const SourceUser& user) {
  meet(user.id);
  if (user.display_name.empty()) return;
  people_.say(user);
  // Each gets its name when the users are made, so no name has to be remembered for later.
  if (++described_ < kDescribed) return;
  close_run();
  resolve_runs();
}

// A name belongs to an existing user, or has to be remembered.
void GraphLoader::say(const SourceUser& user) {
  if (has_runs_) resolve_runs();
  people_.say(user);
}

void GraphLoader::gather(const SourceEdge& edge, Ways ways) {
  if (edge.follower == edge.followee) {
    ++tally_.self_loops;
    return;
  }
  if (gathered_.size() + 2 > options_.run) close_run();
  if (!people_.has_room(2)) make_room();
  const Slot follower = people_.slot_of(edge.follower);
  const Slot followee = people_.slot_of(edge.followee);
  gathered_.push_back(packed(follower, followee));
  if (ways == Ways::kBoth) gathered_.push_back(packed(followee, follower));
}

void GraphLoader::close_run() {
  whole_ = people_.slots();
  if (gathered_.empty()) return;
  const std::size_t before = gathered_.size();
  sort_edges(gathered_, scratch_);
  tally_.duplicates += before - gathered_.size();
  has_runs_ = true;
  if (bulk_) {
    bulk_->put_aside(gathered_);
  } else {
    unresolved_.add_run(gathered_);
  }
  gathered_.clear();
  if (unresolved_.bytes() >= options_.window_bytes) resolve_runs();
}

void GraphLoader::resolve_runs() {
  described_ = 0;
  people_.resolve(whole_);
  const auto take = [this](std::span<const std::uint64_t> run) { take_run(run); };
  if (bulk_) bulk_->take_aside(take);
  std::exchange(unresolved_, EdgeWindow()).each_run(take);
  has_runs_ = false;
}

void GraphLoader::take_run(std::span<const std::uint64_t> slots) {
  numbered_.clear();
  for (const std::uint64_t edge : slots) {
    numbered_.push_back(edge_key(people_.number(static_cast<Slot>(edge >> 32)),
                                 people_.number(static_cast<Slot>(edge))));
  }
  sort_edges(numbered_, scratch_);
  tally_.duplicates += slots.size() - numbered_.size();
  if (bulk_) return bulk_->add(numbered_);
  window_.add_run(numbered_);
  if (window_.bytes() >= options_.window_bytes) close_window();
}

void GraphLoader::make_room() {
  close_run();
  resolve_runs();
  people_.forget();
  whole_ = 0;
}

void GraphLoader::close_window() {
  if (window_.edges() == 0) return;
  if (bulk_pays()) begin_bulk();
  if (bulk_) {
    window_.each_run([this](std::span<const std::uint64_t> run) { bulk_->add(run); });
    window_ = EdgeWindow();
    return;
  }
  storing_.drain();  // so that no window waits between the stored one and the gathered one
  storing_.push(std::exchange(window_, EdgeWindow()));
}

void GraphLoader::finish() {
  make_room();
  close_window();
  storing_.drain();
  store_bulk();
}

void GraphLoader::abandon() {
  gathered_.clear();
  if (has_runs_) resolve_runs();
  close_window();
  storing_.drain();
  store_bulk();
}

bool GraphLoader::bulk_pays() const {
  if (bulk_ || options_.bulk != Bulk::kAuto) return false;
  bool pays = false;
  window_.first_slice([&](std::span<const LoadedEdge> slice) {
    pays = storage_.bulk_pays(slice, window_.edges());
  });
  return pays;
}

void GraphLoader::begin_bulk() {
  BulkOptions options = options_.bulk_options;
  options.since = since_;
  auto bulk = storage_.bulk_edges(options);
  const std::lock_guard lock(bulk_mutex_);
  bulk_ = std::move(bulk);
}

std::optional<BulkProgress> GraphLoader::bulk_reach() const {
  const std::lock_guard lock(bulk_mutex_);
  return bulk_ ? std::optional(bulk_->reach()) : std::nullopt;
}

void GraphLoader::store_bulk() {
  if (!bulk_) return;
  const auto end = [this] {
    const std::lock_guard lock(bulk_mutex_);
    bulk_.reset();
  };
  LoadCounts counts;
  try {
    counts = finish_bulk(*bulk_, since_, turns_);
  } catch (...) {
    end();
    throw;
  }
  end();
  tally_.add(counts);
  give_tiers(storage_, clock_, turns_);
}

void GraphLoader::store(const EdgeWindow& window) {
  tally_.duplicates +=
      window.each_slice([this](std::span<const LoadedEdge> slice) { store_slice(slice); });
}

void GraphLoader::store_slice(std::span<const LoadedEdge> edges) {
  while (!edges.empty()) {
    const auto result = turns_.take([&] { return rules::load_edges(storage_, edges, since_); });
    check(result.taken > 0 && result.taken <= edges.size(), "a load takes from the front");
    tally_.add(result.counts);
    edges = edges.subspan(result.taken);
  }
}

}  // namespace chirp::load
