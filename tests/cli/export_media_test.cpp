// Goal: an export carries the files that posts and profiles name, and nothing else; loaded into an
// empty directory they are there again under the ids they had, and what is no such file is refused.
// It tells no words of removed users.
// Method: the program exports a directory with an upload of each kind of use, loads it and exports
// it again; then the export is spoiled in each way a file can be.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/ports/reads.h"
#include "core/social/accounts.h"
#include "core/social/media.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/doctor_village.h"
#include "tests/support/pictures.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

class Exported {
 public:
  Exported() {
    store::make_data_directory(folder_ / "first", std::nullopt);
    const auto directory = store::DataDirectory::open(folder_ / "first");
    social::Media media(directory->storage(), directory->users(), test_clock());
    sign_up(*directory, "ada");
    sign_up(*directory, "rolf");
    const User ada = *directory->users().find_name("ada");
    const User rolf = *directory->users().find_name("rolf");
    picture_ = media.put_picture(ada, gif()).id;
    UserEdit edit;
    edit.picture = picture_;
    const Change card = PutCard{social::card_of(directory->users().edit(ada.number, edit))};
    directory->storage().write({&card, 1}, test_clock().now());
    first_ = media.put(ada, png()).id;
    same_ = media.put(rolf, png()).id;
    unnamed_ = media.put(rolf, webp()).id;
    publish(*directory, ada.number,
            {{first_, {}}, {{}, "https://example.org/a.png", "Boats in fog"}});
    publish(*directory, ada.number, {{first_, {}}, {media.put(ada, jpeg()).id, {}}});
    publish(*directory, rolf.number, {{same_, {}}});
    publish(*directory, rolf.number, {{media.put(rolf, mp4()).id, {}}});
    REQUIRE(run_chirp("first", {"export", at("out")}).ok());
  }

  Ended run_chirp(const std::string& data, std::vector<std::string> arguments) const {
    return run(chirp_command(at(data), std::move(arguments)));
  }
  // Loads the export into a new directory.
  Ended load(const std::string& data) const {
    REQUIRE(run_chirp(data, {"init"}).ok());
    return run_chirp(data, {"load", "export", at("out")});
  }
  [[nodiscard]] std::string at(const std::string& name) const { return (folder_ / name).string(); }
  [[nodiscard]] fs::path file(MediaId id) const {
    return folder_ / "out" / "media" / std::to_string(id.value);
  }
  [[nodiscard]] MediaId picture() const { return picture_; }
  [[nodiscard]] MediaId first() const { return first_; }
  [[nodiscard]] MediaId same() const { return same_; }
  [[nodiscard]] MediaId unnamed() const { return unnamed_; }

 private:
  static void publish(store::DataDirectory& directory, UserNumber author,
                      std::vector<Medium> media) {
    Publish change{author, {}};
    change.media = std::move(media);
    const Change written = change;
    directory.storage().write({&written, 1}, test_clock().now());
  }

  TempFolder folder_;
  MediaId picture_;
  MediaId first_;
  MediaId same_;
  MediaId unnamed_;
};

}  // namespace

TEST_CASE("export: files go along with what names them, and come back the same") {
  const Exported world;
  CHECK(fs::exists(world.file(world.picture())));
  CHECK(fs::exists(world.file(world.first())));
  CHECK(fs::exists(world.file(world.same())));
  CHECK_FALSE(fs::exists(world.file(world.unnamed())));
  const Ended loaded = world.load("second");
  REQUIRE_MESSAGE(loaded.ok(), to_string(loaded));
  REQUIRE(world.run_chirp("second", {"export", world.at("again")}).ok());
  CHECK(files_of(world.at("out")) == files_of(world.at("again")));
  CHECK(files_of(world.at("out")).size() == 8 + 5);

  const auto first = store::DataDirectory::open(world.at("first"));
  const auto second = store::DataDirectory::open(world.at("second"));
  CHECK(faults_in(*second).empty());
  CHECK(second->users().media().problems().empty());
  const auto before = first->users().media().scan({}, 100);
  const auto after = second->users().media().scan({}, 100);
  REQUIRE(before.size() == 6);
  REQUIRE(after.size() == 5);
  for (const Upload& upload : after) {
    const auto was = first->users().media().find(upload.id);
    REQUIRE(was);
    CHECK(upload.hash == was->hash);
    CHECK(upload.facts == was->facts);
    CHECK(upload.bytes == was->bytes);
    CHECK(first->users().find(was->owner)->id == second->users().find(upload.owner)->id);
    CHECK(second->users().media().read(upload) == first->users().media().read(*was));
  }
  CHECK(second->users().find_name("ada")->picture == world.picture());
  std::vector<MediaId> named{world.first(), world.same(), world.picture()};
  CHECK(reads::media_named(*second->storage().snapshot(), named) ==
        std::vector<bool>{true, true, false});
}

