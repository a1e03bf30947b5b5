// Goal: what an older format kept is there after its migration, and what came with the formats
// since then works on it.
// Method: copies of the directories kept under testdata/format-N, whose make.sh says what is in
// them, migrated and used through the engine. What they answer is in their sessions
// (format_test.cpp).
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/engine.h"
#include "core/limits.h"
#include "core/model/entities.h"
#include "core/model/post.h"
#include "core/model/source_key.h"
#include "core/ports/loads.h"
#include "core/ports/password_hasher.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "core/social/card.h"
#include "core/social/tokens.h"
#include "store/data_directory.h"
#include "tests/support/data_directories.h"
#include "tests/support/fake_clock.h"
#include "tests/support/thrown.h"

namespace chirp::test {
namespace {

using store::DataDirectory;

constexpr std::uint64_t kNotificationsOfFormat3 = 21;
constexpr Time kAfterwards{1'768'392'000'000};  // 2026-01-14T12:00:00Z, a day after the last post

// A migrated copy of an older directory, with the engine over it.
struct Migrated {
  explicit Migrated(std::uint32_t format) : older(format) {
    store::migrate(older.path());
    directory = DataDirectory::open(older.path());
    engine = std::make_unique<Engine>(directory->storage(), directory->users(), *hasher, clock);
  }
  [[nodiscard]] User user(const char* name) const { return engine->accounts().resolve(name); }
  [[nodiscard]] std::unique_ptr<Snapshot> see() const { return directory->storage().snapshot(); }
  void check_sound() const { CHECK(faults_in(*directory).empty()); }

