// Operations: the home feed, new entries, and trends.
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "core/limits.h"
#include "core/model/time.h"
#include "core/model/utf8.h"
#include "core/social/tagged_posts.h"
#include "server/api/operations.h"
#include "server/api/ranked_walks.h"
#include "server/api/request_values.h"
#include "server/json/render.h"
#include "server/json/render_notices.h"
#include "server/limits.h"

namespace chirp::api {
namespace {

using feed::Algorithm;
using http::Lane;
using http::Method;
using http::Response;

constexpr std::string_view kAlgorithms = "is neither \"chronological\" nor \"ranked\"";
constexpr std::string_view kLapsed =
    "does not belong to an active ranked feed of yours; start again without it";

std::optional<Algorithm> algorithm_named(std::string_view name) {
  if (name == "chronological") return Algorithm::kChronological;
  if (name == "ranked") return Algorithm::kRanked;
  return std::nullopt;
}

Algorithm algorithm_in(const Call& call) {
  const auto text = call.query("algorithm");
  if (!text) return Algorithm::kChronological;
  const auto algorithm = algorithm_named(*text);
  if (!algorithm) throw bad_parameter("algorithm", std::string(kAlgorithms));
  return *algorithm;
}

// Counts the read, and queues the upkeep that it needs.
void after_read(const Call& call, const feed::Page& page) {
  using FeedRead = Metrics::FeedRead;
  const bool from_store = page.cost.sources != 0;
  call.parts().metrics.feed_read(!from_store ? FeedRead::kMemory
                                 : page.warm ? FeedRead::kHit
                                             : FeedRead::kMiss);
  if (call.parts().demo) call.parts().demo->stage.note(page);
  if ((page.upkeep == feed::Upkeep::kNone && !from_store) || !call.parts().after_read) return;
  call.parts().after_read(call.me().number, page.upkeep);
}

// ---- chronological

feed::Explain explain_in(const Call& call) {
  return call.flag("explain", false) ? feed::Explain::kYes : feed::Explain::kNo;
}

feed::PageRequest page_asked_for(const Call& call) {
  feed::PageRequest request;
  request.viewer = call.me().number;
  request.limit = call.limit(limits::kPostPageDefault, limits::kPostPageMax);
  request.before = call.post_cursor("cursor");
  request.after = call.post_cursor("after");
  request.explain = explain_in(call);
  if (request.before && request.after) {
    throw bad_parameter("after", "can't be used with cursor: a page goes up or down");
  }
  return request;
}

Response chronological(const Call& call, const feed::Page& page, feed::Explain explain) {
  JsonWriter body;
  write_feed(body, page, explain);
  after_read(call, page);
  return json(200, body);
}

// ---- ranked

// The ranked walk and the position at which a page begins.
struct PageCut {
  RankedWalks::Snapshot snapshot;
  std::optional<RankedWalks::Key> walk;  // empty if the walk is not kept yet
  std::size_t from = 0;
};

PageCut place_in(Call& call) {
  const UserNumber viewer = call.me().number;
  const auto cursor = call.query("cursor");
  if (!cursor) {
    return {std::make_shared<feed::RankedSnapshot>(call.engine().feeds().take_ranked(viewer)),
            std::nullopt, 0};
  }
  const auto place = parse_ranked_cursor(*cursor);
  if (!place) throw bad_parameter("cursor", "is not a nextCursor of a ranked feed");
  auto snapshot = call.state().ranked_walks.find(place->walk, viewer, call.engine().clock().now());
  if (!snapshot || place->next > snapshot->ranked.size()) {
    throw bad_parameter("cursor", std::string(kLapsed));
  }
  return {std::move(snapshot), place->walk, place->next};
}

Response ranked(Call& call, feed::Explain explain) {
  if (call.query("after")) {
    throw bad_parameter("after", "can only be used with the chronological feed");
  }
  const std::uint32_t limit = call.limit(limits::kPostPageDefault, limits::kPostPageMax);
  PageCut place = place_in(call);
  const auto found = call.engine().feeds().ranked_page(*place.snapshot, place.from, limit);
  std::optional<std::string> next;
  if (found.page.has_more) {
    if (!place.walk) {
      place.walk = call.state().ranked_walks.keep(place.snapshot, call.engine().clock().now());
    }
    next = ranked_cursor({*place.walk, found.next});
  }
  JsonWriter body;
  write_ranked_feed(body, found.page, next, explain);
  after_read(call, found.page);
  return json(200, body);
}

Response get_feed(Call& call) {
  call.check_caller_id();
  const Algorithm algorithm = algorithm_in(call);
  if (algorithm == Algorithm::kRanked) return ranked(call, explain_in(call));
  const feed::PageRequest request = page_asked_for(call);
  return chronological(call, call.engine().feeds().page(request), request.explain);
}

std::optional<Response> get_feed_at_once(Call& call) {
  call.check_caller_id();
  if (algorithm_in(call) == Algorithm::kRanked) return std::nullopt;
  const feed::PageRequest request = page_asked_for(call);
  const auto page = call.engine().feeds().held_page(request);
  if (!page) return std::nullopt;
  return chronological(call, *page, request.explain);
}

// ---- refreshing

// A time becomes the lowest id of its millisecond.
std::optional<PostId> last_seen(std::string_view text) {
  if (const auto id = id_in(text)) return PostId{*id};
  if (const auto time = parse_iso8601(text)) return PostId{snowflake::floor_of(*time)};
  return std::nullopt;
}

Response refresh_feed(Call& call) {
  JsonBody fields = call.body();
  feed::RefreshRequest request;
  request.viewer = call.me().number;
  if (const auto text = fields.string("lastSeen", Need::kRequired)) {
    const auto since = last_seen(*text);
    if (!since) fields.fault("lastSeen", "is neither a time in ISO 8601 nor a cursor of the feed");
    request.since = since.value_or(PostId{});
  }
  Algorithm algorithm = Algorithm::kChronological;
  if (const auto text = fields.string("algorithm", Need::kOptional)) {
    const auto named = algorithm_named(*text);
    if (!named) fields.fault("algorithm", std::string(kAlgorithms));
    algorithm = named.value_or(algorithm);
  }
  const auto limit = fields.integer("limit", Need::kOptional, 1, limits::kPostPageMax);
  if (limit) request.limit = static_cast<std::uint32_t>(*limit);
  fields.check();
  return json(200, write_refreshed, call.engine().feeds().refresh(request, algorithm));
}

// ---- trends

// Parses 1 to 999 hours or days, between 1h and 7d; empty for anything else.
std::optional<std::int64_t> window_ms(std::string_view text) {
  const bool has_unit = text.size() >= 2 && text.size() <= 4 &&
                        (text.back() == 'h' || text.back() == 'd') && text.front() != '0';
  if (!has_unit) return std::nullopt;
  const auto ms = parse_duration(text);
  return ms && *ms >= kHourMs && *ms <= kTagsKeptMs ? ms : std::nullopt;
}

Response list_trends(Call& call) {
  const std::string_view window = call.query("window").value_or("24h");
  const auto ms = window_ms(window);
  if (!ms) throw bad_parameter("window", "takes a number of hours or days from 1h to 7d");
  const std::uint32_t limit = call.limit(limits::kPostPageDefault, limits::kPostPageMax);
  return json(200, write_trends, call.engine().trends().list(*ms, limit, limits::kTrendUsesMax),
              window);
}

Response list_tagged_posts(Call& call) {
  social::TaggedQuery query;
  query.tag = utf8::case_folded(utf8::nfc(call.part()));
  query.before = call.post_cursor("cursor").value_or(kAboveAllPosts);
  query.limit = call.limit(limits::kPostPageDefault, limits::kPostPageMax);
  return json(200, write_posts,
              social::tagged_posts_in(*call.engine().storage().snapshot(), call.viewer(), query));
}

}  // namespace

std::span<const Operation> feed_calls() {
  static constexpr std::array kOperations{
      Operation{Method::kGet, "/v1/feed", "getFeed", Access::kSomebody, Lane::kRead, Body::kNone,
                get_feed, get_feed_at_once},
      Operation{Method::kPost, "/v1/feed/refresh", "refreshFeed", Access::kSomebody, Lane::kRead,
                Body::kJson, refresh_feed},
      reading("/v1/trends", "listTrends", list_trends, Access::kNobody),
      reading("/v1/tags/{tag}/posts", "listTaggedPosts", list_tagged_posts, Access::kAnybody),
  };
  return kOperations;
}

}  // namespace chirp::api