TEST_CASE("export: a file with more than its picture is loaded without that") {
  const Exported world;
  write_file(world.file(world.first()), png(png_chunk("tEXt", kSecretPlace)));
  const Ended loaded = world.load("second");
  REQUIRE_MESSAGE(loaded.ok(), to_string(loaded));
  const auto second = store::DataDirectory::open(world.at("second"));
  const MediaStore& media = second->users().media();
  CHECK(media.read(*media.find(world.first())) == png());
}

TEST_CASE("export: a file that is not what was exported is refused") {
  const Exported world;
  const fs::path contents = fs::path(world.at("out")) / "export.json";
  std::string says;
  SUBCASE("gone") {
    fs::remove(world.file(world.first()));
    says = "media has 4 files, but export.json says 5.";
  }
  SUBCASE("gone, from an export without counts") {
    fs::remove(world.file(world.first()));
    fs::remove(contents);
    says = "No such file";
  }
  SUBCASE("cut") {
    fs::resize_file(world.file(world.first()), 20);
    says = "bytes, but export.json says";
  }
  SUBCASE("a link") {
    fs::remove(world.file(world.first()));
    fs::create_symlink(world.file(world.same()), world.file(world.first()));
    says = "links are not followed";
  }
  SUBCASE("no picture") {
    write_file(world.file(world.picture()), "no picture at all");
    fs::remove(contents);
    says = "not a PNG";
  }
  SUBCASE("somebody else's") {
    const fs::path posts = fs::path(world.at("out")) / "posts.jsonl";
    std::string text = read_file(posts);
    const std::string theirs = address_of(world.same());
    text.replace(text.find(theirs), theirs.size(), address_of(world.first()));
    write_file(posts, text);
    says = "posts.jsonl:3: " + address_of(world.first()) + " is an upload of somebody else";
  }
  SUBCASE("no address") {
    const fs::path posts = fs::path(world.at("out")) / "posts.jsonl";
    std::string text = read_file(posts);
    const std::string theirs = address_of(world.same());
    text.replace(text.find(theirs), theirs.size(), "/elsewhere");
    write_file(posts, text);
    says = "posts.jsonl:3: \"/elsewhere\" is not the address of a file";
  }
  SUBCASE("more said than there is") {
    const fs::path posts = fs::path(world.at("out")) / "posts.jsonl";
    std::string text = read_file(posts);
    text.replace(text.find(R"(["","Boats in fog"])"), 19, R"(["","Boats in fog","?"])");
    write_file(posts, text);
    says = "posts.jsonl:1: \"altTexts\" has more than \"mediaUrls\"";
  }
  const Ended loaded = world.load("second");
  CHECK(loaded.status == 1);
  CHECK_MESSAGE(loaded.err.find(says) != std::string::npos, to_string(loaded));
}

