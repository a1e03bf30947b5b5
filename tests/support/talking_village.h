// A village with all causes of notifications and hashtags, for tests of doctor.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/doctor/doctor.h"
#include "core/ports/reads.h"
#include "core/rules/steps.h"
#include "core/rules/writing.h"
#include "store/lmdb/batch.h"
#include "store/lmdb/rows.h"
#include "tests/support/doctor_village.h"
#include "tests/support/fake_clock.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {

// A village with every kind of notification, and with the stored hashtags of two posts.
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
  [[nodiscard]] PostId repost() const { return repost_; }
  [[nodiscard]] CommentId reply() const { return reply_; }

  // Drops the log.
  void trim() const {
    Opened opened = open();
    Storage& storage = opened.engine().storage();
    REQUIRE(rules::trim_log(storage, Time{clock_.now().ms + kDayMs}, kAll) > 0);
  }

  // Returns the notifications and hashtags, one per line.
  [[nodiscard]] std::vector<std::string> rows() const {
    Opened opened = open();
    const auto snapshot = opened.engine().storage().snapshot();
    std::vector<std::string> lines;
    for (const events::Notification& one :
         reads::rows_above<tables::Notifications>(*snapshot, {kNobody, Sequence{0}}, kAll)) {
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

  // Returns the newest notification of this topic.
  [[nodiscard]] events::Notification some(events::Topic topic) const {
    Opened opened = open();
    const auto snapshot = opened.engine().storage().snapshot();
    events::Notification found{};
    for (const events::Notification& one :
         reads::rows_above<tables::Notifications>(*snapshot, {kNobody, Sequence{0}}, kAll)) {
      if (one.topic == topic) found = one;
    }
    REQUIRE(found.user != kNobody);
    return found;
  }

  void put(const events::Notification& told) const {
    damage([&](lmdb::WriteTxn& txn) {
      lmdb::Batch batch(txn, {{}, snowflake::kMachineDefault});
      rules::tell(*lmdb::rows_of(batch), {&told, 1}, kAll);
      batch.finish();
    });
  }

  // Checks that doctor names the problem, repairs it, and finds nothing afterwards.
  void check_mended(doctor::FindingKind kind, std::string_view says) const {
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
    repost_ = engine.posts().repost(user("a3"), tagged_).view.post.id;
    const auto comment = engine.comments().add(user("a2"), tagged_, "well, @a4", kNoComment);
    reply_ = engine.comments().add(user("a1"), tagged_, "no", comment.comment.id).comment.id;
    engine.comments().like(user("a0"), reply_);
    events::drain(engine.storage(), clock_);
  }

  FakeClock clock_{kStart};
  PostId tagged_;
  PostId repost_;
  CommentId reply_;
  std::vector<std::string> before_;
};

}  // namespace chirp::test
