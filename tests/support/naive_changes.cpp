#include "tests/support/naive_changes.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace chirp::test {
namespace {

[[noreturn]] void fail(const std::string& message) { throw Mismatch(message); }

bool there(const World& world, UserNumber user) { return naive_present(world, user); }

bool kept(const World& world, UserNumber user) { return world.users.contains(user); }

// What somebody sees who takes back what they did: suspended authors' posts, too.
bool saw(World world, UserNumber user, PostId id) {
  world.suspended.clear();
  return naive_sees(world, user, id);
}

// The original, if the id is a repost's; otherwise the id.
PostId original_if_there(const World& world, PostId id) {
  const auto post = world.posts.find(id);
  const bool repost = post != world.posts.end() && post->second.original != kBelowAllPosts;
  return repost ? post->second.original : id;
}

std::optional<PostId> repost_by(const World& world, UserNumber user, PostId original) {
  const auto found = std::find_if(world.posts.begin(), world.posts.end(), [&](const auto& row) {
    return row.second.original == original && row.second.author == user;
  });
  return found == world.posts.end() ? std::nullopt : std::optional(found->first);
}

Pairs& pairs_of(World& world, Relation relation) {
  return relation == Relation::kBlock ? world.blocks : world.mutes;
}

struct Expected {
  const World& world;

  // An existing user keeps the card, except for the suspension.
  Result operator()(const PutCard& change) const {
    const UserNumber user = change.card.number;
    const bool suspended = change.card.presence == Presence::kSuspended;
    const bool same = kept(world, user) && world.suspended.contains(user) == suspended;
    return same ? Result::kAlready : Result::kDone;
  }
  Result operator()(const Publish& change) const {
    return there(world, change.author) ? Result::kDone : Result::kMissing;
  }
  Result operator()(const RemovePost& change) const {
    const auto post = world.posts.find(change.id);
    const bool is_there = post != world.posts.end() && there(world, post->second.author);
    return is_there ? Result::kDone : Result::kMissing;
  }
  Result operator()(const Repost& change) const {
    if (!there(world, change.user) || !naive_sees(world, change.user, change.post)) {
      return Result::kMissing;
    }
    const PostId original = original_if_there(world, change.post);
    if (world.posts.at(original).privacy != Privacy::kPublic) return Result::kRefused;
    return repost_by(world, change.user, original) ? Result::kAlready : Result::kDone;
  }
  Result operator()(const Unrepost& change) const {
    if (!there(world, change.user) || !saw(world, change.user, change.post)) {
      return Result::kMissing;
    }
    const auto own = repost_by(world, change.user, original_if_there(world, change.post));
    return own ? Result::kDone : Result::kAlready;
  }
  Result operator()(const Follow& change) const {
    const auto& [follower, followee, reposts] = change;
    if (!there(world, follower) || !there(world, followee)) return Result::kMissing;
    if (!world.follows.contains({follower, followee})) {
      return severed(world, follower, followee) ? Result::kRefused : Result::kDone;
    }
    const bool off = world.reposts_off.contains({follower, followee});
    return reposts && off != (*reposts == Reposts::kOff) ? Result::kDone : Result::kAlready;
  }
  Result operator()(const Unfollow& change) const {
    const auto& [follower, followee] = change;
    if (!there(world, follower) || !kept(world, followee)) return Result::kMissing;
    return world.follows.contains({follower, followee}) ? Result::kDone : Result::kAlready;
  }
  Result operator()(const Relate& change) const {
    if (!there(world, change.other)) return Result::kMissing;
    return related(change, Result::kAlready);
  }
  Result operator()(const Unrelate& change) const { return related(change, Result::kDone); }
  Result operator()(const MarkRemoved& change) const {
    return kept(world, change.user) ? Result::kDone : Result::kAlready;
  }
  template <class Other>
  Result operator()(const Other&) const {
    return Result::kDone;
  }

 private:
  template <class Change>
  Result related(const Change& change, Result if_so) const {
    if (!there(world, change.user) || !kept(world, change.other)) return Result::kMissing;
    const Pairs& pairs = change.relation == Relation::kBlock ? world.blocks : world.mutes;
    const Result if_not = if_so == Result::kDone ? Result::kAlready : Result::kDone;
    return pairs.contains({change.user, change.other}) ? if_so : if_not;
  }
};

struct Live {
  World& world;
  const Outcome& outcome;

  void operator()(const PutCard& change) {
    world.users.insert(change.card.number);
    world.suspended.erase(change.card.number);
    if (change.card.presence == Presence::kSuspended) world.suspended.insert(change.card.number);
  }
  void operator()(const Publish& change) { put({change.author, change.privacy, {}}); }
  void operator()(const RemovePost& change) { world.posts.erase(change.id); }
  void operator()(const Repost& change) {
    put({change.user, Privacy::kPublic, original_if_there(world, change.post)});
  }
  void operator()(const Unrepost& change) {
    const auto own = repost_by(world, change.user, original_if_there(world, change.post));
    if (outcome.post != own) fail("another repost was withdrawn");
    world.posts.erase(*own);
  }
  void operator()(const Follow& change) {
    const std::pair edge{change.follower, change.followee};
    world.follows.insert(edge);
    if (change.reposts == Reposts::kOff) world.reposts_off.insert(edge);
    if (change.reposts == Reposts::kOn) world.reposts_off.erase(edge);
  }
  void operator()(const Unfollow& change) { unfollow(change.follower, change.followee); }
  void operator()(const Relate& change) {
    pairs_of(world, change.relation).insert({change.user, change.other});
    if (change.relation != Relation::kBlock) return;
    unfollow(change.user, change.other);
    unfollow(change.other, change.user);
  }
  void operator()(const Unrelate& change) {
    pairs_of(world, change.relation).erase({change.user, change.other});
  }
  void operator()(const MarkRemoved& change) {
    world.users.erase(change.user);
    world.suspended.erase(change.user);
  }
  template <class Other>
  void operator()(const Other&) {}

 private:
  void put(const NaivePost& post) {
    if (!world.posts.empty() && outcome.post <= world.posts.rbegin()->first) {
      fail("a post took an id below one that is stored, and so below somebody's cursor");
    }
    world.posts[outcome.post] = post;
  }
  void unfollow(UserNumber follower, UserNumber followee) {
    world.follows.erase({follower, followee});
    world.reposts_off.erase({follower, followee});
  }
};

}  // namespace

Result expected(const World& world, const Change& change) {
  return std::visit(Expected{world}, change);
}

void live(World& world, const Change& change, const Outcome& outcome) {
  const Result wanted = expected(world, change);
  if (outcome.result != wanted) {
    fail(fmt::format("change of kind {} came out as {}, not {}", change.index(),
                     static_cast<int>(outcome.result), static_cast<int>(wanted)));
  }
  if (wanted == Result::kAlready && std::holds_alternative<Repost>(change)) {
    const auto& repost = std::get<Repost>(change);
    const auto own = repost_by(world, repost.user, original_if_there(world, repost.post));
    if (outcome.post != own) fail("another repost is said to be there");
  }
  if (wanted == Result::kDone) std::visit(Live{world, outcome}, change);
}

}  // namespace chirp::test
