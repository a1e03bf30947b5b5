// Goal: doctor finds each row that breaks a rule that stored rows obey, and no repair makes it
// worse; what is being removed is no fault.
// Method: a small directory into which such rows are put behind the engine's back.
#include "core/rules/row_problems.h"

#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/ports/reads.h"
#include "core/rules/loads.h"
#include "store/lmdb/rows.h"
#include "tests/support/doctor_village.h"

namespace chirp::test::row_problems_test {
namespace {

using doctor::FindingKind;

constexpr UserNumber kAda{1};
constexpr UserNumber kRolf{2};
constexpr Time kTime{1'704'067'200'000};  // 2024
constexpr Time kLate{4'070'908'800'000};  // 2099

void restore(const Village& village, const std::function<void(Rows&)>& change) {
  village.damage([&](lmdb::WriteTxn& txn) {
    lmdb::Batch batch(txn, {kTime, snowflake::kMachineDefault});
    change(*lmdb::rows_of(batch));
    batch.finish();
  });
}

std::uint64_t id(unsigned n) {
  return snowflake::make(snowflake::ticks_of(kTime), snowflake::kMachineDefault, n);
}
Post post(unsigned n, UserNumber author, Privacy privacy = Privacy::kPublic) {
  Post row;
  row.id = {id(n)};
  row.author = author;
  row.text = "words";
  row.created_at = kTime;
  row.privacy = privacy;
  return row;
}
Post repost(unsigned n, UserNumber author, unsigned original, UserNumber original_author) {
  Post row = post(n, author);
  row.text.clear();
  row.original = {id(original)};
  row.original_author = original_author;
  return row;
}
Comment comment(unsigned n, UserNumber author, unsigned under, unsigned parent = 0) {
  Comment row;
  row.id = {id(n)};
  row.post = {id(under)};
  row.author = author;
  row.text = "words";
  if (parent > 0) row.parent = {id(parent)};
  row.created_at = kTime;
  return row;
}

struct Case {
  const char* says;
  FindingKind kind;
  std::vector<Post> posts;
  std::vector<Comment> comments;
  std::vector<RestoredReaction> reactions;
};

std::vector<Case> cases() {
  Post late_id = post(9, kAda);
  late_id.id = {0x7FFF'FFFF'FFFF'FFFFU};
  Post late = post(9, kAda);
  late.created_at = kLate;
  Comment late_comment = comment(9, kAda, 1);
  late_comment.created_at = kLate;
  const Post open = post(1, kAda);
  const Post closed = post(2, kAda, Privacy::kPrivate);
  const auto like = [](unsigned n, Time since) {
    return RestoredReaction{{id(n)}, kRolf, ReactionType::kLike, since};
  };
  return {
      {"the id 9223372036854775807", FindingKind::kPost, {late_id}, {}, {}},
      {"its time", FindingKind::kPost, {late}, {}, {}},
      {"a repost of itself", FindingKind::kPost, {repost(9, kRolf, 9, kRolf)}, {}, {}},
      {"which does not exist", FindingKind::kPost, {repost(9, kRolf, 5, kAda)}, {}, {}},
      {"which is not public", FindingKind::kPost, {closed, repost(9, kRolf, 2, kAda)}, {}, {}},
      {"by another author", FindingKind::kPost, {open, repost(9, kRolf, 1, kRolf)}, {}, {}},
      {"replies to itself", FindingKind::kComment, {open}, {comment(9, kAda, 1, 9)}, {}},
      {"through other comments",
       FindingKind::kComment,
       {open},
       {comment(7, kAda, 1, 8), comment(8, kAda, 1, 9), comment(9, kAda, 1, 7)},
       {}},
      {"which does not exist", FindingKind::kComment, {open}, {comment(9, kAda, 1, 8)}, {}},
      {"may not see", FindingKind::kComment, {closed}, {comment(9, kRolf, 2)}, {}},
      {"its time", FindingKind::kComment, {open}, {late_comment}, {}},
      {"may not see", FindingKind::kComment, {closed}, {}, {like(2, kTime)}},
      {"may not see", FindingKind::kComment, {closed}, {comment(9, kAda, 2)}, {like(9, kTime)}},
      {"its time", FindingKind::kComment, {open}, {}, {like(1, kLate)}},
      {"is a repost",
       FindingKind::kComment,
       {open, repost(8, kRolf, 1, kAda)},
       {},
       {like(8, kTime)}},
  };
}

}  // namespace

TEST_CASE("row problems: doctor finds each, and a repair leaves it") {
  for (const Case& one : cases()) {
    CAPTURE(one.says);
    const Village village;
    restore(village, [&](Rows& rows) {
      (void)rules::restore_posts(rows, one.posts);
      (void)rules::restore_comments(rows, one.comments);
      (void)rules::restore_reactions(rows, one.reactions);
    });
    Opened opened(village.path());
    const auto found = opened.examine();
    INFO("found:\n" << words(found));
    const auto is_told = [&](const doctor::Finding& finding) {
      return finding.kind == one.kind && finding.what.find(one.says) != std::string::npos;
    };
    CHECK(std::ranges::any_of(found, is_told));
  }
}

TEST_CASE("row problems: a follow beside a block, and a log that has come too far") {
  const Village village;
  restore(village, [&](Rows& rows) {
    const RestoredRelation block{kAda, kRolf, Relation::kBlock, kTime};
    (void)rules::restore_relations(rows, {&block, 1});
  });
  village.damage([&](lmdb::WriteTxn& txn) {
    lmdb::Batch batch(txn, {kTime, snowflake::kMachineDefault});
    batch.state.log_end = {rules::kEventsMax.value + 1};
    batch.finish();
  });
  const auto found = Opened(village.path()).examine();
  const std::string all = words(found);
  INFO("found:\n" << all);
  CHECK(all.find("but one of them follows the other") != std::string::npos);
  CHECK(all.find("leaves too few numbers") != std::string::npos);
}

TEST_CASE("row problems: circles of replies are found once, however they are entered") {
  // Each comment replies to the next number; what is behind the last one, is up to the test.
  const auto chain = [](unsigned last, unsigned back_to) {
    return [=](CommentId at) -> std::optional<Comment> {
      if (at.value > last) return std::nullopt;
      Comment row;
      row.id = at;
      row.parent = {at.value == last ? back_to : at.value + 1};
      return row;
    };
  };
  for (const unsigned back_to : {0U, 1U, 5U, 9U, 10U}) {
    const auto find = chain(10, back_to);
    for (const unsigned first : {1U, 5U, 10U}) {
      rules::ReplyCircles circles(find);
      unsigned closed = 0;
      closed += circles.closes(*find({first})) ? 1U : 0U;
      for (unsigned n = 1; n <= 10; ++n) closed += circles.closes(*find({n})) ? 1U : 0U;
      CHECK(closed == (back_to == 0 ? 0 : 1));
    }
  }
}

}  // namespace chirp::test::row_problems_test
