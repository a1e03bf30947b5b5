#include "store/sqlite/due_cards.h"

#include <cstddef>
#include <optional>

#include "store/sqlite/load_cache.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/user_directory.h"

namespace chirp::sqlite {
namespace {

// Only loads settle this many cards together.
constexpr std::size_t kOfLoad = 500;

}  // namespace

std::uint64_t note_due_card(Connection& connection, UserNumber user) {
  make_due_cards(connection);
  connection.run("INSERT OR REPLACE INTO due_cards (number) VALUES (?1)", user.value);
  return static_cast<std::uint64_t>(connection.last_row_number());
}

std::uint64_t note_due_cards_from(Connection& connection, UserNumber first) {
  make_due_cards(connection);
  connection.run(
      "INSERT OR REPLACE INTO due_cards (number) "
      "SELECT number FROM users WHERE number >= ?1 ORDER BY number",
      first.value);
  return static_cast<std::uint64_t>(connection.last_row_number());
}

std::vector<PendingCard> SqliteUserDirectory::due_cards(std::uint32_t limit) const {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  std::vector<PendingCard> cards;
  if (!has_due_cards(connection)) return cards;
  Rows rows = connection.rows("SELECT due, number FROM due_cards ORDER BY due LIMIT ?1", limit);
  while (rows.next()) {
    cards.push_back({static_cast<std::uint64_t>(rows.integer(0)),
                     UserNumber{static_cast<std::uint32_t>(rows.integer(1))}});
  }
  return cards;
}

bool SqliteUserDirectory::is_card_due(UserNumber user) const {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  if (!has_due_cards(connection)) return false;
  Rows rows = connection.rows("SELECT 1 FROM due_cards WHERE number = ?1", user.value);
  return rows.next();
}

void SqliteUserDirectory::settle_cards(std::span<const PendingCard> settled) {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  if (settled.empty() || !has_due_cards(connection)) return;
  // This must not make SQLite move a load's log into the file earlier.
  std::optional<LoadCache> loading;
  if (settled.size() >= kOfLoad) loading.emplace(connection);
  Transaction transaction(connection);
  // The cards of a load have consecutive numbers.
  for (std::size_t i = 0; i < settled.size();) {
    std::size_t end = i + 1;
    while (end < settled.size() && settled[end].due == settled[end - 1].due + 1) ++end;
    connection.run("DELETE FROM due_cards WHERE due BETWEEN ?1 AND ?2", settled[i].due,
                   settled[end - 1].due);
    i = end;
  }
  version_.commit_unmoved(transaction);
}

}  // namespace chirp::sqlite
