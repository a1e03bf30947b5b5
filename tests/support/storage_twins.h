// Two stores side by side, driven by the same random calls.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "core/ports/loads.h"
#include "core/ports/steps.h"
#include "core/ports/storage.h"
#include "tests/support/stores.h"

namespace chirp::test {

// The first store is the model. Makes calls like the engine's, including late and repeated ones:
// steps and built timelines are kept for a while before they are stored.
class Twins {
 public:
  Twins(const StoreKind& model, const StoreKind& other, std::uint64_t seed);

  // Makes one random call on both. Returns the differences of answers, states and invariants, one
  // line each.
  [[nodiscard]] std::vector<std::string> step();
  // The same, sometimes with a concurrent bulk load on the other store.
  [[nodiscard]] std::vector<std::string> load_in_bulk();
  // The same with a load on the other store that writes entries before their posts.
  [[nodiscard]] std::vector<std::string> load_early();
  // The last calls, oldest first.
  [[nodiscard]] std::string trail() const;

 private:
  struct Action;
  static const std::vector<Action>& actions();

  // Draws an action and runs it.
  void act();
  // Records the differences of answers, states and invariants.
  void compare();
  // Runs `call` on both stores and records different results.
  template <class Call>
  auto both(Call call);

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  UserNumber anybody();
  std::optional<UserNumber> somebody_there();
  std::optional<Post> some_post();
  Time past();
  Change some_change();
  Change some_remark();
  AuthorCard some_card();

  void put_card();
  void write();
  void burst();
  void remove_user();
  void remove_traces();
  void talk();
  void remove_post_traces();
  void gather();
  void flush();
  void work_queue();
  void count();
  void recount();
  void walk();
  void store();
  void drop();
  void note_read();
  void mark_feed();
  void settings();
  void retire();
  void trim();
  void load_cards();
  void load_edges();
  void bulk_load();
  void load_posts();
  void early_load();
  // Ends at one of its steps, as if the program had died there.
  void put_early_and_load(std::uint64_t dies_at);
  std::vector<LoadedPost> early_posts();
  void settle();
  void load_talk();
  void restore();
  void restore_talk();
  void repair();
  void clock();

  std::mt19937_64 random_;
  std::unique_ptr<TestStore> model_;
  std::unique_ptr<TestStore> other_;
  Time now_;
  std::array<std::optional<FanOutStep>, 2> gathered_;
  std::optional<CounterStep> counted_;
  std::vector<BuiltTimeline> walks_;
  std::deque<std::string> trail_;
  std::vector<std::string> found_;
  std::set<std::uint64_t> first_blocks_;  // edges of a bulk load between users with a block
  bool is_bulk_ = false;                  // a bulk load is in progress
  bool is_early_ = false;                 // a load with early entries is in progress
  std::vector<EarlyEntry> early_;         // of that load
};

}  // namespace chirp::test
