#include "core/far/overlay.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "core/error.h"

namespace chirp::far {

using namespace tables;

Overlay::Overlay(const StoreState& state, const Turn& turn, std::size_t edges_at_most)
    : turn_(turn), edges_at_most_(edges_at_most), before_(state) {
  begin_run();
}

Overlay::~Overlay() = default;

void Overlay::begin_run() {
  written_ = {};
  written_.state = before_;
  lacked_ = {};
}

std::optional<Presence> Overlay::presence(UserNumber user) const {
  const auto card = find_row<Cards>({user});
  return card ? std::optional(card->presence) : std::nullopt;
}

void Overlay::expect_chain(const Comment& comment) const {
  if (comment.parent == kNoComment || known_.chains.contains(comment.parent)) return;
  lacked_.chains.insert(comment.parent);
}

// ---------------------------------------------------------------- timelines

std::optional<TimelineHead> Overlay::timeline(UserNumber viewer) const {
  const auto written = written_.timelines.find(viewer);
  const WrittenTimeline* over = written == written_.timelines.end() ? nullptr : &written->second;
  if (over != nullptr && over->put) {
    return TimelineHead{over->put->complete_from, over->put->generation, over->put->last_read};
  }
  if (over != nullptr && over->gone) return std::nullopt;
  const auto found = known_.timelines.find(viewer);
  if (found == known_.timelines.end()) {
    lacked_.timelines.insert(viewer);
    return std::nullopt;
  }
  auto head = found->second;
  if (head && over != nullptr && over->read) head->last_read = *over->read;
  return head;
}

void Overlay::put_timeline(UserNumber viewer, const Timeline& timeline) {
  WrittenTimeline& written = written_.timelines[viewer];
  written = {.gone = true, .put = timeline, .delivered = {}, .read = {}};
  written.put->last_read = start_of_day(timeline.last_read);
}

bool Overlay::deliver(UserNumber viewer, std::span<const Entry> entries) {
  WrittenTimeline& written = written_.timelines[viewer];
  const std::uint64_t generation = state().generation;
  if (written.put) {
    Timeline& timeline = *written.put;
    const auto in = [&](const Entry& entry) { return entry.id >= timeline.complete_from; };
    if (timeline.generation != generation) return false;
    if (std::ranges::any_of(entries, in)) {
      merge_entries(timeline, entries, state().settings.cap);
    }
    return true;
  }
  if (written.gone) return false;
  std::vector<Entry> merged;
  std::ranges::set_union(written.delivered, entries, std::back_inserter(merged), newer);
  written.delivered = std::move(merged);
  written.generation = generation;
  return true;
}

void Overlay::note_read(UserNumber viewer, Time day) {
  WrittenTimeline& written = written_.timelines[viewer];
  (written.put ? written.put->last_read : written.read.emplace()) = day;
}

bool Overlay::erase_timeline(UserNumber viewer) {
  const bool there = timeline(viewer).has_value();
  written_.timelines[viewer] = {.gone = true, .put = {}, .delivered = {}, .read = {}};
  return there;
}

// ---------------------------------------------------------------- edges in bulk

std::span<const UserNumber> Overlay::add_edges(EdgeSide side, UserNumber user,
                                               std::span<const Edge> others) {
  fresh_.clear();
  const auto add = [&]<class T>(const typename T::Key& key, const Edge& edge) {
    if (find_row<T>(key)) return;
    put_row<T>(key, edge.since);
    fresh_.push_back(edge.other);
  };
  for (const Edge& edge : others) {
    if (side == EdgeSide::kFollowing) {
      add.operator()<Following>({user, edge.other}, edge);
    } else {
      add.operator()<Followers>({user, edge.other}, edge);
    }
  }
  return fresh_;
}

std::size_t Overlay::edges_that_fit(std::span<const LoadedEdge> edges) const {
  return std::min(edges.size(), edges_at_most_);
}

// ---------------------------------------------------------------- idempotency keys

std::optional<EarlierRequest> Overlay::earlier(const KeyedRequest& request) const {
  const RequestKey key{request.user, std::string(request.key), request.canonical};
  if (const auto kept = written_.requests.find({key.user, key.key});
      kept != written_.requests.end()) {
    return EarlierRequest{turn_.now, kept->second.post, kept->second.canonical == key.canonical};
  }
  const auto found = known_.requests.find(key);
  if (found != known_.requests.end()) return found->second;
  lacked_.requests.insert(key);
  return std::nullopt;
}

void Overlay::remember(const KeyedRequest& request, PostId post) {
  const std::pair key(request.user, std::string(request.key));
  written_.requests.insert_or_assign(key, KeptRequest{request.canonical, post});
}

// How many more are forgotten of those that a store has counted; notes how many that makes.
std::uint32_t Overlay::forget_requests(const StaleRequests& which, std::uint32_t limit) {
  check(written_.requests.empty(), "keys are forgotten in transactions of their own");
  if (limit == 0) return 0;
  std::uint32_t& before = written_.forgotten[which];
  const std::uint32_t wanted = before + limit;
  const auto found = known_.stale_requests.find(which);
  const bool is_known = found != known_.stale_requests.end();
  const bool enough =
      is_known && (found->second.limit >= wanted || found->second.count < found->second.limit);
  if (!enough) {
    std::uint32_t& lacked = lacked_.stale_requests[which];
    lacked = std::max(lacked, wanted);
  }
  const std::uint32_t there = is_known ? found->second.count : 0;
  const std::uint32_t now = std::min(limit, there - std::min(there, before));
  before += now;
  return now;
}

// ---------------------------------------------------------------- running

bool settle(Overlay& overlay, const Decision& decision, const Fetch& fetch) {
  for (Lacked before;;) {
    overlay.begin_run();
    bool changed = false;
    std::exception_ptr thrown;
    try {
      changed = decision(overlay);
    } catch (...) {
      thrown = std::current_exception();
    }
    Lacked lacked = overlay.take_lacked();
    if (lacked == Lacked{}) {
      if (thrown) std::rethrow_exception(thrown);
      return changed;
    }
    if (lacked == before) {
      throw Error(ErrorCode::kCorrupt, "The store has not answered what it was asked.");
    }
    before = std::move(lacked);
    fetch(before, overlay.known());
  }
}

}  // namespace chirp::far
