#include "core/load/people.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "core/load/names.h"
#include "core/load/words.h"
#include "core/model/names.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "core/social/card.h"

namespace chirp::load {
namespace {

// Ids that are looked up at once: bounds memory and the time of a read.
constexpr std::size_t kAskRows = 65'536;
// So many names may be noted before they are applied without waiting for the next resolve().
constexpr std::size_t kSaidMax = 16'384;

}  // namespace

People::People(Storage& storage, UserDirectory& directory, const Clock& clock, Turns& turns,
               Tally& tally, PeopleBounds bounds)
    : storage_(storage),
      directory_(directory),
      clock_(clock),
      turns_(turns),
      tally_(tally),
      bounds_(bounds),
      table_(bounds.ids),
      names_by_id_(bounds.name_bytes),
      storing_([this](const std::vector<AuthorCard>& cards) { store_cards(cards); }) {}

void People::say(const SourceUser& user) {
  recent_.try_emplace(user.id.value, user);
  if (recent_.size() >= kSaidMax) apply_said();
}

void People::note_said(Slot slot) {
  if (slot >= said_slots_.size()) said_slots_.resize(table_.size(), 0);
  said_slots_[slot] = 1;
}

SourceUser People::said_of(SourceId id) const {
  if (const auto recent = recent_.find(id.value); recent != recent_.end()) return recent->second;
  if (auto known = names_by_id_.find(id)) return *std::move(known);
  return SourceUser{.id = id, .username = {}, .display_name = {}, .bio = {}};
}

LoadedUser People::loaded_of(const SourceUser& said) const {
  LoadedUser user = loaded_user(said);
  user.source = words_.key_of(said.id);
  return user;
}

std::vector<std::optional<UserNumber>> People::numbers_of(std::span<const SourceId> ids) const {
  return user_numbers(*storage_.snapshot(), words_, ids);
}

void People::resolve(std::size_t end) {
  std::vector<Slot> slots(end - resolved_);
  std::iota(slots.begin(), slots.end(), static_cast<Slot>(resolved_));
  std::ranges::sort(slots, {}, [this](Slot slot) { return table_.id(slot); });
  bring_missing(missing_of(std::move(slots)));
  resolved_ = end;
  resolve_names();
  apply_said();
}

// Notes the numbers of existing users; returns the slots of the others.
std::vector<Slot> People::missing_of(std::vector<Slot> slots) {
  std::size_t missing = 0;
  std::vector<SourceId> ids;
  for (std::size_t done = 0; done < slots.size(); done += ids.size()) {
    const auto some = std::span(slots).subspan(done, std::min(kAskRows, slots.size() - done));
    ids.clear();
    for (const Slot slot : some) ids.push_back(table_.id(slot));
    const auto numbers = numbers_of(ids);
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (numbers[i]) {
        table_.set_number(some[i], *numbers[i]);
      } else {
        slots[missing++] = some[i];
      }
    }
  }
  slots.resize(missing);
  return slots;
}

// Makes the missing users in the order of their ids, so that every index of both stores grows at
// its end.
void People::bring_missing(std::span<const Slot> missing) {
  for (std::size_t done = 0; done < missing.size();) {
    const std::size_t rows = std::min(directory_pace_.rows(), missing.size() - done);
    std::vector<LoadedUser> users;
    users.reserve(rows);
    for (std::size_t i = done; i < done + rows; ++i) {
      users.push_back(loaded_of(said_of(table_.id(missing[i]))));
    }
    // Their cards are missing, even if the directory knows them.
    const auto brought = bring(users, Cards::kAll);
    for (std::size_t i = 0; i < rows; ++i) {
      table_.set_number(missing[done + i], brought[i]);
      recent_.erase(table_.id(missing[done + i]).value);  // the name has arrived
    }
    done += rows;
  }
  settle();
}

// An existing user may have a made-up name, which the noted one replaces.
void People::apply_said() {
  std::vector<SourceId> ids;
  ids.reserve(recent_.size());
  for (const auto& [id, user] : recent_) ids.push_back(SourceId{id});
  std::ranges::sort(ids);
  std::vector<LoadedUser> users;
  if (!ids.empty()) {
    const auto numbers = numbers_of(ids);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const SourceUser& said = recent_.at(ids[i].value);
      if (numbers[i]) {
        users.push_back(loaded_of(said));
      } else {
        names_refused_ = !names_by_id_.put(said) || names_refused_;
      }
    }
  }
  for (std::size_t done = 0; done < users.size();) {
    const std::size_t rows = std::min(directory_pace_.rows(), users.size() - done);
    bring(std::span(users).subspan(done, rows), Cards::kChanged);
    done += rows;
  }
  settle();
  recent_.clear();
}

