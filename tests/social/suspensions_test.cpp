// Goal: who is suspended is hidden and can't act, is kept by whatever stores, may be let go of by
// others, and is back with everything.
// Method: the use cases over the stores in memory. What each surface shows of a suspension is in
// matrix_test.cpp; what comes of changes in random worlds is in worlds_test.cpp.
#include <array>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/events/consumers.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "core/social/tokens.h"
#include "core/social/trends.h"
#include "tests/support/social_world.h"
#include "tests/support/thrown.h"

namespace chirp::test::suspensions_test {
namespace {

using Names = std::vector<std::string>;

// Mira follows Tomas, has blocked Otto and muted Yuki; Tomas has written a post and a comment.
struct Scene : SocialWorld {
  Scene() {
    for (const char* name : {"mira", "tomas", "otto", "yuki"}) add(name);
    follows.add(user("mira"), users({"tomas"}));
    post = posts.publish(user("tomas"), "hello #frost", Privacy::kPublic).post.id;
    comment = comments.add(user("tomas"), post, "mine", kNoComment).comment.id;
    (void)reactions.react(user("mira"), post, ReactionType::kLike);
    (void)comments.like(user("mira"), comment);
    (void)posts.repost(user("mira"), post);
    answer = comments.add(user("mira"), post, "nice", kNoComment).comment.id;
  }
  void suspend(const std::string& name) { (void)accounts.suspend(user(name)); }
  void unsuspend(const std::string& name) { (void)accounts.unsuspend(accounts.resolve_kept(name)); }
  [[nodiscard]] User kept(const std::string& name) const { return accounts.resolve_kept(name); }
  [[nodiscard]] Names listed(const UserQuery& query) const {
    Names names;
    for (const auto& view : accounts.list(query).users) names.push_back(view.user.username);
    return names;
  }

