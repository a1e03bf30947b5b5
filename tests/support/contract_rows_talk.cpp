#include <fmt/format.h>

#include "tests/support/contract_rows.h"

namespace chirp::test {
namespace {

PlainAnswer list_of_likes(ApiStage& stage, const DocumentedOperation&) {
  const std::string post = stage.post_by(stage.person());
  for (const char* type : {"love", "love", "sad"}) {
    stage.done(
        {"POST", post + "/like", stage.person().token, fmt::format(R"({{"likeType":"{}"}})", type)},
        201);
  }
  return stage.ask({"GET", post + "/likes?likeType=love&limit=1"});
}

PlainAnswer reply_to_nothing(ApiStage& stage, const DocumentedOperation&) {
  const std::string post = stage.post_by(stage.person());
  return stage.post(post + "/comments", stage.person(),
                    R"({"content":"It does.","parentCommentId":"7"})");
}

// A thread whose first comment is removed but has a reply.
PlainAnswer list_of_comments(ApiStage& stage, const DocumentedOperation&) {
  const ViewedAuthor who = stage.person();
  const std::string post = stage.post_by(stage.person());
  const std::string first = stage.comment_by(who, post);
  stage.comment_by(who, post);
  stage.done({"POST", post + "/comments", who.token,
              fmt::format(R"({{"content":"Indeed","parentCommentId":"{}"}})", id_in_path(first))},
             201);
  stage.done({"DELETE", first, who.token}, 204);
  return stage.get(post + "/comments?sort=oldest&limit=1&replies=true", who);
}

PlainAnswer comment_again(ApiStage& stage, const DocumentedOperation&) {
  const ViewedAuthor who = stage.person();
  Ask ask{"POST", stage.post_by(stage.person()) + "/comments", who.token, R"({"content":"Once"})"};
  ask.headers.emplace_back("Idempotency-Key", "once");
  (void)stage.ask(ask);
  return stage.ask(ask);
}

PlainAnswer comment_otherwise(ApiStage& stage, const DocumentedOperation&) {
  const ViewedAuthor who = stage.person();
  Ask ask{"POST", stage.post_by(stage.person()) + "/comments", who.token, R"({"content":"Once"})"};
  ask.headers.emplace_back("Idempotency-Key", "once");
  (void)stage.ask(ask);
  ask.body = R"({"content":"Twice"})";
  return stage.ask(ask);
}

PlainAnswer remove_anothers_words(ApiStage& stage, const DocumentedOperation&) {
  const std::string post = stage.post_by(stage.person());
  return stage.remove(stage.comment_by(stage.person(), post), stage.person());
}

}  // namespace

std::vector<Row> talk_rows() {
  return {
      {"like", 200, twice},
      {"like", 201, plainly},
      {"like", 401, without_token},
      {"like", 404, of_nothing},
      {"like", 422, senselessly},
      {"unlike", 200, plainly},
      {"unlike", 401, without_token},
      {"unlike", 404, of_nothing},
      {"listLikes", 200, list_of_likes},
      {"listLikes", 404, of_nothing},
      {"createComment", 200, comment_again},
      {"createComment", 201, plainly},
      {"createComment", 401, without_token},
      {"createComment", 404, of_nothing},
      {"createComment", 409, comment_otherwise},
      {"createComment", 422, senselessly},
      {"createComment", 422, reply_to_nothing},
      {"listComments", 200, list_of_comments},
      {"listComments", 404, of_nothing},
      {"getComment", 200, plainly},
      {"getComment", 200, without_token},
      {"getComment", 404, of_nothing},
      {"removeComment", 204, plainly},
      {"removeComment", 401, without_token},
      {"removeComment", 403, remove_anothers_words},
      {"removeComment", 404, of_nothing},
      {"likeComment", 200, twice},
      {"likeComment", 201, plainly},
      {"likeComment", 401, without_token},
      {"likeComment", 404, of_nothing},
      {"unlikeComment", 200, plainly},
      {"unlikeComment", 401, without_token},
      {"unlikeComment", 404, of_nothing},
  };
}

}  // namespace chirp::test
