// Goal: what an older program has left of removed users is found, each kind of it, and a repair
// takes it away: rows, counters of others, and the texts in the file.
// Method: rows are written below the store as loads wrote them that did not ask who was there, then
// examined, repaired, compacted, and looked for in the file.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/doctor/doctor.h"
#include "core/ports/reads.h"
#include "core/rules/changes.h"
#include "core/rules/content.h"
#include "core/rules/counters.h"
#include "core/rules/loads.h"
#include "store/lmdb/rows.h"
#include "tests/support/doctor_village.h"

namespace chirp::test::ghosts_test {
namespace {

using doctor::FindingKind;

constexpr std::string_view kSecret = "the words of somebody who is gone";
constexpr UserNumber kNeighbour{1};

// A village of which a4 has been removed.
class Left : public Village {
 public:
  Left() {
    Opened opened(path());
    gone_ = opened.directory().users().find_name("a4")->number;
    opened.engine().accounts().remove(opened.engine().accounts().resolve("a4"));
    events::drain(opened.directory().storage(), test_clock());
    before_ = test::contents(opened.directory());
    const auto posts = reads::rows_above<tables::Posts>(*opened.directory().storage().snapshot(),
                                                        {kBelowAllPosts}, 1);
    post_ = posts.front();
  }

  [[nodiscard]] UserNumber gone() const { return gone_; }
  [[nodiscard]] const Post& post() const { return post_; }
  [[nodiscard]] const std::vector<std::string>& before() const { return before_; }

  void write(const std::function<void(Rows&)>& body) const {
    damage([&](lmdb::WriteTxn& txn) {
      lmdb::Batch batch(txn, {test_clock().now(), snowflake::kMachineDefault});
      const auto rows = lmdb::rows_of(batch);
      body(*rows);
      rules::log_load(*rows, 1, rules::Entries::kMade);
      batch.finish();
    });
  }

