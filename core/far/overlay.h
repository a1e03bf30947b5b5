// The rows of a transaction at a store that is far away: what has been fetched, and over it what
// the rules have put.
//
// A store runs a decision over them, again and again. What a run lacks it is told is not there, so
// that it goes on and says what else it lacks; what comes of such a run, also what it throws, is
// forgotten. When a run has lacked nothing, what it has put is handed out to be kept. How a store
// uses it:
//
//   far::Overlay overlay(state, turn);
//   const bool changed = far::settle(overlay, decision, [&](const far::Lacked& lacked,
//                                                           far::Known& known) {
//     // one exchange with the store, in the state that the transaction has begun with
//   });
//   if (changed) keep(overlay.written());
//
// One thread at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/far/known.h"
#include "core/far/lacked.h"
#include "core/far/written.h"
#include "core/ports/storage.h"

namespace chirp::far {

class Overlay final : public EachTable<Overlay> {
 public:
  // `edges_at_most` is what one transaction takes of a load of edges.
  Overlay(const StoreState& state, const Turn& turn, std::size_t edges_at_most = ~std::size_t{0});
  ~Overlay() override;
  Overlay(const Overlay&) = delete;
  Overlay& operator=(const Overlay&) = delete;

  // Forgets what the run before has put and lacked; what was fetched stays.
  void begin_run();
  // What the run has lacked; nothing is left of it here, since copies of so many tables cost much.
  [[nodiscard]] Lacked take_lacked() { return std::exchange(lacked_, {}); }
  [[nodiscard]] Known& known() { return known_; }
  [[nodiscard]] const Written& written() const { return written_; }

  // ---- Rows
  [[nodiscard]] StoreState& state() override { return written_.state; }
  [[nodiscard]] const StoreState& state() const override { return written_.state; }
  [[nodiscard]] const Turn& turn() const override { return turn_; }
  [[nodiscard]] std::optional<Presence> presence(UserNumber user) const override;
  void expect_chain(const Comment& comment) const override;

  [[nodiscard]] std::optional<TimelineHead> timeline(UserNumber viewer) const override;
  void put_timeline(UserNumber viewer, const Timeline& timeline) override;
  bool deliver(UserNumber viewer, std::span<const Entry> entries) override;
  void note_read(UserNumber viewer, Time day) override;
  bool erase_timeline(UserNumber viewer) override;

  std::span<const UserNumber> add_edges(EdgeSide side, UserNumber user,
                                        std::span<const Edge> others) override;
  [[nodiscard]] std::size_t edges_that_fit(std::span<const LoadedEdge> edges) const override;

  [[nodiscard]] std::optional<EarlierRequest> earlier(const KeyedRequest& request) const override;
  void remember(const KeyedRequest& request, PostId post) override;
  std::uint32_t forget_requests(const StaleRequests& which, std::uint32_t limit) override;

  // ---- for EachTable
  template <class T>
  [[nodiscard]] std::optional<typename T::Row> find_row(const typename T::Key& key) const {
    const auto& written = of<T>(written_).rows;
    if (const auto found = written.find(key); found != written.end()) return found->second;
    if (const auto* found = of<T>(known_).find(key)) return *found;
    of<T>(lacked_).keys.insert(key);
    return std::nullopt;
  }
  template <class T>
  void put_row(const typename T::Key& key, std::optional<typename T::Row> row) {
    of<T>(written_).rows.insert_or_assign(key, std::move(row));
  }
  template <class T>
  bool erase_row(const typename T::Key& key) {
    const bool there = find_row<T>(key).has_value();
    if (there) discard_row<T>(key);
    return there;
  }
  template <class T>
  void discard_row(const typename T::Key& key) {
    put_row<T>(key, std::nullopt);
  }
  template <class T>
  [[nodiscard]] std::vector<std::pair<typename T::Key, typename T::Row>> range_rows(
      const typename T::Key& first, const typename T::Key& last, Direction direction,
      std::uint32_t limit) const;

 private:
  Turn turn_;
  std::size_t edges_at_most_;
  StoreState before_;
  Known known_;
  Written written_;
  mutable Lacked lacked_;  // also by who only asks
  std::vector<UserNumber> fresh_;
};

// Fetches all that a run has lacked.
using Fetch = std::function<void(const Lacked& lacked, Known& known)>;

// Runs the decision until a run has lacked nothing. What that one said, or threw.
bool settle(Overlay& overlay, const Decision& decision, const Fetch& fetch);

// ---------------------------------------------------------------- ranges

// Rows of a map, to be taken from one of their ends.
template <class At>
struct Ends {
  At begin;
  At end;

  [[nodiscard]] bool empty() const { return begin == end; }
  [[nodiscard]] At next(bool up) const { return up ? begin : std::prev(end); }
  void pass(bool up) {
    if (up) {
      ++begin;
    } else {
      --end;
    }
  }
};

// Takes rows of both sides in their common order, at most `limit`; of a key on both, the row of
// `over`.
template <class Found, class At>
void merge_rows(Found& found, Ends<At> under, Ends<At> over, bool up, std::uint32_t limit) {
  while (found.size() < limit && (!under.empty() || !over.empty())) {
    bool from_under = !under.empty();
    bool from_over = !over.empty();
    if (from_under && from_over) {
      const auto& a = under.next(up)->first;
      const auto& b = over.next(up)->first;
      from_under = a == b || (a < b) == up;
      from_over = a == b || !from_under;
    }
    const auto& [key, row] = *(from_over ? over : under).next(up);
    if (row) found.emplace_back(key, *row);
    if (from_under) under.pass(up);
    if (from_over) over.pass(up);
  }
}

template <class T>
std::vector<std::pair<typename T::Key, typename T::Row>> Overlay::range_rows(
    const typename T::Key& first, const typename T::Key& last, Direction direction,
    std::uint32_t limit) const {
  std::vector<std::pair<typename T::Key, typename T::Row>> found;
  if (limit == 0 || last < first) return found;
  const Stretch<T> range{first, last, direction};
  const bool up = direction == Direction::kUp;
  const auto& under = of<T>(known_).rows();
  const auto& over = of<T>(written_).rows;
  const auto reach = of<T>(known_).reach(range);
  if (reach) {
    const auto& low = up ? first : *reach;
    const auto& high = up ? *reach : last;
    using At = decltype(under.begin());
    merge_rows(found, Ends<At>{under.lower_bound(low), under.upper_bound(high)},
               Ends<At>{over.lower_bound(low), over.upper_bound(high)}, up, limit);
    if (found.size() == limit || *reach == (up ? last : first)) return found;
  }
  // As many more as have been erased here: so many of those that come may be gone.
  std::uint32_t wanted = limit;
  const auto end = over.upper_bound(last);
  for (auto at = over.lower_bound(first); at != end; ++at) {
    if (!at->second && wanted < std::numeric_limits<std::uint32_t>::max()) ++wanted;
  }
  std::uint32_t& asked = of<T>(lacked_).ranges[range];
  asked = std::max(asked, wanted);
  return found;
}

}  // namespace chirp::far
