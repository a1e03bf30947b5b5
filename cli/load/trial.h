// Loads that store nothing: they count what a load would store and pass over, beside what a data
// directory has already.
//
// Memory grows with what is counted, up to the bounds below; what comes after is counted as if it
// were new, and `full()` says so. To be used from one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/load/id_table.h"
#include "core/load/post_check.h"
#include "core/load/source.h"
#include "core/load/tally.h"
#include "core/load/words.h"
#include "core/model/post.h"
#include "core/model/time.h"
#include "core/ports/storage.h"
#include "core/ports/user_directory.h"

namespace chirp::cli {

inline constexpr std::size_t kTrialEdges = std::size_t{1} << 25;
inline constexpr std::size_t kTrialRows = std::size_t{1} << 23;  // of anything else

// The existing data, both null if there is no data directory yet; and the meaning of ids that are
// words.
struct Existing {
  const Storage* storage = nullptr;
  const UserDirectory* users = nullptr;
  const load::Words* words = nullptr;

  // One state of it for all that is asked at the end, or null.
  [[nodiscard]] std::unique_ptr<Snapshot> snapshot() const {
    return storage != nullptr ? storage->snapshot() : nullptr;
  }
  [[nodiscard]] std::vector<SourceKey> keys_of(const std::vector<SourceId>& ids) const {
    return words != nullptr ? words->keys_of(ids) : std::vector<SourceKey>(ids.begin(), ids.end());
  }
};

// The users in the input, and which of them exist.
class PeopleTrial {
 public:
  explicit PeopleTrial(const Existing& existing) : existing_(existing), ids_(kTrialRows) {}

  [[nodiscard]] bool has_room() const { return ids_.has_room(2) && names_.size() < kTrialRows; }
  load::Slot slot_of(SourceId id) { return ids_.slot_of(id); }
  // Returns the place of a user without an id.
  std::uint32_t named(const std::string& username);
  // A table of names says what this one is called.
  void name(SourceId id);
  // Looks up the existing users, and returns how many do not exist; without a snapshot, all.
  std::uint64_t finish(const Snapshot* snapshot);
  // Returns how many users have a name but are neither in the input nor stored. After finish().
  [[nodiscard]] std::uint64_t names_without_user();
  // Kept from finish().
  [[nodiscard]] UserNumber number(load::Slot slot) const { return ids_.number(slot); }
  // Returns the same for a place that named() returned.
  [[nodiscard]] UserNumber number_named(std::uint32_t place) const {
    return place < named_.size() ? named_[place] : kNobody;
  }

 private:
  Existing existing_;
  load::IdTable ids_;
  std::unordered_map<std::string, std::uint32_t> names_;  // in lower case
  std::vector<UserNumber> named_;                         // by the place of the name, in finish()
  std::vector<SourceId> said_;                            // whom a table names
};

class EdgeTrial {
 public:
  EdgeTrial(const Existing& existing, bool both_ways)
      : existing_(existing), people_(existing), both_ways_(both_ways) {}

  void add(std::span<const load::SourceEdge> edges) { add(edges, both_ways_); }
  void add(std::span<const load::SourceEdge> edges, bool both_ways);
  void meet(SourceId id);
  [[nodiscard]] PeopleTrial& people() { return people_; }
  void finish();
  [[nodiscard]] const load::Counts& counts() const { return counts_; }
  [[nodiscard]] bool full() const { return full_; }

 private:
  void gather(load::Slot follower, load::Slot followee);
  void compact();
  void count_there(const Snapshot& snapshot);

  Existing existing_;
  PeopleTrial people_;
  bool both_ways_;
  std::vector<std::uint64_t> gathered_;  // slots of follower and followee
  load::Counts counts_;
  bool full_ = false;
};

class PostTrial {
 public:
  // `given` is the author if it is an existing user, whatever the input says.
  PostTrial(const Existing& existing, load::Author author, UserNumber given = kNobody)
      : existing_(existing), people_(existing), ids_(kTrialRows), author_(author), given_(given) {}

