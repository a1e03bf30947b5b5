// The references of `chirp bench postgres`: a plain design on the same server, with a row for each
// thing, an index for each query, and nothing else.
//
// The tables are in a schema of their own, `plain`, of the same database. Statements are prepared,
// binary, and pipelined if they do not depend on one another.
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
#include "store/postgres/connection/connection.h"

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
  std::optional<ReactionType> reaction;  // the reader's own reaction

  bool operator==(const PlainItem&) const = default;
};

// One thread's connection to the tables.
class PlainTables {
 public:
  explicit PlainTables(const std::string& url);

  // Makes the tables with the data of a snapshot: cards, follows, posts, reactions and counts.
  static void make(const std::string& url, const Snapshot& snapshot);

  // The newest posts of the reader and of followed users, with cards, counts and the reader's
  // reactions: one lateral join.
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
  // Inserts in one transaction: for a post its row, a row of its author's log and an event; for a
  // reaction its row, a row by user and an event.
  void insert(std::span<const NewPost> posts, std::span<const NewReaction> reactions);
  // Inserts rows of new follows, in one transaction.
  void follow(std::span<const LoadedEdge> edges);
  // Inserts a row for each reader and post, in one transaction.
  void deliver(std::span<const std::pair<UserNumber, PostId>> deliveries);

  [[nodiscard]] postgres::Connection& connection() { return connection_; }

 private:
  postgres::Connection connection_;
};

}  // namespace chirp::cli::bench
