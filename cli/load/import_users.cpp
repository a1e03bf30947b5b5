#include "cli/load/import_users.h"

#include <algorithm>
#include <utility>

#include "cli/load/import_user.h"
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
  while (!cards.empty()) {
    const auto some = cards.first(std::min(card_pace_.rows(), cards.size()));
    turns_.take(card_pace_, some.size(), [&] {
      rules::load_cards(engine_.storage(), some, engine_.clock().now());
      return some.size();
    });
    cards = cards.subspan(some.size());
  }
}

}  // namespace chirp::cli