// The cards of one batch are written in the background while the directory stores the next.
std::vector<UserNumber> People::bring(std::span<const LoadedUser> users, Cards which) {
  // The directory is a separate store, so this takes no turn with the writes of posts and edges.
  const std::int64_t started = clock_.steady_ns();
  const auto results = directory_.load(users, clock_.now());
  directory_pace_.note(users.size(), clock_.steady_ns() - started);
  turns_.pause();
  check(results.size() == users.size(), "the directory answers for every user of a load");
  settle();

  std::vector<UserNumber> numbers;
  numbers.reserve(results.size());
  std::vector<AuthorCard> cards;
  for (const LoadedUserResult& result : results) {
    numbers.push_back(result.user.number);
    const bool changed = result.change != LoadedUserChange::kThere;
    if (changed) due_.push_back({result.due, result.user.number});
    if (result.change == LoadedUserChange::kRenamed) {
      renamed_.push_back(result.user.number);
    } else if (changed || which == Cards::kAll) {
      cards.push_back(social::card_of(result.user));
    }
    tally_.users_added += result.change == LoadedUserChange::kAdded ? 1 : 0;
    tally_.users_renamed += result.change == LoadedUserChange::kRenamed ? 1 : 0;
    tally_.names_changed += changed && result.cut ? 1 : 0;
  }
  storing_.push(std::move(cards));
  return numbers;
}

void People::store_cards(std::span<const AuthorCard> cards) {
  while (!cards.empty()) {
    const auto some = cards.first(std::min(card_pace_.rows(), cards.size()));
    turns_.take(card_pace_, some.size(), [&] {
      rules::load_cards(storage_, some, clock_.now());
      return some.size();
    });
    cards = cards.subspan(some.size());
  }
}

void People::settle() {
  storing_.drain();
  bring_renamed(std::exchange(renamed_, {}));
  std::vector<PendingCard> due = std::exchange(due_, {});
  std::ranges::sort(due, {}, &PendingCard::due);
  (void)social::settle_cards(directory_, due);
}

void People::bring_renamed(const std::vector<UserNumber>& renamed) {
  for (std::span users(renamed); !users.empty();) {
    const auto some = users.first(std::min(card_pace_.rows(), users.size()));
    turns_.take(card_pace_, some.size(), [&] {
      social::bring_cards(storage_, directory_, clock_, some);
      return some.size();
    });
    users = users.subspan(some.size());
  }
}

void People::forget() {
  table_.clear();
  said_slots_.clear();
  by_name_.clear();
  resolved_ = 0;
}

void People::meet(const std::string& username, const std::string& display_name) {
  if (!by_name_.try_emplace(folded(username), kNobody).second) return;
  LoadedUser user =
      loaded_user({.id = {}, .username = username, .display_name = display_name, .bio = {}});
  user.source.reset();
  met_.push_back(std::move(user));
}

// The cards of existing users are written, too: an earlier load may have ended before that.
void People::resolve_names() {
  for (std::size_t done = 0; done < met_.size();) {
    const std::size_t rows = std::min(directory_pace_.rows(), met_.size() - done);
    const auto users = std::span(met_).subspan(done, rows);
    const auto brought = bring(users, Cards::kAll);
    for (std::size_t i = 0; i < rows; ++i) by_name_[folded(*users[i].username)] = brought[i];
    done += rows;
  }
  settle();
  met_.clear();
}

UserNumber People::number(const std::string& username) const {
  const auto known = by_name_.find(folded(username));
  check(known != by_name_.end() && known->second != kNobody,
        "a name is met before it is asked for");
  return known->second;
}

void People::add(std::span<const LoadedUser> users) {
  std::vector<SourceKey> ids;
  for (const LoadedUser& user : users) ids.push_back(user.source.value());
  std::vector<LoadedUser> missing;
  const auto numbers = reads::numbers_of(*storage_.snapshot(), std::span<const SourceKey>(ids));
  for (std::size_t i = 0; i < users.size(); ++i) {
    if (!numbers[i]) missing.push_back(users[i]);
  }
  for (std::size_t done = 0; done < missing.size();) {
    const std::size_t rows = std::min(directory_pace_.rows(), missing.size() - done);
    bring(std::span(missing).subspan(done, rows), Cards::kAll);
    done += rows;
  }
  settle();
}

}  // namespace chirp::load
