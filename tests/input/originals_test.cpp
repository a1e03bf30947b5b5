// Goal: where the tweet that is repeated should stand inside of a retweet, nothing that can't be
// read is passed over in silence. Method: what else may stand there, in small texts.
#include <string>

#include <doctest/doctest.h>

#include "cli/input/posts.h"
#include "tests/support/inputs.h"

namespace chirp::cli::input {
namespace {

load::SourcePost with(const std::string& original) {
  load::SourcePost read;
  test::Complaints complaints(0);
  const PostSink sink{
      .post = [&](load::SourcePost&& post, const InputPlace&) -> std::optional<std::string> {
        read = std::move(post);
        return std::nullopt;
      },
      .user = [](load::SourceUser&&) {}};
  test::OpenText open(R"({"id":4,"author":"s","text":"RT @bob: hi","createdAt":"2020-01-01",)" +
                      std::string(R"("retweeted_status":)") + original + "}");
  PostReader reader(PostFormat::kAuto, complaints.bad, sink);
  CHECK(reader.read(open.buffer(), "f", Unknown::kRefused).posts == 1);
  return read;
}

}  // namespace

TEST_CASE("originals: what is no object is told, and the retweet keeps its own text") {
  for (const char* original : {"[]", R"([{"id":1}])", R"("{'id': 1}")", "17"}) {
    CAPTURE(original);
    const load::SourcePost post = with(original);
    CHECK(post.text == "RT @bob: hi");
    CHECK(post.original_problem == "the tweet is not an object");
    CHECK_FALSE(post.repost_of);
    CHECK(post.original.empty());
  }
}

TEST_CASE("originals: what says nothing is none") {
  for (const char* original : {"null", R"("")", R"("nan")", "false"}) {
    CAPTURE(original);
    CHECK(with(original).original_problem.empty());
  }
}

}  // namespace chirp::cli::input
