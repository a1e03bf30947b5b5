// What a plain design does on the same server: a row for each thing, an index for each question,
// and no more. The references of `chirp bench postgres`.
//
// Tables lie in a schema of their own, `plain`, of the same database. Statements are prepared,
// binary, and go out together where nothing is to be known in between.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/model/ids.h"
#include "core/model/reaction.h"
#include "core/ports/loads.h"
#include "core/ports/snapshot.h"
#include "store/postgres/connection.h"

namespace chirp::cli::bench {

// A post on a page.
struct PlainItem {
  PostId id;
  UserNumber author;
  std::string text;
  std::string username;
  std::string display_name;
  std::int64_t reactions = 0;
  std::int64_t comments = 0;
  std::int64_t reposts = 0;
  std::optional<ReactionType> reaction;  // the reader's

  bool operator==(const PlainItem&) const = default;
};

// One thread's connection to the tables.
class PlainTables {
 public:
  explicit PlainTables(const std::string& url);

  // Makes them, with what a snapshot shows: cards, follows, posts, reactions and counts.
  static void make(const std::string& url, const Snapshot& snapshot);

  // The newest posts of whom the reader follows and of themselves, with cards, counts and the
  // reader's reactions: one lateral join.
  [[nodiscard]] postgres::Result ask_page(UserNumber reader, std::uint32_t limit);
  [[nodiscard]] std::vector<PlainItem> page(UserNumber reader, std::uint32_t limit);

  struct NewPost {
    PostId id;
    UserNumber author;
    std::string text;
  };
  struct NewReaction {
    PostId post;
    UserNumber user;
  };
  // In one transaction: of a post its row, a row of its author's log and one of the events; of a
  // reaction its row, one by user and one of the events.
  void insert(std::span<const NewPost> posts, std::span<const NewReaction> reactions);
  // Rows of follows that are not there yet, in one transaction.
  void follow(std::span<const LoadedEdge> edges);
  // A row for each reader and post, in one transaction.
  void deliver(std::span<const std::pair<UserNumber, PostId>> deliveries);

  [[nodiscard]] postgres::Connection& connection() { return connection_; }

 private:
  postgres::Connection connection_;
};

}  // namespace chirp::cli::bench
