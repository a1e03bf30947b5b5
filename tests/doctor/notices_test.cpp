// Goal: doctor compares notifications and hashtags of posts with the log, the state and the texts;
// it repairs what can be derived, and finds nothing wrong where nothing is. Method: a village that
// talks is damaged one row at a time, in each way a row can be wrong, then examined, repaired, and
// compared with the original.
#include <algorithm>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/doctor/doctor.h"
#include "core/limits.h"
#include "core/ports/reads.h"
#include "core/rules/steps.h"
#include "core/rules/writing.h"
#include "store/lmdb/batch.h"
#include "store/lmdb/rows.h"
#include "tests/support/doctor_village.h"
#include "tests/support/fake_clock.h"
#include "tests/support/storage_contract.h"
#include "tests/support/talking_village.h"

namespace chirp::test {
namespace {

using doctor::FindingKind;
using events::Notification;
using events::Topic;
using lmdb::Table;

}  // namespace

TEST_CASE("doctor: notifications and hashtags are counted, and sound") {
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
    village.check_mended(FindingKind::kNotification,
                         fmt::format("has no notification of event {}", lost.sequence.value));
    village.check_as_before();
  }
}

TEST_CASE("doctor: what was given again within a day is not missed") {
  TalkingVillage village;
  const UserNumber author{1};
  const UserNumber actor{6};
  const auto drain_after = [&](std::vector<Change> changes) {
    Opened opened = village.open();
    Storage& storage = opened.engine().storage();
    for (const Change& change : changes) {
      village.clock().advance(kHourMs);
      storage.write({&change, 1}, village.clock().now());
    }
    events::drain(storage, village.clock());
    return reads::notifications(*storage.snapshot(), author, Sequence{~0ULL}, kAll);
  };
  const auto before =
      drain_after({React{actor, village.tagged()}, Repost{actor, village.tagged()}});
  const auto after =
      drain_after({Unreact{actor, village.tagged()}, React{actor, village.tagged()},
                   Unrepost{actor, village.tagged()}, Repost{actor, village.tagged()}});
  CHECK(before == after);
  CHECK(words(village.open().examine()).empty());
  SUBCASE("the first are written again, and no others") {
    village.damage([&](lmdb::WriteTxn& txn) {
      for (std::size_t i = 0; i < 2; ++i)
        REQUIRE(txn.erase(Table::kNotifications, lmdb::key(author, after[i].sequence)));
    });
    village.check_mended(FindingKind::kNotification,
                         fmt::format("has no notification of event {}", after[0].sequence.value));
  }
  SUBCASE("the first are gone from the log") { village.trim(); }
  SUBCASE("what an earlier version made stays") {
    Opened opened = village.open();
    Storage& storage = opened.engine().storage();
    std::vector<Notification> more;
    for (const auto& event : reads::events(*storage.snapshot(), before.front().sequence, kAll)) {
      if (event.sequence == before.front().sequence) continue;
      for (Notification& one : notifications_of(event, kNobody)) more.push_back(one);
    }
    REQUIRE(more.size() == 2);
    more.back().post = reads::events(*storage.snapshot(), more.back().sequence, 1).front().post;
    rules::repair_notifications(storage, {}, more, village.clock().now());
  }
  CHECK(words(village.open().examine()).empty());
  const auto found = drain_after({});
  CHECK(std::includes(
      found.rbegin(), found.rend(), before.rbegin(), before.rend(),
      [](const Notification& a, const Notification& b) { return a.sequence < b.sequence; }));
}

