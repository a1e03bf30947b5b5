#include "tests/support/matrix_world.h"

#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/events/consumers.h"
#include "core/ports/reads.h"
#include "tests/support/social_world.h"

namespace chirp::test {
namespace {

// What `body` says, or "gone" if there is no such thing for who asks.
template <class Body>
std::string unless_gone(Body body) {
  try {
    return body();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kNotFound) throw;
    return "gone";
  }
}

std::string joined(const std::vector<std::string>& words) {
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, " "));
}

}  // namespace

MatrixWorld::MatrixWorld(const WorldKind& kind)
    : stores_(kind.make()),
      hasher_(std::make_unique<PlainHasher>()),
      engine_(stores_->storage(), stores_->users(), *hasher_, clock_) {
  for (const char* name : {"vera", "ada", "rolf", "walt"}) {
    social::SignUp sign_up;
    sign_up.username = name;
    users_.emplace(name, engine_.accounts().add(sign_up).user.number);
  }
  engine_.follows().add(user("vera"), users({"ada", "rolf"}));
  engine_.follows().add(user("ada"), users({"vera"}));
  engine_.follows().add(user("rolf"), users({"ada"}));
  publish("P", "ada", Privacy::kPublic, "to @vera");
  publish("F", "ada", Privacy::kFollowers, "to @walt");
  publish("S", "ada", Privacy::kPrivate, "to nobody");
  publish("Q", "rolf", Privacy::kPublic, "to nobody");
  publish("M", "vera", Privacy::kPublic, "to nobody");
  note("RP", engine_.posts().repost(user("rolf"), post("P")).view.post.id.value);
  note("RM", engine_.posts().repost(user("ada"), post("M")).view.post.id.value);
  engine_.reactions().react(user("ada"), post("M"), ReactionType::kLike);
  engine_.reactions().react(user("rolf"), post("M"), ReactionType::kLove);
  comment("CA", "ada", "M");
  comment("CR", "rolf", "M");
  comment("CQ", "ada", "Q");
  comment("CP", "rolf", "P");
  comment("CF", "rolf", "F");
}

void MatrixWorld::note(const std::string& name, std::uint64_t id) {
  ids_.emplace(name, id);
  names_.emplace(id, name);
}

void MatrixWorld::publish(const std::string& name, const std::string& author, Privacy privacy,
                          const std::string& text) {
  note(name, engine_.posts().publish(user(author), text, privacy).post.id.value);
}

void MatrixWorld::comment(const std::string& name, const std::string& author,
                          const std::string& post) {
  note(
      name,
      engine_.comments().add(user(author), this->post(post), "words", kNoComment).comment.id.value);
}

void MatrixWorld::make(Turn turn) {
  log_end_ = engine_.storage().snapshot()->state().log_end;
  switch (turn) {
    case Turn::kUnfollow:
      engine_.follows().remove(user("vera"), users({"ada"}));
      break;
    case Turn::kBlock:
      engine_.relations().set(user("vera"), Relation::kBlock, user("ada"));
      break;
    case Turn::kQuarrel:
      engine_.relations().set(user("ada"), Relation::kBlock, user("rolf"));
      break;
    case Turn::kBlocked:
      engine_.relations().set(user("ada"), Relation::kBlock, user("vera"));
      break;
    case Turn::kMute:
      engine_.relations().set(user("vera"), Relation::kMute, user("ada"));
      break;
    case Turn::kPrivacy:
      engine_.follows().add(user("walt"), users({"ada"}));
      break;
    case Turn::kRemovePost:
      engine_.posts().remove(Viewer::the_operator(), post("P"));
      break;
    case Turn::kRemoveUser: {  // the rest goes in steps, which come later
      const chirp::Change mark = MarkRemoved{users_.at("ada")};
      engine_.storage().write({&mark, 1}, clock_.now());
      break;
    }
    case Turn::kSuspend:
      engine_.accounts().suspend(user("ada"));
      break;
  }
}

void MatrixWorld::undo(Turn turn) {
  log_end_ = engine_.storage().snapshot()->state().log_end;
  switch (turn) {
    case Turn::kUnfollow:
      engine_.follows().add(user("vera"), users({"ada"}));
      break;
    case Turn::kBlock:
      engine_.relations().lift(user("vera"), Relation::kBlock, user("ada"));
      break;
    case Turn::kQuarrel:
      engine_.relations().lift(user("ada"), Relation::kBlock, user("rolf"));
      break;
    case Turn::kBlocked:
      engine_.relations().lift(user("ada"), Relation::kBlock, user("vera"));
      break;
    case Turn::kMute:
      engine_.relations().lift(user("vera"), Relation::kMute, user("ada"));
      break;
    case Turn::kPrivacy:
      engine_.follows().remove(user("walt"), users({"ada"}));
      break;
    case Turn::kSuspend:
      engine_.accounts().unsuspend(engine_.accounts().resolve_kept("ada"));
      break;
    case Turn::kRemovePost:
    case Turn::kRemoveUser:
      break;
  }
}

