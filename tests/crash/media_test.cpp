// Goal: a post with a picture, or a picture's removal, that is killed or fails at any call leaves
// no post without its picture, and nothing that the next command does not finish; a token is there
// whole or not at all. Method: as in tests/crash/crash_test.cpp.

#include <csignal>

#include <doctest/doctest.h>

#include "core/model/upload.h"
#include "tests/support/data_directories.h"
#include "tests/support/pictures.h"
#include "tests/support/sweep.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

void with_picture(const fs::path& folder) {
  make_world(folder);
  write_file(folder / "picture.png", png());
}

// Every picture that a post or a profile names is there, and there are no others: whoever opens the
// directory finishes what was left.
void check_media(const fs::path& data) {
  const auto directory = store::DataDirectory::open(data);
  MediaStore& media = directory->users().media();
  for (const MediaProblem& problem : media.problems()) {
    FAIL_CHECK(problem.what);
  }
  const auto snapshot = directory->storage().snapshot();
  for (UserNumber author{1}; author.value <= 6; ++author.value) {
    const auto entries = snapshot->author_entries({&author, 1}, {kBelowAllPosts, kAboveAllPosts},
                                                  Direction::kDown, 100);
    for (const auto& post : snapshot->posts(entries)) {
      if (!post) continue;
      for (const Medium& medium : post->media) CHECK(media.find(medium.upload).has_value());
    }
  }
}

}  // namespace

TEST_CASE("crash: a post with a picture is killed at every call") {
  if (skipped()) return;
  const Stage stage({{"post", "add", "a1", "hello", "--media", "./picture.png"}, with_picture});
  REQUIRE(stage.before() != stage.after());
  sweep(stage, "kill", [&](const Hit& hit) {
    check_killed(stage, hit);
    check_sound(hit);
    check_media(hit.data());
    check_again(stage, hit);
    check_sound(hit);
    check_media(hit.data());
  });
}

TEST_CASE("crash: a post with a picture fails at every call") {
  if (skipped()) return;
  const Stage stage({{"post", "add", "a1", "hello", "--media", "./picture.png"}, with_picture});
  for (const char* mode : {"enospc", "enospc+"}) {
    sweep(stage, mode, [&](const Hit& hit) {
      check_failed(stage, hit);
      check_sound(hit);
      check_media(hit.data());
      check_again(stage, hit);
    });
  }
}

TEST_CASE("crash: removing somebody with pictures is killed at every call") {
  if (skipped()) return;
  const Stage stage(
      {{"user", "remove", "a2"}, [](const fs::path& folder) {
         with_picture(folder);
         const auto directory = store::DataDirectory::open(folder / "chirp");
         const MediaFacts facts{MediaType::kPng, 3, 2};
         for (std::uint32_t user : {3u, 4u}) {
           directory->users().media().put(UserNumber{user}, facts, png(), test_clock().now());
         }
         directory->users().media().put(UserNumber{3}, facts, "another", test_clock().now());
       }});
  sweep(stage, "kill", [&](const Hit& hit) {
    (void)run(stage.command(hit.world));
    CHECK(contents(hit.data()) == stage.after());
    check_sound(hit);
    check_media(hit.data());
    const auto directory = store::DataDirectory::open(hit.data());
    for (const Upload& upload : directory->users().media().scan(MediaId{}, 10)) {
      CHECK(upload.owner == UserNumber{4});
    }
  });
}

TEST_CASE("crash: a token is killed at every call") {
  if (skipped()) return;
  const Stage stage(in_world({"user", "token", "a1"}));
  sweep(stage, "kill", [&](const Hit& hit) {
    CHECK(hit.ended.signal == SIGKILL);
    check_sound(hit);
    if (!hit.ended.out.empty()) {
      const auto directory = store::DataDirectory::open(hit.data());
      const std::string token = hit.ended.out.substr(0, hit.ended.out.find('\n'));
      CHECK(directory->users().token_owner(token, test_clock().now()).has_value());
    }
    check_again(stage, hit);
  });
}

}  // namespace chirp::test