 private:
  UserNumber gone_;
  Post post_;
  std::vector<std::string> before_;
};

void put_edge(Rows& rows, UserNumber follower, UserNumber followee) {
  rows.put(tables::Following::Key{follower, followee}, rows.now());
  rows.put(tables::Followers::Key{followee, follower}, rows.now());
  const CounterDelta deltas[] = {{follower, 0, 1, 0}, {followee, 1, 0, 0}};
  rules::add_counters(rows, deltas);
}

void put_post(Rows& rows, UserNumber author) {
  Post post;
  post.id = rows.mint();
  post.author = author;
  post.text = kSecret;
  post.created_at = rows.now();
  post.source = SourceId{4711};
  rules::put_post(rows, post);
}

struct Ghost {
  const char* what;
  std::function<void(Rows&, const Left&)> put;
};

std::vector<Ghost> ghosts() {
  return {
      {"posts", [](Rows& rows, const Left& left) { put_post(rows, left.gone()); }},
      {"follows", [](Rows& rows, const Left& left) { put_edge(rows, left.gone(), kNeighbour); }},
      {"followers", [](Rows& rows, const Left& left) { put_edge(rows, kNeighbour, left.gone()); }},
      {"comments",
       [](Rows& rows, const Left& left) {
         Comment comment;
         comment.id = {rows.mint().value};
         comment.post = left.post().id;
         comment.author = left.gone();
         comment.text = kSecret;
         comment.created_at = rows.now();
         rules::put_comment(rows, comment, left.post().author);
         ContentDelta delta{content_of(left.post().id), {}};
         delta.change.comments = 1;
         rules::add_counters(rows, delta);
       }},
      {"reactions",
       [](Rows& rows, const Left& left) {
         const ContentId content = content_of(left.post().id);
         rules::put_reaction(rows, content, left.post().author,
                             {left.gone(), ReactionType::kLike, rows.now(), {}});
         ContentDelta delta{content, {}};
         delta.change.reactions[index_of(ReactionType::kLike)] = 1;
         rules::add_counters(rows, delta);
       }},
      {"blocks and mutes",
       [](Rows& rows, const Left& left) {
         rules::put_relation(rows, left.gone(), Relation::kMute, kNeighbour, rows.now());
       }},
      {"blocks and mutes by others",
       [](Rows& rows, const Left& left) {
         rules::put_relation(rows, kNeighbour, Relation::kMute, left.gone(), rows.now());
       }},
      {"mark",
       [](Rows& rows, const Left& left) {
         rules::put_mark(rows, {left.gone(), feed::Tier::kInfluencer, feed::kAlwaysPushed});
       }},
  };
}

bool holds_secret(const std::filesystem::path& file) {
  return read_file(file).find(kSecret) != std::string::npos;
}

}  // namespace

TEST_CASE("doctor: whatever is left of a removed user is found and goes") {
  for (const Ghost& ghost : ghosts()) {
    CAPTURE(ghost.what);
    const Left left;
    left.write([&](Rows& rows) { ghost.put(rows, left); });
    {
      Opened opened(left.path());
      const auto found = opened.examine();
      INFO(words(found));
      REQUIRE(has(found, FindingKind::kRemoval));
      CHECK(words(found).find(fmt::format("left: {}\n", ghost.what)) != std::string::npos);
      CHECK(words(doctor::repair(opened.engine(), found)).empty());
      CHECK(test::contents(opened.directory()) == left.before());
      CHECK(faults_in(opened.directory()).empty());
    }
    store::compact(left.path());
    CHECK_FALSE(holds_secret(left.path() / "engine/data.mdb"));
  }
}

TEST_CASE("doctor: all that is left of several removed users goes at once") {
  const Left left;
  left.write([&](Rows& rows) {
    for (const Ghost& ghost : ghosts()) ghost.put(rows, left);
    for (int i = 0; i < 50; ++i) {
      AuthorCard card;
      card.number = UserNumber{1000 + static_cast<std::uint32_t>(i)};
      card.id = UserId{snowflake::make(1000, 2, static_cast<std::uint64_t>(i))};
      card.presence = Presence::kRemoved;
      rules::put_card(rows, card);
      put_edge(rows, kNeighbour, card.number);
    }
  });
  left.damage_users("UPDATE sqlite_sequence SET seq = 2000 WHERE name = 'users'");
  CHECK(holds_secret(left.path() / "engine/data.mdb"));
  {
    Opened opened(left.path());
    const auto found = opened.examine();
    CHECK(found.size() >= 51);
    CHECK(words(doctor::repair(opened.engine(), found)).empty());
  }
  store::compact(left.path());
  CHECK_FALSE(holds_secret(left.path() / "engine/data.mdb"));
}

TEST_CASE("doctor: a removal under way is nothing wrong, and repairing goes on with it") {
  const Village village;
  Opened opened(village.path());
  const UserNumber user = opened.directory().users().find_name("a4")->number;
  const Change change = MarkRemoved{user};
  opened.directory().storage().write({&change, 1}, test_clock().now());
  CHECK(words(opened.examine()).empty());
  doctor::finish_half_done(opened.engine());
  CHECK(words(opened.examine()).empty());
  CHECK_FALSE(opened.directory().users().find_name("a4"));
  CHECK(opened.directory().storage().snapshot()->traces_of(user).empty());
}

TEST_CASE("doctor: a card of a sign-up that was taken back goes, one with posts stays") {
  const Village village;
  Opened opened(village.path());
  UserDirectory& users = opened.directory().users();
  const UserNumber newcomer = sign_up(opened.directory(), "newcomer");
  const UserNumber author = users.find_name("a4")->number;
  users.remove(newcomer);
  users.remove(author);
  const auto found = opened.examine();
  CHECK(words(found) ==
        "card: there is a card of @a4, but no such user\n"
        "card: there is a card of @newcomer, but no such user\n");
  const auto left = doctor::repair(opened.engine(), found);
  CHECK(words(left) == "card: there is a card of @a4, but no such user\n");
  const auto card = opened.directory().storage().snapshot()->find(tables::Cards::Key{newcomer});
  REQUIRE(card);
  CHECK(card->presence == Presence::kRemoved);
  CHECK(card->username.empty());
}

}  // namespace chirp::test::ghosts_test