void MatrixWorld::catch_up() {
  engine_.accounts().resume();
  events::drain(engine_.storage(), clock_);
}

std::string MatrixWorld::read(Surface surface, Turn turn) const {
  const std::string viewer = turn == Turn::kPrivacy ? "walt" : "vera";
  switch (surface) {
    case Surface::kFeed:
      return feed(viewer);
    case Surface::kPermalink:
      return permalinks(viewer);
    case Surface::kLists:
      return fmt::format("{} | {} | {}", list(viewer, "ada"), list(viewer, "rolf"),
                         list(viewer, "vera"));
    case Surface::kComments:
      return fmt::format("{} | {} | {} | {}", thread(viewer, "M"), thread(viewer, "Q"),
                         thread(viewer, "P"), thread(viewer, "F"));
    case Surface::kCounts:
      return counts();
    case Surface::kNotifications:
      return notifications(viewer);
    case Surface::kLog:
      return log();
  }
  return {};
}

std::string MatrixWorld::feed(const std::string& viewer) const {
  feed::PageRequest request;
  request.viewer = users_.at(viewer);
  std::vector<std::string> readings;
  for (const auto policy :
       {feed::Policy::kHybrid, feed::Policy::kPush, feed::Policy::kPull, feed::Policy::kCost}) {
    request.as_if = policy;
    std::vector<std::string> items;
    for (const auto& item : engine_.feeds().page(request).items) {
      items.push_back(names_.at(item.post->id.value));
      for (const auto& by : item.reposted_by) items.back() += "<" + by.user->username;
    }
    readings.push_back(joined(items));
    CHECK(readings.back() == readings.front());
  }
  return readings.front();
}

std::string MatrixWorld::permalinks(const std::string& viewer) const {
  std::vector<std::string> found;
  for (const char* name : {"P", "F", "S", "Q", "M", "RP", "RM"}) {
    const std::string there = unless_gone([&] {
      (void)engine_.posts().show(Viewer::user(users_.at(viewer)), post(name));
      return std::string(name);
    });
    if (there == name) found.push_back(there);
  }
  return joined(found);
}

std::string MatrixWorld::list(const std::string& viewer, const std::string& author) const {
  return unless_gone([&] {
    std::vector<std::string> listed;
    const auto page = engine_.posts().list(Viewer::user(users_.at(viewer)), user(author),
                                           kAboveAllPosts, limits::kPostPageMax);
    for (const auto& view : page.posts) listed.push_back(names_.at(view.post.id.value));
    return joined(listed);
  });
}

std::string MatrixWorld::thread(const std::string& viewer, const std::string& under) const {
  return unless_gone([&] {
    social::CommentsRequest request;
    request.post = post(under);
    std::vector<std::string> listed;
    for (const auto& view :
         engine_.comments().list(Viewer::user(users_.at(viewer)), request).comments) {
      listed.push_back(names_.at(view.comment.id.value));
    }
    return joined(listed);
  });
}

std::string MatrixWorld::counts() const {
  const auto post_view = engine_.posts().show(Viewer::the_operator(), post("M"));
  const ContentCounters& of = post_view.stats.counters;
  return fmt::format("{}/{}/{} ada {} vera {}", of.reactions_in_all(), of.comments, of.reposts,
                     counters_of("ada"), counters_of("vera"));
}

std::string MatrixWorld::counters_of(const std::string& name) const {
  return unless_gone([&] {
    const UserCounters counters = engine_.accounts().view(user(name)).counters;
    return fmt::format("{}/{}/{}", counters.posts, counters.followers, counters.following);
  });
}

std::string MatrixWorld::notifications(const std::string& viewer) const {
  std::vector<std::string> told;
  social::NotificationQuery query;
  query.user = users_.at(viewer);
  query.limit = limits::kPostPageMax;
  for (const auto& view : engine_.notifications().list(query).notifications) {
    told.push_back(fmt::format("{}:{}", social::name(view.kind), view.actor.username));
  }
  return joined(told);
}

std::string MatrixWorld::log() const {
  std::vector<std::string> topics;
  for (const auto& event : reads::events(*engine_.storage().snapshot(), log_end_, 100)) {
    topics.emplace_back(events::name(event.topic));
  }
  return joined(topics);
}

}  // namespace chirp::test
