// Goal: doctor holds what users are told, and what posts are tagged with, against the log, the
// state and the texts; it mends what can be derived, and finds nothing wrong where nothing is.
// Method: a village that talks is damaged one row at a time, in each way a row can be wrong, then
// examined, repaired, and held against what it was before.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/doctor/doctor.h"
#include "core/limits.h"
#include "core/ports/reads.h"
#include "core/rules/counters.h"
#include "core/rules/steps.h"
#include "core/rules/writing.h"
#include "store/lmdb/batch.h"
#include "store/lmdb/rows.h"
#include "store/lmdb/tags.h"
#include "tests/support/doctor_village.h"
#include "tests/support/fake_clock.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

using doctor::Kind;
using events::Notification;
using events::Topic;
using lmdb::Table;

constexpr Sequence kFirst{0};

// A village where every kind of notification has been made, and hashtags of two posts are kept.
class TalkingVillage : public Village {
 public:
  TalkingVillage() {
    talk();
    before_ = rows();
    REQUIRE(before_.size() > 9);
  }

  [[nodiscard]] Opened open() const { return Opened(path(), clock_); }
  [[nodiscard]] FakeClock& clock() { return clock_; }
  [[nodiscard]] PostId tagged() const { return tagged_; }
  [[nodiscard]] CommentId reply() const { return reply_; }

  // Lets go of the log.
  void trim() const {
    Opened opened = open();
    Storage& storage = opened.engine().storage();
    REQUIRE(rules::trim_log(storage, Time{clock_.now().ms + kDayMs}, kAll) > 0);
  }

  // Notifications and hashtags, a line each.
  [[nodiscard]] std::vector<std::string> rows() const {
    Opened opened = open();
    const auto snapshot = opened.engine().storage().snapshot();
    std::vector<std::string> lines;
    for (const Notification& one :
         reads::rows_above<tables::Notifications>(*snapshot, {kNobody, kFirst}, kAll)) {
      lines.push_back(fmt::format("{} {} {} {} {} {} {} {}", one.user.value, one.sequence.value,
                                  events::name(one.topic), one.time.ms, one.actor.value,
                                  one.post.value, one.comment.value, one.parent.value));
    }
    for (const TaggedPost& post : reads::tagged_posts(*snapshot, kAboveAllPosts, kAll)) {
      for (const std::string& tag : post.tags) {
        lines.push_back(fmt::format("{} {} {}", post.post.value, post.author.value, tag));
      }
    }
    return lines;
  }

  // The newest notification of this topic.
  [[nodiscard]] Notification some(Topic topic) const {
    Opened opened = open();
    const auto snapshot = opened.engine().storage().snapshot();
    Notification found{};
    for (const Notification& one :
         reads::rows_above<tables::Notifications>(*snapshot, {kNobody, kFirst}, kAll)) {
      if (one.topic == topic) found = one;
    }
    REQUIRE(found.user != kNobody);
    return found;
  }

  void put(const Notification& told) const {
    damage([&](lmdb::WriteTxn& txn) {
      lmdb::Batch batch(txn, {{}, snowflake::kMachineDefault});
      rules::tell(*lmdb::rows_of(batch), {&told, 1}, kAll);
      batch.finish();
    });
  }

  // Doctor names it, mends it, and finds nothing afterwards.
  void check_mended(Kind kind, std::string_view says) const {
    Opened opened = open();
    const auto found = opened.examine();
    INFO("found:\n" << words(found));
    REQUIRE(has(found, kind));
    CHECK(words(found).find(says) != std::string::npos);
    CHECK(words(doctor::repair(opened.engine(), found)).empty());
    CHECK(words(opened.examine()).empty());
  }
  void check_as_before() const { CHECK(rows() == before_); }

