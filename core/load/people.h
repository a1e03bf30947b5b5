// Resolves users: turns source ids and screen names into user numbers, and creates missing users.
//
// Source ids gather in a bounded table; resolve() then finds or creates their users together, in
// sorted batches. The directory's row is written first and the card after it, so an interrupted
// load continues where it stopped: the cards of one batch are written while the directory takes the
// next one. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/load/background.h"
#include "core/load/id_table.h"
#include "core/load/source.h"
#include "core/load/tally.h"
#include "core/load/turns.h"
#include "core/load/words.h"
#include "core/pace.h"
#include "core/ports/clock.h"
#include "core/ports/storage.h"
#include "core/ports/user_directory.h"

namespace chirp::load {

// Names by source id, remembered for users who come later. Bounded: refuses names that no longer
// fit.
class NameTable {
 public:
  // Room for about so many bytes of names.
  explicit NameTable(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  // The first name of an id stays. Returns false if there is no more room.
  bool put(const SourceUser& user);
  [[nodiscard]] std::optional<SourceUser> find(SourceId id) const;
  void clear();

 private:
  // Each name is stored once, in one long text, since a separate string takes three times as much.
  static constexpr std::size_t kEntryBytes = 40;

  std::size_t bytes_max_;
  std::unordered_map<std::uint64_t, std::uint32_t> places_;
  std::string text_;
};

// Finds or makes the account that an archive is loaded as, as loads do (UserLoads::load), with its
// card.
LoadedUserResult bring_account(Storage& storage, UserDirectory& directory, const Clock& clock,
                               const LoadedUser& account);

struct PeopleBounds {
  std::size_t ids = std::size_t{1} << 21;          // source ids in the table
  std::size_t name_bytes = std::size_t{16} << 20;  // names remembered for users yet to come
  std::size_t names = std::size_t{1} << 17;        // screen names without an id
};

class People {
 public:
  // `turns` are those of the whole load.
  People(Storage& storage, UserDirectory& directory, const Clock& clock, Turns& turns, Tally& tally,
         PeopleBounds bounds = {});

  // The numbers of source ids that are words.
  [[nodiscard]] Words& words() { return words_; }

  // Notes the name of `user.id`, without creating a user. The next resolve() gives it to an
  // existing user with a generated name, or to the user who is created later for this id.
  void say(const SourceUser& user);

  // Whether so many more ids, and names, fit.
  [[nodiscard]] bool has_room(std::size_t spare) const {
    return table_.has_room(spare) && by_name_.size() + spare <= bounds_.names;
  }
  Slot slot_of(SourceId id) { return table_.slot_of(id); }
  // The number of slots.
  [[nodiscard]] std::size_t slots() const { return table_.size(); }
  void prefetch(SourceId id) const { table_.prefetch(id); }
  // True once the name of the slot's user has been said.
  [[nodiscard]] bool is_said(Slot slot) const {
    return slot < said_slots_.size() && said_slots_[slot] != 0;
  }
  void note_said(Slot slot);

  // Notes a user without a source id, identified by a valid username.
  void meet(const std::string& username, const std::string& display_name);

  // Finds or makes the user of every slot and of every name, and applies the noted names.
  void resolve() { resolve(slots()); }
  // The same for the slots below `end`.
  void resolve(std::size_t end);
  // The slot must be resolved.
  [[nodiscard]] UserNumber number(Slot slot) const { return table_.number(slot); }
  // The name must be known and resolved.
  [[nodiscard]] UserNumber number(const std::string& username) const;
  // Forgets all slots and names, when there is no more room for new ones.
  void forget();

  // True if some names of future users did not fit into memory. Call say() for them again when all
  // users exist.
  [[nodiscard]] bool names_refused() const { return names_refused_; }

  // Creates users with all their fields, in the order given; existing users stay as they are.
  void add(std::span<const LoadedUser> users);

 private:
  [[nodiscard]] std::vector<Slot> missing_of(std::vector<Slot> slots);
  void bring_missing(std::span<const Slot> missing);
  void resolve_names();
  void apply_said();
  // Stores users in the directory, and the cards of those that `which` names.
  enum class Cards : std::uint8_t { kAll, kChanged };
  std::vector<UserNumber> bring(std::span<const LoadedUser> users, Cards which);
  // The same in batches, and waits for the cards.
  std::vector<UserNumber> bring_all(std::span<const LoadedUser> users, Cards which);
  // In the background.
  void store_cards(std::span<const AuthorCard> cards);
  // Waits for the cards of the last batch.
  void settle();
  void bring_renamed(std::span<const UserNumber> renamed);
  [[nodiscard]] SourceUser said_of(SourceId id) const;
  [[nodiscard]] LoadedUser loaded_of(const SourceUser& said) const;
  [[nodiscard]] std::vector<std::optional<UserNumber>> numbers_of(
      std::span<const SourceId> ids) const;

  Storage& storage_;
  UserDirectory& directory_;
  const Clock& clock_;
  Turns& turns_;
  Tally& tally_;
  PeopleBounds bounds_;

  Words words_;
  IdTable table_;
  std::size_t resolved_ = 0;  // slots below have their number
  std::vector<std::uint8_t> said_slots_;
  bool names_refused_ = false;
  NameTable names_by_id_;                                 // for users created later
  std::unordered_map<std::uint64_t, SourceUser> recent_;  // said since the last resolve()
  std::unordered_map<std::string, UserNumber> by_name_;   // in lower case; kNobody: yet to resolve
  std::vector<LoadedUser> met_;                           // the users of these names
  // The maximum is low because sometimes a batch takes several times as long as the ones before it.
  Pace directory_pace_{2'000, 1'000, 16'000};
  Pace card_pace_{4'000, 2'000, 32'000};  // of the background
  // In the last batch.
  std::vector<UserNumber> renamed_;
  std::vector<PendingCard> due_;
  Background<std::vector<AuthorCard>> storing_;  // last: it uses the members above
};

}  // namespace chirp::load