TEST_CASE("export: a copy that is cut at a line's end, or misses a file, is refused untouched") {
  const Exported world;
  const fs::path out = world.at("out");
  REQUIRE(world.run_chirp("first", {"user", "add", "mira"}).ok());
  REQUIRE(world.run_chirp("first", {"follow", "add", "mira", "ada"}).ok());
  REQUIRE(world.run_chirp("first", {"follow", "add", "mira", "rolf"}).ok());
  fs::remove_all(out);
  REQUIRE(world.run_chirp("first", {"export", out.string()}).ok());
  const std::string contents = read_file(out / "export.json");
  REQUIRE(world.run_chirp("second", {"init"}).ok());
  const auto refused = [&](const std::string& says) {
    const Ended loaded = world.run_chirp("second", {"load", "export", out.string()});
    CHECK(loaded.status == 1);
    CHECK_MESSAGE(loaded.err.find(says) != std::string::npos, to_string(loaded));
    CHECK(loaded.err.find("holds a part") == std::string::npos);
  };
  for (const auto& [path, text] : files_of(out)) {
    const std::string name = fs::path(path).filename().string();
    CAPTURE(name);
    const fs::path file = out / path;
    if (name == "export.json" || text.empty()) continue;
    fs::remove(file);
    refused(fs::path(path).has_parent_path() ? "media has" : "No such file");
    write_file(file, "");
    refused("export.json says");
    const std::size_t last = text.rfind('\n', text.size() - 2);
    if (name.ends_with(".jsonl") && last != std::string::npos) {
      write_file(file, text.substr(0, last + 1));
      refused(name + " has ");
    }
    write_file(file, text);
  }
  const auto spoiled = [&](const std::string& from, const std::string& to) {
    std::string text = contents;
    write_file(out / "export.json", text.replace(text.find(from), from.size(), to));
  };
  write_file(out / "export.json", contents.substr(0, contents.size() / 2));
  refused("export.json: this is not one JSON object");
  spoiled("\"format\":1", "\"format\":2");
  refused("export.json: \"format\" is 2");
  spoiled("\"follows.jsonl\"", "\"flows.jsonl\"");
  refused("export.json: \"follows.jsonl\" is no object");
  spoiled("\"posts.jsonl\":{\"rows\":", "\"posts.jsonl\":{\"rows\":-");
  write_file(out / "posts.jsonl", read_file(out / "posts.jsonl") + "\n");
  refused("export.json: \"posts.jsonl\": \"rows\" is missing or no number");
}

TEST_CASE("export: one that was edited is loaded, and one without counts says so") {
  const Exported world;
  const fs::path out = world.at("out");
  std::string users = read_file(out / "users.jsonl");
  const std::string bio = R"("bio":"")";
  write_file(out / "users.jsonl", users.replace(users.find(bio), bio.size(), R"("bio":"longer")"));
  const Ended edited = world.load("second");
  CHECK_MESSAGE(edited.ok(), to_string(edited));
  CHECK(edited.err.find("export.json") == std::string::npos);
  fs::remove(out / "export.json");
  const Ended older = world.load("third");
  CHECK_MESSAGE(older.ok(), to_string(older));
  CHECK(older.err.find("has no export.json") != std::string::npos);
  write_file(out / "settings.json", "");
  const Ended unset = world.load("fourth");
  CHECK(unset.status == 1);
  CHECK(unset.err.find("settings.json of the export is empty") != std::string::npos);
}

TEST_CASE("export: a comment of a removed user goes, or says only that it was there") {
  for (const bool ended : {true, false}) {
    CAPTURE(ended);
    const Village village;
    {
      Opened opened(village.path());
      Engine& engine = opened.engine();
      const auto user = [&](const char* name) { return engine.accounts().resolve(name); };
      const PostId post = engine.posts().publish(user("a0"), "hello", Privacy::kPublic).post.id;
      (void)engine.comments().add(user("a1"), post, "unanswered", kNoComment);
      const auto other = engine.comments().add(user("a1"), post, "answered", kNoComment);
      (void)engine.comments().add(user("a2"), post, "an answer", other.comment.id);
      const User leaving = user("a1");
      if (ended) {
        engine.accounts().remove(leaving);
      } else {
        // The mark alone, as a removal that was killed leaves it.
        const Change mark = MarkRemoved{leaving.number};
        engine.storage().write({&mark, 1}, test_clock().now());
        const auto snapshot = engine.storage().snapshot();
        CHECK(reads::unfinished_removals(*snapshot) == std::vector{leaving.number});
        REQUIRE(snapshot->find(tables::Comments::Key{other.comment.id})->text == "answered");
      }
    }
    const TempFolder folder;
    const std::string out = (folder / "out").string();
    const Ended told = run(chirp_command(village.path().string(), {"export", out}));
    REQUIRE_MESSAGE(told.ok(), to_string(told));
    std::ifstream file(fs::path(out) / "comments.jsonl");
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].find("answered") == std::string::npos);
    CHECK(lines[0].find("\"removed\":true") != std::string::npos);
    CHECK(lines[1].find("an answer") != std::string::npos);
  }
}

}  // namespace chirp::test
