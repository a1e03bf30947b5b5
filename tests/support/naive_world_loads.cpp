// Loads and what is put back from an export.
#include <algorithm>

#include "core/model/entities.h"
#include "tests/support/naive_world.h"

namespace chirp::test {

using events::Topic;

// One event a batch; one that stores no row changes nothing.
void NaiveWorld::note_load(std::uint64_t rows, Time now, PostId newest) {
  if (rows == 0) return;
  events::Event& event = append(Topic::kLoadBatch, now, kNobody);
  event.rows = rows;
  event.post = newest;
  settle_tiers(now);
}

bool NaiveWorld::is_stored(const SourceKey& source) const {
  return std::any_of(posts.begin(), posts.end(),
                     [&](const auto& row) { return row.second.source == source; }) ||
         std::any_of(comments.begin(), comments.end(),
                     [&](const auto& row) { return row.second.comment.source == source; });
}

std::optional<LoadedContent> NaiveWorld::content_of_source(const SourceKey& source) const {
  for (const auto& [id, post] : posts) {
    if (post.source != source || !kept(post.author)) continue;
    const PostId original = original_of(id);
    if (is_there(original)) return LoadedContent{original};
  }
  for (const auto& [id, row] : comments) {
    const bool said = row.comment.source == source && kept(row.comment.author);
    if (said && is_there(row.comment.post)) {
      return LoadedContent{row.comment.post, id};
    }
  }
  return std::nullopt;
}

bool NaiveWorld::is_taken(std::uint64_t id) const {
  return posts.contains(PostId{id}) || comments.contains(CommentId{id});
}

// The id that is named if it is free, else the next of machine 1 above those of the millisecond.
std::uint64_t NaiveWorld::loaded_id(Time written, std::uint64_t named) const {
  if (named != 0 && !is_taken(named) && !remains.contains(ContentId{named})) return named;
  const std::uint64_t ticks = snowflake::ticks_of(written);
  std::uint64_t next = snowflake::make(ticks, snowflake::kLoadMachine, 0);
  const auto pass = [&](std::uint64_t id) {
    const bool beside = snowflake::ticks(id) == ticks &&
                        snowflake::machine(id) == snowflake::kLoadMachine && id >= next;
    if (beside) next = id + 1;
  };
  for (const auto& [id, post] : posts) pass(id.value);
  for (const auto& [id, row] : comments) pass(id.value);
  for (const ContentId id : remains) pass(id.value);
  return next;
}

// Keeps the hashtags of public posts of the last seven days, not believing a leap of the clock.
void NaiveWorld::keep_tags(const Post& post, Time now) {
  const bool young = snowflake::time_of(post.id.value).ms >= passed.at(now).ms - kTagsKeptMs;
  if (!young || post.privacy != Privacy::kPublic || post.is_repost()) return;
  const auto found = tags_in(post.text);
  if (!found.empty()) tags[post.id] = {post.id, post.author, found};
}

void NaiveWorld::load_cards(std::span<const AuthorCard> loaded, Time now) {
  std::uint64_t stored = 0;
  for (const AuthorCard& card : loaded) {
    if (cards.emplace(card.number, card).second) ++stored;
  }
  if (stored != 0) ++generation;
  note_load(stored, now);
}

LoadCounts NaiveWorld::load_edges(std::span<const LoadedEdge> edges, Time now) {
  LoadCounts counts;
  for (const auto& [follower, followee] : edges) {
    if (!kept(follower) || !kept(followee)) {
      ++counts.missing;
    } else if (severed(follower, followee)) {
      ++counts.severed;
    } else if (follows.emplace(Pair{follower, followee}, now).second) {
      ++counts.stored;
    } else {
      ++counts.duplicates;
    }
  }
  if (counts.stored != 0) ++generation;
  note_load(counts.stored, now);
  return counts;
}

// The first of a source id counts; then the oldest first, in the given order among equal times.
LoadCounts NaiveWorld::load_posts(std::span<const LoadedPost> loaded, Time now) {
  LoadCounts counts;
  PostId newest;
  bool are_plain = true;
  std::set<SourceKey> given;
  std::multimap<Time, LoadedPost> fresh;
  for (const LoadedPost& each : loaded) {
    if (is_stored(each.source) || !given.insert(each.source).second) {
      ++counts.duplicates;
    } else {
      fresh.emplace(each.created_at, each);
    }
  }
  for (const auto& [written, each] : fresh) {
    const bool is_repost = each.original != kBelowAllPosts;
    const auto original = posts.find(each.original);
    const bool repostable = is_there(each.original) && !original->second.is_repost() &&
                            original->second.privacy == Privacy::kPublic &&
                            each.privacy == Privacy::kPublic;
    if (!kept(each.author) || (is_repost && !repostable)) {
      ++counts.missing;
    } else if (is_repost && repost_by(each.author, each.original)) {
      ++counts.duplicates;
    } else {
      Post post;
      post.id = PostId{loaded_id(written, each.id.value)};
      post.author = each.author;
      post.created_at = written;
      post.source = each.source;
      post.original = each.original;
      if (is_repost) post.original_author = original->second.author;
      if (!is_repost) post.text = each.text;
      if (!is_repost) post.media = each.media;
      post.privacy = each.privacy;
      posts[post.id] = post;
      keep_tags(post, now);
      newest = std::max(newest, post.id);
      are_plain &= !is_repost;
      ++counts.stored;
    }
  }
  if (counts.stored != 0) {
    mint(now);
    ++generation;
  }
  note_load(counts.stored, now, are_plain ? newest : PostId{});
  return counts;
}

// The oldest first, so a reply may follow its parent's time.
LoadCounts NaiveWorld::load_comments(std::span<const LoadedComment> loaded, Time now) {
  LoadCounts counts;
  std::multimap<Time, LoadedComment> in_order;
  for (const LoadedComment& each : loaded) in_order.emplace(each.created_at, each);
  for (const auto& [written, each] : in_order) {
    const auto parent = comments.find(each.parent);
    const bool answers = each.parent == kNoComment ||
                         (parent != comments.end() && parent->second.comment.post == each.post &&
                          parent->second.comment.state == CommentState::kThere &&
                          kept(parent->second.comment.author));
    if (is_stored(each.source)) {
      ++counts.duplicates;
    } else if (!kept(each.author) || !is_there(each.post) || posts.at(each.post).is_repost() ||
               !answers) {
      ++counts.missing;
    } else {
      Comment comment;
      comment.id = CommentId{loaded_id(written, each.id.value)};
      comment.post = each.post;
      comment.author = each.author;
      comment.text = each.text;
      comment.parent = each.parent;
      comment.created_at = written;
      comment.source = each.source;
      comments[comment.id] = {comment, posts.at(each.post).author};
      ++counts.stored;
    }
  }
  if (counts.stored != 0) mint(now);
  note_load(counts.stored, now);
  return counts;
}

LoadCounts NaiveWorld::load_reactions(std::span<const LoadedReaction> loaded, Time now) {
  LoadCounts counts;
  for (const auto& [user, post, type, comment, since] : loaded) {
    const auto below = comments.find(comment);
    const bool commented = below != comments.end() && below->second.comment.post == post &&
                           below->second.comment.state == CommentState::kThere &&
                           kept(below->second.comment.author);
    if (!kept(user) || !is_there(post) || posts.at(post).is_repost() ||
        (comment != kNoComment && !commented)) {
      ++counts.missing;
      continue;
    }
    const bool of_post = comment == kNoComment;
    const UserNumber author = of_post ? posts.at(post).author : below->second.comment.author;
    const ContentId content = of_post ? content_of(post) : content_of(comment);
    const NaiveReaction row{{user, type, since.value_or(now), Sequence{0}}, author};
    const bool added = reactions.emplace(std::pair{content, user}, row).second;
    ++(added ? counts.stored : counts.duplicates);
  }
  note_load(counts.stored, now);
  return counts;
}

// ---- what an export holds; all of a batch or nothing

void NaiveWorld::raise_floor(std::uint64_t id) { last_id = PostId{std::max(last_id.value, id)}; }

ErrorCode NaiveWorld::restore_posts(std::span<const Post> restored, Time now) {
  for (const Post& post : restored) {
    if (is_taken(post.id.value)) return ErrorCode::kAlreadyExists;
  }
  PostId newest;
  bool are_plain = true;
  for (const Post& post : restored) {
    posts[post.id] = post;
    keep_tags(post, now);
    raise_floor(post.id.value);
    newest = std::max(newest, post.id);
    are_plain &= !post.is_repost();
  }
  ++generation;
  note_load(restored.size(), now, are_plain ? newest : PostId{});
  return ErrorCode::kInternal;
}

ErrorCode NaiveWorld::restore_edges(std::span<const RestoredEdge> edges, Time now) {
  for (const RestoredEdge& edge : edges) {
    if (follows.contains({edge.follower, edge.followee})) return ErrorCode::kAlreadyExists;
  }
  for (const RestoredEdge& edge : edges) {
    follows[{edge.follower, edge.followee}] = edge.since;
    if (edge.reposts == Reposts::kOff) {
      relations[{edge.follower, Relation::kRepostsOff, edge.followee}] = edge.since;
    }
  }
  ++generation;
  note_load(edges.size(), now);
  return ErrorCode::kInternal;
}

ErrorCode NaiveWorld::restore_comments(std::span<const Comment> restored, Time now) {
  for (const Comment& comment : restored) {
    if (is_taken(comment.id.value)) return ErrorCode::kAlreadyExists;
    if (!posts.contains(comment.post)) return ErrorCode::kBadInput;
  }
  for (const Comment& comment : restored) {
    comments[comment.id] = {comment, posts.at(comment.post).author};
    raise_floor(comment.id.value);
  }
  note_load(restored.size(), now);
  return ErrorCode::kInternal;
}

ErrorCode NaiveWorld::restore_reactions(std::span<const RestoredReaction> restored, Time now) {
  for (const RestoredReaction& each : restored) {
    if (!is_taken(each.content.value)) return ErrorCode::kBadInput;
    if (reactions.contains({each.content, each.user})) return ErrorCode::kAlreadyExists;
  }
  for (const auto& [content, user, type, since] : restored) {
    const auto comment = comments.find(CommentId{content.value});
    const UserNumber author = comment != comments.end() ? comment->second.comment.author
                                                        : posts.at(PostId{content.value}).author;
    reactions[{content, user}] = {{user, type, since, Sequence{0}}, author};
  }
  note_load(restored.size(), now);
  return ErrorCode::kInternal;
}

ErrorCode NaiveWorld::restore_relations(std::span<const RestoredRelation> restored, Time now) {
  for (const RestoredRelation& each : restored) {
    if (relations.contains({each.user, each.relation, each.other})) {
      return ErrorCode::kAlreadyExists;
    }
  }
  for (const auto& [user, other, relation, since] : restored) {
    relations[{user, relation, other}] = since;
  }
  note_load(restored.size(), now);
  return ErrorCode::kInternal;
}

}  // namespace chirp::test
