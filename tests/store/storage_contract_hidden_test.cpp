// Goal: a page of comments reads as many records as it shows, whatever is hidden by blocks and
// suspensions, and shows what the definition says at every moment, however far the consumer is.
// Method: threads of which most comments are hidden, with records counted; random worlds whose
// pages are compared with the definition after each step, each taken by a process of its own.
#include <algorithm>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include <doctest/doctest.h>

#include "core/events/consumers.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "core/social/comments.h"
#include "core/social/posts.h"
#include "tests/model/user_directory.h"
#include "tests/support/metered_storage.h"
#include "tests/support/seeds.h"
#include "tests/support/social_world.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

using social::CommentSort;
using social::CommentsRequest;

constexpr rules::TurnRows kFewRows{2, 2, 2};

struct Talk {
  explicit Talk(Subject& subject) : s(subject), storage(subject.storage()) {}

  std::vector<CommentId> say(UserNumber author, PostId post, std::size_t times,
                             CommentId parent = kNoComment) {
    const std::vector<Change> changes(times, AddComment{author, post, "text", parent});
    std::vector<CommentId> ids;
    for (const Outcome& outcome : s.storage().write(changes, s.now)) {
      REQUIRE(outcome.result == Result::kDone);
      ids.push_back(outcome.comment);
    }
    return ids;
  }
  void set_presence(UserNumber user, Presence presence) {
    AuthorCard changed = *s.see()->find(tables::Cards::Key{user});
    if (changed.presence == Presence::kRemoved) return;
    changed.presence = presence;
    s.apply(PutCard{changed});
  }
  void take_in() {
    events::TrendConsumer consumer(s.storage(), clock);
    while (consumer.step() != events::Progress::kIdle) continue;
  }
  void step() { (void)events::TrendConsumer(s.storage(), clock, 3, kFewRows).step(); }

  // All pages, one after the other. A page that is not full ends the thread, unless the viewer is a
  // user.
  std::vector<CommentId> list(const Viewer& viewer, CommentsRequest request,
                              std::optional<std::uint64_t> most = std::nullopt) {
    std::vector<CommentId> ids;
    for (;;) {
      (void)storage.take_records();
      const auto page = comments.list(viewer, request);
      const std::uint64_t records = storage.take_records();
      if (most) CHECK_MESSAGE(records <= *most, records << " records for " << request.limit);
      for (const auto& view : page.comments) ids.push_back(view.comment.id);
      if (!page.next) return ids;
      if (viewer.kind() != Viewer::Kind::kUser) CHECK(page.comments.size() == request.limit);
      request.after = page.next;
    }
  }

  Subject& s;
  MeteredStorage storage;
  model::ModelUserDirectory directory;
  PlainHasher hasher;
  FakeClock clock{s.now};
  social::Accounts accounts{storage, directory, hasher, clock};
  social::Comments comments{storage, accounts, clock};
};

// From the definition, oldest first. Empty for a post that the viewer may not see.
std::vector<CommentId> expected(const Snapshot& snapshot, const Viewer& viewer, const Post& post,
                                CommentId parent) {
  const auto severed = [&](UserNumber one, UserNumber other) {
    return one != other && (snapshot.find(tables::Relations::Key{one, Relation::kBlock, other}) ||
                            snapshot.find(tables::Relations::Key{other, Relation::kBlock, one}));
  };
  const auto all = reads::rows_above<tables::Comments>(snapshot, {kNoComment}, kAll);
  std::set<CommentId> answered;
  for (const Comment& comment : all) answered.insert(comment.parent);
  std::vector<CommentId> ids;
  for (const Comment& comment : all) {
    if (comment.post != post.id || comment.parent != parent) continue;
    bool shown = true;
    if (comment.state == CommentState::kThere) {
      const auto author = snapshot.find(tables::Cards::Key{comment.author});
      const bool is_severed =
          severed(comment.author, post.author) ||
          (viewer.kind() == Viewer::Kind::kUser && severed(viewer.number(), comment.author));
      if (author->presence != Presence::kPresent) {
        shown = answered.contains(comment.id);
      } else if (viewer.kind() != Viewer::Kind::kOperator) {
        shown = !is_severed;
      }
    }
    if (shown) ids.push_back(comment.id);
  }
  return ids;
}

void compare(Talk& talk, const Viewer& viewer, const Post& post, CommentId parent,
             std::uint32_t limit) {
  const auto wanted = expected(*talk.s.see(), viewer, post, parent);
  CommentsRequest request{.post = post.id, .parent = parent};
  request.limit = limit;
  request.sort = CommentSort::kOldest;
  CHECK(talk.list(viewer, request) == wanted);
  request.sort = CommentSort::kNewest;
  CHECK(talk.list(viewer, request) == std::vector(wanted.rbegin(), wanted.rend()));
  request.sort = CommentSort::kPopular;
  auto popular = talk.list(viewer, request);
  std::sort(popular.begin(), popular.end());
  CHECK(popular == wanted);
}

