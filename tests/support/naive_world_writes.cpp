// What people's changes do, one by one, and how each comes out.

#include "core/limits.h"
#include "core/model/entities.h"
#include "tests/support/naive_world.h"

namespace chirp::test {

using events::Event;
using events::Topic;

struct NaiveWorld::Apply {
  NaiveWorld& world;
  Time now;

  Outcome operator()(const PutCard& change) {
    const auto old = world.cards.find(change.card.number);
    AuthorCard before = change.card;
    before.presence = Presence::kPresent;
    if (old == world.cards.end()) {
      world.append(Topic::kUserCreated, now, change.card.number);
    } else {
      before = old->second;
      if (before.presence == Presence::kRemoved) return {Result::kMissing};
      if (before == change.card) return {Result::kAlready};
    }
    const bool was_suspended = before.presence == Presence::kSuspended;
    const bool is_suspended = change.card.presence == Presence::kSuspended;
    before.presence = change.card.presence;
    if (before != change.card) world.append(Topic::kUserEdited, now, change.card.number);
    if (is_suspended && !was_suspended) {
      world.append(Topic::kUserSuspended, now, change.card.number);
    }
    if (was_suspended && !is_suspended) {
      world.append(Topic::kUserUnsuspended, now, change.card.number);
    }
    world.cards[change.card.number] = change.card;
    return {Result::kDone};
  }

  Outcome operator()(const Publish& change) {
    if (!world.present(change.author)) return {Result::kMissing};
    const std::pair key{change.author, change.idempotency_key};
    const auto used = world.keys.find(key);
    const bool keyed = !change.idempotency_key.empty();
    if (keyed && used != world.keys.end() && now.ms - used->second.first.ms < limits::kKeyKeptMs) {
      const NaiveKey& first = used->second;
      const bool same = first.under == PostId{} && first.text == change.text &&
                        first.privacy == change.privacy && first.media == change.media &&
                        world.posts.contains(first.post);
      if (!same) return {Result::kConflict};
      return {Result::kAlready, first.post, change.author, world.posts.at(first.post).created_at};
    }
    Post post;
    post.id = world.mint(now);
    post.author = change.author;
    post.text = change.text;
    post.created_at = now;
    post.privacy = change.privacy;
    post.media = change.media;
    world.posts[post.id] = post;
    if (keyed) {
      world.keys[key] = {now, post.id, change.text, change.privacy, change.media};
    }
    Event& event = world.append(Topic::kPostCreated, now, change.author);
    event.post = post.id;
    event.privacy = change.privacy;
    mention(change.author, change.mentions, post.id, kNoComment);
    return {Result::kDone, post.id, change.author, now};
  }

  Outcome operator()(const RemovePost& change) {
    if (!world.is_there(change.id)) return {Result::kMissing};
    const Post post = world.posts.at(change.id);
    if (!world.present(post.author)) return {Result::kMissing};
    withdraw(post);
    return {Result::kDone, {}, post.author};
  }

  Outcome operator()(const Repost& change) {
    if (!world.present(change.user) || !world.sees(change.user, change.post)) {
      return {Result::kMissing};
    }
    const Post original = world.posts.at(world.original_of(change.post));
    if (original.privacy != Privacy::kPublic) return {Result::kRefused};
    if (const auto own = world.repost_by(change.user, original.id)) {
      return {Result::kAlready, *own, original.author, world.posts.at(*own).created_at};
    }
    Post post;
    post.id = world.mint(now);
    post.author = change.user;
    post.created_at = now;
    post.original = original.id;
    post.original_author = original.author;
    world.posts[post.id] = post;
    tell(Topic::kRepostCreated, post);
    return {Result::kDone, post.id, original.author, now};
  }

  Outcome operator()(const Unrepost& change) {
    if (!world.present(change.user) || !world.sees(change.user, change.post, Why::kToTakeBack)) {
      return {Result::kMissing};
    }
    const auto own = world.repost_by(change.user, world.original_of(change.post));
    if (!own) return {Result::kAlready};
    const Post repost = world.posts.at(*own);
    withdraw(repost);
    return {Result::kDone, *own};
  }

  Outcome operator()(const Follow& change) {
    const auto& [follower, followee, reposts] = change;
    if (!world.present(follower) || !world.present(followee)) return {Result::kMissing};
    const RelationKey off{follower, Relation::kRepostsOff, followee};
    const auto edge = world.follows.find({follower, followee});
    if (edge != world.follows.end()) {
      const auto now_set = world.relations.contains(off) ? Reposts::kOff : Reposts::kOn;
      if (!reposts || *reposts == now_set) return {Result::kAlready, {}, {}, edge->second};
      switch_reposts(off, *reposts);
      world.append(Topic::kFollowSwitched, now, follower, followee);
      return {Result::kDone, {}, {}, edge->second};
    }
    if (world.severed(follower, followee)) return {Result::kRefused};
    world.follows[{follower, followee}] = now;
    world.append(Topic::kFollowAdded, now, follower, followee);
    if (reposts == Reposts::kOff) {  // a switch too
      switch_reposts(off, *reposts);
      world.append(Topic::kFollowSwitched, now, follower, followee);
    }
    return {Result::kDone, {}, {}, now};
  }

