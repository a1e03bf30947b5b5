#include <fmt/format.h>

#include "tests/support/contract_rows.h"

namespace chirp::test {
namespace {

Ask with_key(const ViewedAuthor& who, std::string_view content) {
  Ask ask{"POST", "/v1/posts", who.token, fmt::format(R"({{"content":"{}"}})", content)};
  ask.headers.emplace_back("Idempotency-Key", "0d9c1f0e-6a7b-4a51");
  return ask;
}

PlainAnswer post_again(ApiStage& stage, const DocumentedOperation&) {
  const ViewedAuthor who = stage.person();
  const auto first = stage.done(with_key(who, "once"), 201);
  stage.done({"POST", "/v1/posts/" + first.json()["postId"].text() + "/like", who.token}, 201);
  return stage.ask(with_key(who, "once"));
}

PlainAnswer post_otherwise(ApiStage& stage, const DocumentedOperation&) {
  const ViewedAuthor who = stage.person();
  stage.done(with_key(who, "once"), 201);
  return stage.ask(with_key(who, "twice"));
}

PlainAnswer post_with_media(ApiStage& stage, const DocumentedOperation&) {
  const ViewedAuthor who = stage.person();
  const std::string media = id_in_path(stage.upload_by(who));
  return stage.post("/v1/posts", who,
                    fmt::format(R"({{"content":"","mediaIds":["{}"],"postType":"media",
                                     "mediaUrls":["https://example.org/a.png"],
                                     "altTexts":["A harbour in fog"]}})",
                                media));
}

PlainAnswer post_in_vain(ApiStage& stage, const DocumentedOperation&) {
  return stage.post("/v1/posts", stage.person(),
                    R"({"content":"text","postType":"media","mediaIds":["7"],"privacy":"secret"})");
}

PlainAnswer batch_of_none(ApiStage& stage, const DocumentedOperation&) {
  return stage.ask({"POST", "/v1/posts/batch-get", "", R"({"postIds":[]})"});
}

// By somebody who has liked it.
PlainAnswer liked_post(ApiStage& stage, const DocumentedOperation&) {
  const ViewedAuthor who = stage.person();
  const std::string post = stage.post_by(stage.person());
  stage.done({"POST", post + "/like", who.token, R"({"likeType":"laugh"})"}, 201);
  stage.done({"POST", post + "/repost", who.token}, 201);
  return stage.get(post, who);
}

PlainAnswer post_as_nobody(ApiStage& stage, const DocumentedOperation&) {
  const ViewedAuthor who = stage.person();
  return stage.ask({"GET", stage.post_by(who) + "?userId=" + who.id});
}

PlainAnswer post_as_another(ApiStage& stage, const DocumentedOperation&) {
  const ViewedAuthor other = stage.person();
  return stage.get(stage.post_by(other) + "?userId=" + other.id, stage.person());
}

PlainAnswer remove_anothers(ApiStage& stage, const DocumentedOperation&) {
  const std::string post = stage.post_by(stage.person());
  return stage.remove(post, stage.person());
}

PlainAnswer delivery_of_anothers(ApiStage& stage, const DocumentedOperation&) {
  return stage.get(stage.post_by(stage.person()) + "/delivery", stage.person());
}

PlainAnswer repost_narrow_one(ApiStage& stage, const DocumentedOperation&) {
  const ViewedAuthor author = stage.person();
  const ViewedAuthor who = stage.person();
  stage.follow(who, author);
  return stage.post(stage.post_by(author, "followers") + "/repost", who);
}

PlainAnswer posts_of(ApiStage& stage, const DocumentedOperation&) {
  const ViewedAuthor who = stage.person();
  const std::string other = stage.post_by(stage.person());
  stage.post_by(who, "private");
  stage.done({"POST", other + "/repost", who.token}, 201);
  return stage.get(who.at() + "/posts?limit=2", who);
}

PlainAnswer private_posts_to_nobody(ApiStage& stage, const DocumentedOperation&) {
  return stage.ask({"GET", stage.person().at() + "/posts?privacy=private"});
}

}  // namespace

std::vector<Row> post_rows() {
  return {
      {"listUserPosts", 200, posts_of},
      {"listUserPosts", 401, private_posts_to_nobody},
      {"listUserPosts", 404, of_nothing},
      {"createPost", 200, post_again},
      {"createPost", 201, plainly},
      {"createPost", 201, post_with_media},
      {"createPost", 401, without_token},
      {"createPost", 409, post_otherwise},
      {"createPost", 422, senselessly},
      {"createPost", 422, post_in_vain},
      {"batchGetPosts", 200, plainly},
      {"batchGetPosts", 422, batch_of_none},
      {"batchGetPosts", 422, senselessly},
      {"getPost", 200, plainly},
      {"getPost", 200, without_token},
      {"getPost", 200, liked_post},
      {"getPost", 304, unchanged},
      {"getPost", 401, post_as_nobody},
      {"getPost", 403, post_as_another},
      {"getPost", 404, of_nothing},
      {"removePost", 204, plainly},
      {"removePost", 401, without_token},
      {"removePost", 403, remove_anothers},
      {"removePost", 404, of_nothing},
      {"getDelivery", 200, plainly},
      {"getDelivery", 401, without_token},
      {"getDelivery", 403, delivery_of_anothers},
      {"getDelivery", 404, of_nothing},
      {"repost", 200, twice},
      {"repost", 201, plainly},
      {"repost", 401, without_token},
      {"repost", 403, repost_narrow_one},
      {"repost", 404, of_nothing},
      {"unrepost", 204, plainly},
      {"unrepost", 401, without_token},
      {"unrepost", 404, of_nothing},
  };
}

}  // namespace chirp::test
