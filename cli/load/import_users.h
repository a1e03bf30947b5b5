// Loads the users of an export with their ids, pictures and reading positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/load/import_check.h"
#include "cli/load/import_media.h"
#include "cli/load/import_row.h"
#include "core/engine.h"
#include "core/load/background.h"
#include "core/load/turns.h"
#include "core/model/ids.h"
#include "core/pace.h"

namespace chirp::cli {

// The message for a row that names a user who is not in the export.
[[nodiscard]] std::string unknown_user(UserId id);

// Maps the ids of an export's users to their numbers here: 12 bytes per user.
class ImportNumbers {
 public:
  // Accepts any order; the order of ids is fast.
  void add(UserId id, UserNumber number);
  // Call it after the last add() and before the first find().
  void finish();
  [[nodiscard]] std::optional<UserNumber> find(UserId id) const;

 private:
  void sort();

  // Ascending by id. An id between ids_.front() and ids_.back() is at firsts_[part] or later, below
  // firsts_[part + 1], where the part is its distance from the front, shifted.
  std::vector<UserId> ids_;
  std::vector<UserNumber> numbers_;
  std::vector<std::uint32_t> firsts_;
  unsigned shift_ = 0;
};

class ImportUsers {
 public:
  // The arguments must outlive it. `turns` are those of the whole load.
  ImportUsers(Engine& engine, ImportReader& reader, ImportCheck& check, ImportMedia& media,
              load::Turns& turns);

  void read();

  [[nodiscard]] const ImportNumbers& numbers() const { return numbers_; }
  // The reading positions of home feeds, of users that have one.
  [[nodiscard]] std::span<const std::pair<UserNumber, PostId>> reading() const { return reading_; }
  // The reading positions of notifications.
  [[nodiscard]] std::span<const std::pair<UserNumber, Sequence>> notified() const {
    return notified_;
  }

 private:
  void restore(std::span<User> users, std::span<const ReadingMarks> marks);
  void restore_some(std::span<User> users, std::span<const ReadingMarks> marks);
  [[nodiscard]] std::optional<RefusedRow> restore_rows(std::span<const User> users,
                                                       std::vector<User>& restored);
  void store_cards(std::span<const AuthorCard> cards);

  Engine& engine_;
  ImportReader& reader_;
  ImportCheck& check_;
  ImportMedia& media_;
  load::Turns& turns_;
  ImportNumbers numbers_;
  std::vector<std::pair<UserNumber, PostId>> reading_;
  std::vector<std::pair<UserNumber, Sequence>> notified_;
  Pace user_pace_{2'000, 1'000, 16'000};
  Pace card_pace_{4'000, 2'000, 32'000};             // used in the background
  load::Background<std::vector<AuthorCard>> cards_;  // last: it uses the members above
};

}  // namespace chirp::cli
