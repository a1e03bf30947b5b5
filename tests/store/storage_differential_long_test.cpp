// Goal: long lists of edges and long timelines, which stores cut into pieces, stay the model's.
// Method: random batches on few users with many edges, and on one viewer with thousands of posts;
// the lists are compared after each batch.
#include <algorithm>
#include <random>

#include <doctest/doctest.h>

#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "tests/support/seeds.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

class Pair {
 public:
  explicit Pair(const StoreKind& other)
      : model_(store_kinds().front().make()), other_(other.make()) {}

  template <class Call>
  void both(Call call) {
    call(model_->storage());
    call(other_->storage());
  }
  [[nodiscard]] std::unique_ptr<Snapshot> model() const { return model_->storage().snapshot(); }
  [[nodiscard]] std::unique_ptr<Snapshot> other() const { return other_->storage().snapshot(); }

 private:
  std::unique_ptr<TestStore> model_;
  std::unique_ptr<TestStore> other_;
};

bool same_edges(const Snapshot& a, const Snapshot& b, UserNumber user, UserNumber after,
                std::uint32_t limit) {
  const auto same = [](const EdgePage& x, const EdgePage& y) {
    return x.edges == y.edges && x.more == y.more;
  };
  return same(reads::following(a, user, after, limit), reads::following(b, user, after, limit)) &&
         same(reads::followers(a, user, after, limit), reads::followers(b, user, after, limit));
}

void load_all(Storage& storage, std::span<const LoadedEdge> edges, Time now) {
  while (!edges.empty()) edges = edges.subspan(rules::load_edges(storage, edges, now).taken);
}

// Entries that both claim to be complete from, and how many of them a store may have let go.
void check_timelines(const Pair& pair, UserNumber viewer, std::uint32_t cap) {
  const auto a = pair.model()->timeline(viewer);
  const auto b = pair.other()->timeline(viewer);
  REQUIRE(a.has_value() == b.has_value());
  if (!a) return;
  CHECK(b->entries.size() <= cap);
  CHECK(b->entries.size() + cap / 8 + 1 >= a->entries.size());
  CHECK(b->complete_from >= a->complete_from);
  std::vector<Entry> wanted = a->entries;
  std::erase_if(wanted, [&](const Entry& entry) { return entry.id < b->complete_from; });
  CHECK(b->entries == wanted);
}

}  // namespace

TEST_CASE("storage differential: long lists of edges stay the model's") {
  constexpr std::uint32_t kUsers = 3000;
  constexpr std::uint32_t kHubs = 3;
  for (const StoreKind& kind : store_kinds()) {
    INFO("CHIRP_SEED=" << first_seed() << " of " << kind.name);
    std::mt19937_64 random(first_seed());
    Pair pair(kind);
    std::vector<AuthorCard> cards;
    for (std::uint32_t i = 1; i <= kUsers; ++i) cards.push_back(card(i));
    pair.both([&](Storage& s) { rules::load_cards(s, cards, kStart); });
    const auto pick = [&](std::uint32_t bound) {
      return UserNumber{static_cast<std::uint32_t>(1 + random() % bound)};
    };
    for (int round = 0; round < 60; ++round) {
      const Time now{kStart.ms + round * kHourMs};
      std::vector<LoadedEdge> edges;
      const std::uint64_t count = 1 + random() % 500;
      for (std::uint64_t i = 0; i < count; ++i) {
        LoadedEdge edge{pick(kHubs), pick(round % 3 == 0 ? 200 : kUsers)};
        if (random() % 2) std::swap(edge.follower, edge.followee);
        if (edge.follower != edge.followee) edges.push_back(edge);
      }
      std::vector<Change> changes;
      for (const auto& [follower, followee] : edges) {
        if (random() % 3 == 0) {
          changes.emplace_back(Follow{follower, followee});
        } else {
          changes.emplace_back(Unfollow{follower, followee});
        }
      }
      const bool loading = random() % 2 == 0;
      pair.both([&](Storage& s) {
        if (loading) {
          load_all(s, edges, now);
        } else {
          s.write(changes, now);
        }
      });
      const auto a = pair.model();
      const auto b = pair.other();
      bool same = true;
      for (std::uint32_t hub = 1; hub <= kHubs; ++hub) {
        same = same && same_edges(*a, *b, UserNumber{hub}, kNobody, kAll) &&
               same_edges(*a, *b, UserNumber{hub}, pick(kUsers), 100) &&
               a->feed_sources(UserNumber{hub}).following ==
                   b->feed_sources(UserNumber{hub}).following;
      }
      REQUIRE(same);
    }
    CHECK(pair.other()->problems().empty());
    CHECK(pair.model()->table_rows()["follows"] == pair.other()->table_rows()["follows"]);
  }
}

TEST_CASE("storage differential: long timelines stay the model's") {
  for (const StoreKind& kind : store_kinds()) {
    for (const std::uint32_t cap : {30u, 100u, limits::kFeedCapDefault, limits::kFeedCapMax}) {
      INFO("CHIRP_SEED=" << first_seed() << " of " << kind.name << ", cap " << cap);
      std::mt19937_64 random(first_seed());
      Pair pair(kind);
      feed::FeedSettings settings;
      settings.cap = cap;
      const UserNumber viewer{1};
      std::vector<Change> start;
      for (std::uint32_t user = 1; user <= 3; ++user) start.emplace_back(PutCard{card(user)});
      start.emplace_back(Follow{viewer, UserNumber{2}});
      pair.both([&](Storage& s) {
        rules::change_settings(s, settings, kStart);
        s.write(start, kStart);
      });
      for (int round = 0; round < 40; ++round) {
        std::vector<Change> posts;
        const std::uint64_t count = 1 + random() % (random() % 4 == 0 ? 900 : 20);
        for (std::uint64_t i = 0; i < count; ++i) {
          posts.emplace_back(
              Publish{UserNumber{static_cast<std::uint32_t>(2 + random() % 2)}, "x"});
        }
        pair.both([&](Storage& s) { s.write(posts, kStart); });
        FanOutStep step = fan_out_step(*pair.model(), pair.model()->state().log_end);
        // Some come late: a part of them now, the others in the next step of the same events.
        FanOutStep late;
        late.from = late.to = step.to;
        for (const Delivery& delivery : step.deliveries) {
          if (random() % 3 == 0) late.deliveries.push_back(delivery);
        }
        std::erase_if(step.deliveries, [&](const Delivery& d) {
          return std::any_of(
              late.deliveries.begin(), late.deliveries.end(),
              [&](const Delivery& l) { return l.post == d.post && l.viewer == d.viewer; });
        });
        pair.both([&](Storage& s) {
          REQUIRE(rules::commit(s, step, kStart));
          REQUIRE(rules::commit(s, late, kStart));
        });
        check_timelines(pair, viewer, cap);
        if (round % 10 == 5) {
          std::vector<Change> change;
          if (round == 25) {
            change.emplace_back(Unfollow{viewer, UserNumber{3}});
          } else {
            change.emplace_back(Follow{viewer, UserNumber{3}});
          }
          pair.both([&](Storage& s) { s.write(change, kStart); });
          check_timelines(pair, viewer, cap);
        }
      }
      CHECK(pair.other()->problems().empty());
    }
  }
}

}  // namespace chirp::test