  OlderDirectory older;
  FakeClock clock{kAfterwards};
  std::unique_ptr<PasswordHasher> hasher = store::bcrypt_hasher();
  std::unique_ptr<DataDirectory> directory;
  std::unique_ptr<Engine> engine;
};

// A token of wren's that make.sh wrote beside the directory.
std::string kept_token() {
  std::string token = read_file(kept_folder(2) / "token");
  while (!token.empty() && token.back() == '\n') token.pop_back();
  return token;
}

User load_word(const Migrated& world, const std::string& word) {
  LoadedUser loaded;
  loaded.source = SourceKey(word);
  const User user = world.directory->users().load({&loaded, 1}, kAfterwards).front().user;
  const AuthorCard card = social::card_of(user);
  rules::load_cards(world.directory->storage(), {&card, 1}, kAfterwards);
  return user;
}

}  // namespace

TEST_CASE(
    "migrated: a directory of format 1 has its users, and consumers that begin with the log") {
  const Migrated world(1);
  CHECK(world.directory->machine() == 3);
  CHECK(world.directory->users().count() == 15);
  const StoreState state = world.see()->state();
  CHECK(state.log_end > Sequence{1});
  CHECK(state.notifications == state.log_first);
  CHECK(state.trends == state.log_first);
  CHECK(state.relations == 0);
  CHECK(state.post_removals == 0);
}

TEST_CASE("migrated: a directory of format 2 has rows of every kind, and goes on where it was") {
  const Migrated world(2);
  CHECK(world.directory->machine() == 5);
  CHECK(world.directory->users().count() == 16);
  const auto snapshot = world.see();
  const StoreState state = snapshot->state();
  CHECK(state.log_first < state.notifications);
  CHECK(state.log_first < state.trends);
  CHECK(state.notifications < state.log_end);
  CHECK(state.relations == 3);
  CHECK(state.post_removals != 0);
  CHECK(state.settings.cap == 40);
  const std::map<std::string, std::uint64_t> rows = snapshot->table_rows();
  for (const char* table :
       {"user_sources",     "post_sources",  "follows",   "timelines", "timeline_parts",
        "counters",         "marks",         "relations", "related",   "reposts",
        "reactions",        "reactions_by",  "comments",  "threads",   "comments_by",
        "content_counters", "notifications", "readers",   "tag_uses",  "keys",
        "key_times",        "media_uses"}) {
    CHECK_MESSAGE(rows.at(table) > 0, table);
  }
  CHECK(rows.at("user_words") == 0);
  CHECK(rows.at("post_words") == 0);
}

TEST_CASE("migrated: hashtags are those of today's grammar, and notifications stay") {
  for (const std::uint32_t format : {2U, 3U}) {
    CAPTURE(format);
    const Migrated world(format);
    const auto snapshot = world.see();
    std::set<std::string> tags;
    for (const TaggedPost& post : reads::tagged_posts(*snapshot, kAboveAllPosts, 1000)) {
      const auto stored = snapshot->post(post.post);
      REQUIRE(stored);
      CHECK(post.tags == tags_in(stored->text));
      tags.insert(post.tags.begin(), post.tags.end());
    }
    CHECK(tags.contains("nets"));
    if (format != 3) continue;
    CHECK(tags.contains("می\u200cخواهم"));
    CHECK(tags.contains("夜空"));
    CHECK(tags.contains("sea"));
    CHECK_FALSE(tags.contains("می"));
    // `@wren` beside letters of another script mentioned nobody then.
    CHECK(snapshot->table_rows().at("notifications") == kNotificationsOfFormat3);
  }
}

TEST_CASE(
    "migrated: posts of each level are in the log of their level, and private ones are not "
    "counted") {
  for (const std::uint32_t format : older_formats()) {
    CAPTURE(format);
    const Migrated world(format);
    const auto snapshot = world.see();
    std::map<UserNumber, std::map<Privacy, std::vector<Entry>>> wanted;
    for (const Post& post : reads::rows_above<tables::Posts>(*snapshot, {kBelowAllPosts}, 10'000)) {
      wanted[post.author][post.privacy].push_back({post.id, post.author});
    }
    CHECK((format == 1 || wanted.size() > 1));
    for (auto& [author, logs] : wanted) {
      if (!reads::cards(*snapshot, {&author, 1}).front()) continue;
      for (const Privacy level : {Privacy::kPublic, Privacy::kFollowers, Privacy::kPrivate}) {
        CHECK(snapshot->author_entries({{&author, 1}, Levels(level)}, {}, Direction::kUp, 10'000) ==
              logs[level]);
      }
      CHECK(snapshot->counters({&author, 1}).front().posts ==
            static_cast<std::int64_t>(logs[Privacy::kPublic].size() +
                                      logs[Privacy::kFollowers].size()));
    }
    world.check_sound();
  }
}

TEST_CASE("migrated: comments that a block or a suspension hides from everybody lie apart") {
  const Migrated world(4);
  const auto snapshot = world.see();
  // Two of gull, whom wren has blocked, and one of herald, who is suspended.
  CHECK(snapshot->table_rows().at("hidden_threads") == 3);
  CHECK(snapshot->table_rows().at("threads") > 3);
  const auto listed = reads::above<tables::TagPosts>(*snapshot, {}, 1000);
  CHECK(listed.size() >= 3);
  for (const auto& [key, author] : listed) {
    const auto card = snapshot->find(tables::Cards::Key{author});
    REQUIRE(card);
    CHECK(card->presence == Presence::kPresent);
  }
  world.check_sound();
}

TEST_CASE("migrated: of format 3 a suspension, an old name and what a picture shows are there") {
  const Migrated world(3);
  CHECK(world.engine->accounts().resolve_kept("pearl").suspended);
  CHECK(world.user("tomas_q").old_name->username == "tomas");
  CHECK(world.user("tomas").number == world.user("tomas_q").number);
}

TEST_CASE("migrated: nobody is suspended, has an old name, or is called by a word") {
  for (const std::uint32_t format : {1U, 2U}) {
    CAPTURE(format);
    const Migrated world(format);
    for (const User& user : world.directory->users().scan(kNobody, 100)) {
      CHECK_FALSE(user.suspended);
      CHECK_FALSE(user.old_name);
      CHECK_FALSE((user.source && user.source->is_word()));
    }
  }
}

TEST_CASE("migrated: passwords and tokens are what they were") {
  for (const std::uint32_t format : older_formats()) {
    CAPTURE(format);
    const Migrated world(format);
    const User wren = world.user("wren");
    CHECK(world.engine->accounts().is_password(wren, "correct horse"));
    CHECK_FALSE(world.engine->accounts().is_password(wren, "correct house"));
    CHECK_FALSE(world.engine->accounts().is_password(world.user("yuki"), "correct horse"));
  }
  const Migrated world(2);
  const auto bearer = world.engine->tokens().bearer(kept_token());
  REQUIRE(bearer);
  CHECK(bearer->user == world.user("wren"));
  CHECK_FALSE(world.engine->tokens().bearer("another"));
}

TEST_CASE("migrated: a suspension hides somebody, and all comes back") {
  for (const std::uint32_t format : older_formats()) {
    CAPTURE(format);
    const Migrated world(format);
    const auto before = contents(*world.directory);
    const User wren = world.user("wren");
    (void)world.engine->accounts().suspend(wren);
    CHECK(code_of([&] { (void)world.user("wren"); }) == ErrorCode::kNotFound);
    CHECK(contents(*world.directory) != before);
    world.check_sound();
    if (format == 2) {
      CHECK_THROWS_AS((void)world.engine->tokens().bearer(kept_token()), social::AccountSuspended);
    }
    (void)world.engine->accounts().unsuspend(world.engine->accounts().resolve_kept("wren"));
    CHECK(contents(*world.directory) == before);
    if (format == 2) CHECK(world.engine->tokens().bearer(kept_token()).has_value());
    world.check_sound();
  }
}

TEST_CASE("migrated: an old name leads to the renamed user") {
  for (const std::uint32_t format : older_formats()) {
    CAPTURE(format);
    Migrated world(format);
    const User before = world.user("wren");
    const User renamed = world.engine->accounts().rename(before, "jenny").user;
    CHECK(renamed.old_name == OldName{"wren", Time{kAfterwards.ms + limits::kOldNameMs}});
    CHECK(world.user("wren") == renamed);
    CHECK(world.user("jenny") == renamed);
    world.clock.advance(limits::kOldNameMs);
    CHECK(code_of([&] { (void)world.user("wren"); }) == ErrorCode::kNotFound);
    world.check_sound();
  }
}

TEST_CASE("migrated: words are ids beside the numbers that are there") {
  for (const std::uint32_t format : older_formats()) {
    CAPTURE(format);
    const Migrated world(format);
    Storage& storage = world.directory->storage();
    const User user = load_word(world, "wren@elsewhere.example");
    CHECK(load_word(world, "wren@elsewhere.example") == user);
    // 103 is yuki's number; the word 0103 is somebody else's.
    CHECK(world.user("source:103") == world.user("yuki"));
    CHECK(load_word(world, "0103").number != world.user("yuki").number);
    LoadedPost post;
    post.source = SourceKey(std::string("urn:kite:1"));
    post.author = user.number;
    post.created_at = kAfterwards;
    post.text = "From a place of words";
    CHECK(rules::load_posts(storage, {&post, 1}, kAfterwards).stored == 1);
    CHECK(rules::load_posts(storage, {&post, 1}, kAfterwards).duplicates == 1);
    post.source = SourceKey(SourceId{5001});  // of the village's first post
    CHECK(rules::load_posts(storage, {&post, 1}, kAfterwards).duplicates == 1);
    const auto rows = storage.snapshot()->table_rows();
    CHECK(rows.at("user_words") == 2);
    CHECK(rows.at("post_words") == 1);
    world.check_sound();
  }
}

TEST_CASE("migrated: media say what they show") {
  for (const std::uint32_t format : older_formats()) {
    CAPTURE(format);
    const Migrated world(format);
    social::NewPost said{"A picture"};
    said.media.push_back({{}, "https://example.org/a", "A kite"});
    said.media.push_back({{}, "https://example.org/b"});
    const PostId id = world.engine->posts().publish(world.user("wren"), said).view.post.id;
    CHECK(world.see()->post(id)->media == said.media);
    world.check_sound();
  }
}

}  // namespace chirp::test