  // Returns what is wrong with the post, if anything. Sets `inner` to the reason if its original
  // can't be loaded.
  [[nodiscard]] std::optional<std::string> add(load::SourcePost&& post, Time now,
                                               std::string& inner);
  [[nodiscard]] PeopleTrial& people() { return people_; }
  // Sets a given author who turned out to exist; before finish().
  void set_author(UserNumber given) { given_ = given; }
  [[nodiscard]] bool has_room() const { return ids_.has_room(2); }
  // A place among the posts for one that something else names.
  load::Slot named(SourceId id);
  void finish();
  // Whether the slot holds anything at the end, from the input or from the data directory. After
  // finish().
  [[nodiscard]] bool holds(load::Slot slot) const;
  [[nodiscard]] const load::Counts& counts() const { return counts_; }
  [[nodiscard]] bool full() const { return full_; }

 private:
  // How an item's author is given, in the upper 32 bits of `author`.
  static constexpr std::uint64_t kById = 0;
  static constexpr std::uint64_t kByName = 1;
  static constexpr std::uint64_t kGiven = 2;
  // The content of a slot.
  enum class Kind : std::uint8_t {
    kUnseen,
    kPlain,
    kComment,
    kRepost,
    kAgain,  // its author has repeated the same before: nothing is stored that others could name
    kNothing,
  };
  static bool is_something(Kind kind) {
    return kind == Kind::kPlain || kind == Kind::kComment || kind == Kind::kRepost;
  }
  struct Item {
    load::Slot self;
    load::Slot target;  // of one that names no other: itself
    std::uint64_t author;
    bool repost;
    bool has_text;
    bool inside;  // it came inside of another one alone
    Privacy privacy;
    Time created_at;
  };

  void take(const load::SourcePost& post, bool inside);
  void find_there(const Snapshot* snapshot);
  [[nodiscard]] bool repeats_already(const Item& item, const Snapshot* snapshot);
  void settle(const Snapshot* snapshot);
  void put_kind(const Item& item, const Snapshot* snapshot);
  [[nodiscard]] Kind kind_of(const Item& item, const Snapshot* snapshot) const;
  [[nodiscard]] bool is_kept_apart(const Item& item, const Snapshot* snapshot) const;
  // The post that the item comments on or reposts.
  struct Above {
    Privacy privacy;
    bool same_author;
  };
  [[nodiscard]] std::optional<Above> above(const Item& item, const Snapshot* snapshot) const;
  [[nodiscard]] UserNumber author_of(const Item& item) const;
  void count(const Item& item);

  Existing existing_;
  PeopleTrial people_;
  load::IdTable ids_;  // of posts, and of what they name
  load::Author author_;
  UserNumber given_;
  std::vector<Item> items_;
  std::vector<std::uint32_t> item_of_;  // by slot: one more than its place among the items, or 0
  std::vector<Kind> kinds_;             // by slot, in finish()
  std::vector<load::Slot> originals_;   // by slot, in finish(): of a repost what it repeats
  std::vector<load::Slot> roots_;       // by slot, in finish(): of a comment the post above it
  std::vector<bool> there_;             // by slot, in finish(): the data directory has it
  std::unordered_map<load::Slot, PostId> posts_there_;       // that can be repeated
  std::set<std::pair<std::uint64_t, load::Slot>> reposted_;  // by whom, and what
  load::Counts counts_;
  bool full_ = false;
};

class EventTrial {
 public:
  explicit EventTrial(const Existing& existing) : existing_(existing), people_(existing) {}

  [[nodiscard]] std::optional<std::string> add(std::span<const load::SourceEvent> events, Time now);
  void finish();
  [[nodiscard]] const load::Counts& counts() const { return counts_; }
  [[nodiscard]] bool full() const { return full_; }

 private:
  struct Gathered {
    load::Slot actor;
    load::Slot other;
    load::EventKind kind;
    std::uint32_t count;
  };

  Existing existing_;
  PeopleTrial people_;
  std::vector<Gathered> gathered_;
  load::Counts counts_;
  bool full_ = false;
};

}  // namespace chirp::cli