 private:
  void talk() {
    Opened opened = open();
    Engine& engine = opened.engine();
    const auto user = [&](const char* name) { return engine.accounts().resolve(name); };
    clock_.advance(1000);
    tagged_ = engine.posts().publish(user("a0"), "hello @a1 #one #two", Privacy::kPublic).post.id;
    (void)engine.posts().publish(user("a2"), "just #one", Privacy::kPublic);
    engine.reactions().react(user("a1"), tagged_, ReactionType::kLove);
    (void)engine.posts().repost(user("a3"), tagged_);
    const auto comment = engine.comments().add(user("a2"), tagged_, "well, @a4", kNoComment);
    reply_ = engine.comments().add(user("a1"), tagged_, "no", comment.comment.id).comment.id;
    engine.comments().like(user("a0"), reply_);
    events::drain(engine.storage(), clock_);
  }

  FakeClock clock_{kStart};
  PostId tagged_;
  CommentId reply_;
  std::vector<std::string> before_;
};

}  // namespace

TEST_CASE("doctor: what users are told and posts are tagged with is counted, and sound") {
  TalkingVillage village;
  std::map<std::string, std::uint64_t> counts;
  const auto count = [&](const doctor::Checked& checked) {
    counts[std::string(checked.what)] = checked.count;
  };
  Opened opened = village.open();
  CHECK(words(doctor::examine(opened.engine(), count)).empty());
  CHECK(counts["notifications"] == 21 + 8);
  CHECK(counts["hashtags"] == 3);
}

TEST_CASE(
    "doctor: pending notifications and hashtags, and those of who or what is gone, are right") {
  TalkingVillage village;
  Opened opened = village.open();
  Engine& engine = opened.engine();
  const User author = engine.accounts().resolve("a5");
  engine.posts().publish(author, "#pending @a6", Privacy::kPublic);
  CHECK(words(opened.examine()).empty());
  SUBCASE("a post and all under it") {
    engine.posts().remove(Viewer::the_operator(), village.tagged());
    CHECK(words(opened.examine()).empty());
    events::drain(engine.storage(), village.clock());
  }
  SUBCASE("a user, half-way and wholly") {
    const Change change = MarkRemoved{opened.directory().users().find_name("a0")->number};
    engine.storage().write({&change, 1}, village.clock().now());
    CHECK(words(opened.examine()).empty());
    engine.accounts().resume();
  }
  SUBCASE("a comment that was replied to") {
    const auto snapshot = engine.storage().snapshot();
    const CommentId reply = village.reply();
    const auto parent = snapshot->find(tables::Comments::Key{reply})->parent;
    engine.comments().remove(Viewer::the_operator(), parent);
  }
  SUBCASE("tags of long ago") {
    village.clock().advance(kTagsKeptMs + 2000);
    CHECK(words(opened.examine()).empty());
    for (int look = 0; look < 2; ++look) {  // the clock is believed an hour later
      engine.posts().publish(author, "of today", Privacy::kPublic);
      events::drain(engine.storage(), village.clock());
      village.clock().advance(kHourMs);
    }
    events::drain(engine.storage(), village.clock());
    CHECK_FALSE(reads::oldest_tagged_post(*engine.storage().snapshot()));
  }
  CHECK(words(opened.examine()).empty());
}

TEST_CASE("doctor: a notification that is gone is written again from the log") {
  for (const Topic topic : {Topic::kFollowAdded, Topic::kReactionSet, Topic::kCommentCreated,
                            Topic::kRepostCreated, Topic::kMentionCreated}) {
    CAPTURE(events::name(topic));
    const TalkingVillage village;
    const Notification lost = village.some(topic);
    village.damage([&](lmdb::WriteTxn& txn) {
      REQUIRE(txn.erase(Table::kNotifications, lmdb::key(lost.user, lost.sequence)));
    });
    village.check_mended(Kind::kNotification,
                         fmt::format("is not told of event {}", lost.sequence.value));
    village.check_as_before();
  }
}