// Whether no comment that somebody but the operator may see is kept apart once nothing is pending.
void check_places(const Snapshot& snapshot) {
  for (const auto& [key, nothing] : reads::above<tables::HiddenThreads>(snapshot, {}, kAll)) {
    const auto comment = snapshot.find(tables::Comments::Key{key.comment});
    REQUIRE(comment);
    CHECK_FALSE(snapshot.find(tables::Threads::Key{key.post, key.parent, key.comment}));
  }
}

}  // namespace

TEST_CASE("storage contract: a page of comments costs what it shows, whatever is hidden") {
  for_each_store([](Subject& s) {
    const auto u = s.users(6);
    Talk talk(s);
    const PostId id = s.post(u[0]);
    const Post post = *s.see()->post(id);
    // Hidden in long runs, and in turns.
    talk.say(u[1], post.id, 150);
    for (int i = 0; i < 12; ++i) {
      talk.say(u[2], post.id, 20);
      talk.say(u[3], post.id, 10);
      talk.say(u[4], post.id, 2);
    }
    talk.say(u[1], post.id, 100);
    s.apply(Relate{u[0], u[1], Relation::kBlock});
    talk.set_presence(u[2], Presence::kSuspended);
    s.apply(Relate{u[3], u[5], Relation::kBlock});
    talk.take_in();
    for (const Viewer viewer : {Viewer::anonymous(), Viewer::user(u[0]), Viewer::user(u[5])}) {
      const auto wanted = expected(*s.see(), viewer, post, kNoComment);
      CHECK(wanted.size() == (viewer.is(u[5]) ? 24 : 144));
      for (const std::uint32_t limit : {20u, 100u}) {
        CommentsRequest request{.post = post.id};
        request.limit = limit;
        request.sort = CommentSort::kOldest;
        CHECK(talk.list(viewer, request, 4 * limit + 64) == wanted);
        request.sort = CommentSort::kNewest;
        CHECK(talk.list(viewer, request, 4 * limit + 64) ==
              std::vector(wanted.rbegin(), wanted.rend()));
      }
    }
    // All comes back at once.
    s.apply(Unrelate{u[0], u[1], Relation::kBlock});
    talk.set_presence(u[2], Presence::kPresent);
    for (const bool taken_in : {false, true}) {
      if (taken_in) talk.take_in();
      CHECK(expected(*s.see(), Viewer::anonymous(), post, kNoComment).size() == 634);
      compare(talk, Viewer::anonymous(), post, kNoComment, 100);
    }
    CHECK(reads::above<tables::HiddenThreads>(*s.see(), {}, kAll).empty());
  });
}

TEST_CASE("storage contract: a page of an author reads few reposts whose originals are hidden") {
  for_each_store([](Subject& s) {
    const auto u = s.users(5);
    std::vector<Change> changes;
    for (int i = 0; i < 300; ++i)
      changes.emplace_back(Publish{u[1 + static_cast<std::size_t>(i % 3)], "text"});
    std::vector<Change> reposts;
    for (const Outcome& outcome : s.storage().write(changes, s.now)) {
      reposts.emplace_back(Repost{u[0], outcome.post});
    }
    std::vector<PostId> wanted;
    const auto outcomes = s.storage().write(reposts, s.now);
    for (std::size_t i = 0; i < outcomes.size(); i += 3)
      wanted.insert(wanted.begin(), outcomes[i].post);
    Talk talk(s);
    talk.set_presence(u[2], Presence::kSuspended);
    s.apply(Relate{u[3], u[4], Relation::kBlock});
    social::Posts posts(talk.storage, talk.accounts, talk.clock);
    User author;
    author.number = u[0];
    std::vector<PostId> found;
    for (std::optional<PostId> next = kAboveAllPosts; next;) {
      (void)talk.storage.take_records();
      const auto page = posts.list(Viewer::user(u[4]), author, *next, 20);
      const std::uint64_t records = talk.storage.take_records();
      CHECK_MESSAGE(records <= 4 * 20 + 64, records << " records");
      for (const auto& post : page.posts) found.push_back(post.post.id);
      next = page.next_cursor;
    }
    CHECK(found == wanted);
  });
}

