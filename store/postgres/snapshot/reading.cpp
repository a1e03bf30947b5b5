#include "store/postgres/snapshot/reading.h"

#include "core/error.h"
#include "store/postgres/cluster/published.h"

namespace chirp::postgres {
namespace {

Commit commit_of(const StoredState& state) {
  return {static_cast<std::int64_t>(state.version), state.writer};
}

}  // namespace

StoredState Reading::newest() {
  constexpr int kTries = 3;
  Home& home = connections_->home();
  for (int i = 0; i < kTries; ++i) {
    const std::uint64_t doubts = home.doubts();
    const StoredState state = connections_->read(
        [](Connection& connection) { return newest_in(connection.run(kNewest)); });
    home.saw(commit_of(state));
    // Otherwise another server may be home by now, and may lack this commit.
    if (home.doubts() == doubts) return state;
  }
  throw Error(ErrorCode::kUnavailable,
              "Which server takes changes is being looked for again and again. Try again.");
}

std::vector<Result> Reading::ask_newest(std::span<const GroupQuery> asked) {
  return connections_->read([&](Connection& connection) {
    connection.begin_reading();
    for (const GroupQuery& one : asked) connection.send(one.sql, one.params);
    return connection.commit();
  });
}

std::vector<Result> Reading::ask(const StoredState& state, std::span<const GroupQuery> asked,
                                 Where where) {
  // Home's standbys do not have the rows of the other servers.
  if (where == Where::kAnywhere && cluster_->is_one() && !copies_->empty()) {
    if (!std::exchange(has_chosen_, true)) copy_ = copies_->choose();
    if (copy_) {
      if (auto answers = copies_->ask(*copy_, commit_of(state), asked)) return std::move(*answers);
      copy_.reset();
    }
  }
  return cluster_->ask(asked, state.touched);
}

std::vector<Result> Reading::ask_early(std::span<const GroupQuery> asked) {
  return cluster_->ask(asked);
}

void Reading::stay_at_home() {
  has_chosen_ = true;
  copy_.reset();
}

void Reading::see_in_glance(std::uint64_t changes, Versions versions) {
  versions.users = users_version_of(*connections_, versions.users);
  postgres::see_in_glance(*connections_, changes, versions);
}

void Reading::write(std::string_view sql, Params params) {
  connections_->lend()->run(sql, std::move(params));
}

}  // namespace chirp::postgres
