// A random world with data for all tables of `chirp query`, and queries of it.
#pragma once

#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/error.h"
#include "core/events/consumers.h"
#include "store/query/query.h"
#include "tests/support/social_world.h"
#include "tests/support/thrown.h"

namespace chirp::test {

using query::Bounds;
using query::Query;

using Line = std::vector<std::string>;
using Lines = std::vector<Line>;

inline std::string value_of(const Query& query, std::size_t column) {
  switch (query.kind(column)) {
    case query::ValueKind::kNull:
      return "NULL";
    case query::ValueKind::kInteger:
      return std::to_string(query.integer(column));
    case query::ValueKind::kReal:
      return fmt::format("{}", query.real(column));
    default:
      return std::string(query.bytes(column));
  }
}

// A world with data for all tables, and the inputs it was made from.
struct QueryWorld : SocialWorld {
  explicit QueryWorld(unsigned seed, int people = 12) : random(seed) {
    for (int i = 0; i < people; ++i) {
      social::SignUp sign_up;
      sign_up.username = fmt::format("Person{}", i);
      sign_up.email = fmt::format("p{}@example.org", i);
      sign_up.password = "the secret of " + sign_up.username;
      all.push_back(accounts.add(sign_up).user);
      tokens.push_back(directory.add_token(all.back().number, clock.now(), std::nullopt));
      clock.advance(1000);
    }
    for (int i = 0; i < people * 12; ++i) step();
    events::TrendConsumer trends(storage, clock);
    while (trends.step() == events::Progress::kMoved) continue;
  }

  std::size_t below(std::size_t n) { return random() % n; }
  const User& somebody() { return all[below(all.size())]; }

  void step() {
    clock.advance(500);
    // A third of all users never post.
    const std::size_t at = below(all.size());
    const User& user = all[at];
    const User& other = somebody();
    switch (below(7)) {
      case 0:
      case 1:
        if (user.id != other.id && follows.add(user, {&other, 1}).changed > 0) {
          edges.insert({user.id.value, other.id.value});
        }
        return;
      case 2:
        if (at % 3 == 0) return;
        texts[posts.publish(user, fmt::format("#tag{} by {}", below(4), user.username)).post.id] =
            user.id.value;
        return;
      default:
        talk(user, other, at);
    }
  }

  void talk(const User& user, const User& other, std::size_t at) {
    if (texts.empty()) return;
    const PostId post = std::next(texts.begin(), static_cast<long>(below(texts.size())))->first;
    switch (below(4)) {
      case 0:
        (void)reactions.react(user, post, below(2) == 0 ? ReactionType::kLike : ReactionType::kSad);
        reacted.insert({post.value, user.id.value});
        return;
      case 1:
        (void)comments.add(user, post, "a comment", kNoComment);
        return;
      case 2:
        if (at % 3 != 0) (void)posts.repost(user, post);
        return;
      default:
        if (user.id != other.id) (void)relations.set(user, Relation::kMute, other);
    }
  }

  Lines ask(const std::string& sql, const Bounds& bounds = {}) {
    const auto snapshot = storage.snapshot();
    return ask_of(*snapshot, sql, bounds);
  }
  Lines ask_of(const Snapshot& snapshot, const std::string& sql, const Bounds& bounds = {}) {
    Query query(snapshot, directory, clock, bounds);
    query.ask(sql);
    const std::size_t columns = query.columns().size();
    Lines lines;
    while (query.next()) {
      Line line;
      for (std::size_t i = 0; i < columns; ++i) line.push_back(value_of(query, i));
      lines.push_back(std::move(line));
    }
    read = query.rows_read();
    return lines;
  }
  Lines sorted(const std::string& sql) {
    Lines lines = ask(sql);
    std::sort(lines.begin(), lines.end());
    return lines;
  }
  std::string plan(const std::string& sql) {
    std::string plan;
    for (const Line& line : ask("EXPLAIN QUERY PLAN " + sql)) plan += line.at(3) + "\n";
    return plan;
  }
  std::string refusal(const std::string& sql) {
    const Error error = error_of([&] { (void)ask(sql); });
    CHECK_MESSAGE(error.code() == ErrorCode::kInvalidArgument, sql, ": ", error.what());
    return error.what();
  }

  std::mt19937 random;
  std::vector<User> all;
  std::vector<std::string> tokens;
  std::set<std::pair<std::uint64_t, std::uint64_t>> edges;
  std::map<PostId, std::uint64_t> texts;  // and the author
  std::set<std::pair<std::uint64_t, std::uint64_t>> reacted;
  std::uint64_t read = 0;
};

}  // namespace chirp::test