namespace {

// Changes a world of five users, of whom the first two write posts.
class RandomTalk {
 public:
  RandomTalk(Subject& s, std::uint64_t seed) : s_(s), talk_(s), random_(seed), users_(s.users(5)) {
    for (std::size_t i = 0; i < 3; ++i) {
      const PostId id = s.post(users_[i % 2]);
      posts_.push_back(*s.see()->post(id));
    }
  }
  void act() {
    const UserNumber one = anybody();
    const UserNumber two = anybody();
    switch (random_() % 12) {
      case 0:
        if (one != two) s_.apply(Relate{one, two, Relation::kBlock});
        break;
      case 1:
        s_.apply(Unrelate{one, two, Relation::kBlock});
        s_.apply(Unrelate{two, one, Relation::kBlock});
        break;
      case 2:
        talk_.set_presence(one, Presence::kSuspended);
        break;
      case 3:
        talk_.set_presence(one, Presence::kPresent);
        break;
      case 4:
        if (!comments_.empty()) s_.apply(RemoveComment{some_comment()});
        break;
      case 5:
        load(one);
        break;
      case 6:
      case 7:
        talk_.step();
        break;
      case 8:
        if (random_() % 6 == 0) s_.apply(MarkRemoved{users_[2 + random_() % 3]});
        for (const UserNumber user : reads::unfinished_removals(*s_.see())) {
          (void)rules::remove_traces(s_.storage(), user, 3, s_.now);
        }
        break;
      default: {
        const bool is_reply = random_() % 3 == 0 && !comments_.empty();
        const Post& post = some_post();
        const Outcome outcome =
            s_.apply(AddComment{one, post.id, "text", is_reply ? some_comment() : kNoComment});
        if (outcome.result == Result::kDone) comments_.push_back(outcome.comment);
      }
    }
  }
  void check() {
    const auto snapshot = s_.see();
    const Post& post = some_post();
    const CommentId parent = random_() % 3 == 0 && !comments_.empty() ? some_comment() : kNoComment;
    const std::uint32_t limit = 1 + random_() % 4;
    const Viewer viewers[] = {Viewer::anonymous(), Viewer::the_operator(), Viewer::user(anybody())};
    const Viewer& viewer = viewers[random_() % 3];
    if (sees_place(*snapshot, viewer, post, parent)) compare(talk_, viewer, post, parent, limit);
  }
  void finish() {
    for (const UserNumber user : reads::unfinished_removals(*s_.see())) {
      while (!rules::remove_traces(s_.storage(), user, 100, s_.now)) continue;
    }
    while (!rules::remove_post_traces(s_.storage(), 100, s_.now)) continue;
    talk_.take_in();
    check_places(*s_.see());
    for (const Post& post : posts_) {
      if (sees_place(*s_.see(), Viewer::anonymous(), post, kNoComment)) {
        compare(talk_, Viewer::anonymous(), post, kNoComment, 3);
      }
    }
    CHECK(first_breach(s_.storage()) == "");
    CHECK(s_.see()->problems().empty());
  }

 private:
  UserNumber anybody() { return users_[random_() % users_.size()]; }
  const Post& some_post() { return posts_[random_() % posts_.size()]; }
  CommentId some_comment() { return comments_[random_() % comments_.size()]; }
  // A reply of an archive may be to a suspended user's comment.
  void load(UserNumber author) {
    LoadedComment loaded;
    loaded.source = SourceKey(SourceId{++sources_});
    loaded.post = some_post().id;
    loaded.author = author;
    loaded.created_at = s_.now;
    loaded.text = "loaded";
    if (!comments_.empty() && random_() % 2 == 0) loaded.parent = some_comment();
    (void)rules::load_comments(s_.storage(), {&loaded, 1}, s_.now);
  }
  bool sees_place(const Snapshot& snapshot, const Viewer& viewer, const Post& post,
                  CommentId parent) {
    social::Visibility visibility(snapshot, viewer);
    if (!visibility.post(post.id)) return false;
    if (viewer.kind() == Viewer::Kind::kUser && visibility.card(viewer.number()) == nullptr) {
      return false;
    }
    if (parent == kNoComment) return true;
    const auto comment = snapshot.find(tables::Comments::Key{parent});
    return comment && comment->post == post.id &&
           std::ranges::count(expected(snapshot, viewer, post, comment->parent), parent) != 0;
  }

  Subject& s_;
  Talk talk_;
  std::mt19937_64 random_;
  std::vector<UserNumber> users_;
  std::vector<Post> posts_;
  std::vector<CommentId> comments_;
  std::uint64_t sources_ = 0;
};

}  // namespace

TEST_CASE("storage contract: comments are those of the definition at each step of the consumer") {
  for (std::uint64_t seed = first_seed(); seed < first_seed() + worlds_or(2); ++seed) {
    CAPTURE(seed);
    for_each_store([&](Subject& s) {
      RandomTalk talk(s, seed);
      for (int i = 0; i < 80; ++i) {
        CAPTURE(i);
        talk.act();
        talk.check();
      }
      talk.finish();
    });
  }
}

}  // namespace chirp::test
