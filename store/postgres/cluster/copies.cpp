#include "store/postgres/cluster/copies.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "store/postgres/cluster/servers.h"

namespace chirp::postgres {
namespace {

// Each attempt to write has its own writer number. A server with another writer for this commit was
// promoted, or follows a server that was.
constexpr std::string_view kHas =
    "select pg_is_in_recovery(), exists (select from commits where n = $1::int8"
    " and writer = $2::int8 and published)";
// Recovery conflict: the standby replays the removal of rows that the query reads.
constexpr std::string_view kConflictsWithReplay = "40001";

}  // namespace

Copies::Copies(Home& home, Now now, std::chrono::milliseconds patience)
    : home_(home), now_(std::move(now)) {
  if (!home_.has_copies()) return;
  for (Address address : home_.servers()) {
    address.patience = patience;
    copies_.push_back(std::make_unique<Copy>(address));
  }
}

std::optional<std::size_t> Copies::choose() {
  if (copies_.empty()) return std::nullopt;
  const auto home = home_.found();
  const std::size_t first = turn_++;
  const Moment now = now_();
  for (std::size_t i = 0; i < copies_.size(); ++i) {
    const std::size_t which = (first + i) % copies_.size();
    if (which == home) continue;
    Copy& copy = *copies_[which];
    const std::lock_guard guard(copy.mutex);
    if (now < copy.until) continue;
    // After a pause, only the first caller tries it.
    if (copy.pause.count() != 0) copy.until = now + copy.pause;
    return which;
  }
  return std::nullopt;
}

void Copies::leave_alone(Copy& copy, Moment asked, RetryPause bounds, const std::string& why) {
  const std::lock_guard guard(copy.mutex);
  // If several queries failed at once, the first failure counts.
  if (asked < copy.left) return;
  copy.left = now_();
  copy.pause = std::clamp(copy.pause * 2, bounds.least, bounds.most);
  copy.until = copy.left + copy.pause;
  copy.why = why;
}

std::optional<std::vector<Result>> Copies::ask(std::size_t which, const Commit& commit,
                                               std::span<const GroupQuery> asked) {
  Copy& copy = *copies_[which];
  const Moment asked_at = now_();
  ++copy.rounds;
  try {
    const auto connection = copy.connections.lend();
    connection->send(kHas, Params().int8(commit.number).int8(commit.writer));
    for (const GroupQuery& one : asked) connection->send(one.sql, one.params);
    auto results = connection->receive();
    if (results.front().number(0, 0) == 0) {
      leave_alone(copy, asked_at, kAwayPause, "It is no copy any more: it takes changes.");
      home_.doubt();
      return std::nullopt;
    }
    if (results.front().number(0, 1) == 0) {
      leave_alone(copy, asked_at, kLagPause,
                  fmt::format("It lags: it has not replayed commit {}.", commit.number));
      return std::nullopt;
    }
    results.erase(results.begin());
    ++copy.answered;
    const std::lock_guard guard(copy.mutex);
    copy.pause = {};
    copy.until = {};
    copy.why.clear();
    return results;
  } catch (const PostgresError& error) {
    if (error.sqlstate() != kConflictsWithReplay) {
      leave_alone(copy, asked_at, kAwayPause, error.what());
    }
  } catch (const Error& error) {
    leave_alone(copy, asked_at, kLagPause, error.what());
  }
  return std::nullopt;
}

std::vector<CopyUse> Copies::uses() const {
  std::vector<CopyUse> uses;
  const Moment now = now_();
  for (const auto& copy : copies_) {
    CopyUse use{name_of(copy->connections.address()), copy->rounds, copy->answered};
    const std::lock_guard guard(copy->mutex);
    if (now < copy->until) {
      use.left_alone = copy->why;
      use.left_for = std::chrono::duration_cast<std::chrono::milliseconds>(copy->until - now);
    }
    uses.push_back(std::move(use));
  }
  return uses;
}

std::uint64_t Copies::round_trips() const {
  std::uint64_t trips = 0;
  for (const auto& copy : copies_) trips += copy->connections.round_trips();
  return trips;
}

}  // namespace chirp::postgres