TEST_CASE("doctor: a notification that the log does not make goes, and the right one comes back") {
  const TalkingVillage village;
  Notification told = village.some(Topic::kCommentCreated);
  std::string_view says = "does not match its event";
  SUBCASE("of somebody else's doing") { told.actor = UserNumber{told.actor.value % 7 + 1}; }
  SUBCASE("of another time") { told.time.ms += 1; }
  SUBCASE("of another post") { told.post.value += 1; }
  SUBCASE("of another kind") { told.topic = Topic::kMentionCreated; }
  SUBCASE("for somebody who has nothing to do with it") { told.user = UserNumber{6}; }
  SUBCASE("of an event that tells nobody") { told.sequence = Sequence{1}; }
  SUBCASE("of an event to come") {
    told.sequence.value += 1000;
    says = "before its event was read";
  }
  SUBCASE("for nobody") {
    told.user = UserNumber{99};
    says = "for a user who does not exist";
  }
  village.put(told);
  village.check_mended(FindingKind::kNotification, says);
  village.check_as_before();
}

TEST_CASE("doctor: a notification whose event the log has let go of is held against the state") {
  const TalkingVillage village;
  village.trim();
  CHECK(words(village.open().examine()).empty());
  Notification told = village.some(Topic::kFollowAdded);
  std::string_view says = "is not a valid notification";
  told.sequence = Sequence{1};  // an event that notified nobody
  const auto take = [&](Topic topic) {
    told = village.some(topic);
    says = "does not match what it refers to";
  };
  SUBCASE("a follow with a post") { told.post = village.tagged(); }
  SUBCASE("a comment without one") { told.topic = Topic::kCommentCreated; }
  SUBCASE("what tells nobody") { told.topic = Topic::kPostRemoved; }
  SUBCASE("a post of the future") {
    take(Topic::kReactionSet);
    told.comment = kNoComment;
    told.post = PostId{snowflake::floor_of(Time{kStart.ms + kDayMs})};
    says = "is not a valid notification";
  }
  SUBCASE("of themselves") {
    told.actor = told.user;
    says = "about the user's own action";
  }
  SUBCASE("of nobody") {
    told.actor = UserNumber{99};
    says = "a user who never existed";
  }
  SUBCASE("a like of somebody else's") {
    take(Topic::kReactionSet);
    told.user =
        UserNumber{told.user.value % 7 + 1 == told.actor.value ? 7 : told.user.value % 7 + 1};
  }
  SUBCASE("a repost by somebody else, which an earlier version announced") {
    take(Topic::kRepostCreated);
    told.post = village.repost();
    told.actor = UserNumber{6};
  }
  SUBCASE("a repost of somebody else's post") {
    take(Topic::kRepostCreated);
    told.user = UserNumber{6};
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
  village.check_mended(FindingKind::kNotification, says);
}

TEST_CASE("doctor: the newest notifications are kept, and no older one is missed") {
  TalkingVillage village;
  Opened opened = village.open();
  Storage& storage = opened.engine().storage();
  std::vector<Change> changes;
  for (std::uint32_t i = 0; i < limits::kNotificationsKept + 5; ++i)
    changes.emplace_back(AddComment{UserNumber{2}, village.tagged(), "c"});
  storage.write(changes, village.clock().now());
  events::drain(storage, village.clock());
  const auto kept = reads::notifications(*storage.snapshot(), UserNumber{1}, Sequence{~0ULL}, kAll);
  REQUIRE(kept.size() == limits::kNotificationsKept);
  CHECK(words(opened.examine()).empty());

  const Sequence before{kept.back().sequence.value - 1};
  const auto event = reads::events(*storage.snapshot(), before, 1).front();
  const Notification more = notifications_of(event, kNobody).front();  // valid, but one too many
  rules::repair_notifications(storage, {}, {&more, 1}, village.clock().now());
  auto found = opened.examine();
  REQUIRE(found.size() == 1);
  CHECK(found.front().what.find("over the limit of kept notifications") != std::string::npos);
  CHECK(doctor::repair(opened.engine(), found).empty());

  rules::repair_notifications(storage, {&kept[100], 1}, {}, village.clock().now());
  found = opened.examine();
  REQUIRE(found.size() == 1);
  CHECK(doctor::repair(opened.engine(), found).empty());
  CHECK(reads::notifications(*storage.snapshot(), UserNumber{1}, Sequence{~0ULL}, kAll) == kept);
}

}  // namespace chirp::test
