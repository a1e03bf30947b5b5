#include "store/postgres/cluster/published.h"

#include <chrono>

#include "core/ports/caller.h"

namespace chirp::postgres {
namespace {

constexpr std::chrono::seconds kSlice{1};

// One statement, so all numbers are from one state.
constexpr std::string_view kNewestNumbers =
    "select n, writer, (select version from users_state) from commits where published"
    " order by n desc limit 1";

Versions ask(Connections& connections) {
  constexpr int kTries = 3;
  Home& home = connections.home();
  std::optional<CallerDeadline> bound;  // other callers wait for this look too
  if (const auto& waits = connections.address().waits) bound.emplace(waits->deadline());
  for (int i = 0; i < kTries; ++i) {
    const std::uint64_t doubts = home.doubts();
    const Result found =
        connections.read([](Connection& connection) { return connection.run(kNewestNumbers); });
    if (found.empty()) break;
    home.saw({found.number(0, 0), found.number(0, 1)});
    // Otherwise another server may be home by now, and may lack this commit.
    if (home.doubts() != doubts) continue;
    return {static_cast<std::uint64_t>(found.number(0, 0)),
            users_version_of(connections, static_cast<std::uint64_t>(found.number(0, 2)))};
  }
  throw Error(ErrorCode::kUnavailable, "What the database has come to can't be read. Try again.");
}

}  // namespace

// ---------------------------------------------------------------- shared by threads

SharedLook::Found SharedLook::look() const noexcept {
  try {
    return {look_(), std::nullopt};
  } catch (const Error& error) {
    return {{}, error};
  } catch (const std::exception& error) {
    return {{}, Error(ErrorCode::kInternal, error.what())};
  }
}

Versions SharedLook::get() {
  std::unique_lock lock(mutex_);
  const std::uint64_t next = begun_ + 1;
  ++waiting_;
  // Wait in slices: the looking thread may have a later deadline than this caller.
  const auto is_next = [&] { return ended_ >= next || ended_ == begun_; };
  while (!ended_one_.wait_for(lock, left_of(kSlice), is_next) && !is_caller_late()) continue;
  --waiting_;
  if (!is_next()) throw Error(ErrorCode::kUnavailable, "The database does not answer. Try again.");
  if (ended_ < next) {
    // The first waiting caller looks for all of them.
    begun_ = next;
    lock.unlock();
    Found found = look();
    lock.lock();
    last_ = std::move(found);
    ended_ = next;
    ended_one_.notify_all();
  }
  // Throws a copy, because several threads would share the error.
  if (last_.failure) throw Error(last_.failure->code(), last_.failure->what());
  return last_.versions;
}

std::size_t SharedLook::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_;
}

// ---------------------------------------------------------------- one database

std::uint64_t users_version_of(Connections& connections, std::uint64_t stored) {
  constexpr int kAboveAllChanges = 48;
  return stored + (connections.home().moves() << kAboveAllChanges);
}

PublishedState::PublishedState(Connections& connections)
    : connections_(connections), shared_([&connections] { return ask(connections); }) {}

Versions PublishedState::newest() {
  const std::uint64_t changes = connections_.changes();
  RequestVersions* const glance = RequestVersions::current();
  if (glance == nullptr) return shared_.get();
  const auto& seen = glance->seen();
  if (!seen || seen->where != &connections_ || seen->changes != changes) {
    RequestVersions::Seen fresh{&connections_, changes};
    try {
      fresh.versions = shared_.get();
    } catch (const Error& error) {
      fresh.failure = error;
    }
    glance->see(std::move(fresh));
  }
  if (seen->failure) throw Error(*seen->failure);
  return seen->versions;
}

void see_in_glance(const Connections& connections, std::uint64_t changes, Versions versions) {
  RequestVersions* const glance = RequestVersions::current();
  if (glance == nullptr) return;
  // The RequestVersions may hold the versions of another database.
  if (glance->seen() && glance->seen()->where != &connections) return;
  glance->see({&connections, changes, versions, std::nullopt});
}

}  // namespace chirp::postgres
