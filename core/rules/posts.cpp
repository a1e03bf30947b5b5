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

// All that makes a request with the same key another one.
std::string canonical(const Publish& change) {
  std::string text(1, static_cast<char>(change.privacy));
  text += std::to_string(change.text.size()) + ' ' + change.text;
  for (const Medium& medium : change.media) {
    text += ' ' + std::to_string(medium.upload.value) + ' ' +
            std::to_string(medium.address.size()) + ' ' + medium.address;
  }
  return text;
}

// What an earlier request with the same key made, if that is not too long ago: the outcome of the
// request at hand.
std::optional<Outcome> earlier_outcome(const Rows& rows, const KeyedRequest& request) {
  const auto earlier = rows.earlier(request);
  if (!earlier || rows.now().ms - earlier->since.ms >= limits::kKeyKeptMs) return std::nullopt;
  const auto post = rows.find(Posts::Key{earlier->post});
  if (!earlier->same || !post || post->author != request.user) {
    return Outcome{.result = Result::kConflict};
  }
  return Outcome{Result::kAlready, post->id, post->author, post->created_at};
}

std::optional<Post> own_repost(const Rows& rows, UserNumber user, PostId original) {
  const auto id = rows.find(RepostsOf::Key{original, user});
  return id ? rows.find(Posts::Key{*id}) : std::nullopt;
}

}  // namespace

void log_mentions(Rows& rows, const Event& where, std::span<const UserNumber> mentions) {
  for (const UserNumber mentioned : mentions) {
    if (mentioned == where.actor || !rows.present(mentioned)) continue;
    rows.log({.topic = Topic::kMentionCreated,
              .actor = where.actor,
              .other = mentioned,
              .post = where.post,
              .comment = where.comment});
  }
}

Outcome apply(Rows& rows, const Publish& change) {
  const bool keyed = !change.idempotency_key.empty();
  const KeyedRequest request{change.author, change.idempotency_key,
                             keyed ? canonical(change) : std::string{}};
  const auto earlier = keyed ? earlier_outcome(rows, request) : std::nullopt;
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
  log_mentions(rows, created, change.mentions);
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
  const auto original = seen_original(rows, change.user, change.post);
  if (!rows.present(change.user) || !original) return {.result = Result::kMissing};
  if (original->privacy != Privacy::kPublic) return {.result = Result::kRefused};
  if (const auto id = rows.find(RepostsOf::Key{original->id, change.user})) {
    const auto there = rows.find(Posts::Key{*id});
    return {Result::kAlready, *id, original->author, there ? there->created_at : Time{}};
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
  const auto original = seen_original(rows, change.user, change.post);
  if (!rows.present(change.user) || !original) return {.result = Result::kMissing};
  const auto repost = own_repost(rows, change.user, original->id);
  if (!repost) return {.result = Result::kAlready};
  withdraw(rows, *repost);
  return {.result = Result::kDone, .post = repost->id};
}

}  // namespace chirp::rules
