// Goal: doctor finds what is damaged, says what it is about, mends what can be derived, and leaves
// the rest as it was.
// Method: a small directory is damaged behind the engine's back, one row or one step at a time,
// then examined, repaired, and held against what it was before.
#include "core/doctor/doctor.h"

#include <doctest/doctest.h>

#include "core/rules/counters.h"
#include "core/rules/settings.h"
#include "core/rules/writing.h"
#include "store/lmdb/rows.h"
#include "tests/support/doctor_village.h"

namespace chirp::test {
namespace {

using doctor::Finding;
using doctor::FindingKind;
using lmdb::Table;

enum class Afterwards : std::uint8_t { kSame, kSound, kLeft };

struct Damage {
  std::string what;
  Table table;
  unsigned row;
  FindingKind kind;
  Afterwards afterwards;  // everything as it was; sound but something is lost; not mended
};

// Examines, repairs and examines again.
void check_mended(const Village& village, const std::vector<std::string>& before, FindingKind kind,
                  Afterwards afterwards) {
  {
    Opened opened(village.path());
    const auto found = opened.examine();
    INFO("found:\n" << words(found));
    REQUIRE(has(found, kind));
    const auto left = doctor::repair(opened.engine(), found);
    INFO("left:\n" << words(left));
    CHECK(left.empty() == (afterwards != Afterwards::kLeft));
  }
  if (afterwards == Afterwards::kSame) CHECK(village.contents() == before);
}

}  // namespace

TEST_CASE("doctor: a sound directory has no findings, whatever is pending") {
  const Village village;
  Opened opened(village.path());
  CHECK(words(opened.examine()).empty());
  const auto user = opened.directory().users().find_name("a1");
  REQUIRE(user);
  publish(opened.directory(), user->number, "not delivered yet");
  opened.engine().follows().remove(
      opened.engine().accounts().resolve("a1"),
      opened.engine().accounts().resolve_all(std::vector<std::string>{"a2"}));
  CHECK(words(opened.examine()).empty());
  opened.engine().accounts().remove(opened.engine().accounts().resolve("a3"));
  CHECK(words(opened.examine()).empty());
}

TEST_CASE("doctor: every kind of thing is counted") {
  const Village village;
  Opened opened(village.path());
  std::map<std::string, std::uint64_t> counts;
  const auto count = [&](const doctor::Checked& checked) {
    counts[std::string(checked.what)] = checked.count;
  };
  CHECK(doctor::examine(opened.engine(), count).empty());
  CHECK(counts["users"] == 7);
  CHECK(counts["cards"] == 7);
  CHECK(counts["follows"] == 21);
  CHECK(counts["posts"] == 21);
  CHECK(counts["counters"] == 21);
  CHECK(counts["timelines"] == 7);
  CHECK(counts["tiers"] == 7);
  CHECK(counts["events"] > 0);
}

TEST_CASE("doctor: a row that is gone is found, and mended if it can be derived") {
  for (const Damage& damage : {
           Damage{"index of user ids", Table::kUserIds, 2, FindingKind::kStore, Afterwards::kSame},
           Damage{"author log", Table::kAuthorLogs, 4, FindingKind::kPost, Afterwards::kSame},
           Damage{"followers", Table::kFollowers, 1, FindingKind::kEdge, Afterwards::kSame},
           Damage{"following", Table::kFollowing, 6, FindingKind::kEdge, Afterwards::kSame},
           Damage{"counters", Table::kCounters, 3, FindingKind::kCounter, Afterwards::kSame},
           Damage{"mark", Table::kMarks, 0, FindingKind::kTier, Afterwards::kSame},
           Damage{"card", Table::kCards, 5, FindingKind::kCard, Afterwards::kSame},
           Damage{"post", Table::kPosts, 7, FindingKind::kStore, Afterwards::kSound},
           Damage{"event", Table::kEvents, 9, FindingKind::kLog, Afterwards::kLeft},
       }) {
    CAPTURE(damage.what);
    const Village village;
    const auto before = village.contents();
    village.damage([&](lmdb::WriteTxn& txn) {
      REQUIRE(txn.erase(damage.table, row_key(txn, damage.table, damage.row)));
    });
    check_mended(village, before, damage.kind, damage.afterwards);
  }
}

TEST_CASE("doctor: a post is in the log of its level alone") {
  const Table logs[] = {Table::kAuthorLogs, Table::kFollowersLogs, Table::kPrivateLogs};
  const Privacy levels[] = {Privacy::kPublic, Privacy::kFollowers, Privacy::kPrivate};
  for (std::size_t i = 0; i < std::size(logs); ++i) {
    for (const bool is_missing : {true, false}) {
      CAPTURE(i);
      CAPTURE(is_missing);
      const Village village;
      std::string row;
      {
        Opened opened(village.path());
        const User author = opened.engine().accounts().resolve("a1");
        social::NewPost text("text");
        text.privacy = levels[i];
        const PostId post = opened.engine().posts().publish(author, text).view.post.id;
        const auto k = lmdb::key(author.number, post);
        row.assign(lmdb::Bytes(k));
        events::drain(opened.directory().storage(), opened.engine().clock());
      }
      const auto before = village.contents();
      village.damage([&](lmdb::WriteTxn& txn) {
        if (is_missing) {
          REQUIRE(txn.erase(logs[i], row));
        } else {
          txn.put(logs[(i + 1) % 3], row, {});
        }
      });
      check_mended(village, before, is_missing ? FindingKind::kPost : FindingKind::kStore,
                   Afterwards::kSame);
    }
  }
}

TEST_CASE("doctor: a record that fails its check is a finding, not an end") {
  for (const Damage& damage : {
           Damage{"timeline", Table::kTimelines, 3, FindingKind::kStore, Afterwards::kSame},
           Damage{"counters", Table::kCounters, 3, FindingKind::kStore, Afterwards::kSame},
           Damage{"post", Table::kPosts, 3, FindingKind::kStore, Afterwards::kLeft},
           Damage{"event", Table::kEvents, 3, FindingKind::kStore, Afterwards::kLeft},
       }) {
    CAPTURE(damage.what);
    const Village village;
    const auto before = village.contents();
    village.damage([&](lmdb::WriteTxn& txn) {
      const std::string key = row_key(txn, damage.table, damage.row);
      std::string value(txn.get(damage.table, key).value());
      value.back() = static_cast<char>(value.back() ^ 0x20);
      txn.put(damage.table, key, value);
    });
    Opened opened(village.path());
    const auto found = opened.examine();
    INFO("found:\n" << words(found));
    CHECK(has(found, damage.kind));
    const auto left = doctor::repair(opened.engine(), found);
    INFO("left:\n" << words(left));
    CHECK(left.empty() == (damage.afterwards != Afterwards::kLeft));
    if (damage.afterwards == Afterwards::kSame) CHECK(test::contents(opened.directory()) == before);
  }
}

TEST_CASE("doctor: a search that is not that of the users is made again") {
  const Village village;
  sign_up(*store::DataDirectory::open(village.path()), "quentin");
  const auto before = village.contents();
  SUBCASE("somebody is not found") {
    village.damage_users(
        "INSERT INTO user_search (user_search, rowid, text) "
        "SELECT 'delete', number, text FROM searchable WHERE text LIKE 'quentin%'");
  }
  SUBCASE("somebody is found by another's name") {
    village.damage_users("INSERT INTO user_search (rowid, text) VALUES (3, 'quentin')");
  }
  SUBCASE("nobody is found") {
    village.damage_users("INSERT INTO user_search (user_search) VALUES ('delete-all')");
  }
  check_mended(village, before, FindingKind::kUsers, Afterwards::kSame);
  UserQuery query;
  query.match = "quentin";
  CHECK(Opened(village.path()).directory().users().list(query).users.size() == 1);
}

TEST_CASE("doctor: users below the ids given out are so again") {
  const Village village;
  const auto before = village.contents();
  village.damage_users("UPDATE meta SET last_id = 0");
  check_mended(village, before, FindingKind::kUsers, Afterwards::kSame);
}

TEST_CASE("doctor: marks that do not go with the policy are moved") {
  for (const auto policy : {feed::Policy::kHybrid, feed::Policy::kPull}) {
    CAPTURE(feed::name(policy));
    const Village village;
    village.set_policy(policy);
    const auto before = village.contents();
    village.damage([&](lmdb::WriteTxn& txn) {
      lmdb::Batch batch(txn, {{}, snowflake::kMachineDefault});
      const bool pulled = batch.state.push_from_all == feed::kNeverPushed;
      batch.state.push_from_all = pulled ? feed::kAlwaysPushed : feed::kNeverPushed;
      batch.finish();
    });
    check_mended(village, before, FindingKind::kTier, Afterwards::kSame);
  }
  const Village village;
  village.set_policy(feed::Policy::kPush);
  const auto before = village.contents();
  village.damage([](lmdb::WriteTxn& txn) {
    lmdb::Batch batch(txn, {{}, snowflake::kMachineDefault});
    rules::put_mark(*lmdb::rows_of(batch),
                    {UserNumber{2}, feed::Tier::kInfluencer, feed::kNeverPushed});
    batch.finish();
  });
  check_mended(village, before, FindingKind::kTier, Afterwards::kSame);
}

TEST_CASE("doctor: tiers that new bounds have yet to reach are no findings, others are") {
  const Village village;
  Opened opened(village.path());
  Storage& storage = opened.directory().storage();
  const Time now = store::system_clock()->now();
  feed::FeedSettings settings = storage.snapshot()->state().settings;
  settings.influencer_from = 100;  // everybody has three followers, and was above the bound
  rules::put_settings(storage, settings, now);
  CHECK(words(opened.examine()).empty());
  CHECK_FALSE(rules::settle_tiers(storage, 3, now));
  CHECK(words(opened.examine()).empty());

  rules::set_plain(storage, rules::kTiersDue, "6");  // as if 4 and 5 had been asked
  const auto found = opened.examine();
  INFO(words(found));
  CHECK(found.size() == 2);
  CHECK(has(found, FindingKind::kTier));
  const auto left = doctor::repair(opened.engine(), found);
  INFO("left:\n" << words(left));
  CHECK(left.empty());
  CHECK(rules::settle_tiers(storage, 1'000, now));
  CHECK(words(opened.examine()).empty());
}

TEST_CASE("doctor: a timeline that lacks a post is rebuilt") {
  const Village village;
  const auto before = village.contents();
  {
    Opened opened(village.path());
    Storage& storage = opened.directory().storage();
    const UserNumber viewer = opened.directory().users().find_name("a2")->number;
    const auto snapshot = storage.snapshot();
    const auto clock = store::system_clock();
    auto built = feed::build_timeline(*snapshot, viewer, *clock);
    REQUIRE(built);
    REQUIRE(built->timeline.entries.size() > 3);
    built->timeline.entries.erase(built->timeline.entries.begin() + 1);
    REQUIRE(rules::store(storage, *built, Replace::kAlways, clock->now()));
  }
  check_mended(village, before, FindingKind::kTimeline, Afterwards::kSame);
}

TEST_CASE("doctor: a sign-up of an older program that was cut short gets its card") {
  const Village village;
  {
    Opened opened(village.path());
    opened.directory().users().add({"zoe", {}, {}, {}, {}}, store::system_clock()->now());
  }
  village.damage_users("DELETE FROM due_cards");
  check_mended(village, {}, FindingKind::kCard, Afterwards::kSound);
}

TEST_CASE("doctor: too many findings are counted, not listed") {
  doctor::Examination exam([](const doctor::Checked&) {});
  for (std::size_t i = 0; i < doctor::kFindingsMax + 5; ++i)
    exam.find(FindingKind::kStore, "something");
  const auto findings = std::move(exam).take();
  REQUIRE(findings.size() == doctor::kFindingsMax + 1);
  CHECK(findings.back().kind == FindingKind::kMore);
  CHECK(findings.back().what.rfind("5 more", 0) == 0);
}

}  // namespace chirp::test
