#include "cli/load/rehearsal/newcomers.h"

#include <functional>
#include <limits>
#include <utility>
#include <variant>

#include "core/model/names.h"
#include "core/ports/reads.h"

namespace chirp::cli::rehearsal {
namespace {

// Replaces the source id of users without one: its two highest bits are those of generated ids,
// which no user has.
constexpr std::uint64_t kNoSource = std::uint64_t{3} << 62;

// Whether the name is `u` and the id, so that the id follows from the name.
bool says_source(const User& user) {
  return user.source && !user.source->is_word() && user.username.starts_with('u') &&
         source_number(std::string_view(user.username).substr(1)) == user.source->number;
}

}  // namespace

std::size_t Newcomers::Hash::operator()(std::string_view name) const {
  return std::hash<std::string>()(folded(name));
}

bool Newcomers::Same::operator()(const Named& a, std::string_view b) const {
  return a.name.size() == b.size() && folded(a.name) == folded(b);
}

Newcomers::Newcomers(const Storage* storage, const UserDirectory* directory, load::Words& words)
    : storage_(storage),
      directory_(directory),
      words_(words),
      first_{1},
      sources_(std::numeric_limits<std::size_t>::max()) {
  if (directory_ == nullptr) return;
  for (const User& last : directory_->newest(1)) first_ = UserNumber{last.number.value + 1};
}

std::optional<UserNumber> Newcomers::number_of(const SourceKey& source) const {
  const std::lock_guard lock(mutex_);
  const auto slot = sources_.find(words_.id_of(source));
  return slot ? std::optional(UserNumber{first_.value + *slot}) : std::nullopt;
}

std::optional<User> Newcomers::find(UserNumber user) const {
  const std::lock_guard lock(mutex_);
  if (!is_new(user) || slot(user) >= sources_.size()) return std::nullopt;
  return made(slot(user));
}

// Omits fields that nothing reads, such as the bio.
User Newcomers::made(load::Slot slot) const {
  User user;
  user.number = UserNumber{first_.value + slot};
  user.id = UserId{user.number.value};
  const SourceId source = sources_.id(slot);
  if (source.value < kNoSource) user.source = words_.key_of(source);
  const Named* const name = slot < name_of_.size() ? name_of_[slot] : nullptr;
  user.username = name != nullptr ? name->name : generated_username(*user.source);
  user.name_origin = name != nullptr ? name->origin : NameOrigin::kGenerated;
  const auto display_name = display_names_.find(slot);
  user.display_name = display_name == display_names_.end() ? user.username : display_name->second;
  return user;
}

void Newcomers::expect(std::span<const LoadedUser> users) {
  expected_.clear();
  if (storage_ == nullptr) return;
  std::vector<SourceKey> keys;
  for (const LoadedUser& user : users) {
    if (user.source) keys.push_back(*user.source);
  }
  const auto numbers = reads::numbers_of(*storage_->snapshot(), std::span<const SourceKey>(keys));
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (numbers[i]) expected_.emplace(words_.id_of(keys[i]), *numbers[i]);
  }
}

std::optional<User> Newcomers::as_it_is_now(std::optional<User> user) const {
  // A dry run ignores users who sign up after it began.
  if (!user || is_new(user->number)) return std::nullopt;
  const auto changed = changed_.find(user->number);
  return changed == changed_.end() ? std::move(user) : changed->second;
}

std::optional<User> Newcomers::named(std::string_view name) const {
  if (const auto found = names_.find(name); found != names_.end()) {
    if (is_new(found->user)) return made(slot(found->user));
    return changed_.at(found->user);
  }
  if (name.starts_with('u') || name.starts_with('U')) {
    const auto source = source_number(name.substr(1));
    const auto slot = source ? sources_.find(*source) : std::nullopt;
    if (slot) {
      User user = made(*slot);
      if (folded(user.username) == folded(name)) return user;
    }
  }
  if (directory_ == nullptr) return std::nullopt;
  auto user = as_it_is_now(directory_->find_name(name));
  if (user && folded(user->username) != folded(name)) return std::nullopt;
  return user;
}

std::optional<User> Newcomers::look_up(const SoughtUser& who) {
  if (const auto* name = std::get_if<NamedUser>(&who)) return named(name->username);
  const auto* number = std::get_if<UserNumber>(&who);
  if (number != nullptr && is_new(*number)) return find(*number);
  return directory_ == nullptr ? std::nullopt : as_it_is_now(directory_->look_up(who));
}

std::optional<User> Newcomers::sourced(const SourceKey& source) {
  const SourceId id = words_.id_of(source);
  if (const auto slot = sources_.find(id)) return made(*slot);
  const auto there = expected_.find(id);
  return there == expected_.end() ? std::nullopt : look_up(there->second);
}

std::optional<UserNumber> Newcomers::insert(const User& user,
                                            const std::optional<std::string>& /*password_hash*/) {
  if ((user.source && sourced(*user.source)) || named(user.username)) return std::nullopt;
  const std::lock_guard lock(mutex_);
  const auto next = static_cast<load::Slot>(sources_.size());
  User inserted = user;
  inserted.number = UserNumber{first_.value + next};
  (void)sources_.slot_of(user.source ? words_.id_of(*user.source) : SourceId{kNoSource + next});
  const bool own = user.name_origin == NameOrigin::kOwn;
  if (own || !says_source(user)) put_name(inserted);
  if (!own && user.display_name != user.username) display_names_[next] = user.display_name;
  return inserted.number;
}

void Newcomers::put_name(const User& user) {
  const auto named = names_.insert({user.username, user.number, user.name_origin}).first;
  if (!is_new(user.number)) return;
  if (name_of_.size() <= slot(user.number)) name_of_.resize(sources_.size());
  name_of_[slot(user.number)] = &*named;
}

void Newcomers::replace(const User& before, const User& after) {
  const std::lock_guard lock(mutex_);
  if (const auto old = names_.find(std::string_view(before.username));
      old != names_.end() && old->user == before.number) {
    names_.erase(old);
  }
  if (is_new(after.number)) {
    display_names_.erase(slot(after.number));
  } else {
    changed_[after.number] = after;
  }
  put_name(after);
}

}  // namespace chirp::cli::rehearsal
