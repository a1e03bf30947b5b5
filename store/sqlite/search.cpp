#include "store/sqlite/search.h"

#include <vector>

#include "core/limits.h"
#include "core/model/names.h"
#include "core/model/utf8.h"

namespace chirp::sqlite {

void define_search(Connection& connection) {
  connection.define("chirp_folded", [](std::string_view text) { return search_folded(text); });
  connection.define("chirp_has", [](std::string_view text, std::string_view words) {
    const std::string folded = search_folded(text);
    for (;;) {
      const std::size_t end = words.find('\n');
      if (folded.find(words.substr(0, end)) == std::string::npos) return false;
      if (end == std::string_view::npos) return true;
      words.remove_prefix(end + 1);
    }
  });
  connection.define("chirp_begins", [](std::string_view text, std::string_view part) {
    return search_folded(text).starts_with(part);
  });
}

void index_users_above(Connection& connection, UserNumber number) {
  connection.run(
      "INSERT INTO user_search (rowid, text) SELECT number, text FROM searchable WHERE number > ?1 "
      "ORDER BY number",
      number.value);
}

void index_user(Connection& connection, UserNumber number) {
  connection.run(
      "INSERT INTO user_search (rowid, text) SELECT number, text FROM searchable WHERE number = ?1",
      number.value);
}

void unindex_user(Connection& connection, UserNumber number) {
  connection.run(
      "INSERT INTO user_search (user_search, rowid, text) SELECT 'delete', number, text "
      "FROM searchable WHERE number = ?1",
      number.value);
}

void rebuild_search(Connection& connection) {
  connection.run("INSERT INTO user_search (user_search) VALUES ('rebuild')");
}

void check_search(Connection& connection) {
  connection.run("INSERT INTO user_search (user_search, rank) VALUES ('integrity-check', 1)");
}

bool is_common(Connection& connection, std::string_view trigrams) {
  Rows rows = connection.rows(
      "SELECT count(*) FROM (SELECT 1 FROM user_search WHERE user_search MATCH ?1 LIMIT ?2)",
      trigrams, limits::kMatchCandidatesMax + 1);
  return rows.next() && rows.integer(0) > limits::kMatchCandidatesMax;
}

namespace {

void add_trigrams(std::string& query, std::string_view text) {
  constexpr std::size_t kGram = 3;
  std::vector<std::string_view> characters;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t bytes = utf8::decode(rest).bytes;
    characters.push_back(rest.substr(0, bytes));
    rest.remove_prefix(bytes);
  }
  for (std::size_t at = 0; at + kGram <= characters.size(); ++at) {
    query += query.empty() ? "\"" : " \"";
    for (std::size_t i = at; i < at + kGram; ++i) {
      query += characters[i];
      if (characters[i] == "\"") query += '"';  // a quote is doubled inside quotes
    }
    query += '"';
  }
}

}  // namespace

std::string trigram_query(const std::vector<std::string>& texts) {
  std::string query;
  for (const std::string& text : texts) add_trigrams(query, text);
  return query;
}

}  // namespace chirp::sqlite
