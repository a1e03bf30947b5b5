// Posts and reposts.
#include "core/limits.h"
#include "core/rules/changes.h"
#include "core/rules/content.h"
#include "core/rules/seen.h"

namespace chirp::rules {

using namespace tables;
using events::Event;
using events::Topic;

namespace {

// Returns everything that distinguishes requests with the same key.
std::string canonical(const Publish& change) {
  std::string text(1, static_cast<char>(change.privacy));
  text += std::to_string(change.text.size()) + ' ' + change.text;
  for (const Medium& medium : change.media) {
    text += ' ' + std::to_string(medium.upload.value) + ' ' +
            std::to_string(medium.address.size()) + ' ' + medium.address;
    // A medium without a description has the form of older versions, so that their keys still
    // match.
    if (medium.alt_text.empty()) continue;
    text += " alt " + std::to_string(medium.alt_text.size()) + ' ' + medium.alt_text;
  }
  return text;
}

// Returns the outcome of an earlier request with the same key, if it is recent enough.
std::optional<Outcome> earlier_outcome(const Rows& rows, const KeyedRequest& request) {
  const auto earlier = rows.earlier(request);
  if (!earlier || rows.now().ms - earlier->since.ms >= limits::kKeyKeptMs) return std::nullopt;
  const auto post = rows.find(Posts::Key{earlier->post});
  if (!earlier->same || !post || post->author != request.user) {
    return Outcome{.result = Result::kConflict};
  }
  return Outcome{Result::kAlready, post->id, post->author, post->created_at};
}

// The user's repost of an original, if any.
struct OwnRepost {
  std::optional<PostId> id;
  std::optional<Post> repost;
};
OwnRepost own_repost(const Rows& rows, UserNumber user, const std::optional<NamedPost>& named) {
  if (!named) return {};
  const auto id = rows.find(RepostsOf::Key{named->stands_for(), user});
  return {id, id ? rows.find(Posts::Key{*id}) : std::nullopt};
}

}  // namespace

std::vector<UserNumber> mentioned_by(const Rows& rows, UserNumber author,
                                     std::span<const UserNumber> mentions) {
  std::vector<UserNumber> mentioned;
  for (const UserNumber user : mentions) {
    if (user != author && rows.present(user)) mentioned.push_back(user);
  }
  return mentioned;
}

void log_mentions(Rows& rows, const Event& where, std::span<const UserNumber> mentioned) {
  for (const UserNumber user : mentioned) {
    rows.log({.topic = Topic::kMentionCreated,
              .actor = where.actor,
              .other = user,
              .post = where.post,
              .comment = where.comment});
  }
}

Outcome apply(Rows& rows, const Publish& change) {
  const bool keyed = !change.idempotency_key.empty();
  const KeyedRequest request{change.author, change.idempotency_key,
                             keyed ? canonical(change) : std::string{}};
  const auto earlier = keyed ? earlier_outcome(rows, request) : std::nullopt;
  const auto mentioned = mentioned_by(rows, change.author, change.mentions);
  if (!rows.present(change.author)) return {.result = Result::kMissing};
  if (earlier) return *earlier;
  Post post;
  post.id = rows.mint();
  post.author = change.author;
  post.text = change.text;
  post.created_at = rows.now();
  post.privacy = change.privacy;
  post.media = change.media;
  put_post(rows, post);
  const Event created{
      .topic = Topic::kPostCreated, .actor = post.author, .post = post.id, .privacy = post.privacy};
  rows.log(created);
  log_mentions(rows, created, mentioned);
  if (keyed) rows.remember(request, post.id);
  return {Result::kDone, post.id, post.author, post.created_at};
}

Outcome apply(Rows& rows, const RemovePost& change) {
  const auto post = rows.find(Posts::Key{change.id});
  if (!post || !rows.present(post->author)) return {.result = Result::kMissing};
  if (post->is_repost()) {
    withdraw(rows, *post);
  } else {
    erase_post(rows, *post);
    queue_removal(rows, content_of(post->id));
    rows.log({.topic = Topic::kPostRemoved,
              .actor = post->author,
              .post = post->id,
              .privacy = post->privacy});
  }
  return {Result::kDone, post->id, post->author, post->created_at};
}

Outcome apply(Rows& rows, const Repost& change) {
  auto named = named_post(rows, change.post);
  const auto own = own_repost(rows, change.user, named);
  const auto original = seen_original(rows, change.user, std::move(named));
  if (!rows.present(change.user) || !original) return {.result = Result::kMissing};
  if (original->privacy != Privacy::kPublic) return {.result = Result::kRefused};
  if (own.id) {
    return {Result::kAlready, *own.id, original->author,
            own.repost ? own.repost->created_at : Time{}};
  }
  Post repost;
  repost.id = rows.mint();
  repost.author = change.user;
  repost.created_at = rows.now();
  repost.original = original->id;
  repost.original_author = original->author;
  put_post(rows, repost);
  rows.log({.topic = Topic::kRepostCreated,
            .actor = repost.author,
            .other = repost.original_author,
            .post = repost.id,
            .original = repost.original});
  return {Result::kDone, repost.id, repost.original_author, repost.created_at};
}

Outcome apply(Rows& rows, const Unrepost& change) {
  auto named = named_post(rows, change.post);
  const auto [id, repost] = own_repost(rows, change.user, named);
  const auto original = seen_original(rows, change.user, std::move(named), AuthorsIn::kKept);
  if (!rows.present(change.user) || !original) return {.result = Result::kMissing};
  if (!repost) return {.result = Result::kAlready};
  withdraw(rows, *repost);
  return {.result = Result::kDone, .post = repost->id};
}

}  // namespace chirp::rules
