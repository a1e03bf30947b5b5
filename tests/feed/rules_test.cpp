// Goal: each rule of the definition hides an entry by itself, whatever the store has left out
// before the rules are asked.
// Method: a post and a repost that are shown, then the one thing changed that a rule is about.
#include "core/feed/rules.h"

#include <array>
#include <functional>

#include <doctest/doctest.h>

namespace chirp::test::rules_test {
namespace {

constexpr UserNumber kViewer{1};
constexpr UserNumber kFollowed{2};
constexpr UserNumber kStranger{3};
constexpr std::array kFollowing{kFollowed};

feed::ViewedAuthor person(UserNumber number, Presence presence = Presence::kPresent) {
  AuthorCard card;
  card.number = number;
  card.presence = presence;
  return {shared(std::move(card)), {}};
}

// Followed has posted; or reposted what Stranger posted.
struct Scene {
  Post post{.id = PostId{20}, .author = kFollowed, .text = "text", .created_at = {}, .source = {}};
  Post original{
      .id = PostId{10}, .author = kStranger, .text = "text", .created_at = {}, .source = {}};
  feed::ViewedAuthor author = person(kFollowed);
  feed::ViewedAuthor original_author = person(kStranger);
  Entry entry{PostId{20}, kFollowed};
  bool has_post = true;
  bool has_author = true;
  bool has_original = true;
  bool has_original_author = true;

  static Scene plain() { return {}; }
  static Scene repost() {
    Scene scene;
    scene.post.original = scene.original.id;
    scene.post.original_author = kStranger;
    return scene;
  }
  [[nodiscard]] bool shown() const {
    const feed::Rules rules(kViewer, kFollowing);
    feed::HydratedEntry hydrated;
    if (has_post) hydrated.post = &post;
    if (has_author) hydrated.author = &author;
    if (has_original) hydrated.original = &original;
    if (has_original_author) hydrated.original_author = &original_author;
    return rules.admits(entry) && rules.shows(entry, hydrated);
  }
};

using Spoil = std::function<void(Scene&)>;

}  // namespace

TEST_CASE("rules: one's own and what those who are followed have posted is admitted") {
  const feed::Rules rules(kViewer, kFollowing);
  CHECK(rules.admits({PostId{1}, kViewer}));
  CHECK(rules.admits({PostId{1}, kFollowed}));
  CHECK_FALSE(rules.admits({PostId{1}, kStranger}));
}

TEST_CASE("rules: each hides an entry alone") {
  REQUIRE(Scene::plain().shown());
  REQUIRE(Scene::repost().shown());
  const std::array<Spoil, 11> of_any{
      [](Scene& s) { s.has_post = false; },
      [](Scene& s) { s.has_author = false; },
      [](Scene& s) { s.post.id = PostId{21}; },
      [](Scene& s) { s.post.author = kStranger; },
      [](Scene& s) { s.author = person(kStranger); },
      [](Scene& s) { s.author = person(kFollowed, Presence::kRemoved); },
      [](Scene& s) { s.author = person(kFollowed, Presence::kSuspended); },
      [](Scene& s) { s.post.privacy = Privacy::kPrivate; },
      [](Scene& s) { s.author.bond.blocks = true; },
      [](Scene& s) { s.author.bond.blocked_by = true; },
      [](Scene& s) { s.author.bond.mutes = true; }};
  const std::array<Spoil, 10> of_reposts{
      [](Scene& s) { s.has_original = false; },
      [](Scene& s) { s.has_original_author = false; },
      [](Scene& s) { s.original.id = PostId{11}; },
      [](Scene& s) { s.original.privacy = Privacy::kFollowers; },
      [](Scene& s) { s.original_author = person(kStranger, Presence::kRemoved); },
      [](Scene& s) { s.original_author = person(kStranger, Presence::kSuspended); },
      [](Scene& s) { s.original_author.bond.blocks = true; },
      [](Scene& s) { s.original_author.bond.blocked_by = true; },
      [](Scene& s) { s.original_author.bond.mutes = true; },
      [](Scene& s) { s.author.bond.reposts_off = true; }};
  for (std::size_t i = 0; i < of_any.size(); ++i) {
    CAPTURE(i);
    for (Scene scene : {Scene::plain(), Scene::repost()}) {
      of_any[i](scene);
      CHECK_FALSE(scene.shown());
    }
  }
  for (std::size_t i = 0; i < of_reposts.size(); ++i) {
    CAPTURE(i);
    Scene scene = Scene::repost();
    of_reposts[i](scene);
    CHECK_FALSE(scene.shown());
    Scene plain = Scene::plain();
    of_reposts[i](plain);
    CHECK(plain.shown());
  }
}

TEST_CASE("rules: what is for followers is shown to them, what is private to its author") {
  Scene scene = Scene::plain();
  scene.post.privacy = Privacy::kFollowers;
  CHECK(scene.shown());
  for (const Privacy privacy : {Privacy::kPublic, Privacy::kFollowers, Privacy::kPrivate}) {
    Scene own = Scene::plain();
    own.post.author = kViewer;
    own.entry.author = kViewer;
    own.author = person(kViewer);
    own.post.privacy = privacy;
    CHECK(own.shown());
  }
}

}  // namespace chirp::test::rules_test
