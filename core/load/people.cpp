#include "core/load/people.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "core/load/names.h"
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
  bring_all(users, Cards::kChanged);
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

std::vector<UserNumber> People::bring_all(std::span<const LoadedUser> users, Cards which) {
  std::vector<UserNumber> numbers;
  while (!users.empty()) {
    const auto some = users.first(std::min(directory_pace_.rows(), users.size()));
    std::ranges::copy(bring(some, which), std::back_inserter(numbers));
    users = users.subspan(some.size());
  }
  settle();
  return numbers;
}

void People::store_cards(std::span<const AuthorCard> cards) {
  turns_.take_all(card_pace_, cards, [&](std::span<const AuthorCard> some) {
    rules::load_cards(storage_, some, clock_.now());
  });
}

void People::settle() {
  storing_.drain();
  bring_renamed(std::exchange(renamed_, {}));
  std::vector<PendingCard> due = std::exchange(due_, {});
  std::ranges::sort(due, {}, &PendingCard::due);
  (void)social::settle_cards(directory_, due);
}

void People::bring_renamed(std::span<const UserNumber> renamed) {
  turns_.take_all(card_pace_, renamed, [&](std::span<const UserNumber> some) {
    social::bring_cards(storage_, directory_, clock_, some);
  });
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
  const auto numbers = bring_all(met_, Cards::kAll);
  for (std::size_t i = 0; i < met_.size(); ++i) by_name_[folded(*met_[i].username)] = numbers[i];
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
  bring_all(missing, Cards::kAll);
}

LoadedUserResult bring_account(Storage& storage, UserDirectory& directory, const Clock& clock,
                               const LoadedUser& account) {
  LoadedUserResult result = directory.load({&account, 1}, clock.now()).front();
  const UserNumber number = result.user.number;
  if (result.change == LoadedUserChange::kRenamed) {
    social::bring_cards(storage, directory, clock, {&number, 1});
  } else {
    // Also for an existing user: an earlier load may have ended before it wrote the card.
    rules::load_cards(storage, std::array{social::card_of(result.user)}, clock.now());
  }
  if (result.change != LoadedUserChange::kThere) {
    (void)social::settle_cards(directory, std::array{PendingCard{result.due, number}});
  }
  return result;
}

namespace {

// Separates the fields of an entry; valid names never have control characters.
constexpr char kEnd = '\0';

std::string_view field_at(std::string_view text) { return text.substr(0, text.find(kEnd)); }

}  // namespace

bool NameTable::put(const SourceUser& user) {
  if (places_.contains(user.id.value)) return true;
  const std::size_t size = user.username.size() + user.display_name.size() + user.bio.size() + 3;
  const std::size_t used = text_.size() + places_.size() * kEntryBytes;
  if (used + size + kEntryBytes > bytes_max_) return false;
  if (text_.size() + size > std::numeric_limits<std::uint32_t>::max()) return false;
  places_.emplace(user.id.value, static_cast<std::uint32_t>(text_.size()));
  for (const std::string* field : {&user.username, &user.display_name, &user.bio}) {
    text_.append(field_at(*field)).push_back(kEnd);
  }
  return true;
}

std::optional<SourceUser> NameTable::find(SourceId id) const {
  const auto place = places_.find(id.value);
  if (place == places_.end()) return std::nullopt;
  std::string_view rest = std::string_view(text_).substr(place->second);
  SourceUser user{.id = id, .username = {}, .display_name = {}, .bio = {}};
  for (std::string* field : {&user.username, &user.display_name, &user.bio}) {
    *field = field_at(rest);
    rest.remove_prefix(field->size() + 1);
  }
  return user;
}

void NameTable::clear() {
  places_.clear();
  text_.clear();
}

}  // namespace chirp::load
