#include "store/memory/storage.h"

#include "core/error.h"
#include "store/memory/content.h"
#include "store/memory/snapshot.h"

namespace chirp::memory {

MemoryStorage::MemoryStorage(std::uint32_t machine) : state_(std::make_shared<State>()) {
  check(machine >= snowflake::kMachineMin && machine <= snowflake::kMachineMax,
        "a store's machine number is 2 to 1023");
  state_->machine = machine;
}

std::unique_ptr<Snapshot> MemoryStorage::snapshot() const {
  const std::lock_guard lock(mutex_);
  lent_ = true;
  return std::make_unique<MemorySnapshot>(state_);
}

std::uint64_t MemoryStorage::version() const {
  const std::lock_guard lock(mutex_);
  return state_->scalars.version;
}

std::map<std::string, std::string> MemoryStorage::plain_settings() const {
  const std::lock_guard lock(mutex_);
  return state_->plain_settings;
}

void MemoryStorage::set_plain(std::string_view key, std::string_view value) {
  transact([&](State& state) {
    state.plain_settings.insert_or_assign(std::string(key), std::string(value));
  });
}

void MemoryStorage::change_settings(const feed::FeedSettings& settings, Time now) {
  transact([&](State& state) {
    const PostId next = next_id(state);
    StoreState& scalars = state.scalars;
    scalars.settings = settings;
    scalars.push_from_all = feed::push_from_all(scalars.push_from_all, settings.policy, next);
    const std::map<UserNumber, feed::AuthorMark> marks = state.marks;
    for (const auto& [author, mark] : marks) {
      put_mark(state, feed::under_policy(mark, settings.policy, next));
    }
    for (const auto& [user, card] : state.cards) retier(state, user, now);
  });
}

void MemoryStorage::retire_marks() {
  transact([](State& state) {
    const auto retired = [](PostId mark) {
      return mark == feed::kNeverPushed ? mark : feed::kAlwaysPushed;
    };
    state.scalars.push_from_all = retired(state.scalars.push_from_all);
    const std::map<UserNumber, feed::AuthorMark> marks = state.marks;
    for (const auto& [author, mark] : marks) {
      put_mark(state, {author, mark.tier, retired(mark.push_from)});
    }
    ++state.scalars.generation;
  });
}

void MemoryStorage::repair_removals(std::span<const UserNumber> users, Time) {
  transact([&](State& state) {
    for (const UserNumber user : users) {
      const auto card = state.cards.find(user);
      if (card == state.cards.end() || card->second.presence != Presence::kRemoved) continue;
      state.removing.insert(user);
    }
  });
}

void MemoryStorage::repair_counters(UserNumber user, const UserCounters& actual, Time now) {
  transact([&](State& state) {
    if (!present(state, user)) return;
    const auto pending = pending_counters(state);
    const auto waiting = pending.find(user);
    state.counters.erase(user);
    add_counters(state, user, actual);
    if (waiting != pending.end()) {
      const UserCounters& later = waiting->second;
      add_counters(state, user, {-later.followers, -later.following, -later.posts});
    }
    retier(state, user, now);
  });
}

void MemoryStorage::repair_content_counters(ContentId content, const ContentCounters& actual,
                                            Time) {
  transact([&](State& state) {
    const auto pending = pending_content_counters(state);
    state.content_counters.erase(content);
    ContentCounters stored = actual;
    if (const auto waiting = pending.find(content); waiting != pending.end()) {
      stored -= waiting->second;
    }
    add_content_counters(state, content, stored);
  });
}

// Indexes and marks are kept by the very calls that keep what they follow from.
std::uint64_t MemoryStorage::repair_indexes(Time) { return 0; }

}  // namespace chirp::memory
