// The hot set: what a process that lives keeps of feeds in memory, so that a page that is read
// again costs no look into the store.
//
// It holds windows (window.h), the newest parts of readers' feeds, and the posts and cards that
// they have in common (library.h). It is filled from snapshots alone, stands for one state of the
// store, and moves on to a later one by the events of the log in between, whoever wrote them. A
// page of the store's newest state is one comparison of versions away; what is not held is read
// from a snapshot, and kept if that snapshot is of the state that the set stands for.
//
// It drops everything when the log cannot tell it what changed: another generation, a commit that
// changed rows without an event (StoreState::unlogged), a load but of plain posts, a user who goes,
// a log that was trimmed past it or is too long to follow. So it is never behind, and at worst it
// is empty. A load of plain posts says which is the newest, and windows that lie above it stay.
//
// Bounded in bytes, all of it together. Safe to call from any thread: a reader's window is used
// under the lock of its shard, and the set moves on under all of them.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/feed/home_feed.h"
#include "core/feed/printer.h"
#include "core/hot/arrivals.h"
#include "core/hot/clock_table.h"
#include "core/hot/library.h"
#include "core/hot/window.h"
#include "core/model/event.h"
#include "core/ports/clock.h"
#include "core/ports/storage.h"

namespace chirp::hot {

// What `--cache-mb` is unless told, and at most.
inline constexpr std::uint64_t kMbDefault = 256;
inline constexpr std::uint64_t kMbMax = 1'048'576;

// What is held, and how many pages came out of it.
struct Use {
  std::size_t bytes = 0;
  std::uint64_t from_memory = 0;
  std::uint64_t from_store = 0;
};

class HotSet final : public feed::PageMemory {
 public:
  // Holds about `bytes` at most. Everything handed in must outlive it; without a printer nothing is
  // printed ahead.
  HotSet(const Storage& storage, const Clock& clock, std::size_t bytes,
         const feed::PostSerializer* printer = nullptr);

  [[nodiscard]] feed::Page page(const feed::PageRequest& request) override;
  [[nodiscard]] std::optional<feed::Page> held_page(const feed::PageRequest& request) override;
  // A page of this snapshot's state, which may be older than what the set stands for: then it is
  // read from the snapshot, and nothing of it is kept.
  [[nodiscard]] feed::Page page(const Snapshot& snapshot,
                                const feed::PageRequest& request) override;

  [[nodiscard]] Use use() const;

 private:
  // One reader has two: what is read as it is stored, and as if everything were pulled.
  struct Key {
    UserNumber reader;
    bool pulled = false;
    bool operator==(const Key&) const = default;
  };
  struct HashOfKey {
    std::size_t operator()(const Key& key) const {
      return std::size_t{key.reader.value} * 2 + (key.pulled ? 1 : 0);
    }
  };
  struct Shard {
    std::mutex mutex;
    ClockTable<Key, std::unique_ptr<Window>, HashOfKey> windows;
  };
  class All;  // the locks of all shards
  // What was dropped, to be freed when nobody waits for it any more.
  struct Dropped {
    std::vector<ClockTable<Key, std::unique_ptr<Window>, HashOfKey>> windows;
    Library::Tables records;
  };

  static Key key_of(const feed::PageRequest& request);
  Shard& shard_of(UserNumber reader) { return shards_[reader.value % shards_.size()]; }

  // What is held of a page: all of it, or else what is lacking to take in what has arrived, and how
  // many entries a window takes that has it (0: it is no page for a window).
  struct Held {
    std::optional<feed::Page> page;
    std::size_t wanted = 0;
    Lacking lacking{};
  };
  // Empty if the set stands for another version than what was brought is of.
  [[nodiscard]] std::optional<Held> look_up(const feed::PageRequest& request, std::uint64_t version,
                                            const Brought& brought);
  [[nodiscard]] Held look_up(Shard& shard, const feed::PageRequest& request,
                             const Brought& brought);
  void keep(const feed::PageRequest& request, std::unique_ptr<Window> window,
            std::uint64_t version);

  // ---- with all locks
  void apply_all(std::span<const events::Event> events, const Snapshot& snapshot);
  void apply(const events::Event& event, const Snapshot& snapshot);
  void let_go(UserNumber reader);
  void change_deeds(const events::Event& event);
  void drop_all();

  void advance(const Snapshot& snapshot, const StoreState& state);
  [[nodiscard]] feed::Page filled_page(const Snapshot& snapshot, const StoreState& state,
                                       const feed::PageRequest& request, std::size_t wanted);
  void make_room();
  [[nodiscard]] Sequence taken_in(const StoreState& state) const;

  const Storage& storage_;
  const Clock& clock_;
  const std::size_t bytes_max_;
  const std::size_t arrivals_bytes_;  // set aside for them
  Library library_;                   // before all windows, which tell it what they show no more
  std::array<Shard, 32> shards_;
  std::atomic<std::size_t> hand_{0};          // the shard that gives way next
  std::atomic<std::size_t> window_bytes_{0};  // of all shards
  std::atomic<std::uint64_t> from_memory_{0};
  std::atomic<std::uint64_t> from_store_{0};

  // ---- read under any lock of a shard, changed under all
  StoreState state_;  // that the set stands for
  Arrivals arrivals_;
  Dropped dropped_;
};

}  // namespace chirp::hot
