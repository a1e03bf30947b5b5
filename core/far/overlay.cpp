#include "core/far/overlay.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <limits>
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
  const Cards::Key key{user};
  const AnyRow row = row_at(table_type<Cards>(), &key);
  const auto* const card = row_of<Cards>(row);
  return card != nullptr ? std::optional(card->presence) : std::nullopt;
}

void Overlay::expect_chain(const Comment& comment) const {
  if (comment.parent == kNoComment || known_.chains.contains(comment.parent)) return;
  lacked_.chains.insert(comment.parent);
}

// ---------------------------------------------------------------- rows

AnyRow Overlay::row_at(const TableType& type, const void* key) const {
  std::string bytes = type.bytes(key);
  if (const auto found = written_.rows.find(bytes); found != written_.rows.end()) {
    return found->second;
  }
  if (const AnyRow* const found = known_.rows.find(bytes)) return *found;
  lacked_.keys.try_emplace(std::move(bytes), type.keep(key, nullptr));
  return {};
}

void Overlay::find_rows(const TableType& type, std::span<const void* const> keys,
                        std::span<void* const> found) const {
  for (std::size_t i = 0; i < keys.size(); ++i) type.assign(found[i], row_at(type, keys[i]).row);
}

void Overlay::put_row(const TableType& type, const void* key, const void* row) {
  written_.rows.insert_or_assign(type.bytes(key), type.keep(key, row));
}

bool Overlay::erase_row(const TableType& type, const void* key) {
  const bool there = row_at(type, key).row != nullptr;
  if (there) discard_row(type, key);
  return there;
}

void Overlay::discard_row(const TableType& type, const void* key) { put_row(type, key, nullptr); }

namespace {

// A range of a map, consumed from one end.
class Ends {
 public:
  Ends(const AnyRows& rows, const std::string& first, const std::string& last, Direction direction)
      : begin_(rows.lower_bound(first)),
        end_(rows.upper_bound(last)),
        is_up_(direction == Direction::kUp) {}
  [[nodiscard]] bool empty() const { return begin_ == end_; }
  [[nodiscard]] const AnyRows::value_type& next() const {
    return is_up_ ? *begin_ : *std::prev(end_);
  }
  void pass() {
    if (is_up_) {
      ++begin_;
    } else {
      --end_;
    }
  }

 private:
  AnyRows::const_iterator begin_;
  AnyRows::const_iterator end_;
  bool is_up_;
};

// Merges both ranges in order, at most `limit` rows. For equal keys, `over` wins.
std::vector<AnyRow> merged(Ends under, Ends over, Direction direction, std::uint32_t limit) {
  const bool up = direction == Direction::kUp;
  std::vector<AnyRow> found;
  while (found.size() < limit && (!under.empty() || !over.empty())) {
    bool from_under = !under.empty();
    bool from_over = !over.empty();
    if (from_under && from_over) {
      const std::string& a = under.next().first;
      const std::string& b = over.next().first;
      from_under = a == b || (a < b) == up;
      from_over = a == b || !from_under;
    }
    const AnyRow& row = (from_over ? over : under).next().second;
    if (row.row != nullptr) found.push_back(row);
    if (from_under) under.pass();
    if (from_over) over.pass();
  }
  return found;
}

}  // namespace

std::vector<AnyRow> Overlay::range_rows(const TableType& type, const AnyEnds& ends,
                                        Direction direction, std::uint32_t limit) const {
  const Stretch range{type.bytes(ends.first), type.bytes(ends.last), direction};
  std::vector<AnyRow> found;
  if (limit == 0 || range.last < range.first) return found;
  const bool up = direction == Direction::kUp;
  if (const auto reach = known_.rows.reach(range)) {
    const std::string& low = up ? range.first : *reach;
    const std::string& high = up ? *reach : range.last;
    found = merged(Ends(known_.rows.rows(), low, high, direction),
                   Ends(written_.rows, low, high, direction), direction, limit);
    if (found.size() == limit || *reach == (up ? range.last : range.first)) return found;
  }
  // Asks for as many more rows as are erased here, because those may be among the result.
  std::uint32_t wanted = limit;
  const auto end = written_.rows.upper_bound(range.last);
  for (auto at = written_.rows.lower_bound(range.first); at != end; ++at) {
    const bool is_erased = at->second.row == nullptr;
    if (is_erased && wanted < std::numeric_limits<std::uint32_t>::max()) ++wanted;
  }
  AnyRange& asked = lacked_.ranges[range];
  if (asked.limit == 0) {
    asked.first = type.keep(ends.first, nullptr);
    asked.last = type.keep(ends.last, nullptr);
  }
  asked.limit = std::max(asked.limit, wanted);
  return found;
}

std::size_t Overlay::find_ranges(const TableType& type, std::span<const AnyEnds> wanted,
                                 Direction direction, std::uint32_t limit, std::uint64_t enough,
                                 std::span<void* const> found) const {
  std::uint64_t rows = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    for (const AnyRow& row : range_rows(type, wanted[i], direction, limit)) {
      type.append(found[i], row.key, row.row);
      ++rows;
    }
    if (rows >= enough) return i + 1;
  }
  return wanted.size();
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
  const auto at = static_cast<std::size_t>(side);
  for (const Edge& edge : others) {
    const EdgeEnds ends{user, edge.other};
    const auto known = known_.edges[at].find(ends);
    if (!known) lacked_.edges[at].push_back(ends);
    if (known.value_or(false)) continue;
    written_.edges[at].emplace_back(ends, edge.since);
    fresh_.push_back(edge.other);
  }
  return fresh_;
}

std::size_t Overlay::edges_that_fit(std::span<const LoadedEdge> edges) const {
  edges_taken_ = std::min(edges.size(), edges_at_most_);
  return edges_taken_;
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

// Counts how many more keys can be forgotten, by the store's count, and notes the new total.
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

// ---------------------------------------------------------------- runs

bool MissingRows::empty() const {
  return keys.empty() && edges[0].empty() && edges[1].empty() && ranges.empty() && chains.empty() &&
         timelines.empty() && requests.empty() && stale_requests.empty();
}

bool MissingRows::operator==(const MissingRows& other) const {
  const auto same_key = [](const auto& a, const auto& b) { return a.first == b.first; };
  const auto same_range = [](const auto& a, const auto& b) {
    return a.first == b.first && a.second.limit == b.second.limit;
  };
  return std::ranges::equal(keys, other.keys, same_key) && edges == other.edges &&
         std::ranges::equal(ranges, other.ranges, same_range) && chains == other.chains &&
         timelines == other.timelines && requests == other.requests &&
         stale_requests == other.stale_requests;
}

bool settle(Overlay& overlay, const Decision& decision, const Fetch& fetch) {
  for (MissingRows before;;) {
    overlay.begin_run();
    bool changed = false;
    std::exception_ptr thrown;
    try {
      changed = decision(overlay);
    } catch (...) {
      thrown = std::current_exception();
    }
    MissingRows lacked = overlay.take_lacked();
    if (lacked.empty()) {
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
