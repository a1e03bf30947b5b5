#include "tests/model/storage.h"

#include <algorithm>
#include <functional>

#include "core/error.h"
#include "tests/model/snapshot.h"

namespace chirp::model {
namespace {

// Puts an entry of a map back as it was.
template <class Map>
std::function<void()> restoring(Map& map, const typename Map::key_type& key) {
  const auto found = map.find(key);
  if (found == map.end()) return [&map, key] { map.erase(key); };
  return [&map, key, row = found->second] { map.insert_or_assign(key, row); };
}

// The rows of one transaction, kept at once; undone unless it is through.
class ModelRows final : public Rows {
 public:
  ModelRows(State& state, Time now)
      : state_(state), before_(state.scalars), turn_{now, state.machine} {}

  void undo() {
    state_.scalars = before_;
    std::for_each(undo_.rbegin(), undo_.rend(), [](const auto& step) { step(); });
  }

  [[nodiscard]] StoreState& state() override { return state_.scalars; }
  [[nodiscard]] const StoreState& state() const override { return state_.scalars; }
  [[nodiscard]] const Turn& turn() const override { return turn_; }
  [[nodiscard]] std::optional<Presence> presence(UserNumber user) const override {
    const auto card = model::find<tables::Cards>(state_, {user});
    return card ? std::optional(card->presence) : std::nullopt;
  }

  [[nodiscard]] std::optional<TimelineHead> timeline(UserNumber viewer) const override {
    const auto found = state_.timelines.find(viewer);
    if (found == state_.timelines.end()) return std::nullopt;
    const Timeline& timeline = found->second;
    return TimelineHead{timeline.complete_from, timeline.generation, timeline.last_read};
  }
  void put_timeline(UserNumber viewer, const Timeline& timeline) override {
    Timeline& stored = changed(viewer);
    stored = timeline;
    stored.last_read = start_of_day(timeline.last_read);
  }
  bool deliver(UserNumber viewer, std::span<const Entry> entries) override {
    const auto head = timeline(viewer);
    if (!head || head->generation != state_.scalars.generation) return false;
    const auto in = [&](const Entry& entry) { return entry.id >= head->complete_from; };
    // Where nothing is written, nothing is trimmed.
    if (std::ranges::any_of(entries, in)) {
      merge_entries(changed(viewer), entries, state_.scalars.settings.cap);
    }
    return true;
  }
  void note_read(UserNumber viewer, Time day) override { changed(viewer).last_read = day; }
  bool erase_timeline(UserNumber viewer) override {
    undo_.push_back(restoring(state_.timelines, viewer));
    return state_.timelines.erase(viewer) > 0;
  }

  std::span<const UserNumber> add_edges(EdgeSide side, UserNumber user,
                                        std::span<const Edge> others) override {
    fresh_.clear();
    for (const auto& [other, since] : others) {
      const bool fresh = side == EdgeSide::kFollowing
                             ? add<tables::Following>({user, other}, since)
                             : add<tables::Followers>({user, other}, since);
      if (fresh) fresh_.push_back(other);
    }
    return fresh_;
  }
  [[nodiscard]] std::size_t edges_that_fit(std::span<const LoadedEdge> edges) const override {
    return edges.size();
  }

  [[nodiscard]] std::optional<EarlierRequest> earlier(const KeyedRequest& request) const override {
    const auto found = state_.requests.find({request.user, std::string(request.key)});
    if (found == state_.requests.end()) return std::nullopt;
    const auto& [since, post, canonical] = found->second;
    return EarlierRequest{since, post, canonical == request.canonical};
  }
  void remember(const KeyedRequest& request, PostId post) override {
    const std::pair key(request.user, std::string(request.key));
    undo_.push_back(restoring(state_.requests, key));
    state_.requests[key] = {now(), post, request.canonical};
  }
  std::uint32_t forget_requests(const StaleRequests& which, std::uint32_t limit) override {
    const auto* user = std::get_if<UserNumber>(&which);
    std::vector<std::pair<Time, std::pair<UserNumber, std::string>>> old;
    for (const auto& [key, kept] : state_.requests) {
      const bool is_meant =
          user != nullptr ? key.first == *user : kept.since < std::get<Time>(which);
      if (is_meant) old.emplace_back(kept.since, key);
    }
    if (user == nullptr) std::ranges::sort(old);
    if (old.size() > limit) old.resize(limit);
    for (const auto& [since, key] : old) forget(key);
    return static_cast<std::uint32_t>(old.size());
  }

  void find_rows(const TableType& type, std::span<const void* const> keys,
                 std::span<void* const> found) const override {
    model::find_rows(state_, type, keys, found);
  }
  std::size_t find_ranges(const TableType& type, std::span<const AnyEnds> wanted,
                          Direction direction, std::uint32_t limit, std::uint64_t enough,
                          std::span<void* const> found) const override {
    return model::find_ranges(state_, type, wanted, direction, limit, enough, found);
  }
  void put_row(const TableType& type, const void* key, const void* row) override {
    const std::string bytes = type.bytes(key);
    undo_.push_back(restoring(state_.rows, bytes));
    state_.rows.insert_or_assign(bytes, type.keep(key, row));
  }
  bool erase_row(const TableType& type, const void* key) override {
    const std::string bytes = type.bytes(key);
    undo_.push_back(restoring(state_.rows, bytes));
    return state_.rows.erase(bytes) > 0;
  }
  void discard_row(const TableType& type, const void* key) override { erase_row(type, key); }

 private:
  template <class T>
  bool add(const typename T::Key& key, Time since) {
    if (find(key)) return false;
    put(key, since);
    return true;
  }
  Timeline& changed(UserNumber viewer) {
    undo_.push_back(restoring(state_.timelines, viewer));
    return state_.timelines[viewer];
  }
  void forget(const std::pair<UserNumber, std::string>& key) {
    undo_.push_back(restoring(state_.requests, key));
    state_.requests.erase(key);
  }

  State& state_;
  StoreState before_;
  Turn turn_;
  std::vector<std::function<void()>> undo_;
  std::vector<UserNumber> fresh_;
};

}  // namespace

ModelStorage::ModelStorage(std::uint32_t machine) : state_(std::make_shared<State>()) {
  check(machine >= snowflake::kMachineMin && machine <= snowflake::kMachineMax,
        "a store's machine number is 2 to 1023");
  state_->machine = machine;
}

std::unique_ptr<Snapshot> ModelStorage::snapshot() const {
  const std::lock_guard lock(mutex_);
  ++*lent_;
  const auto given_back = [state = state_, lent = lent_](const State*) { --*lent; };
  return std::make_unique<ModelSnapshot>(std::shared_ptr<const State>(state_.get(), given_back));
}

std::uint64_t ModelStorage::version() const {
  const std::lock_guard lock(mutex_);
  return state_->scalars.version;
}

bool ModelStorage::decide(Time now, Purpose /*purpose*/, const Decision& decision) {
  const std::lock_guard lock(mutex_);
  if (*lent_ != 0) {
    state_ = std::make_shared<State>(*state_);
    lent_ = std::make_shared<Lent>(0);
  }
  ModelRows rows(*state_, now);
  try {
    if (!decision(rows)) {
      rows.undo();
      return false;
    }
  } catch (...) {
    rows.undo();
    throw;
  }
  ++state_->scalars.version;
  return true;
}

}  // namespace chirp::model
