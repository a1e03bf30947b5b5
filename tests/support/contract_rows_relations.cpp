#include "tests/support/contract_rows.h"

namespace chirp::test {
namespace {

// The path of the operation, about the caller.
PlainAnswer of_oneself(ApiStage& stage, const DocumentedOperation& operation) {
  Ask ask = sample(stage, operation);
  const std::string_view pattern = operation.path;
  ask.target = "/v1/users/me" + std::string(pattern.substr(pattern.rfind('/')));
  return stage.ask(ask);
}

PlainAnswer relationship(ApiStage& stage, const DocumentedOperation&) {
  const ViewedAuthor who = stage.person();
  const ViewedAuthor other = stage.person();
  stage.follow(who, other);
  stage.block(other, who);
  return stage.get(other.at() + "/relationship", who);
}

// Somebody who is followed by a followee.
PlainAnswer suggested(ApiStage& stage, const DocumentedOperation& operation) {
  const ViewedAuthor who = stage.person();
  const ViewedAuthor between = stage.person();
  stage.follow(who, between);
  stage.follow(between, stage.person());
  return stage.get(operation.path, who);
}

PlainAnswer batch_of_no_users(ApiStage& stage, const DocumentedOperation& operation) {
  return stage.post(operation.path, stage.person(), R"({"userIds":[]})");
}

PlainAnswer follow_by_action(ApiStage& stage, const DocumentedOperation&) {
  const ViewedAuthor other = stage.person();
  return stage.post(other.at() + "/follow", stage.person(),
                    R"({"action":"follow","showingReposts":false})");
}

PlainAnswer follow_behind_block(ApiStage& stage, const DocumentedOperation&) {
  const ViewedAuthor who = stage.person();
  const ViewedAuthor other = stage.person();
  stage.block(other, who);
  return stage.post(other.at() + "/follow", who);
}

PlainAnswer follow_one_too_many(ApiStage& stage, const DocumentedOperation&) {
  const ViewedAuthor who = stage.person();
  stage.follow(who, stage.person());
  return stage.post(stage.person().at() + "/follow", who);
}

// A list of two, of which one is shown.
PlainAnswer first_of(ApiStage& stage, const DocumentedOperation& operation) {
  const ViewedAuthor who = stage.person();
  std::string list = operation.path;
  for (int i = 0; i < 2; ++i) {
    const ViewedAuthor other = stage.person();
    if (operation.id == "listFollowing") stage.follow(who, other);
    if (operation.id == "listFollowers") stage.follow(other, who);
    if (operation.id == "listBlocked") stage.block(who, other);
    if (operation.id == "listMuted") stage.done({"PUT", other.at() + "/mute", who.token}, 204);
  }
  if (const auto at = list.find("{user}"); at != std::string::npos) list.replace(at, 6, "me");
  return stage.get(list + "?limit=1", who);
}

}  // namespace

std::vector<Row> relation_rows() {
  return {
      {"listFollowing", 200, first_of},
      {"listFollowing", 404, of_nothing},
      {"listFollowers", 200, first_of},
      {"listFollowers", 404, of_nothing},
      {"getRelationship", 200, relationship},
      {"getRelationship", 401, without_token},
      {"getRelationship", 404, of_nothing},
      {"listSuggestions", 200, suggested},
      {"listSuggestions", 401, without_token},
      {"batchGetRelationships", 200, plainly},
      {"batchGetRelationships", 401, without_token},
      {"batchGetRelationships", 422, batch_of_no_users},
      {"batchGetRelationships", 422, senselessly},
      {"follow", 200, follow_by_action},
      {"follow", 204, plainly},
      {"follow", 401, without_token},
      {"follow", 403, follow_behind_block},
      {"follow", 403, follow_one_too_many, Setting::kFewFollows},
      {"follow", 404, of_nothing},
      {"follow", 422, of_oneself},
      {"follow", 422, senselessly},
      {"unfollow", 204, plainly},
      {"unfollow", 401, without_token},
      {"unfollow", 404, of_nothing},
      {"listBlocked", 200, first_of},
      {"listBlocked", 401, without_token},
      {"listMuted", 200, first_of},
      {"listMuted", 401, without_token},
      {"block", 204, plainly},
      {"block", 401, without_token},
      {"block", 404, of_nothing},
      {"block", 422, of_oneself},
      {"unblock", 204, plainly},
      {"unblock", 401, without_token},
      {"unblock", 404, of_nothing},
      {"mute", 204, plainly},
      {"mute", 401, without_token},
      {"mute", 404, of_nothing},
      {"mute", 422, of_oneself},
      {"unmute", 204, plainly},
      {"unmute", 401, without_token},
      {"unmute", 404, of_nothing},
  };
}

}  // namespace chirp::test
