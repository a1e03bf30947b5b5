#include "tests/support/contract_rows.h"

#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "tests/support/password.h"
#include "tests/support/pictures.h"

namespace chirp::test {
namespace {

struct SampleBody {
  std::string_view operation;
  std::string_view body;
};

// Bodies for operations that need one, and for those that do more with one.
constexpr std::array kBodies{
    SampleBody{"editMe", R"({"displayName":"Mira Okafor","bio":"Up before the slugs."})"},
    SampleBody{"createPost", R"({"content":"First frost ❄️ #garden","postType":"text"})"},
    SampleBody{"like", R"({"likeType":"love"})"},
    SampleBody{"createComment", R"({"content":"It always does.","parentCommentId":null})"},
    SampleBody{"refreshFeed", R"({"lastSeen":"2000-01-02T03:04:05Z","limit":5})"},
    SampleBody{"readNotifications", R"({"upTo":"1"})"},
    SampleBody{"switchStage", R"({"policy":"hybrid","celebrityAbove":100000})"},
};

std::string put_in(std::string path, std::string_view name, const std::string& value) {
  const std::string braced = fmt::format("{{{}}}", name);
  const std::size_t at = path.find(braced);
  return at == std::string::npos ? path : path.replace(at, braced.size(), value);
}

bool names(const DocumentedOperation& operation, std::string_view what) {
  return operation.path.find(what) != std::string::npos;
}

std::string path_of_nothing(std::string path) {
  path = put_in(std::move(path), "user", "@nobody_at_all");
  path = put_in(std::move(path), "session", "0000000000000000");
  path = put_in(std::move(path), "tag", "nothing");
  for (const char* id : {"postId", "commentId", "mediaId"}) path = put_in(std::move(path), id, "7");
  return path;
}

// Something of somebody else's; one's own where one is to take it away.
std::string path_of_something(ApiStage& stage, const DocumentedOperation& operation,
                              const ViewedAuthor& who) {
  std::string path = operation.path;
  if (names(operation, "{user}")) path = put_in(path, "user", '@' + stage.person().name);
  if (names(operation, "{postId}")) {
    const bool is_own = operation.id == "removePost" || operation.id == "getDelivery";
    const ViewedAuthor author = is_own ? who : stage.person();
    path = put_in(path, "postId", id_in_path(stage.post_by(author)));
  }
  if (names(operation, "{commentId}")) {
    const ViewedAuthor author = operation.id == "removeComment" ? who : stage.person();
    path = put_in(path, "commentId",
                  id_in_path(stage.comment_by(author, stage.post_by(stage.person()))));
  }
  if (names(operation, "{session}")) {
    const auto listed = stage.done({"GET", "/v1/sessions", who.token}, 200);
    path = put_in(path, "session", listed.json()["sessions"][0]["sessionId"].text());
  }
  path = put_in(path, "tag", "garden");
  if (names(operation, "{mediaId}")) {
    path = put_in(path, "mediaId", id_in_path(stage.upload_by(who)));
  }
  return path;
}

void give_body(ApiStage& stage, const DocumentedOperation& operation, const ViewedAuthor& who,
               Ask& ask) {
  for (const SampleBody& one : kBodies) {
    if (one.operation == operation.id) ask.body = one.body;
  }
  if (operation.id == "signUp") {
    ask.body = fmt::format(R"({{"username":"n{0}","email":"n{0}@example.org","password":"{1}"}})",
                           who.name, kPassword);
  } else if (operation.id == "logIn") {
    ask.body = fmt::format(R"({{"username":"{}","password":"{}"}})", who.name, kPassword);
  } else if (operation.id == "removeMe") {
    ask.body = fmt::format(R"({{"currentPassword":"{}"}})", kPassword);
  } else if (operation.id == "batchGetPosts") {
    ask.body = fmt::format(R"({{"postIds":["{}","7"]}})", id_in_path(stage.post_by(who)));
  } else if (operation.id == "batchGetRelationships") {
    ask.body = fmt::format(R"({{"userIds":["{}","7"]}})", stage.person().id);
  } else if (operation.id == "uploadMedia") {
    ask.body = png();
    ask.type = "image/png";
  }
}

}  // namespace

Ask sample(ApiStage& stage, const DocumentedOperation& operation, Names wanted) {
  const ViewedAuthor who = stage.person();
  Ask ask{operation.method, {}, who.token};
  if (operation.token == Token::kNotLookedAt) ask.token.clear();
  ask.target = wanted == Names::kNothing ? path_of_nothing(operation.path)
                                         : path_of_something(stage, operation, who);
  give_body(stage, operation, who, ask);
  return ask;
}

PlainAnswer plainly(ApiStage& stage, const DocumentedOperation& operation) {
  return stage.ask(sample(stage, operation));
}

PlainAnswer without_token(ApiStage& stage, const DocumentedOperation& operation) {
  Ask ask = sample(stage, operation);
  ask.token.clear();
  return stage.ask(ask);
}

PlainAnswer of_nothing(ApiStage& stage, const DocumentedOperation& operation) {
  return stage.ask(sample(stage, operation, Names::kNothing));
}

PlainAnswer unchanged(ApiStage& stage, const DocumentedOperation& operation) {
  Ask ask = sample(stage, operation);
  const PlainAnswer first = stage.done(ask, 200);
  ask.headers.emplace_back("If-None-Match", first.header("etag").value_or("none"));
  return stage.ask(ask);
}

PlainAnswer twice(ApiStage& stage, const DocumentedOperation& operation) {
  const Ask ask = sample(stage, operation);
  (void)stage.ask(ask);
  return stage.ask(ask);
}

PlainAnswer too_often(ApiStage& stage, const DocumentedOperation& operation) {
  const Ask ask = sample(stage, operation);
  PlainAnswer answer;
  for (int i = 0; i < 100 && answer.status != 429; ++i) answer = stage.ask(ask);
  return answer;
}

PlainAnswer senselessly(ApiStage& stage, const DocumentedOperation& operation) {
  Ask ask = sample(stage, operation);
  ask.body = R"({"content":1,"postIds":"all","likeType":"so so","lastSeen":"lately","upTo":"x",
                 "action":"perhaps","username":"not a name","displayName":""})";
  return stage.ask(ask);
}

std::vector<Row> contract_rows() {
  std::vector<Row> rows;
  for (const auto& part : {account_rows(), relation_rows(), post_rows(), talk_rows(), feed_rows(),
                           media_rows(), stage_rows()}) {
    rows.insert(rows.end(), part.begin(), part.end());
  }
  return rows;
}

}  // namespace chirp::test
