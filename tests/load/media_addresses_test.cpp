// Goal: media that lie elsewhere hang on the posts that are loaded, with what they show.
// Method: posts with addresses, in order and in none, after what they answer and before it.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/load/post_loader.h"
#include "tests/support/load_world.h"

namespace chirp::load::media_addresses_test {
namespace {

using test::LoadWorld;

constexpr Time kThen{1'462'306'917'000};

SourcePost post(std::uint64_t id, const std::string& address, const std::string& alt_text) {
  SourcePost result;
  result.id = SourceId{id};
  result.author_id = SourceId{1};
  result.text = std::to_string(id);
  result.created_at = Time{kThen.ms + static_cast<std::int64_t>(id) * 1000};
  if (address.empty()) return result;
  SourceMedium& medium = result.media.emplace_back();
  medium.address = address;
  medium.alt_text = alt_text;
  return result;
}

// The address and the text of the only medium, by the post's text.
std::vector<std::string> media_in(const LoadWorld& world) {
  std::vector<std::string> said;
  for (const Post& each : world.posts()) {
    for (const Medium& medium : each.media) {
      CHECK(medium.upload == MediaId{});
      said.push_back(each.text + " " + medium.address + " " + medium.alt_text);
    }
  }
  return said;
}

}  // namespace

TEST_CASE("post loader: addresses of media stay with their posts, in whatever order these come") {
  for (const bool ordered : {true, false}) {
    CAPTURE(ordered);
    std::vector<SourcePost> posts{post(1, "https://example.org/1.png", "A dot"), post(2, "", ""),
                                  post(3, "https://example.org/3.png", "")};
    if (!ordered) std::swap(posts.front(), posts.back());
    LoadWorld world;
    PostLoader loader(world.storage, world.directory, world.clock, world.pause(),
                      {.first_rows = 1, .most_rows = 1, .people = {}});
    for (SourcePost& each : posts) REQUIRE_FALSE(loader.add(std::move(each)));
    loader.finish();
    CHECK(loader.counts().stored == 3);
    CHECK(media_in(world) == std::vector<std::string>{"1 https://example.org/1.png A dot",
                                                      "3 https://example.org/3.png "});
  }
}

TEST_CASE("post loader: a reply with media is a post of its own") {
  LoadWorld world;
  PostLoader loader(world.storage, world.directory, world.clock, world.pause(), {});
  SourcePost reply = post(2, "https://example.org/2.png", "A dot");
  reply.reply_to = SourceId{1};
  REQUIRE_FALSE(loader.add(post(1, "", "")));
  REQUIRE_FALSE(loader.add(std::move(reply)));
  loader.finish();
  CHECK(loader.counts().stored == 2);
  CHECK(loader.counts().comments == 0);
  CHECK(media_in(world) == std::vector<std::string>{"2 https://example.org/2.png A dot"});
}

}  // namespace chirp::load::media_addresses_test
