#include "core/social/accounts.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/model/chosen_names.h"
#include "core/model/names.h"
#include "core/ports/reads.h"
#include "core/rules/timed_storage.h"
#include "core/rules/writing.h"
#include "core/settings.h"

namespace chirp::social {
namespace {

// Older programs do not note due cards, so this many of the newest sign-ups are checked for a
// missing card.
constexpr std::uint32_t kNewestLooked = 16;
// Number of due cards written at once, at first and at most: a crashed load leaves many.
constexpr std::uint32_t kDueFirst = 250;
constexpr std::uint32_t kDueMost = 4'000;
// With fewer due cards, the notes stay: checking again is cheaper than a commit that deletes them.
constexpr std::size_t kSettledFrom = 16;
// One row here means several scattered pages.
constexpr rules::TurnRows kRemovalTurns{250, 50, 2'000};
constexpr std::uint32_t kHideRows = 250;  // takes some milliseconds

// Removes the rest of a user: the traces in the engine's store, the uploads, the traces of the
// user's posts, and last the directory's row. `run` gets a step: a transaction that returns true if
// it was the last of its kind. `run` repeats it as it likes and returns whether it reached the
// last; if not, this returns false. The engine's store keeps the removal until the last trace is
// gone, then the directory does.
template <class Run>
bool remove_by(Storage& storage, UserDirectory& directory, const Clock& clock, UserNumber number,
               Run run) {
  const auto traces = [&](std::uint32_t rows) {
    return rules::remove_traces(storage, number, rows, clock.now());
  };
  if (!run(traces)) return false;
  directory.media().remove_of(number);
  // Traces of the user's posts by other users.
  const auto below = [&](std::uint32_t rows) {
    return rules::remove_post_traces(storage, rows, clock.now());
  };
  if (!run(below)) return false;
  directory.remove(number);
  return true;
}

}  // namespace

Accounts::Accounts(Storage& storage, UserDirectory& directory, const PasswordHasher& hasher,
                   const Clock& clock)
    : storage_(storage), directory_(directory), hasher_(hasher), clock_(clock) {}

// ---- signing up and editing

UserView Accounts::add(const SignUp& sign_up) {
  check_username(sign_up.username);
  if (sign_up.email) check_email(*sign_up.email);
  std::optional<std::string> password;
  if (sign_up.password) password = checked_password(*sign_up.password);
  NewUser user;
  user.username = sign_up.username;
  user.email = sign_up.email;
  if (sign_up.display_name) user.display_name = checked_chosen_display_name(*sign_up.display_name);
  user.bio = checked_chosen_bio(sign_up.bio);
  (void)storage_.snapshot()->state();  // fails early if the store can't be read
  // Refuses a taken name before the password is hashed. directory_.add() decides.
  const Time now = clock_.now();
  if (directory_.find_name(user.username) || directory_.find_old_name(user.username, now)) {
    throw username_taken(user.username);
  }
  if (user.email && directory_.find_email(*user.email)) throw email_taken(*user.email);
  // Takes some 200 ms, so it runs before any transaction.
  if (password) user.password_hash = hasher_.hash(*password, settings::bcrypt_cost(storage_));
  return finish_change(directory_.add(user, now));
}

// Even if the card can't be written, the row stays, because another process may have written the
// card.
UserView Accounts::finish_change(const User& user) {
  UserView view{user, {}};
  try {
    bring_card(user.number);
    view.counters = storage_.snapshot()->counters(std::array{user.number}).front();
  } catch (const Error& error) {
    view.unfinished = error.what();
  }
  return view;
}

UserView Accounts::suspend(const User& user) {
  UserEdit changes;
  changes.suspended = true;
  return finish_change(directory_.edit(user.number, changes));
}

UserView Accounts::unsuspend(const User& user) {
  UserEdit changes;
  changes.suspended = false;
  return finish_change(directory_.edit(user.number, changes));
}

UserView Accounts::rename(const User& user, const std::string& username) {
  AccountEdit changes;
  changes.username = username;
  return edit(user, changes);
}

UserView Accounts::edit(const User& user, const AccountEdit& edit) {
  UserEdit changes;
  if (edit.email && !edit.email->empty()) check_email(*edit.email);
  changes.email = edit.email;
  std::optional<std::string> password;
  if (edit.password) password = checked_password(*edit.password);
  // Unchanged loaded values are not checked.
  if (edit.bio && edit.bio != user.bio) changes.bio = checked_chosen_bio(*edit.bio);
  if (edit.display_name && edit.display_name != user.display_name) {
    changes.display_name = checked_chosen_display_name(*edit.display_name);
  }
  if (edit.picture) check_picture(user, *edit.picture);
  if (edit.username && edit.username != user.username) {
    check_username(*edit.username);
    check_rename(user, *edit.username, clock_.now());
    changes.rename = Rename{*edit.username, clock_.now()};
  }
  if (password) {
    changes.password_hash = hasher_.hash(*password, settings::bcrypt_cost(storage_));
    changes.kept_token = edit.kept_token;
  }
  if (edit.picture) {
    changes.picture = edit.picture;
    // Both pictures count as used from now on, even if this edit fails, so that no sweep removes
    // them.
    const std::array pictures{user.picture, *edit.picture};
    directory_.media().touch(pictures, clock_.now());
  }
  return finish_change(directory_.edit(user.number, changes));
}

void Accounts::check_picture(const User& user, MediaId picture) const {
  const auto upload = directory_.media().find(picture);
  if (upload && upload->owner == user.number && upload->facts.type == MediaType::kMp4) {
    throw Error(ErrorCode::kInvalidArgument, "A profile takes a picture, not a video.", "picture");
  }
}

void Accounts::bring_card(UserNumber user) {
  bring_cards(storage_, directory_, clock_, std::array{user});
}

void Accounts::ensure_card(const User& user) {
  if (!stored_card(*storage_.snapshot(), user.number)) bring_card(user.number);
}

void Accounts::release(std::span<const Medium> media) {
  std::vector<MediaId> uploads;
  for (const Medium& medium : media) {
    if (medium.upload != MediaId{}) uploads.push_back(medium.upload);
  }
  directory_.media().touch(uploads, clock_.now());
}

// ---- removing

void Accounts::mark_removed(const User& user) {
  ensure_card(user);
  (void)storage_.write_one(MarkRemoved{user.number}, clock_.now());
}

std::string Accounts::remove(const User& user) {
  mark_removed(user);
  try {
    finish_removal(user.number);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

void Accounts::hide(const User& user) {
  mark_removed(user);
  try {
    directory_.begin_removal(user.number);
    (void)remove_some(user.number, kHideRows);
  } catch (const Error&) {
    // The user is hidden by the mark. resume_removals() does the rest.
  }
}

void Accounts::finish_removal(UserNumber number) {
  directory_.begin_removal(number);
  rules::PacedTurns paced(storage_, clock_, kRemovalTurns);
  remove_by(paced.storage(), directory_, clock_, number, [&](auto step) {
    while (!paced.take(step)) continue;
    return true;
  });
}

// Returns true once nothing is left.
bool Accounts::remove_some(UserNumber number, std::uint32_t rows) {
  return remove_by(storage_, directory_, clock_, number, [&](auto step) { return step(rows); });
}

void Accounts::resume() {
  try {
    resume_removals();
    resume_cards();
  } catch (const Error& error) {
    // A read-only process leaves this to one that can write. Unfinished changes are invisible
    // meanwhile.
    if (error.code() != ErrorCode::kReadOnly) throw;
  }
}

void Accounts::resume_removals() {
  std::vector<UserNumber> numbers = reads::unfinished_removals(*storage_.snapshot());
  for (const UserNumber number : directory_.removals()) {
    // If the engine's store does not hide the user, it is older than this note, so the note is
    // dropped.
    if (is_removed(stored_card(*storage_.snapshot(), number))) {
      numbers.push_back(number);
    } else {
      directory_.cancel_removal(number);
    }
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  for (const UserNumber number : numbers) finish_removal(number);
}

void Accounts::resume_cards() {
  std::vector<UserNumber> numbers;
  for (const User& user : directory_.newest(kNewestLooked)) numbers.push_back(user.number);
  // The process that adds a later user is alive and writes the card.
  const UserNumber last = numbers.empty() ? kNobody : numbers.front();
  std::uint32_t at_once = kDueFirst;
  for (bool more = true; more; at_once = std::min(4 * at_once, kDueMost)) {
    const auto due = directory_.due_cards(at_once);
    for (const PendingCard& card : due) numbers.push_back(card.user);
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    bring_cards(storage_, directory_, clock_, numbers);
    numbers.clear();
    const bool settled = due.size() >= kSettledFrom && settle_cards(directory_, due);
    more = settled && due.size() == at_once && due.back().user <= last;
  }
}

}  // namespace chirp::social
