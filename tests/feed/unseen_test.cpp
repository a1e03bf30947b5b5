// Goal: nothing that a page of the feed says, its cost among it, depends on what its reader may not
// see: no cursor can be moved along until the cost tells that something is hidden there.
// Method: two worlds with the same times, one with private posts and reposts of people who have
// blocked the reader in it, one without; every page of every size from every cursor, in both
// directions and for both ways of reading, is written out and compared.
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/seeds.h"
#include "tests/support/small_world.h"

namespace chirp::test {
namespace {

constexpr std::uint32_t kReader = 1;
constexpr std::uint32_t kBlocker = 7;  // of the reader

enum class Hidden : std::uint8_t { kThere, kMissing };

class Worlds {
 public:
  explicit Worlds(Hidden hidden) : hidden_(hidden) {
    for (std::uint32_t user = 2; user <= 6; ++user) world.follow(kReader, user);
    world.write(Relate{UserNumber{kBlocker}, UserNumber{kReader}, Relation::kBlock});
    for (int i = 0; i < 3; ++i) {
      blocked_.push_back(world.post(kBlocker));
      world.clock.advance(1);
    }
  }

  void act(std::mt19937_64& random) {
    const auto author = static_cast<std::uint32_t>(2 + random() % 5);
    const auto what = random() % 10;
    const auto which = random();
    if (what < 4) {
      seen_.push_back(world.post(author));
    } else if (what < 6 && !seen_.empty()) {
      world.write(Repost{UserNumber{author}, seen_[which % seen_.size()]});
    } else if (what < 9) {
      if (hidden_ == Hidden::kThere) {
        world.write(Publish{UserNumber{author}, "hidden", Privacy::kPrivate});
      }
    } else if (hidden_ == Hidden::kThere) {
      world.write(Repost{UserNumber{author}, blocked_[which % blocked_.size()]});
    }
    world.clock.advance(1);
  }

  [[nodiscard]] const std::vector<PostId>& seen() const { return seen_; }

  SmallWorld world{7};

 private:
  Hidden hidden_;
  std::vector<PostId> blocked_;
  std::vector<PostId> seen_;
};

std::string text_of(const std::optional<PostId>& id) {
  return id ? std::to_string(id->value) : "none";
}

std::string text_of(const feed::Page& page) {
  std::string text =
      fmt::format("{} {} {} {} sources {} examined {} warm {}\n", text_of(page.next_cursor),
                  text_of(page.prev_cursor), page.has_more, page.items.size(), page.cost.sources,
                  page.cost.examined, page.warm);
  for (const feed::FeedItem& item : page.items) {
    text += fmt::format("{} {} {} {}", item.entry.value, item.post->id.value,
                        feed::name(item.reason), feed::name(item.source));
    for (const feed::Reposter& reposter : item.reposted_by) {
      text += fmt::format(" {}", reposter.post.value);
    }
    text += "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("unseen: what a page says and costs does not depend on what its reader may not see") {
  const std::uint64_t seed = first_seed();
  for (std::uint64_t round = 0; round < worlds_or(40); ++round) {
    CAPTURE(seed + round);
    Worlds full(Hidden::kThere);
    Worlds bare(Hidden::kMissing);
    for (Worlds* one : {&full, &bare}) {
      std::mt19937_64 random(seed + round);
      for (int i = 0; i < 30; ++i) one->act(random);
      one->world.fan_out();
      for (int i = 0; i < 10; ++i) one->act(random);  // pending
    }
    REQUIRE(full.seen() == bare.seen());
    std::vector<PostId> cursors = full.seen();
    for (const PostId id : full.seen()) cursors.push_back(PostId{id.value + 1});
    for (const auto as_if : {std::optional<feed::Policy>(), std::optional(feed::Policy::kPull)}) {
      for (const std::uint32_t limit : {1U, 2U, 5U, 20U}) {
        feed::PageRequest request = SmallWorld::asking(kReader, limit);
        request.as_if = as_if;
        CHECK(text_of(full.world.page(request)) == text_of(bare.world.page(request)));
        for (const PostId cursor : cursors) {
          request.before = cursor;
          request.after.reset();
          CHECK(text_of(full.world.page(request)) == text_of(bare.world.page(request)));
          request.before.reset();
          request.after = cursor;
          CHECK(text_of(full.world.page(request)) == text_of(bare.world.page(request)));
        }
      }
    }
    for (const std::uint32_t limit : {1U, 4U}) {
      const auto cost_of = [&](Worlds& one) {
        const auto state = one.world.storage.snapshot();
        const auto taken = feed::take_ranked(*state, UserNumber{kReader}, {}, one.world.clock);
        std::string text;
        for (std::size_t from = 0;;) {
          auto [page, next] = feed::ranked_page(*state, taken, from, limit, one.world.clock);
          text += text_of(page);
          if (!page.has_more) return text;
          from = next;
        }
      };
      CHECK(cost_of(full) == cost_of(bare));
    }
  }
}

}  // namespace chirp::test
