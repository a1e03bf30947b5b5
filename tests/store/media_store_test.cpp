// Goal: every store of uploads keeps the promises of core/ports/media_store.h, and every user
// directory those about tokens; what is on disk gives no token away.
// Method: one suite, run against each directory in turn; the files of the stored one looked at from
// outside.
#include "core/ports/media_store.h"

#include <limits>

#include <doctest/doctest.h>

#include "core/limits.h"
#include "store/media_files.h"
#include "store/secrets.h"
#include "store/sqlite/user_directory.h"
#include "tests/support/data_directories.h"
#include "tests/support/directories.h"
#include "tests/support/temp_folder.h"
#include "tests/support/thrown.h"

namespace chirp::test {
namespace {

constexpr MediaFacts kFacts{MediaType::kPng, 3, 2};
constexpr Time kLater{kNow.ms + 1000};

UserNumber sign_up(UserDirectory& users, const std::string& name) {
  return users.add(named(name), kNow).number;
}

// A user directory with its media folder, to be looked at.
struct Files {
  Files() {
    sqlite::create_user_directory(folder / "users.db",
                                  {std::string(kDirectoryUuid), kDirectoryMachine});
    users = sqlite::open_user_directory(folder / "users.db");
  }
  [[nodiscard]] std::vector<std::string> blobs() const {
    return store::MediaFiles(folder / "media").names();
  }
  TempFolder folder;
  std::unique_ptr<sqlite::SqliteUserDirectory> users;
};

}  // namespace

TEST_CASE("uploads: a file is kept once for each owner") {
  on_each_directory([](UserDirectory& users) {
    const UserNumber mira = sign_up(users, "mira");
    const UserNumber yuki = sign_up(users, "yuki");
    MediaStore& media = users.media();
    const Upload first = media.put(mira, kFacts, "picture", kNow);
    CHECK(first.id != MediaId{});
    CHECK((first.id.value >> 63) == 0);
    CHECK(first.facts == kFacts);
    CHECK(first.bytes == 7);
    CHECK(first.hash == store::sha256("picture"));
    const Upload again = media.put(mira, kFacts, "picture", kLater);
    CHECK(again.id == first.id);
    CHECK(again.created_at == kLater);
    CHECK(again.idle_since == kLater);
    const Upload hers = media.put(yuki, kFacts, "picture", kNow);
    CHECK(hers.id != first.id);
    CHECK(hers.hash == first.hash);
    CHECK(media.find(first.id) == again);
    CHECK(media.touch(mira, std::vector{first.id}, kNow));
    CHECK(media.find(first.id)->idle_since > kLater);  // not new any more
    CHECK(media.read(hers) == "picture");
    std::string part(3, ' ');
    media.open(hers)->read(2, part);
    CHECK(part == "ctu");
    CHECK(code_of([&] { media.open(hers)->read(5, part); }) == ErrorCode::kCorrupt);
    CHECK(media.scan(MediaId{}, 10).size() == 2);
    CHECK_FALSE(media.find(MediaId{1}));
    CHECK_FALSE(media.find(MediaId{~std::uint64_t{0}}));
    CHECK(code_of([&] { media.put(UserNumber{99}, kFacts, "x", kNow); }) == ErrorCode::kNotFound);
    users.begin_removal(yuki);
    CHECK(code_of([&] { media.put(yuki, kFacts, "x", kNow); }) == ErrorCode::kNotFound);
  });
}

TEST_CASE("uploads: no file is kept past its owner's bound, and one that is there is no more") {
  on_each_directory([](UserDirectory& users) {
    using Result = KeptMedia::Result;
    const UserNumber mira = sign_up(users, "mira");
    const UserNumber yuki = sign_up(users, "yuki");
    MediaStore& media = users.media();
    const auto keep = [&](UserNumber owner, std::string_view bytes, std::uint64_t most) {
      return media.keep(owner, kFacts, bytes, most, kNow).result;
    };
    CHECK(keep(mira, "seven b", 6) == Result::kTooMuch);
    CHECK(media.scan(MediaId{}, 10).empty());
    CHECK(keep(mira, "seven b", 7) == Result::kNew);
    CHECK(keep(mira, "seven b", 0) == Result::kThereBefore);
    CHECK(keep(mira, "x", 7) == Result::kTooMuch);
    CHECK(keep(yuki, "x", 7) == Result::kNew);
    CHECK(keep(mira, "x", 8) == Result::kNew);
    CHECK(keep(mira, "y", 8) == Result::kTooMuch);
    CHECK(keep(mira, "y", std::numeric_limits<std::uint64_t>::max()) == Result::kNew);
    media.remove_of(mira);
    CHECK(keep(mira, "y", 1) == Result::kNew);
  });
}

TEST_CASE("uploads: only what nobody touched since and nobody shows is removed as idle") {
  on_each_directory([](UserDirectory& users) {
    const UserNumber mira = sign_up(users, "mira");
    const UserNumber yuki = sign_up(users, "yuki");
    MediaStore& media = users.media();
    const MediaId idle = media.put(mira, kFacts, "idle", kNow).id;
    const MediaId touched = media.put(mira, kFacts, "touched", kNow).id;
    const MediaId shown = media.put(mira, kFacts, "shown", kNow).id;
    UserEdit edit;
    edit.picture = shown;
    CHECK(users.edit(mira, edit).picture == shown);
    CHECK(code_of([&] { users.edit(yuki, edit); }) == ErrorCode::kNotFound);
    const std::vector<MediaId> all{idle, touched, shown};
    CHECK(media.idle(kNow, 10).empty());
    CHECK(media.idle(kLater, 10).size() == 3);
    CHECK(media.idle(kLater, 2).size() == 2);
    CHECK_FALSE(media.touch(yuki, std::vector{touched}, kLater));
    CHECK_FALSE(media.touch(mira, std::vector{touched, MediaId{5}}, kLater));
    CHECK(media.find(touched)->idle_since == kNow);
    CHECK(media.touch(mira, std::vector{touched}, kLater));
    CHECK(media.remove_idle(all, kLater) == 1);
    CHECK_FALSE(media.find(idle));
    CHECK_FALSE(media.touch(mira, std::vector{idle}, kLater));
    CHECK(media.find(touched));
    CHECK(media.find(shown));
    edit.picture = MediaId{};
    CHECK(users.edit(mira, edit).picture == MediaId{});
    CHECK(media.remove_idle(all, kLater) == 1);
    CHECK_FALSE(media.find(shown));
  });
}

TEST_CASE("uploads: go with their owner, and a sweep begins once in a while") {
  on_each_directory([](UserDirectory& users) {
    const UserNumber mira = sign_up(users, "mira");
    const UserNumber yuki = sign_up(users, "yuki");
    MediaStore& media = users.media();
    CHECK_FALSE(media.begin_sweep(kNow, Time{kNow.ms - 1}));  // there is nothing to sweep
    media.put(mira, kFacts, "both", kNow);
    media.put(mira, kFacts, "mira's", kNow);
    const Upload left = media.put(yuki, kFacts, "both", kNow);
    CHECK_FALSE(media.begin_sweep(kNow, Time{kNow.ms - 1}));  // the first looks at the clock
    CHECK_FALSE(media.begin_sweep(kLater, Time{kNow.ms - 1}));
    CHECK(media.begin_sweep(kLater, Time{kNow.ms + 1}));
    CHECK_FALSE(media.begin_sweep(kLater, Time{kNow.ms + 1}));
    CHECK_FALSE(media.begin_sweep(kNow, Time{kNow.ms - 1}));  // the clock has gone back
    CHECK(media.begin_sweep(kLater, Time{kNow.ms + 1}));
    media.remove_of(mira);
    CHECK(media.scan(MediaId{}, 10) == std::vector{left});
    CHECK(media.read(left) == "both");
    CHECK(media.problems().empty());
  });
}

TEST_CASE("uploads: more than go at once go all the same") {
  on_each_directory([](UserDirectory& users) {
    const UserNumber mira = sign_up(users, "mira");
    for (int i = 0; i < 205; ++i) users.media().put(mira, kFacts, std::to_string(i), kNow);
    users.media().remove_of(mira);
    CHECK(users.media().scan(MediaId{}, 1000).empty());
    CHECK(users.media().problems().empty());
  });
}

TEST_CASE("uploads: bytes are stored once and go after the last row") {
  Files files;
  const UserNumber mira = sign_up(*files.users, "mira");
  const UserNumber yuki = sign_up(*files.users, "yuki");
  MediaStore& media = files.users->media();
  const MediaId hers = media.put(mira, kFacts, "picture", kNow).id;
  const MediaId his = media.put(yuki, kFacts, "picture", kNow).id;
  CHECK(files.blobs() == std::vector{store::sha256("picture")});
  CHECK(media.remove_idle(std::vector{hers}, kLater) == 1);
  CHECK(files.blobs().size() == 1);
  CHECK(media.remove_idle(std::vector{his}, kLater) == 1);
  CHECK(files.blobs().empty());
}

TEST_CASE("uploads: damage is found, served to nobody, and mended as far as it can be") {
  Files files;
  const UserNumber mira = sign_up(*files.users, "mira");
  MediaStore& media = files.users->media();
  const Upload upload = media.put(mira, kFacts, "picture", kNow);
  CHECK(media.problems().empty());
  const auto blob = files.folder / "media" / upload.hash;
  write_file(blob, "pictures");
  CHECK(code_of([&] { (void)media.read(upload); }) == ErrorCode::kCorrupt);
  CHECK(media.problems().size() == 1);
  CHECK(media.put(mira, kFacts, "picture", kNow).id == upload.id);  // heals it
  CHECK(media.read(upload) == "picture");
  std::filesystem::remove(blob);
  CHECK(code_of([&] { (void)media.read(upload); }) == ErrorCode::kCorrupt);
  REQUIRE(media.problems().size() == 1);
  CHECK_FALSE(media.problems().front().mendable);
  media.put(mira, kFacts, "picture", kNow);

  write_file(files.folder / "media" / std::string(64, 'a'), "nobody's");
  write_file(files.folder / "media" / "begun.tmp", "half");
  REQUIRE(media.problems().size() == 1);
  CHECK(media.problems().front().mendable);
  media.repair();
  CHECK(media.problems().empty());
  CHECK(files.blobs() == std::vector{upload.hash});
}

TEST_CASE("tokens: stand for their user until they expire or are revoked") {
  on_each_directory([](UserDirectory& users) {
    const UserNumber mira = sign_up(users, "mira");
    const UserNumber yuki = sign_up(users, "yuki");
    const std::string lasting = users.add_token(mira, kNow, std::nullopt);
    const std::string ending = users.add_token(mira, kNow, kLater);
    const std::string other = users.add_token(yuki, kNow, std::nullopt);
    CHECK(lasting.size() == 43);
    CHECK(lasting != ending);
    CHECK(lasting.find_first_not_of(
              "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") ==
          std::string::npos);
    CHECK(users.token_owner(lasting, kLater) == mira);
    CHECK(users.token_owner(ending, kNow) == mira);
    CHECK_FALSE(users.token_owner(ending, kLater));
    CHECK_FALSE(users.token_owner("", kNow));
    CHECK_FALSE(users.token_owner(lasting + "A", kNow));
    const std::string session = users.add_token(mira, kNow, kLater);
    CHECK(users.revoke_token(session));
    CHECK_FALSE(users.revoke_token(session));
    CHECK_FALSE(users.token_owner(session, kNow));
    CHECK(users.token_owner(lasting, kNow) == mira);
    CHECK(users.revoke_tokens(mira, {}) == 2);
    CHECK(users.revoke_tokens(mira, {}) == 0);
    CHECK_FALSE(users.token_owner(lasting, kNow));
    CHECK(users.token_owner(other, kNow) == yuki);
    users.begin_removal(yuki);
    CHECK_FALSE(users.token_owner(other, kNow));
    CHECK(code_of([&] { (void)users.add_token(yuki, kNow, {}); }) == ErrorCode::kNotFound);
    CHECK(code_of([&] { (void)users.add_token(UserNumber{77}, kNow, {}); }) ==
          ErrorCode::kNotFound);
    users.remove(yuki);
    CHECK_FALSE(users.token_owner(other, kNow));
  });
}

TEST_CASE("tokens: past the bound, the oldest expiring token is removed") {
  on_each_directory([](UserDirectory& users) {
    const UserNumber mira = sign_up(users, "mira");
    const UserNumber yuki = sign_up(users, "yuki");
    const auto session = [&](std::int64_t after_ms) {
      return users.add_token(mira, Time{kNow.ms + after_ms}, Time{kNow.ms + kDayMs});
    };
    const std::string lasting = users.add_token(mira, kNow, std::nullopt);
    const std::string hers = users.add_token(yuki, kNow, kLater);
    const std::string first = session(1);
    const std::string second = session(2);
    for (std::uint32_t i = 2; i < limits::kSessionsMax; ++i) (void)session(i + 1);
    CHECK(users.token_owner(first, kNow) == mira);
    (void)users.add_token(mira, kNow, std::nullopt);
    CHECK(users.token_owner(first, kNow) == mira);
    const std::string newest = session(limits::kSessionsMax + 1);
    CHECK_FALSE(users.token_owner(first, kNow));
    for (const std::string& kept : {lasting, second, newest}) {
      CHECK(users.token_owner(kept, kNow) == mira);
    }
    CHECK(users.token_owner(hers, kNow) == yuki);
    // A clock that steps back takes nothing from who has just logged in.
    const std::string back = session(0);
    CHECK(users.token_owner(back, kNow) == mira);
    CHECK_FALSE(users.token_owner(second, kNow));
  });
}

TEST_CASE("tokens: a log-in of a moment far ahead takes no session away") {
  on_each_directory([](UserDirectory& users) {
    const UserNumber mira = sign_up(users, "mira");
    const std::string session = users.add_token(mira, kNow, kLater);
    (void)users.add_token(mira, Time{kNow.ms + 2000 * kDayMs}, Time{kNow.ms + 2001 * kDayMs});
    CHECK(users.token_owner(session, kNow) == mira);
  });
}

TEST_CASE("tokens: past the bound those that are over give way before any that is not") {
  on_each_directory([](UserDirectory& users) {
    const UserNumber mira = sign_up(users, "mira");
    const std::string oldest = users.add_token(mira, kNow, Time{kNow.ms + kDayMs});
    for (std::uint32_t i = 1; i < limits::kSessionsMax; ++i) {
      (void)users.add_token(mira, Time{kNow.ms + i}, Time{kNow.ms + kHourMs});
    }
    const Time later{kNow.ms + 2 * kHourMs};
    (void)users.add_token(mira, later, Time{later.ms + kDayMs});
    CHECK(users.token_owner(oldest, later) == mira);
  });
}

TEST_CASE("tokens: a new password revokes all but the one that is kept") {
  on_each_directory([](UserDirectory& users) {
    const UserNumber mira = sign_up(users, "mira");
    const std::string in_use = users.add_token(mira, kNow, std::nullopt);
    const std::string other = users.add_token(mira, kNow, std::nullopt);
    UserEdit edit;
    edit.bio = "gardener";
    users.edit(mira, edit);
    CHECK(users.token_owner(other, kNow) == mira);
    edit.password_hash = "$2b$04$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234";
    edit.kept_token = in_use;
    users.edit(mira, edit);
    CHECK(users.token_owner(in_use, kNow) == mira);
    CHECK_FALSE(users.token_owner(other, kNow));
  });
}

TEST_CASE("tokens: the file holds hashes alone") {
  Files files;
  const UserNumber mira = sign_up(*files.users, "mira");
  const std::string token = files.users->add_token(mira, kNow, std::nullopt);
  std::string all;
  for (const auto& [name, bytes] : files_of(files.folder.path())) all += bytes;
  CHECK(all.find(token) == std::string::npos);
  CHECK(all.find(store::sha256(token)) != std::string::npos);
  files.users.reset();
  const auto again = sqlite::open_user_directory(files.folder / "users.db");
  CHECK(again->token_owner(token, kNow) == mira);
}

}  // namespace chirp::test
