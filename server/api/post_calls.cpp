// Operations: publishing, reading, reposting and removing posts.
#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/limits.h"
#include "core/model/names.h"
#include "core/social/media.h"
#include "server/api/operations.h"
#include "server/json/render.h"
#include "server/limits.h"

namespace chirp::api {
namespace {

using http::Lane;
using http::Method;
using http::Response;

constexpr std::string_view kLevels = "is not public, followers or private";

std::string place_of(const social::PostView& view) {
  return "/v1/posts/" + std::to_string(view.post.id.value);
}

Response guarded_by_all(Response response, std::span<const social::PostView> shown) {
  const auto narrow = std::find_if(shown.begin(), shown.end(), [](const auto& view) {
    return view.post.privacy != Privacy::kPublic;
  });
  return api::guarded(std::move(response),
                      narrow == shown.end() ? Privacy::kPublic : narrow->post.privacy);
}

// ---- publishing

// The content of a body, checked as far as possible without the store.
struct PostBody {
  std::string content;
  Privacy privacy = Privacy::kPublic;
  std::vector<MediaId> uploads;
  std::vector<Medium> addresses;
  std::vector<std::string> alt_texts;  // of the uploads and then the URLs; may be fewer
};

std::vector<Medium> addresses_in(JsonBody& body) {
  std::vector<Medium> media;
  const auto urls = body.strings("mediaUrls", Need::kOptional, 0, limits::kPostMediaMax);
  if (!urls) return media;
  for (std::size_t i = 0; i < urls->size(); ++i) {
    try {
      media.push_back(social::medium_at((*urls)[i]));
    } catch (const Error&) {
      body.fault("mediaUrls[" + std::to_string(i) + ']',
                 "takes an address with http or https, of at most " +
                     std::to_string(limits::kAddressMax) + " bytes");
    }
  }
  return media;
}

void check_type(JsonBody& body, bool has_media) {
  const auto type = body.string("postType", Need::kOptional);
  if (!type) return;
  if (*type != "text" && *type != "media") {
    body.fault("postType", "is neither \"text\" nor \"media\"");
  } else if ((*type == "media") != has_media) {
    body.fault("postType",
               has_media ? "is \"text\", but there are media" : "is \"media\", but there are none");
  }
}

PostBody wanted_in(JsonBody body) {
  PostBody wanted;
  wanted.content = body.string("content", Need::kRequired).value_or("");
  if (const auto level = body.string("privacy", Need::kOptional)) {
    if (const auto privacy = privacy_named(*level)) {
      wanted.privacy = *privacy;
    } else {
      body.fault("privacy", std::string(kLevels));
    }
  }
  // Clients of other services send these. Ignoring such a field must not make a post public.
  for (const char* const field : {"visibility", "audience", "Privacy", "Visibility"}) {
    if (body.has(field) && !body.is_null(field)) {
      body.fault(field, "is not a field of a post; `privacy` says who sees it");
    }
  }
  if (const auto ids = body.ids("mediaIds", Need::kOptional, 0, limits::kPostMediaMax)) {
    for (const std::uint64_t id : *ids) wanted.uploads.push_back(MediaId{id});
  }
  wanted.addresses = addresses_in(body);
  const std::size_t media = wanted.uploads.size() + wanted.addresses.size();
  if (media > limits::kPostMediaMax) {
    body.fault("mediaUrls", "makes more than " + std::to_string(limits::kPostMediaMax) +
                                " media, together with mediaIds");
  }
  wanted.alt_texts = body.strings("altTexts", Need::kOptional, 0, limits::kPostMediaMax)
                         .value_or(std::vector<std::string>());
  if (wanted.alt_texts.size() > media) {
    body.fault("altTexts", "are more than there are media: " + std::to_string(media));
  }
  check_type(body, media > 0);
  body.check();
  return wanted;
}

// Returns uploads first, then URLs.
std::vector<Medium> media_of(Call& call, const PostBody& wanted) {
  std::vector<Medium> media;
  try {
    media = call.engine().media().to_post(call.me(), wanted.uploads);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kNotFound) throw;
    throw unprocessable({{error.field(), "is not an upload of yours"}});
  }
  media.insert(media.end(), wanted.addresses.begin(), wanted.addresses.end());
  for (std::size_t i = 0; i < wanted.alt_texts.size(); ++i) media[i].alt_text = wanted.alt_texts[i];
  return media;
}

Response create_post(Call& call) {
  const auto key = call.idempotency_key();
  const PostBody wanted = wanted_in(call.body());
  social::NewPost post{wanted.content, wanted.privacy, key, media_of(call, wanted)};
  const social::Published published = call.engine().posts().publish(call.me(), post);
  JsonWriter body;
  write_post(body, published.view);
  if (published.publication == social::Publication::kRepeated) return json(200, body);
  return created(body, place_of(published.view));
}

// ---- reading

Response batch_get_posts(Call& call) {
  JsonBody fields = call.body();
  const auto ids = fields.ids("postIds", Need::kRequired, 1, limits::kBatchGetMax);
  fields.check();
  std::vector<PostId> posts;
  for (const std::uint64_t id : *ids) posts.push_back(PostId{id});
  const social::FoundPosts found = call.engine().posts().find(call.viewer(), posts);
  return guarded_by_all(json(200, write_found_posts, found), found.posts);
}

Response get_post(Call& call) {
  const PostId id = call.post();
  call.check_caller_id();
  const ShowCounters counters =
      call.flag("includeStats", true) ? ShowCounters::kShow : ShowCounters::kHide;
  const social::PostView view = call.engine().posts().show(call.viewer(), id);
  JsonWriter body;
  write_post(body, view, counters);
  return guarded_by_all(tagged(call, body), {&view, 1});
}

Response list_user_posts(Call& call) {
  std::optional<Privacy> level;
  if (const auto text = call.query("privacy")) {
    level = privacy_named(*text);
    if (!level) throw bad_parameter("privacy", std::string(kLevels));
    if (*level != Privacy::kPublic && !call.caller()) {
      throw unauthenticated("Posts that are not public need a token. Send one.");
    }
  }
  const PostId before = call.post_cursor("cursor").value_or(kAboveAllPosts);
  const std::uint32_t limit = call.limit(limits::kPostPageDefault, limits::kPostPageMax);
  const User author = call.user();
  const auto page = call.engine().posts().list(call.viewer(), author, before, limit, level);
  JsonWriter body;
  write_posts(body, page);
  // Even an empty page reveals something about non-public posts, so it gets `no-store` too.
  if (level) return api::guarded(json(200, body), *level);
  return guarded_by_all(json(200, body), page.posts);
}

// ---- removing and reposting

Response remove_post(Call& call) {
  call.engine().posts().remove(call.viewer(), call.post());
  return nothing();
}

Response repost(Call& call) {
  const social::Published published = call.engine().posts().repost(call.me(), call.post());
  JsonWriter body;
  write_post(body, published.view);
  if (published.publication == social::Publication::kRepeated) return json(200, body);
  return created(body, place_of(published.view));
}

Response unrepost(Call& call) {
  call.engine().posts().unrepost(call.me(), call.post());
  return nothing();
}

}  // namespace

std::span<const Operation> post_calls() {
  static constexpr std::array kOperations{
      writing(Method::kPost, "/v1/posts", "createPost", create_post, Body::kJson),
      Operation{Method::kPost, "/v1/posts/batch-get", "batchGetPosts", Access::kAnybody,
                Lane::kRead, Body::kJson, batch_get_posts},
      reading("/v1/posts/{postId}", "getPost", get_post, Access::kAnybody),
      writing(Method::kDelete, "/v1/posts/{postId}", "removePost", remove_post),
      writing(Method::kPost, "/v1/posts/{postId}/repost", "repost", repost),
      writing(Method::kDelete, "/v1/posts/{postId}/repost", "unrepost", unrepost),
      reading("/v1/users/{user}/posts", "listUserPosts", list_user_posts, Access::kAnybody),
  };
  return kOperations;
}

}  // namespace chirp::api