TEST_CASE("doctor: a notification that the log does not make goes, and the right one comes back") {
  const TalkingVillage village;
  Notification told = village.some(Topic::kCommentCreated);
  std::string_view says = "is not what its event says";
  SUBCASE("of somebody else's doing") { told.actor = UserNumber{told.actor.value % 7 + 1}; }
  SUBCASE("of another time") { told.time.ms += 1; }
  SUBCASE("of another post") { told.post.value += 1; }
  SUBCASE("of another kind") { told.topic = Topic::kMentionCreated; }
  SUBCASE("for somebody who has nothing to do with it") { told.user = UserNumber{6}; }
  SUBCASE("of an event that tells nobody") { told.sequence = Sequence{1}; }
  SUBCASE("of an event to come") {
    told.sequence.value += 1000;
    says = "before its event was taken in";
  }
  SUBCASE("for nobody") {
    told.user = UserNumber{99};
    says = "of a user who is not there";
  }
  village.put(told);
  village.check_mended(Kind::kNotification, says);
  village.check_as_before();
}

TEST_CASE("doctor: a notification whose event the log has let go of is held against the state") {
  const TalkingVillage village;
  village.trim();
  CHECK(words(village.open().examine()).empty());
  Notification told = village.some(Topic::kFollowAdded);
  std::string_view says = "is no notification";
  told.sequence = Sequence{1};  // told nobody anything
  const auto take = [&](Topic topic) {
    told = village.some(topic);
    says = "is not about what it says";
  };
  SUBCASE("a follow with a post") { told.post = village.tagged(); }
  SUBCASE("a comment without one") { told.topic = Topic::kCommentCreated; }
  SUBCASE("what tells nobody") { told.topic = Topic::kPostRemoved; }
  SUBCASE("a post of the future") {
    take(Topic::kReactionSet);
    told.comment = kNoComment;
    told.post = PostId{snowflake::floor_of(Time{kStart.ms + kDayMs})};
    says = "is no notification";
  }
  SUBCASE("of themselves") {
    told.actor = told.user;
    says = "what they did themselves";
  }
  SUBCASE("of nobody") {
    told.actor = UserNumber{99};
    says = "somebody who never was";
  }
  SUBCASE("a like of somebody else's") {
    take(Topic::kReactionSet);
    told.user =
        UserNumber{told.user.value % 7 + 1 == told.actor.value ? 7 : told.user.value % 7 + 1};
  }
  SUBCASE("a repost by somebody else") {
    take(Topic::kRepostCreated);
    told.actor = UserNumber{6};
  }
  SUBCASE("a repost that is none") {
    take(Topic::kRepostCreated);
    told.post = village.tagged();
  }
  SUBCASE("a mention by somebody else") {
    take(Topic::kMentionCreated);
    told.actor = UserNumber{6};
  }
  SUBCASE("a comment by somebody else") {
    take(Topic::kCommentCreated);
    told.actor = UserNumber{6};
  }
  SUBCASE("a comment on somebody else's post") {
    take(Topic::kCommentCreated);
    told.user = UserNumber{6};
  }
  village.put(told);
  village.check_mended(Kind::kNotification, says);
}

TEST_CASE("doctor: the newest notifications are kept, and no older one is missed") {
  TalkingVillage village;
  Opened opened = village.open();
  Storage& storage = opened.engine().storage();
  std::vector<Change> changes;
  for (std::uint32_t i = 0; i < limits::kNotificationsKept + 5; ++i) {
    changes.emplace_back(Unreact{UserNumber{2}, village.tagged()});
    changes.emplace_back(React{UserNumber{2}, village.tagged(), ReactionType::kLike});
  }
  storage.write(changes, village.clock().now());
  events::drain(storage, village.clock());
  const auto kept = reads::notifications(*storage.snapshot(), UserNumber{1}, Sequence{~0ULL}, kAll);
  REQUIRE(kept.size() == limits::kNotificationsKept);
  CHECK(words(opened.examine()).empty());

  Notification more = kept.back();  // a right one, one too many
  more.sequence.value -= 2;
  rules::repair_notifications(storage, {}, {&more, 1}, village.clock().now());
  auto found = opened.examine();
  REQUIRE(found.size() == 1);
  CHECK(found.front().what.find("one more than are kept") != std::string::npos);
  CHECK(doctor::repair(opened.engine(), found).empty());

  rules::repair_notifications(storage, {&kept[100], 1}, {}, village.clock().now());
  found = opened.examine();
  REQUIRE(found.size() == 1);
  CHECK(doctor::repair(opened.engine(), found).empty());
  CHECK(reads::notifications(*storage.snapshot(), UserNumber{1}, Sequence{~0ULL}, kAll) == kept);
}