  Outcome operator()(const Unfollow& change) {
    const auto& [follower, followee] = change;
    if (!world.present(follower) || !world.kept(followee)) return {Result::kMissing};
    if (!world.follows.contains({follower, followee})) return {Result::kAlready};
    world.erase_follow(follower, followee, now);
    return {Result::kDone};
  }

  Outcome operator()(const Relate& change) {
    const auto& [user, other, relation] = change;
    if (!world.present(user) || !world.present(other)) return {Result::kMissing};
    if (!world.relations.emplace(RelationKey{user, relation, other}, now).second) {
      return {Result::kAlready};
    }
    const bool block = relation == Relation::kBlock;
    world.append(block ? Topic::kBlockAdded : Topic::kMuteAdded, now, user, other);
    if (block) {
      world.erase_follow(user, other, now);
      world.erase_follow(other, user, now);
    }
    return {Result::kDone};
  }

  Outcome operator()(const Unrelate& change) {
    const auto& [user, other, relation] = change;
    if (!world.present(user) || !world.kept(other)) return {Result::kMissing};
    if (world.relations.erase({user, relation, other}) == 0) return {Result::kAlready};
    const bool block = relation == Relation::kBlock;
    world.append(block ? Topic::kBlockRemoved : Topic::kMuteRemoved, now, user, other);
    return {Result::kDone};
  }

  Outcome operator()(const React& change) {
    if (!world.present(change.user) || !world.sees(change.user, change.post)) {
      return {Result::kMissing};
    }
    const Post post = world.posts.at(world.original_of(change.post));
    return react(change.user, content_of(post.id), change.type, post.id, kNoComment, post.author);
  }

  Outcome operator()(const Unreact& change) {
    if (!world.present(change.user) || !world.sees(change.user, change.post, Why::kToTakeBack)) {
      return {Result::kMissing};
    }
    const Post post = world.posts.at(world.original_of(change.post));
    return unreact(change.user, content_of(post.id), post.id, kNoComment, post.author);
  }

  Outcome operator()(const LikeComment& change) {
    if (!world.present(change.user) || !world.sees(change.user, change.comment)) {
      return {Result::kMissing};
    }
    const Comment comment = world.comments.at(change.comment).comment;
    Outcome outcome = react(change.user, content_of(comment.id), ReactionType::kLike, comment.post,
                            comment.id, comment.author);
    outcome.before.reset();  // of posts alone
    return outcome;
  }

  Outcome operator()(const UnlikeComment& change) {
    if (!world.present(change.user) || !world.sees(change.user, change.comment, Why::kToTakeBack)) {
      return {Result::kMissing};
    }
    const Comment comment = world.comments.at(change.comment).comment;
    Outcome outcome =
        unreact(change.user, content_of(comment.id), comment.post, comment.id, comment.author);
    outcome.before.reset();
    return outcome;
  }

  Outcome operator()(const AddComment& change) {
    if (!world.present(change.author)) return {Result::kMissing};
    const std::pair key{change.author, change.idempotency_key};
    const auto used = world.keys.find(key);
    const bool keyed = !change.idempotency_key.empty();
    if (keyed && used != world.keys.end() && now.ms - used->second.first.ms < limits::kKeyKeptMs) {
      const NaiveKey& first = used->second;
      const auto made = world.comments.find(CommentId{first.post.value});
      const bool is_there = made != world.comments.end() &&
                            made->second.comment.state == CommentState::kThere &&
                            world.posts.contains(made->second.comment.post);
      const bool same = first.text == change.text && first.under == change.post &&
                        first.parent == change.parent && is_there;
      if (!same) return {Result::kConflict};
      const Comment& comment = made->second.comment;
      return {Result::kAlready, comment.post, world.posts.at(comment.post).author,
              comment.created_at, comment.id};
    }
    if (!world.sees(change.author, change.post)) return {Result::kMissing};
    const Post post = world.posts.at(world.original_of(change.post));
    if (change.parent != kNoComment) {
      const auto parent = world.comments.find(change.parent);
      const bool fits = parent != world.comments.end() && parent->second.comment.post == post.id;
      if (!fits || !world.sees(change.author, change.parent)) return {Result::kNoParent};
    }
    Comment comment;
    comment.id = CommentId{world.mint(now).value};
    comment.post = post.id;
    comment.author = change.author;
    comment.text = change.text;
    comment.parent = change.parent;
    comment.created_at = now;
    world.comments[comment.id] = {comment, post.author};
    tell(Topic::kCommentCreated, comment, post.author);
    mention(change.author, change.mentions, post.id, comment.id);
    if (keyed) {
      world.keys[key] = {now,          PostId{comment.id.value}, change.text, {}, {}, change.post,
                         change.parent};
    }
    return {Result::kDone, post.id, post.author, now, comment.id};
  }

