// Goal: doctor compares the tables of hidden rows, and lists by hashtag, with suspensions, blocks
// and texts, and repairs both.
// Method: in a talking village, one row at a time is damaged in each possible way. Then doctor
// examines and repairs it, and the result is compared with the original.
#include <functional>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "store/lmdb/batch.h"
#include "tests/support/talking_village.h"

namespace chirp::test {
namespace {

using doctor::FindingKind;
using lmdb::Table;

struct HiddenVillage {
  // Where the village's comment and the reply to it lie.
  std::string comment;
  std::string reply;
  TalkingVillage village;

  HiddenVillage() {
    Opened opened = village.open();
    const auto snapshot = opened.engine().storage().snapshot();
    const auto found = snapshot->find(tables::Comments::Key{village.reply()});
    reply = key_of(*found);
    comment = key_of(*snapshot->find(tables::Comments::Key{found->parent}));
  }
  static std::string key_of(const Comment& comment) {
    const auto key = lmdb::key(comment.post, comment.parent, comment.id);
    return std::string(lmdb::Bytes(key));
  }
  void damage(const std::function<void(lmdb::WriteTxn&)>& how) const { village.damage(how); }
};

}  // namespace

TEST_CASE("doctor: comments lie where they are due again") {
  for (const bool is_block : {false, true}) {
    CAPTURE(is_block);
    const Table due = is_block ? Table::kHiddenThreads : Table::kThreads;
    const Table other = is_block ? Table::kThreads : Table::kHiddenThreads;
    for (const auto& [erased, put] :
         {std::pair(true, true), std::pair(false, true), std::pair(true, false)}) {
      CAPTURE(erased);
      CAPTURE(put);
      const HiddenVillage world;
      if (is_block) {
        Opened opened = world.village.open();
        social::Accounts& accounts = opened.engine().accounts();
        opened.engine().relations().set(accounts.resolve("a0"), Relation::kBlock,
                                        accounts.resolve("a2"));
        events::drain(opened.engine().storage(), opened.engine().clock());
      }
      const auto check_right = [&] {
        world.damage([&](lmdb::WriteTxn& txn) {
          CHECK(txn.get(due, world.comment).has_value());
          CHECK_FALSE(txn.get(other, world.comment).has_value());
          CHECK(txn.get(Table::kThreads, world.reply).has_value());
        });
      };
      check_right();
      world.damage([&](lmdb::WriteTxn& txn) {
        if (erased) REQUIRE(txn.erase(due, world.comment));
        if (put) txn.put(other, world.comment, {});
      });
      world.village.check_mended(FindingKind::kHidden, "the comments shown to strangers");
      check_right();
    }
  }
}

TEST_CASE("doctor: a place of a hidden comment that is not there is taken away") {
  const HiddenVillage world;
  world.damage([&](lmdb::WriteTxn& txn) {
    txn.put(Table::kHiddenThreads, lmdb::key(PostId{7}, kNoComment, CommentId{7}), {});
  });
  world.village.check_mended(FindingKind::kStore, "");
}

TEST_CASE("doctor: lists by hashtag have the posts with it again") {
  const TalkingVillage village;
  const auto key_of = [&](const std::string& tag, PostId post) {
    const auto bytes = lmdb::key(post);
    return tag + std::string(1, '\0') + std::string(lmdb::Bytes(bytes));
  };
  const auto lists = [&] {
    Opened opened = village.open();
    return reads::above<tables::TagPosts>(*opened.engine().storage().snapshot(), {}, 100);
  };
  const auto before = lists();
  CHECK(before.size() == 3);
  SUBCASE("one is gone") {
    village.damage([&](lmdb::WriteTxn& txn) {
      REQUIRE(txn.erase(Table::kTagPosts, key_of("two", village.tagged())));
    });
  }
  SUBCASE("one is of somebody else") {
    village.damage([&](lmdb::WriteTxn& txn) {
      const auto other = lmdb::key(UserNumber{3});
      txn.put(Table::kTagPosts, key_of("two", village.tagged()), other);
    });
  }
  SUBCASE("one is under a tag that it does not have") {
    village.damage([&](lmdb::WriteTxn& txn) {
      const auto author = lmdb::key(UserNumber{1});
      txn.put(Table::kTagPosts, key_of("three", village.tagged()), author);
    });
  }
  SUBCASE("one is of no post") {
    village.damage([&](lmdb::WriteTxn& txn) {
      const auto author = lmdb::key(UserNumber{1});
      txn.put(Table::kTagPosts, key_of("one", PostId{7}), author);
    });
  }
  village.check_mended(FindingKind::kHashtag, "post");
  CHECK(lists() == before);
}

}  // namespace chirp::test
