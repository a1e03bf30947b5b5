// Goal: a file stays while something names it and a day longer, however posts, profiles and sweeps
// follow each other; a token is valid only for a present user.
// Method: the use cases over the stores in memory, with a clock that the test moves.
#include "core/social/media.h"

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/settings.h"
#include "core/social/limit_exceeded.h"
#include "core/social/tokens.h"
#include "tests/support/directories.h"
#include "tests/support/pictures.h"
#include "tests/support/social_world.h"
#include "tests/support/thrown.h"

namespace chirp::test {
namespace {

struct MediaWorld : SocialWorld {
  void wait(std::int64_t ms) { clock.advance(ms); }
  // After so long the first sweep looks at the clock alone.
  std::uint64_t swept() {
    const std::uint64_t removed = media.sweep();
    wait(limits::kSweepEveryMs + 1);
    return removed + media.sweep();
  }
  bool has(MediaId id) { return directory.media().find(id).has_value(); }

  User mira = add("mira");
  User yuki = add("yuki");
  social::Media media{storage, directory, clock};
  social::Tokens tokens{directory, accounts, clock};
};

constexpr std::int64_t kDay = limits::kMediaIdleMs;

}  // namespace

TEST_CASE("media use: what a post names stays, and goes a day after the post") {
  MediaWorld world;
  const MediaId id = world.media.put(world.mira, png()).id;
  social::NewPost wanted;
  wanted.media = world.media.to_post(world.mira, std::vector{id});
  const auto post = world.posts.publish(world.user("mira"), wanted).view;
  CHECK(post.post.media == std::vector{Medium{id, {}}});
  for (int day = 0; day < 3; ++day) {
    world.wait(kDay + 1);
    CHECK(world.swept() == 0);
  }
  world.wait(kDay / 2);
  world.posts.remove(Viewer::the_operator(), post.post.id);
  world.wait(kDay - 1);
  CHECK(world.media.sweep() == 0);
  CHECK(world.has(id));
  world.wait(limits::kSweepEveryMs + 1);
  CHECK(world.media.sweep() == 1);
  CHECK_FALSE(world.has(id));
}

TEST_CASE("media use: a sweep runs at most hourly, and takes what was never named") {
  MediaWorld world;
  const MediaId first = world.media.put(world.mira, png()).id;
  world.wait(kDay + 1);
  CHECK(world.swept() == 1);
  CHECK_FALSE(world.has(first));
  const MediaId second = world.media.put(world.mira, gif()).id;
  world.wait(kDay + 1);
  CHECK(world.swept() == 1);
  CHECK_FALSE(world.has(second));
}

TEST_CASE("media use: a moment in which the clock is far ahead takes nothing") {
  constexpr std::int64_t kYears = 1500 * kDay;
  MediaWorld world;
  const MediaId id = world.media.put(world.mira, png()).id;
  const auto away_and_back = [&] {
    world.wait(kYears);
    CHECK(world.media.sweep() == 0);
    world.wait(-kYears);
    CHECK(world.swept() == 0);
    CHECK(world.has(id));
  };
  away_and_back();  // before the first sweep
  away_and_back();
  world.wait(kYears);
  CHECK(world.swept() == 1);  // it stood there for an hour
}

TEST_CASE("media use: a picture stays while it is shown") {
  MediaWorld world;
  social::AccountEdit edit;
  edit.picture = world.media.put_picture(world.mira, png()).id;
  CHECK(world.accounts.edit(world.user("mira"), edit).user.picture == edit.picture);
  CHECK(world.posts.publish(world.user("mira"), "hello").author.picture == *edit.picture);
  world.wait(3 * kDay);
  CHECK(world.swept() == 0);
  const MediaId picture = *edit.picture;
  edit.picture = MediaId{};
  CHECK(world.accounts.edit(world.user("mira"), edit).user.picture == MediaId{});
  world.wait(kDay + 1);
  CHECK(world.swept() == 1);
  CHECK_FALSE(world.has(picture));
  CHECK(code_of([&] { world.media.put_picture(world.mira, mp4()); }) ==
        ErrorCode::kInvalidArgument);
}

TEST_CASE("media use: nobody names what is not theirs, nor more than a post may have") {
  MediaWorld world;
  const MediaId id = world.media.put(world.mira, png()).id;
  CHECK(code_of([&] { (void)world.media.to_post(world.yuki, std::vector{id}); }) ==
        ErrorCode::kNotFound);
  const std::vector<MediaId> five(5, id);
  CHECK(code_of([&] { (void)world.media.to_post(world.mira, five); }) ==
        ErrorCode::kInvalidArgument);
  CHECK(code_of([&] { world.posts.publish(world.user("mira"), ""); }) ==
        ErrorCode::kInvalidArgument);
  CHECK(world.media.show(id).bytes == png());
  CHECK(code_of([&] { (void)world.media.show(MediaId{1}); }) == ErrorCode::kNotFound);
  world.accounts.remove(world.user("mira"));
  CHECK_FALSE(world.has(id));
}

TEST_CASE("tokens: authenticate a user who is present") {
  MediaWorld world;
  const auto lasting = world.tokens.mint(world.user("mira"), std::nullopt);
  const auto ending = world.tokens.mint(world.user("mira"), 1000);
  CHECK_FALSE(lasting.expires_at);
  CHECK(ending.expires_at == Time{world.clock.now().ms + 1000});
  CHECK(world.tokens.authenticate(ending.token)->number == world.mira.number);
  world.wait(1000);
  CHECK_FALSE(world.tokens.authenticate(ending.token));
  CHECK(world.tokens.authenticate(lasting.token));
  world.accounts.set_password(world.user("mira"), "correct horse", lasting.token);
  CHECK(world.tokens.authenticate(lasting.token));
  world.accounts.set_password(world.user("mira"), "battery staple");
  CHECK_FALSE(world.tokens.authenticate(lasting.token));
  for (const std::int64_t lifetime : {std::int64_t{0}, limits::kTokenLifetimeMaxMs + 1}) {
    CHECK(code_of([&] { world.tokens.mint(world.user("mira"), lifetime); }) ==
          ErrorCode::kInvalidArgument);
  }
  const auto last = world.tokens.mint(world.user("mira"), std::nullopt);
  world.accounts.remove(world.user("mira"));
  CHECK_FALSE(world.tokens.authenticate(last.token));
}

TEST_CASE("media use: an address is one of the web, and kept as it is") {
  for (const std::string& good :
       {std::string("http://example.org"), std::string("HTTPS://example.org:8080/a%20b?c=d#e"),
        std::string("https://user@[::1]/picture.png"),
        "https://example.org/" + std::string(limits::kAddressMax - 20, 'x')}) {
    CHECK(social::medium_at(good) == Medium{{}, good});
  }
  for (const std::string& bad :
       {std::string(), std::string("example.org/a.png"), std::string("ftp://example.org/a"),
        std::string("javascript:alert(1)"), std::string("https://"), std::string("https:///a"),
        std::string("https://:80/a"), std::string("https://user@/a"),
        std::string("https://example.org/a b"), std::string("https://example.org/%2"),
        std::string("https://example.org/%zz"), std::string("https://example.org/\"a"),
        std::string("https://example.org/caf\u00e9"), std::string("https://example.org/\n"),
        "https://example.org/" + std::string(limits::kAddressMax - 19, 'x')}) {
    INFO(bad);
    CHECK(code_of([&] { (void)social::medium_at(bad); }) == ErrorCode::kInvalidArgument);
  }
}

TEST_CASE("media use: naming a file that is not one's own is refused, with its position") {
  MediaWorld world;
  const MediaId theirs = world.media.put(world.mira, png()).id;
  const Error error = error_of([&] {
    (void)world.media.to_post(world.mira, std::vector{theirs, MediaId{1}});
  });
  CHECK(error.code() == ErrorCode::kNotFound);
  CHECK(error.field() == "mediaIds[1]");
}

TEST_CASE("media use: the operator may set how many bytes, and what is there already is no more") {
  MediaWorld world;
  world.media.put(world.mira, png());
  settings::set(world.storage, "media.max", std::to_string(png().size() + 1), world.clock.now());
  CHECK(world.media.keep(world.mira, png()).result == KeptMedia::Result::kThereBefore);
  CHECK_THROWS_AS(world.media.put(world.mira, gif()), social::LimitExceeded);
  CHECK_THROWS_AS(world.media.put_picture(world.mira, gif()), social::LimitExceeded);
  CHECK(world.media.keep(world.yuki, png()).result == KeptMedia::Result::kNew);
  settings::set(world.storage, "media.max", "0", world.clock.now());
  CHECK(world.media.keep(world.mira, gif()).result == KeptMedia::Result::kNew);
}

}  // namespace chirp::test
