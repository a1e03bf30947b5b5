// Goal: doctor compares the stored hashtags of posts with their texts, and repairs them.
// Method: in a talking village, one row at a time is damaged in each possible way. Then doctor
// examines and repairs it, and the result is compared with the original.
#include <doctest/doctest.h>

#include "core/rules/counters.h"
#include "store/lmdb/batch.h"
#include "store/lmdb/rows.h"
#include "store/lmdb/tags.h"
#include "tests/support/talking_village.h"

namespace chirp::test::hashtags_test {
namespace {

using doctor::FindingKind;
using lmdb::Table;

}  // namespace

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
  village.check_mended(FindingKind::kHashtag, "hashtags");
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
    village.check_mended(FindingKind::kStore, "");
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
  village.check_mended(FindingKind::kContent, fmt::format("{} counts", content.value));
  CHECK(counters() == before);
}

}  // namespace chirp::test::hashtags_test
