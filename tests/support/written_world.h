// A store and the oracle of writing, driven by the same random calls.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/support/naive_world.h"
#include "tests/support/stores.h"

namespace chirp::test {

class WrittenWorld {
 public:
  WrittenWorld(const StoreKind& kind, std::uint64_t seed);

  // Makes one random call on both. Returns the differences of answers and contents, one line each.
  [[nodiscard]] std::vector<std::string> step();
  // The last calls, oldest first.
  [[nodiscard]] std::string trail() const;

 private:
  struct Action;
  static const std::vector<Action>& actions();

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  UserNumber anybody();
  UserNumber anybody_but(UserNumber user);
  std::optional<UserNumber> somebody_there();
  PostId some_post();
  CommentId some_comment();
  Time past();
  std::vector<UserNumber> mentions_by(UserNumber author);
  enum class Comes : std::uint8_t { kAlone, kWithOthers };
  AuthorCard some_card(Comes comes);
  Publish some_publish();
  Change some_post_change();
  Change some_relation_change();
  Change some_remark();

  void expect(bool same, std::string what);
  void write(const std::vector<Change>& changes);
  void check_breaches();
  // Takes steps until one reports that nothing is left.
  template <class Step>
  void finish(Step step);
  // Whether both threw the same error, or none.
  template <class Call>
  void restore(const char* what, ErrorCode wanted, Call call);

  void put_card();
  void post();
  void relate();
  void talk();
  void remove_user();
  void remove_traces();
  void remove_post_traces();
  void count();
  void tell();
  void trend();
  void fan_out();
  void read();
  void forget();
  void settings();
  void retire();
  void trim();
  void load_cards();
  void load_edges();
  void load_posts();
  void load_comments();
  void load_reactions();
  void restore_posts();
  void restore_edges();
  void restore_comments();
  void restore_reactions();
  void restore_relations();
  void clock();

  std::mt19937_64 random_;
  std::unique_ptr<TestStore> store_;
  Storage& storage_;
  NaiveWorld world_;
  Time now_;
  std::vector<PostId> published_;  // some may be gone
  std::deque<std::string> trail_;
  std::vector<std::string> found_;
};

}  // namespace chirp::test