  PostId post;
  CommentId comment;
  CommentId answer;
};

}  // namespace

TEST_CASE("suspensions: suspended users are found only by queries for suspended users") {
  Scene s;
  s.suspend("tomas");
  CHECK(code_of([&] { (void)s.user("tomas"); }) == ErrorCode::kNotFound);
  CHECK(s.kept("@Tomas").suspended);
  CHECK_FALSE(s.accounts.find_name("tomas"));
  CHECK_FALSE(s.accounts.find_id(s.kept("tomas").id));
  CHECK(s.accounts.find_kept(NamedUser{"tomas"}));
  CHECK(s.listed({}) == Names{"mira", "otto", "yuki"});
  UserQuery query;
  query.suspended = true;
  CHECK(s.listed(query) == Names{"tomas"});
  query = {};
  query.match = "tom";
  CHECK(s.listed(query).empty());
  s.unsuspend("tomas");
  CHECK(s.listed(query) == Names{"tomas"});
}

TEST_CASE("suspensions: suspending twice is one event, and so is bringing back") {
  Scene s;
  const auto topics = [&](Sequence from) {
    std::vector<std::string> names;
    for (const auto& event : reads::events(*s.storage.snapshot(), from, 10)) {
      names.emplace_back(events::name(event.topic));
    }
    return names;
  };
  const Sequence before = s.storage.snapshot()->state().log_end;
  s.suspend("tomas");
  (void)s.accounts.suspend(s.kept("tomas"));
  CHECK(topics(before) == Names{"user.suspended"});
  s.unsuspend("tomas");
  s.unsuspend("tomas");
  CHECK(topics(before) == Names{"user.suspended", "user.unsuspended"});
}

TEST_CASE("suspensions: names and addresses stay taken") {
  Scene s;
  s.suspend("tomas");
  CHECK(code_of([&] { s.add("Tomas"); }) == ErrorCode::kAlreadyExists);
}

TEST_CASE("suspensions: nobody acts on who is suspended, nor do they act") {
  Scene s;
  const User tomas = s.user("tomas");
  s.suspend("tomas");
  const std::uint64_t version = s.storage.version();
  const auto refused = [&](auto act) { return code_of(act) == ErrorCode::kNotFound; };
  const User otto = s.user("otto");
  CHECK(refused([&] { s.follows.add(otto, {&tomas, 1}); }));
  CHECK(refused([&] { s.relations.set(otto, Relation::kBlock, tomas); }));
  CHECK(refused([&] { s.relations.set(otto, Relation::kMute, tomas); }));
  CHECK(refused([&] { (void)s.reactions.react(otto, s.post, ReactionType::kLike); }));
  CHECK(refused([&] { (void)s.comments.like(otto, s.comment); }));
  CHECK(refused([&] { (void)s.comments.add(otto, s.post, "no", kNoComment); }));
  CHECK(refused([&] { (void)s.posts.repost(otto, s.post); }));
  CHECK(refused([&] { s.follows.add(tomas, {&otto, 1}); }));
  CHECK(refused([&] { (void)s.posts.publish(tomas, "hello", Privacy::kPublic); }));
  CHECK(s.storage.version() == version);
  const Sequence before = s.storage.snapshot()->state().log_end;
  (void)s.posts.publish(otto, "to @tomas", Privacy::kPublic);
  CHECK(reads::events(*s.storage.snapshot(), before, 10).size() == 1);  // nobody is mentioned
}

TEST_CASE("suspensions: what others did they may take back") {
  Scene s;
  const User mira = s.user("mira");
  const User tomas = s.user("tomas");
  s.relations.set(mira, Relation::kMute, s.user("yuki"));
  s.relations.set(mira, Relation::kBlock, s.user("otto"));
  for (const char* name : {"tomas", "otto", "yuki"}) s.suspend(name);
  CHECK(s.follows.remove(mira, {&tomas, 1}).changed == 1);
  CHECK(s.relations.lift(mira, Relation::kMute, s.kept("yuki")));
  CHECK(s.relations.lift(mira, Relation::kBlock, s.kept("otto")));
  CHECK(s.reactions.unreact(mira, s.post) == 0);
  CHECK(s.comments.unlike(mira, s.comment) == 0);
  s.posts.unrepost(mira, s.post);
  s.comments.remove(Viewer::user(mira.number), s.answer);
  for (const char* name : {"tomas", "otto", "yuki"}) s.unsuspend(name);
  const auto view = s.posts.show(Viewer::anonymous(), s.post);
  CHECK(view.stats.counters.reactions_in_all() == 0);
  CHECK(view.stats.counters.reposts == 0);
  CHECK(view.stats.counters.comments == 1);
  CHECK_FALSE(s.follows.check(mira, tomas).following);
}

TEST_CASE("suspensions: tokens are refused with the reason, and good again afterwards") {
  Scene s;
  social::Tokens tokens(s.directory, s.accounts, s.clock);
  const std::string token = tokens.mint(s.user("tomas"), std::nullopt).token;
  s.suspend("tomas");
  CHECK_THROWS_AS((void)tokens.bearer(token), social::AccountSuspended);
  CHECK_FALSE(tokens.bearer("another"));
  s.unsuspend("tomas");
  REQUIRE(tokens.authenticate(token));
  CHECK(tokens.authenticate(token)->username == "tomas");
}

TEST_CASE("suspensions: what stores know goes on while somebody is suspended") {
  Scene s;
  const User tomas = s.user("tomas");
  s.suspend("tomas");
  // A load knows them, and a follower's post is delivered to them.
  s.follows.add(s.user("otto"), s.users({"mira"}));
  const std::array edges{LoadedEdge{tomas.number, s.user("mira").number}};
  CHECK(rules::load_edges(s.storage, edges, s.clock.now()).counts.stored == 1);
  events::drain(s.storage, s.clock);
  CHECK(s.storage.snapshot()->counters({&tomas.number, 1}).front().following == 1);
  CHECK(s.accounts.view(s.user("mira")).counters.followers == 2);
  CHECK(s.follows.followers(s.user("mira"), kNobody, 10).follows.size() == 1);  // hidden
  CHECK(s.follows.followers(s.user("mira"), kNobody, 10).total == 2);           // and counted
  s.unsuspend("tomas");
  CHECK(s.follows.followers(s.user("mira"), kNobody, 10).follows.size() == 2);
}

TEST_CASE("suspensions: hashtags of suspended users are on no list of trends") {
  Scene s;
  (void)s.posts.publish(s.user("otto"), "#frost", Privacy::kPublic);
  events::drain(s.storage, s.clock);
  social::Trends trends(s.storage, s.clock);
  CHECK(trends.list(kDayMs, 10).trends.size() == 1);
  s.suspend("tomas");
  CHECK(trends.list(kDayMs, 10).trends.empty());
  s.unsuspend("tomas");
  CHECK(trends.list(kDayMs, 10).trends.size() == 1);
}

TEST_CASE("suspensions: suspended users can be removed, and the name is free then") {
  Scene s;
  s.suspend("tomas");
  CHECK(s.accounts.remove(s.kept("tomas")).empty());
  CHECK(code_of([&] { (void)s.kept("tomas"); }) == ErrorCode::kNotFound);
  CHECK(s.add("tomas").username == "tomas");
}

TEST_CASE("suspensions: a card that a crash kept back is written by the next writer") {
  Scene s;
  UserEdit edit;
  edit.suspended = true;
  s.directory.edit(s.user("tomas").number, edit);
  CHECK(s.posts.show(Viewer::anonymous(), s.post).post.id == s.post);  // not yet hidden
  s.accounts.resume();
  CHECK(code_of([&] { (void)s.posts.show(Viewer::anonymous(), s.post); }) == ErrorCode::kNotFound);
}

}  // namespace chirp::test::suspensions_test
