#include "core/social/accounts.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/model/chosen_names.h"
#include "core/model/names.h"
#include "core/model/taken.h"
#include "core/ports/reads.h"
#include "core/rules/timed_storage.h"
#include "core/rules/writing.h"
#include "core/settings.h"

namespace chirp::social {
namespace {

// So many of the newest sign-ups are looked at for one that was cut short and not noted as due,
// since older programs do not note that.
constexpr std::uint32_t kNewestLooked = 16;
// So many due cards are brought at once, at first and at most: many are left by a load that died.
constexpr std::uint32_t kDueFirst = 250;
constexpr std::uint32_t kDueMost = 4'000;
// Fewer due cards than these stay noted: looking at them again is cheaper than a commit that takes
// the notes back.
constexpr std::size_t kSettledFrom = 16;
// What is one row here lies on several pages, far from each other.
constexpr rules::TurnRows kRemovalTurns{250, 50, 2'000};
constexpr std::uint32_t kHideRows = 250;  // some milliseconds

// Removes what is left of a user: the traces in the engine's store, the uploads, what others left
// under the posts, and last the directory's row. `run` is given a step, a transaction that returns
// true if it was the last of its kind, and calls it as often as it likes; it returns whether it has
// reached the last one. Returns false as soon as `run` has not. The engine's store knows of the
// removal until the last trace is gone, from then on the directory does.
template <class Run>
bool remove_by(Storage& storage, UserDirectory& directory, const Clock& clock, UserNumber number,
               Run run) {
  const auto traces = [&](std::uint32_t rows) {
    return rules::remove_traces(storage, number, rows, clock.now());
  };
  if (!run(traces)) return false;
  directory.media().remove_of(number);
  // What others left under the posts.
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
  (void)storage_.snapshot()->state();  // where it can't even be read, nothing is begun
  // A sign-up that would be refused anyway is refused before its password is hashed.
  // directory_.add() decides.
  const Time now = clock_.now();
  if (directory_.find_name(user.username) || directory_.find_old_name(user.username, now)) {
    throw username_taken(user.username);
  }
  if (user.email && directory_.find_email(*user.email)) throw email_taken(*user.email);
  // Some 200 ms, before any transaction.
  if (password) user.password_hash = hasher_.hash(*password, settings::bcrypt_cost(storage_));
  return finish_change(directory_.add(user, now));
}

// The row stays even if the card could not be written: others may have written the card by now.
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
  // What came by a load may stay what it is.
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
    // Both pictures count as used from now on, whatever becomes of this edit, so that no sweep
    // removes them.
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
  const Change mark = MarkRemoved{user.number};
  (void)storage_.write(std::array{mark}, clock_.now());
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
    // The mark has hidden them from everybody. What could not be removed now is left for
    // resume_removals().
  }
}

void Accounts::finish_removal(UserNumber number) {
  directory_.begin_removal(number);
  rules::Paced paced(storage_, clock_, kRemovalTurns);
  remove_by(paced.storage(), directory_, clock_, number, [&](auto step) {
    while (!paced.take(step)) continue;
    return true;
  });
}

// True once nothing is left.
bool Accounts::remove_some(UserNumber number, std::uint32_t rows) {
  return remove_by(storage_, directory_, clock_, number, [&](auto step) { return step(rows); });
}

void Accounts::resume() {
  try {
    resume_removals();
    resume_cards();
  } catch (const Error& error) {
    // A process that can only read leaves this to one that can write. What is half done is not
    // visible meanwhile.
    if (error.code() != ErrorCode::kReadOnly) throw;
  }
}

void Accounts::resume_removals() {
  std::vector<UserNumber> numbers = reads::unfinished_removals(*storage_.snapshot());
  for (const UserNumber number : directory_.removals()) {
    // If the engine's store does not hide the user, it is of an earlier time than this note, which
    // is dropped.
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
  // A user who is made later has a living process that brings the card.
  const UserNumber last = numbers.empty() ? kNobody : numbers.front();
  std::uint32_t at_once = kDueFirst;
  for (bool more = true; more; at_once = std::min(4 * at_once, kDueMost)) {
    const auto due = directory_.due_cards(at_once);
    for (const DueCard& card : due) numbers.push_back(card.user);
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    bring_cards(storage_, directory_, clock_, numbers);
    numbers.clear();
    const bool settled = due.size() >= kSettledFrom && settle_cards(directory_, due);
    more = settled && due.size() == at_once && due.back().user <= last;
  }
}

}  // namespace chirp::social