  // Whoever may ask for it: that is not the store's to decide.
  Outcome operator()(const RemoveComment& change) {
    const auto found = world.comments.find(change.comment);
    if (found == world.comments.end()) return {Result::kMissing};
    const auto [comment, post_author] = found->second;
    if (comment.state == CommentState::kRemoved || !world.present(comment.author) ||
        !world.is_there(comment.post)) {
      return {Result::kMissing};
    }
    tell(Topic::kCommentRemoved, comment, post_author);
    world.erase_comment(comment.id);
    return {Result::kDone, comment.post, post_author};
  }

  Outcome operator()(const MarkRemoved& change) {
    const auto card = world.cards.find(change.user);
    if (card == world.cards.end()) return {Result::kMissing};
    if (card->second.presence == Presence::kRemoved) return {Result::kAlready};
    card->second.presence = Presence::kRemoved;
    card->second.source.reset();
    world.leaving.insert(change.user);
    world.append(Topic::kUserRemoved, now, change.user);
    return {Result::kDone};
  }

 private:
  void mention(UserNumber author, const std::vector<UserNumber>& mentions, PostId post,
               CommentId comment) {
    for (const UserNumber user : mentions) {
      if (user == author || !world.present(user)) continue;
      Event& event = world.append(Topic::kMentionCreated, now, author, user);
      event.post = post;
      event.comment = comment;
    }
  }

  // Appends an event about a repost.
  void tell(Topic topic, const Post& repost) {
    Event& event = world.append(topic, now, repost.author, repost.original_author);
    event.post = repost.id;
    event.original = repost.original;
  }

  void tell(Topic topic, const Comment& comment, UserNumber post_author) {
    Event& event = world.append(topic, now, comment.author, post_author);
    event.post = comment.post;
    event.comment = comment.id;
    event.parent = comment.parent;
  }

  void withdraw(const Post& post) {
    if (post.is_repost()) {
      tell(Topic::kRepostRemoved, post);
    } else {
      Event& event = world.append(Topic::kPostRemoved, now, post.author);
      event.post = post.id;
      event.privacy = post.privacy;
    }
    world.erase_post(post.id);
  }

  void switch_reposts(const RelationKey& off, Reposts reposts) {
    if (reposts == Reposts::kOff) world.relations[off] = now;
    if (reposts == Reposts::kOn) world.relations.erase(off);
  }

  Outcome react(UserNumber user, ContentId content, ReactionType type, PostId post,
                CommentId comment, UserNumber author) {
    Outcome outcome{Result::kDone, post, author};
    const auto found = world.reactions.find({content, user});
    const bool first = found == world.reactions.end();
    if (!first) outcome.before = found->second.reaction.type;
    if (outcome.before == type) {
      outcome.result = Result::kAlready;
    } else {
      Event& event = world.append(Topic::kReactionSet, now, user, author);
      event.post = post;
      event.comment = comment;
      event.reaction = type;
      event.reaction_before = outcome.before;
      if (first) world.reactions[{content, user}] = {{user, type, now, event.sequence}, author};
      world.reactions.at({content, user}).reaction.type = type;
    }
    outcome.time = world.reactions.at({content, user}).reaction.since;
    return outcome;
  }

  Outcome unreact(UserNumber user, ContentId content, PostId post, CommentId comment,
                  UserNumber author) {
    const auto found = world.reactions.find({content, user});
    if (found == world.reactions.end()) return {Result::kAlready, post, author};
    Outcome outcome{Result::kDone, post, author};
    outcome.before = found->second.reaction.type;
    world.reactions.erase(found);
    Event& event = world.append(Topic::kReactionRemoved, now, user, author);
    event.post = post;
    event.comment = comment;
    event.reaction = outcome.before;
    return outcome;
  }
};

std::vector<Outcome> NaiveWorld::write(std::span<const Change> changes, Time now) {
  std::vector<Outcome> outcomes;
  for (const Change& change : changes) outcomes.push_back(std::visit(Apply{*this, now}, change));
  return outcomes;
}

// Nothing if there is no such edge.
void NaiveWorld::erase_follow(UserNumber follower, UserNumber followee, Time now) {
  if (follows.erase({follower, followee}) == 0) return;
  relations.erase({follower, Relation::kRepostsOff, followee});
  append(Topic::kFollowRemoved, now, follower, followee);
}

}  // namespace chirp::test
