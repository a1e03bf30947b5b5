#include <fmt/format.h>

#include "tests/support/contract_rows.h"

namespace chirp::test {
namespace {

// Somebody who follows somebody who has posted and reposted.
ViewedAuthor reader(ApiStage& stage) {
  const ViewedAuthor who = stage.person();
  const ViewedAuthor author = stage.person();
  stage.follow(who, author);
  stage.post_by(author);
  stage.post_by(author, "followers");
  const std::string other = stage.post_by(stage.person());
  stage.done({"POST", other + "/like", who.token, R"({"likeType":"love"})"}, 201);
  stage.done({"POST", other + "/repost", author.token}, 201);
  return who;
}

PlainAnswer feed(ApiStage& stage, const DocumentedOperation&) {
  return stage.get("/v1/feed?limit=2&explain=true", reader(stage));
}

PlainAnswer ranked_feed(ApiStage& stage, const DocumentedOperation&) {
  const ViewedAuthor who = reader(stage);
  const auto first = stage.done({"GET", "/v1/feed?limit=1&algorithm=ranked", who.token}, 200);
  const std::string next = first.json()["pagination"]["nextCursor"].text();
  return stage.get("/v1/feed?limit=1&algorithm=ranked&explain=true&cursor=" + next, who);
}

PlainAnswer feed_up_and_down(ApiStage& stage, const DocumentedOperation&) {
  return stage.get("/v1/feed?cursor=7&after=7", stage.person());
}

PlainAnswer lapsed_feed(ApiStage& stage, const DocumentedOperation&) {
  return stage.get("/v1/feed?algorithm=ranked&cursor=r00000000deadbeef-20", stage.person());
}

PlainAnswer feed_of_another(ApiStage& stage, const DocumentedOperation&) {
  return stage.get("/v1/feed?userId=" + stage.person().id, stage.person());
}

PlainAnswer refreshed(ApiStage& stage, const DocumentedOperation&) {
  return stage.post("/v1/feed/refresh", reader(stage),
                    R"({"lastSeen":"7","algorithm":"ranked","limit":2})");
}

// Makes notifications of every kind; returns their user.
ViewedAuthor told_of_everything(ApiStage& stage) {
  const ViewedAuthor who = stage.person();
  const ViewedAuthor other = stage.person();
  const std::string post = stage.post_by(who);
  const std::string comment = stage.comment_by(who, post);
  stage.follow(other, who);
  stage.done({"POST", post + "/like", other.token}, 201);
  stage.done({"POST", comment + "/like", other.token}, 201);
  stage.done({"POST", post + "/repost", other.token}, 201);
  stage.comment_by(other, post);
  stage.done({"POST", post + "/comments", other.token,
              fmt::format(R"({{"content":"Yes","parentCommentId":"{}"}})", id_in_path(comment))},
             201);
  stage.done({"POST", "/v1/posts", other.token,
              fmt::format(R"({{"content":"Good morning @{}"}})", who.name)},
             201);
  return who;
}

PlainAnswer notifications(ApiStage& stage, const DocumentedOperation&) {
  return stage.get("/v1/notifications?unread=true&limit=6", told_of_everything(stage));
}

PlainAnswer folded_notifications(ApiStage& stage, const DocumentedOperation&) {
  return stage.get("/v1/notifications?folded=true&limit=6", told_of_everything(stage));
}

PlainAnswer stream_of_events(ApiStage& stage, const DocumentedOperation&) {
  const ViewedAuthor who = stage.person();
  const ViewedAuthor author = stage.person();
  stage.follow(who, author);
  // The place from which the stream continues below.
  Ask here{"GET", "/v1/stream", who.token};
  here.until_place = true;
  const std::string place = stage.ask(here).body;
  const std::size_t id = place.find("id: ") + 4;
  const std::string post = stage.post_by(author);
  stage.post_by(author);
  stage.follow(author, who);
  stage.done({"DELETE", post, author.token}, 204);
  Ask ask{"GET", "/v1/stream", who.token};
  ask.headers.emplace_back("Last-Event-ID", place.substr(id, place.find('\n', id) - id));
  ask.events = 3;
  return stage.ask(ask);
}

PlainAnswer stream_from_afar(ApiStage& stage, const DocumentedOperation&) {
  Ask ask{"GET", "/v1/stream", stage.person().token};
  ask.headers.emplace_back("Last-Event-ID", "999999999999");
  return stage.ask(ask);
}

// A tag that two people use.
PlainAnswer trends(ApiStage& stage, const DocumentedOperation&) {
  stage.post_by(stage.person());
  stage.post_by(stage.person());
  return stage.ask({"GET", "/v1/trends?window=7d&limit=5"});
}

PlainAnswer trends_of_a_year(ApiStage& stage, const DocumentedOperation&) {
  return stage.ask({"GET", "/v1/trends?window=365d"});
}

// Two, of which one is shown, as far as the consumer has come.
PlainAnswer tagged_posts(ApiStage& stage, const DocumentedOperation&) {
  const ViewedAuthor who = stage.person();
  stage.post_by(who);
  stage.post_by(stage.person());
  return stage.get("/v1/tags/GARDEN/posts?limit=1", who);
}

PlainAnswer tagged_posts_from_nowhere(ApiStage& stage, const DocumentedOperation&) {
  return stage.ask({"GET", "/v1/tags/garden/posts?cursor=x"});
}

}  // namespace

std::vector<Row> feed_rows() {
  return {
      {"getFeed", 200, plainly},
      {"getFeed", 200, feed},
      {"getFeed", 200, ranked_feed},
      {"getFeed", 400, feed_up_and_down},
      {"getFeed", 400, lapsed_feed},
      {"getFeed", 401, without_token},
      {"getFeed", 403, feed_of_another},
      {"refreshFeed", 200, plainly},
      {"refreshFeed", 200, refreshed},
      {"refreshFeed", 401, without_token},
      {"refreshFeed", 422, senselessly},
      {"listNotifications", 200, notifications},
      {"listNotifications", 200, folded_notifications},
      {"listNotifications", 401, without_token},
      {"readNotifications", 200, plainly},
      {"readNotifications", 401, without_token},
      {"readNotifications", 422, senselessly},
      {"stream", 200, stream_of_events, Setting::kStreaming},
      {"stream", 401, without_token},
      {"stream", 409, stream_from_afar},
      {"stream", 429, too_often, Setting::kFewRequests},
      {"listTrends", 200, trends},
      {"listTrends", 400, trends_of_a_year},
      {"listTaggedPosts", 200, plainly},
      {"listTaggedPosts", 200, tagged_posts},
      {"listTaggedPosts", 400, tagged_posts_from_nowhere},
  };
}

namespace {

PlainAnswer switched(ApiStage& stage, const DocumentedOperation&) {
  return stage.ask({"PATCH", "/v1/stage", stage.person().token, R"({"policy":"pull"})"});
}

PlainAnswer switched_the_wrong_way(ApiStage& stage, const DocumentedOperation&) {
  return stage.ask(
      {"PATCH", "/v1/stage", stage.person().token, R"({"influencerFrom":20,"celebrityAbove":10})"});
}

PlainAnswer switched_to_nothing(ApiStage& stage, const DocumentedOperation&) {
  return stage.ask({"PATCH", "/v1/stage", stage.person().token, R"({"policy":"best"})"});
}

// How things stand comes first.
PlainAnswer watched(ApiStage& stage, const DocumentedOperation&) {
  Ask ask{"GET", "/v1/stage/stream", stage.person().token};
  ask.events = 2;
  return stage.ask(ask);
}

}  // namespace

std::vector<Row> stage_rows() {
  return {
      {"getStage", 200, plainly},
      {"getStage", 401, without_token},
      {"getStage", 403, plainly, Setting::kDemoForOne},
      {"getStage", 404, plainly, Setting::kNoDemo},
      {"switchStage", 200, plainly},
      {"switchStage", 200, switched, Setting::kStreaming},
      {"switchStage", 401, without_token},
      {"switchStage", 403, plainly, Setting::kDemoForOne},
      {"switchStage", 404, plainly, Setting::kNoDemo},
      {"switchStage", 422, switched_the_wrong_way},
      {"switchStage", 422, switched_to_nothing},
      {"watchStage", 200, watched, Setting::kStreaming},
      {"watchStage", 401, without_token},
      {"watchStage", 403, plainly, Setting::kDemoForOne},
      {"watchStage", 404, plainly, Setting::kNoDemo},
      {"watchStage", 429, too_often, Setting::kFewRequests},
  };
}

}  // namespace chirp::test
