// The tables of core/ports/tables.h in PostgreSQL: table names, and the columns of a row. Follow
// edges are stored in chunks (store/postgres/rows/edges.h).
#pragma once

#include <array>
#include <string_view>

#include "core/ports/tables.h"
#include "store/postgres/rows/sql.h"

namespace chirp::postgres {

template <class... Name>
constexpr std::array<std::string_view, sizeof...(Name)> names(Name... name) {
  return {name...};
}

// For tables whose rows have no columns besides the key, or only an id.
struct KeyAlone {
  static constexpr Seen kSeen = Seen::kVersioned;
  template <class Io, class Key, class Row>
  static void row(Io& /*io*/, const Key& /*key*/, Row& /*row*/) {}
};
template <class Self>
struct OneNumber {
  static constexpr Seen kSeen = Seen::kVersioned;
  template <class Io, class Key, class Row>
  static void row(Io& io, const Key& /*key*/, Row& row) {
    io(Self::kNumber, row);
  }
};

template <class T>
struct Shape;

template <>
struct Shape<tables::Cards> : KeyAlone {
  static constexpr std::string_view kName = "cards";
  static constexpr auto kKeys = names("usr");
  template <class Io, class Card>
  static void row(Io& io, const tables::Cards::Key& key, Card& card) {
    io.key(card.number, key.user);
    io("id", card.id);
    io("presence", card.presence);
    io("username", card.username);
    io("display_name", card.display_name);
    io.source("source", card.source);
    io.rare("picture", card.picture);
  }
};
template <>
struct Shape<tables::UserIds> : OneNumber<Shape<tables::UserIds>> {
  static constexpr std::string_view kName = "card_ids";
  static constexpr std::string_view kNumber = "usr";
  static constexpr auto kKeys = names("id");
};
template <>
struct Shape<tables::UserSources> : OneNumber<Shape<tables::UserSources>> {
  static constexpr std::string_view kName = "card_sources";
  static constexpr std::string_view kNumber = "usr";
  static constexpr auto kKeys = names("source");
};
template <>
struct Shape<tables::UserWords> : OneNumber<Shape<tables::UserWords>> {
  static constexpr std::string_view kName = "card_words";
  static constexpr std::string_view kNumber = "usr";
  static constexpr auto kKeys = names("word");
};
template <>
struct Shape<tables::Posts> : KeyAlone {
  static constexpr std::string_view kName = "posts";
  static constexpr auto kKeys = names("id");
  template <class Io, class Post>
  static void row(Io& io, const tables::Posts::Key& key, Post& post) {
    io.key(post.id, key.id);
    io("author", post.author);
    io("created_at", post.created_at);
    io("privacy", post.privacy);
    io("text", post.text);
    io.source("source", post.source);
    io.rare("original", post.original);
    io.rare("original_author", post.original_author);
    io.packed("media", post.media);
  }
};
template <>
struct Shape<tables::AuthorLogs> : KeyAlone {
  static constexpr std::string_view kName = "author_logs";
  static constexpr auto kKeys = names("author", "id");
};
template <>
struct Shape<tables::FollowersLogs> : KeyAlone {
  static constexpr std::string_view kName = "followers_logs";
  static constexpr auto kKeys = names("author", "id");
};
template <>
struct Shape<tables::PrivateLogs> : KeyAlone {
  static constexpr std::string_view kName = "private_logs";
  static constexpr auto kKeys = names("author", "id");
};
template <>
struct Shape<tables::PostSources> : OneNumber<Shape<tables::PostSources>> {
  static constexpr std::string_view kName = "post_sources";
  static constexpr std::string_view kNumber = "content";
  static constexpr auto kKeys = names("source");
};
template <>
struct Shape<tables::PostWords> : OneNumber<Shape<tables::PostWords>> {
  static constexpr std::string_view kName = "post_words";
  static constexpr std::string_view kNumber = "content";
  static constexpr auto kKeys = names("word");
};
template <>
struct Shape<tables::MediaUses> : KeyAlone {
  static constexpr std::string_view kName = "media_uses";
  static constexpr auto kKeys = names("upload", "post");
};
template <>
struct Shape<tables::RepostsOf> : OneNumber<Shape<tables::RepostsOf>> {
  static constexpr std::string_view kName = "reposts";
  static constexpr std::string_view kNumber = "id";
  static constexpr auto kKeys = names("original", "usr");
};
template <>
struct Shape<tables::Relations> : OneNumber<Shape<tables::Relations>> {
  static constexpr std::string_view kName = "relations";
  static constexpr std::string_view kNumber = "since";
  static constexpr auto kKeys = names("usr", "kind", "other");
};
template <>
struct Shape<tables::Related> : KeyAlone {
  static constexpr std::string_view kName = "related";
  static constexpr auto kKeys = names("other", "kind", "usr");
};
template <>
struct Shape<tables::Reactions> : KeyAlone {
  static constexpr std::string_view kName = "reactions";
  static constexpr auto kKeys = names("content", "usr");
  template <class Io, class Reaction>
  static void row(Io& io, const tables::Reactions::Key& key, Reaction& reaction) {
    io.key(reaction.user, key.user);
    io("since", reaction.since);
    io.rare("event", reaction.event);
    io("type", reaction.type);
  }
};
template <>
struct Shape<tables::ReactionsBy> : OneNumber<Shape<tables::ReactionsBy>> {
  static constexpr std::string_view kName = "reactions_by";
  static constexpr std::string_view kNumber = "author";
  static constexpr auto kKeys = names("usr", "content");
};
template <>
struct Shape<tables::Comments> : KeyAlone {
  static constexpr std::string_view kName = "comments";
  static constexpr auto kKeys = names("id");
  template <class Io, class Comment>
  static void row(Io& io, const tables::Comments::Key& key, Comment& comment) {
    io.key(comment.id, key.id);
    io("post", comment.post);
    io("author", comment.author);
    io("created_at", comment.created_at);
    io("state", comment.state);
    io("text", comment.text);
    io.rare("parent", comment.parent);
    io.source("source", comment.source);
  }
};
template <>
struct Shape<tables::Threads> : KeyAlone {
  static constexpr std::string_view kName = "threads";
  static constexpr auto kKeys = names("post", "parent", "id");
};
template <>
struct Shape<tables::HiddenThreads> : KeyAlone {
  static constexpr std::string_view kName = "hidden_threads";
  static constexpr auto kKeys = names("post", "parent", "id");
};
template <>
struct Shape<tables::CommentsBy> : OneNumber<Shape<tables::CommentsBy>> {
  static constexpr std::string_view kName = "comments_by";
  static constexpr std::string_view kNumber = "author";
  static constexpr auto kKeys = names("usr", "id");
};
template <>
struct Shape<tables::UserCounts> : KeyAlone {
  static constexpr std::string_view kName = "counters";
  static constexpr auto kKeys = names("usr");
  template <class Io, class Counters>
  static void row(Io& io, const tables::UserCounts::Key& /*key*/, Counters& counters) {
    io("followers", counters.followers);
    io("following", counters.following);
    io("posts", counters.posts);
  }
};
template <>
struct Shape<tables::ContentCounts> : KeyAlone {
  static constexpr std::string_view kName = "content_counters";
  static constexpr auto kKeys = names("id");
  template <class Io, class Counters>
  static void row(Io& io, const tables::ContentCounts::Key& /*key*/, Counters& counters) {
    io.packed("counts", counters);
  }
};
template <>
struct Shape<tables::Marks> : KeyAlone {
  static constexpr std::string_view kName = "marks";
  static constexpr auto kKeys = names("author");
  template <class Io, class Mark>
  static void row(Io& io, const tables::Marks::Key& key, Mark& mark) {
    io.key(mark.author, key.author);
    io.rare("push_from", mark.push_from);
    io("tier", mark.tier);
  }
};
template <>
struct Shape<tables::Notifications> : KeyAlone {
  static constexpr std::string_view kName = "notifications";
  static constexpr auto kKeys = names("usr", "seq");
  template <class Io, class Notification>
  static void row(Io& io, const tables::Notifications::Key& key, Notification& told) {
    io.key(told.user, key.user);
    io.key(told.sequence, key.sequence);
    io("time", told.time);
    io("actor", told.actor);
    io("topic", told.topic);
    io.rare("post", told.post);
    io.rare("comment", told.comment);
    io.rare("parent", told.parent);
  }
};
template <>
struct Shape<tables::Readers> : KeyAlone {
  static constexpr std::string_view kName = "readers";
  static constexpr auto kKeys = names("usr");
  template <class Io, class Reader>
  static void row(Io& io, const tables::Readers::Key& /*key*/, Reader& reader) {
    io("notified", reader.notified);
    io("notifications", reader.notifications);
    io("feed", reader.feed);
  }
};
template <>
struct Shape<tables::TagUses> : KeyAlone {
  static constexpr std::string_view kName = "tag_uses";
  static constexpr auto kKeys = names("post");
  template <class Io, class Tagged>
  static void row(Io& io, const tables::TagUses::Key& key, Tagged& tagged) {
    io.key(tagged.post, key.post);
    io("author", tagged.author);
    io.packed("tags", tagged.tags);
  }
};
template <>
struct Shape<tables::TagPosts> : OneNumber<Shape<tables::TagPosts>> {
  static constexpr std::string_view kName = "tag_posts";
  static constexpr std::string_view kNumber = "author";
  static constexpr auto kKeys = names("tag", "post");
};
template <>
struct Shape<tables::FanOutQueue> : KeyAlone {
  static constexpr std::string_view kName = "fan_out_queue";
  static constexpr auto kKeys = names("seq");
  template <class Io, class Queued>
  static void row(Io& io, const tables::FanOutQueue::Key& key, Queued& queued) {
    io.key(queued.sequence, key.sequence);
    io("post", queued.post);
    io("author", queued.author);
    io("done_to", queued.done_to);
  }
};
template <>
struct Shape<tables::Removals> : KeyAlone {
  static constexpr std::string_view kName = "removals";
  static constexpr auto kKeys = names("usr");
};
template <>
struct Shape<tables::PostRemovals> : KeyAlone {
  static constexpr std::string_view kName = "post_removals";
  static constexpr auto kKeys = names("id");
};
template <>
struct Shape<tables::PlainSettings> : KeyAlone {
  static constexpr std::string_view kName = "settings";
  static constexpr auto kKeys = names("name");
  template <class Io, class Text>
  static void row(Io& io, const tables::PlainSettings::Key& /*key*/, Text& text) {
    io("value", text);
  }
};
template <>
struct Shape<tables::Events> {
  static constexpr Seen kSeen = Seen::kLog;
  static constexpr std::string_view kName = "events";
  static constexpr auto kKeys = names("seq");
  template <class Io, class Event>
  static void row(Io& io, const tables::Events::Key& key, Event& event) {
    io.key(event.sequence, key.sequence);
    io("time", event.time);
    io("actor", event.actor);
    io("topic", event.topic);
    io.rare("other", event.other);
    io.rare("post", event.post);
    io.rare("rows", event.rows);
    io.rare("original", event.original);
    io.rare("comment", event.comment);
    io.rare("parent", event.parent);
    io.rare("privacy", event.privacy);
    io("reaction", event.reaction);
    io("reaction_before", event.reaction_before);
  }
};

}  // namespace chirp::postgres
