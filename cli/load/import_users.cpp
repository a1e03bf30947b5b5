#include "cli/load/import_users.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include <fmt/format.h>

#include "core/error.h"
#include "core/rules/writing.h"
#include "core/social/card.h"

namespace chirp::cli {
namespace {

constexpr std::size_t kUserBatch = 16'000;

}  // namespace

ImportUsers::ImportUsers(Engine& engine, ImportReader& reader, ImportCheck& check,
                         ImportMedia& media, load::Turns& turns)
    : engine_(engine),
      reader_(reader),
      check_(check),
      media_(media),
      turns_(turns),
      cards_([this](const std::vector<AuthorCard>& cards) { store_cards(cards); }) {}

void ImportUsers::read() {
  std::vector<User> users;
  std::vector<ReadingMarks> marks;
  reader_.read(
      "users.jsonl", kUserBatch,
      [&](const Row& row) {
        users.push_back(user_of(row));
        marks.push_back(marks_of(row));
      },
      [&](const ImportedLines& lines) {
        reader_.store(lines, [&] {
          check_.users(users, marks);
          restore(users, marks);
        });
        users.clear();
        marks.clear();
      });
  cards_.drain();
  numbers_.finish();
  check_.finish_users(engine_.directory());
}

void ImportUsers::restore(std::span<User> users, std::span<const ReadingMarks> marks) {
  for (std::size_t done = 0; done < users.size();) {
    const std::size_t count = std::min(user_pace_.rows(), users.size() - done);
    try {
      restore_some(users.subspan(done, count), marks.subspan(done, count));
    } catch (const RefusedRow& refused) {
      throw RefusedRow{done + refused.index, refused.what};
    }
    done += count;
  }
}

// A picture can be set once its upload exists, and the upload needs its owner. The cards are
// written while the directory takes the next users.
void ImportUsers::restore_some(std::span<User> users, std::span<const ReadingMarks> marks) {
  std::vector<MediaId> pictures;
  for (User& user : users) pictures.push_back(std::exchange(user.picture, MediaId{}));
  const std::int64_t started = engine_.clock().steady_ns();
  std::vector<User> restored;
  const auto refused = restore_rows(users, restored);
  user_pace_.note(users.size(), engine_.clock().steady_ns() - started);
  turns_.pause();
  std::vector<AuthorCard> cards;
  for (std::size_t i = 0; i < restored.size(); ++i) {
    const User& user = restored[i];
    numbers_.add(user.id, user.number);
    if (marks[i].feed) reading_.emplace_back(user.number, *marks[i].feed);
    if (marks[i].notified != Sequence{0}) notified_.emplace_back(user.number, marks[i].notified);
    const bool has_picture = pictures[i] != MediaId{};
    cards.push_back(social::card_of(
        has_picture ? media_.set_picture(user.number, pictures[i], user.created_at) : user));
  }
  cards_.push(std::move(cards));
  if (refused) throw *refused;
}

// Adds to `restored`: these users need cards, even if a later user is refused. If a batch is
// refused, its users are tried one by one to find the line to name.
std::optional<RefusedRow> ImportUsers::restore_rows(std::span<const User> users,
                                                    std::vector<User>& restored) {
  try {
    restored = engine_.directory().restore(users);
    return std::nullopt;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kAlreadyExists) throw;
  }
  for (std::size_t i = 0; i < users.size(); ++i) {
    try {
      restored.push_back(engine_.directory().restore(users.subspan(i, 1)).front());
    } catch (const Error& error) {
      return RefusedRow{i, error.what()};
    }
  }
  return std::nullopt;
}

// On the background thread.
void ImportUsers::store_cards(std::span<const AuthorCard> cards) {
  turns_.take_all(card_pace_, cards, [&](std::span<const AuthorCard> some) {
    rules::load_cards(engine_.storage(), some, engine_.clock().now());
  });
}

namespace {

// Users per part, if their ids are spread evenly.
constexpr std::size_t kUsersAPart = 8;

}  // namespace

std::string unknown_user(UserId id) {
  return fmt::format("user {} is not among the users", id.value);
}

void ImportNumbers::add(UserId id, UserNumber number) {
  ids_.push_back(id);
  numbers_.push_back(number);
}

void ImportNumbers::sort() {
  std::vector<std::pair<UserId, UserNumber>> all;
  all.reserve(ids_.size());
  for (std::size_t i = 0; i < ids_.size(); ++i) all.emplace_back(ids_[i], numbers_[i]);
  std::ranges::sort(all);
  for (std::size_t i = 0; i < all.size(); ++i) std::tie(ids_[i], numbers_[i]) = all[i];
}

void ImportNumbers::finish() {
  if (ids_.empty()) return;
  if (!std::ranges::is_sorted(ids_)) sort();
  const std::uint64_t width = ids_.back().value - ids_.front().value;
  const auto bits = static_cast<unsigned>(std::bit_width(ids_.size() / kUsersAPart));
  const auto all_bits = static_cast<unsigned>(std::bit_width(width));
  shift_ = all_bits > bits ? all_bits - bits : 0;
  firsts_.assign((width >> shift_) + 2, 0);
  std::size_t part = 0;
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    const std::size_t own = (ids_[i].value - ids_.front().value) >> shift_;
    for (; part < own; ++part) firsts_[part + 1] = static_cast<std::uint32_t>(i);
  }
  firsts_.back() = static_cast<std::uint32_t>(ids_.size());
}

std::optional<UserNumber> ImportNumbers::find(UserId id) const {
  if (ids_.empty() || id < ids_.front() || id > ids_.back()) return std::nullopt;
  const std::size_t part = (id.value - ids_.front().value) >> shift_;
  const auto begin = ids_.begin() + firsts_[part];
  const auto end = ids_.begin() + firsts_[part + 1];
  const auto at = std::lower_bound(begin, end, id);
  if (at == end || *at != id) return std::nullopt;
  return numbers_[static_cast<std::size_t>(at - ids_.begin())];
}

}  // namespace chirp::cli