TEST_CASE("doctor: hashtags are those of the texts again") {
  const TalkingVillage village;
  const auto with_tags = [&](const TaggedPost& post) {
    village.damage([&](lmdb::WriteTxn& txn) {
      lmdb::Batch batch(txn, {{}, snowflake::kMachineDefault});
      lmdb::put_tags(batch, post);
      batch.finish();
    });
  };
  const auto erase = [&](unsigned row) {
    village.damage([&](lmdb::WriteTxn& txn) {
      REQUIRE(txn.erase(Table::kTagUses, row_key(txn, Table::kTagUses, row)));
    });
  };
  SUBCASE("none are left") {
    erase(0);
    erase(0);
  }
  SUBCASE("the first is gone") { erase(0); }
  SUBCASE("the last is gone") { erase(1); }
  SUBCASE("they are others") { with_tags({village.tagged(), UserNumber{1}, {"one", "three"}}); }
  SUBCASE("they are more") { with_tags({village.tagged(), UserNumber{1}, {"one", "two", "six"}}); }
  SUBCASE("they are somebody else's") {
    with_tags({village.tagged(), UserNumber{2}, {"one", "two"}});
  }
  SUBCASE("they are of a post without any") {
    Opened opened = village.open();
    const PostId plain =
        reads::rows_above<tables::Posts>(*opened.engine().storage().snapshot(), {{}}, 1).front().id;
    with_tags({plain, UserNumber{1}, {"one"}});
  }
  SUBCASE("they are of no post") {
    with_tags({PostId{village.tagged().value + 5000}, UserNumber{1}, {"one"}});
  }
  village.check_mended(Kind::kHashtag, "hashtags");
  village.check_as_before();
}

TEST_CASE("doctor: notifications and hashtags that can't be read are written again") {
  for (const Table table : {Table::kNotifications, Table::kTagUses}) {
    const TalkingVillage village;
    village.damage([&](lmdb::WriteTxn& txn) {
      const std::string key = row_key(txn, table, 1);
      std::string value(txn.get(table, key).value());
      value.back() = static_cast<char>(value.back() ^ 0x20);
      txn.put(table, key, value);
    });
    village.check_mended(Kind::kStore, "");
    village.check_as_before();
  }
}

TEST_CASE("doctor: a counter of a post or a comment that is wrong is set to what there is") {
  const TalkingVillage village;
  ContentId content = content_of(village.tagged());
  ContentCounters change;
  const auto counters = [&] {
    Opened opened = village.open();
    return opened.engine().storage().snapshot()->content_counters({&content, 1}).front();
  };
  SUBCASE("likes by type") {
    change.reactions[index_of(ReactionType::kLove)] = -1;
    change.reactions[index_of(ReactionType::kSad)] = 1;
  }
  SUBCASE("likes in all") { change.reactions[index_of(ReactionType::kLike)] = 7; }
  SUBCASE("comments") { change.comments = -2; }
  SUBCASE("reposts") { change.reposts = 1; }
  SUBCASE("replies to a comment") {
    Opened opened = village.open();
    const CommentId reply = village.reply();
    const auto of = opened.engine().storage().snapshot()->find(tables::Comments::Key{reply});
    content = content_of(of->parent);
    change.comments = 3;
  }
  SUBCASE("likes of a comment") {
    content = content_of(village.reply());
    change.reactions[index_of(ReactionType::kLike)] = -1;
  }
  SUBCASE("of a post that is not there") {
    content.value += 5000;
    change.comments = 1;
  }
  const ContentCounters before = counters();
  village.damage([&](lmdb::WriteTxn& txn) {
    lmdb::Batch batch(txn, {{}, snowflake::kMachineDefault});
    const ContentDelta delta{content, change};
    rules::add_counters(*lmdb::rows_of(batch), delta);
    batch.finish();
  });
  village.check_mended(Kind::kContent, fmt::format("{} counts", content.value));
  CHECK(counters() == before);
}

}  // namespace chirp::test
