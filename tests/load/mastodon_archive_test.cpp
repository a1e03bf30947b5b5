// Goal: of a Mastodon archive everything comes that was for everybody or for followers, for those
// it was for and nobody else, and what does not come is counted. Method: an archive made by hand is
// read as a folder, and counted apart from the program by testdata/archives/mastodon_counts.py;
// small outboxes with each way of addressing a post.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "cli/load/archive/account_archive.h"
#include "cli/load/archive/collection.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/inputs.h"
#include "tests/support/temp_folder.h"

namespace chirp::cli::archive {
namespace {

namespace fs = std::filesystem;

const fs::path kArchives = fs::path(CHIRP_SOURCE_DIR) / "testdata" / "archives";
constexpr std::string_view kMe = "https://tern.example/users/mira";
constexpr std::string_view kPublic = "https://www.w3.org/ns/activitystreams#Public";

// What a reader hands over.
struct Handed {
  std::vector<load::SourcePost> posts;
  std::vector<std::string> likes;
  std::vector<std::string> people;
  std::map<std::string, std::uint64_t> skipped;
  std::vector<std::string> bad;
  Profile profile;
  load::Words words;

  [[nodiscard]] std::string word(SourceId id) const { return text_of(words.key_of(id)); }
  // The post whose id ends so.
  [[nodiscard]] const load::SourcePost* post(std::string_view end) const {
    const auto at = std::ranges::find_if(
        posts, [&](const load::SourcePost& one) { return word(one.id).ends_with(end); });
    return at == posts.end() ? nullptr : &*at;
  }
};

void hand(const fs::path& folder, Privacy unlisted, Handed& all) {
  Tree tree(folder.string());
  const auto reader = reader_of(tree);
  CHECK(reader->format() == "Mastodon archive");
  test::Complaints complaints(100);
  all.profile = reader->profile(tree);
  const Sink sink{.post = [&](load::SourcePost&& post,
                              const input::InputPlace&) { all.posts.push_back(std::move(post)); },
                  .like = [&](SourceId id) { all.likes.push_back(all.word(id)); },
                  .tie =
                      [&](const load::SourceTie& tie) {
                        all.people.push_back(
                            fmt::format("{} {}{}", static_cast<int>(tie.tie), all.word(tie.other),
                                        tie.hiding_reposts ? " without reposts" : ""));
                      },
                  .skip = [&](const std::string& kind, std::uint64_t times,
                              std::string_view) { all.skipped[kind] += times; },
                  .bad = complaints.bad,
                  .words = all.words,
                  .unlisted = unlisted};
  reader->read(tree, sink);
  all.bad = complaints.lines;
}

// An archive with this outbox.
class Outbox {
 public:
  explicit Outbox(std::string_view text) {
    write("actor.json",
          fmt::format(R"({{"id":"{}","preferredUsername":"mira","followers":"{}/followers"}})", kMe,
                      kMe));
    write("outbox.json", text);
  }
  void write(const std::string& name, std::string_view text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  [[nodiscard]] fs::path path() const { return folder_.path(); }

 private:
  test::TempFolder folder_;
};

std::string outbox_of(std::string_view items) {
  return fmt::format(R"({{"type":"OrderedCollection","orderedItems":[{}]}})", items);
}

std::string note(std::string_view activity, std::string_view object, std::string_view more = "") {
  return fmt::format(
      R"({{"id":"a","type":"Create","actor":"{}","published":"2022-11-20T14:58:08Z",{}"object":{{"id":"p","type":"Note","attributedTo":"{}","published":"2022-11-20T14:58:08Z",{}{}"content":"<p>x</p>"}}}})",
      kMe, activity, kMe, object, more);
}

enum class Seen { kNever, kByFollowers, kByAll };

Seen seen(const std::string& item, Privacy unlisted) {
  const Outbox outbox(outbox_of(item));
  Handed all;
  hand(outbox.path(), unlisted, all);
  CHECK(all.bad.empty());
  if (all.posts.empty()) {
    CHECK(all.skipped["directMessages"] + all.skipped["hiddenReposts"] == 1);
    return Seen::kNever;
  }
  REQUIRE(all.posts.size() == 1);
  CHECK(all.posts[0].privacy != Privacy::kPrivate);
  return all.posts[0].privacy == Privacy::kPublic ? Seen::kByAll : Seen::kByFollowers;
}

std::string to(std::string_view addresses) { return fmt::format(R"("to":{},)", addresses); }
std::string cc(std::string_view addresses) { return fmt::format(R"("cc":{},)", addresses); }

}  // namespace

TEST_CASE("mastodon archives: what was not for everybody never becomes so") {
  const std::string all = fmt::format("[\"{}\"]", kPublic);
  const std::string mine = fmt::format("[\"{}/followers\"]", kMe);
  const std::string theirs = "[\"https://far.example/users/tomas/followers\"]";
  const std::string someone = "[\"https://far.example/users/tomas\"]";
  struct Case {
    std::string said;
    Seen seen;
    Seen with_flag;  // --unlisted public
  };
  for (const Case& one : {
           Case{to(all) + cc(mine), Seen::kByAll, Seen::kByAll},
           Case{to(fmt::format("\"{}\"", kPublic)), Seen::kByAll, Seen::kByAll},
           Case{to("\"as:Public\""), Seen::kByAll, Seen::kByAll},
           Case{to(mine) + cc(all), Seen::kByFollowers, Seen::kByAll},
           Case{cc(all), Seen::kByFollowers, Seen::kByAll},
           Case{to(mine), Seen::kByFollowers, Seen::kByFollowers},
           Case{to(mine) + cc(someone), Seen::kByFollowers, Seen::kByFollowers},
           Case{to(someone), Seen::kNever, Seen::kNever},
           Case{to(someone) + cc(mine), Seen::kNever, Seen::kNever},
           Case{to(theirs), Seen::kNever, Seen::kNever},
           Case{to("[]") + cc("[]"), Seen::kNever, Seen::kNever},
           Case{to("null"), Seen::kNever, Seen::kNever},
           Case{to("[\"https://www.w3.org/ns/activitystreams#public\"]"), Seen::kNever,
                Seen::kNever},
           Case{"", Seen::kNever, Seen::kNever},
       }) {
    CAPTURE(one.said);
    // Said of the activity, of the post, or of both.
    for (const std::string& item :
         {note(one.said, ""), note("", one.said), note(one.said, one.said)}) {
      CHECK(seen(item, Privacy::kFollowers) == one.seen);
      CHECK(seen(item, Privacy::kPublic) == one.with_flag);
    }
    // If two differ, the narrower audience counts.
    for (const std::string& item : {note(one.said, to(all)), note(to(all), one.said)}) {
      if (one.said.empty()) continue;
      CHECK(seen(item, Privacy::kFollowers) == one.seen);
      CHECK(seen(item, Privacy::kPublic) == one.with_flag);
    }
    CHECK(seen(note(one.said, to(someone)), Privacy::kPublic) == Seen::kNever);
    // The same with a word in addition to the addresses.
    const bool hidden = one.seen == Seen::kNever;
    CHECK(seen(note(one.said, R"("visibility":"followers",)"), Privacy::kFollowers) ==
          (hidden ? Seen::kNever : Seen::kByFollowers));
    CHECK(seen(note(one.said, R"("visibility":"direct",)"), Privacy::kPublic) == Seen::kNever);
    // A repost is for everybody or isn't.
    const std::string boost = fmt::format(
        R"({{"id":"b","type":"Announce","actor":"{}","published":"2022-11-20T14:58:08Z",{}"object":"https://a.b/1"}})",
        kMe, one.said);
    CHECK(seen(boost, Privacy::kFollowers) ==
          (one.seen == Seen::kByAll ? Seen::kByAll : Seen::kNever));
    CHECK(seen(boost, Privacy::kPublic) ==
          (one.with_flag == Seen::kByAll ? Seen::kByAll : Seen::kNever));
  }
}

TEST_CASE("mastodon archives: posts, boosts, likes and people come as they are") {
  Handed all;
  hand(kArchives / "mastodon", Privacy::kFollowers, all);
  CHECK(all.bad.empty());
  REQUIRE(all.post("0001") != nullptr);
  CHECK(all.post("0001")->text ==
        "Hello @tomas@far.example and @oskar!\n\n"
        "Tides: https://harbour.example/tides/2022/november?quay=tern&days=30\nSee you & yours");
  CHECK(all.post("0007")->text == "Spoilers & harbour crime\n\nThe cook did it.");
  CHECK(all.post("0009")->text == "Which bread?\n\n- Rye\n- Oat");
  REQUIRE(all.post("0008")->media.size() == 1);
  CHECK(all.post("0008")->media[0].file == "media_attachments/files/109/373/original/5f1c.png");
  CHECK(all.post("0008")->media[0].alt_text == "A tern on a post");
  CHECK(all.post("0005")->reply_to == all.post("0001")->id);
  CHECK(all.post("0010/activity")->repost_of == all.post("0007")->id);
  CHECK(all.post("0004") == nullptr);
  CHECK(all.likes.size() == 3);
  CHECK(all.people ==
        std::vector<std::string>{
            fmt::format("{} troll@bridge.example", static_cast<int>(load::Tie::kBlocks)),
            fmt::format("{} tomas@far.example", static_cast<int>(load::Tie::kFollows)),
            fmt::format("{} oskar@tern.example without reposts",
                        static_cast<int>(load::Tie::kFollows)),
            fmt::format("{} nare@թութ.հայ", static_cast<int>(load::Tie::kFollows)),
            fmt::format("{} loud@far.example", static_cast<int>(load::Tie::kMutes))});
  CHECK(all.skipped == std::map<std::string, std::uint64_t>{{"bookmarks", 2},
                                                            {"directMessages", 3},
                                                            {"hiddenReposts", 1},
                                                            {"mediaWithoutFile", 1},
                                                            {"otherActivities", 1},
                                                            {"otherTables", 3},
                                                            {"pollVotes", 1},
                                                            {"profileFields", 2},
                                                            {"profileHeaders", 1}});
  CHECK(all.profile.id == SourceKey(std::string("mira@tern.example")));
  CHECK(all.profile.username == "mira");
  CHECK(all.profile.display_name == "Mira of the quay");
  CHECK(all.profile.bio == "Nets, tides & bread.\nKeeps #birds");
  CHECK(all.profile.picture == "avatar.png");
  CHECK(all.profile.created_at == parse_iso8601("2019-03-01T00:00:00Z"));
}

TEST_CASE("mastodon archives: a collection is read at every length, and never for ever") {
  const std::string whole = test::read_file(kArchives / "mastodon" / "outbox.json");
  const auto items_of = [](const std::string& text, std::size_t step, std::string& problem) {
    test::TextStream stream(text, step);
    input::TextBuffer buffer;
    Collection items(stream, buffer);
    std::size_t count = 0;
    while (const auto piece = items.next()) {
      if (piece->problem.empty()) {
        ++count;
      } else {
        CHECK(problem.empty());
        problem = piece->problem;
      }
    }
    return count;
  };
  std::string problem;
  CHECK(items_of(whole, 1 << 16, problem) == 19);
  CHECK(items_of(whole, 1, problem) == 19);
  CHECK(problem == "");
  for (std::size_t size = 0; size < whole.rfind(']'); size += 7) {
    std::string cut;
    CHECK(items_of(whole.substr(0, size), 4096, cut) <= 19);
    CHECK(cut != "");
  }
  for (const char* odd : {"", "[]", "{}", "null", "{\"orderedItems\":1}", "{\"orderedItems\":[1",
                          "{\"orderedItems\":[{} {}]}", "{\"orderedItems\":[{},]}", "{\"a\"}",
                          "{\"a\":{\"orderedItems\":[{}]}}", "{\"a\":[\"orderedItems\",[{}]]}"}) {
    CAPTURE(odd);
    std::string said;
    CHECK(items_of(odd, 1, said) <= 1);
    CHECK(said != "");
  }
  // Text after the list does not matter.
  for (const char* rest : {"]", "],}", "]}x", "],\"a\":1,}"}) {
    CAPTURE(rest);
    std::string none;
    CHECK(items_of("{\"orderedItems\":[{},{}" + std::string(rest), 1, none) == 2);
    CHECK(none == "");
  }
  std::string said;
  CHECK(items_of("{\"orderedItems\":[\"" + std::string(input::kRecordMax, 'x') + "\"]}", 4096,
                 said) == 0);
  CHECK(said == "the entry is longer than 1 MiB");
}

TEST_CASE("mastodon archives: an item that can't be read is a bad line, and others are") {
  const std::string good = note(to(fmt::format("\"{}\"", kPublic)), "");
  Outbox outbox(outbox_of("\n{\"type\":\"Create\",},\n\"text\",\nnull,\n" + good));
  outbox.write("likes.json", outbox_of("7,\n\"https://far.example/1\""));
  Handed all;
  hand(outbox.path(), Privacy::kFollowers, all);
  CHECK(all.posts.size() == 1);
  CHECK(all.likes.size() == 1);
  REQUIRE(all.bad.size() == 4);
  std::ranges::sort(all.bad);
  CHECK(all.bad[0].find("(likes.json):1: expected the id of a post") != std::string::npos);
  all.bad.erase(all.bad.begin());
  CHECK(all.bad[0].find("(outbox.json):2: not valid JSON") != std::string::npos);
  CHECK(all.bad[1].find("(outbox.json):3: expected an activity") != std::string::npos);
  CHECK(all.bad[2].find("(outbox.json):4: expected an activity") != std::string::npos);
}

TEST_CASE("mastodon archives: if a key comes twice, the last one counts") {
  const std::string good = note(to(fmt::format("\"{}\"", kPublic)), "");
  const std::string list = fmt::format("[{},{}]", good, good);
  const auto posts_of = [](const std::string& text) {
    const Outbox outbox(text);
    Handed all;
    hand(outbox.path(), Privacy::kPublic, all);
    CHECK(all.bad.empty());
    return all.posts.size();
  };
  CHECK(posts_of(fmt::format(R"({{"orderedItems":[],"totalItems":2,"orderedItems":{}}})", list)) ==
        2);
  CHECK(posts_of(fmt::format(R"({{"orderedItems":[{}],"x":1,"orderedItems":{}}})", good, list)) ==
        2);
  CHECK(posts_of(fmt::format(R"({{"orderedItems":{},"orderedItems":[]}})", list)) == 0);
}

TEST_CASE("mastodon archives: less than half of what is counted is an error") {
  const std::string good = note(to(fmt::format("\"{}\"", kPublic)), "");
  const std::string other = "null";
  const std::string left_out = note(R"("to":["https://far.example/users/x"],)", "");
  const auto error_of_outbox = [](std::string_view items, int total) {
    const Outbox outbox(fmt::format(R"({{"totalItems":{},"orderedItems":[{}]}})", total, items));
    Handed all;
    return test::complaint_of([&] { hand(outbox.path(), Privacy::kPublic, all); });
  };
  CHECK(error_of_outbox("", 0) == "");
  CHECK(error_of_outbox(good, 2) == "");
  CHECK(error_of_outbox(good + "," + other, 2) == "");
  CHECK(error_of_outbox(left_out, 2) == "");
  for (const auto& [items, total] :
       {std::pair(std::string(), 1), std::pair(good, 3), std::pair(other, 1),
        std::pair(good + "," + other + "," + other, 3)}) {
    CAPTURE(items);
    CHECK(error_of_outbox(items, total).find("less than half") != std::string::npos);
  }
}

TEST_CASE("mastodon archives: other people's words don't stand under one's own name") {
  const std::string everybody = to(fmt::format("\"{}\"", kPublic));
  std::string foreign = note(everybody, everybody);
  const std::size_t at = foreign.rfind(kMe);
  foreign.replace(at, kMe.size(), "https://far.example/users/tomas");
  const Outbox outbox(outbox_of(foreign));
  Handed all;
  hand(outbox.path(), Privacy::kPublic, all);
  CHECK(all.posts.empty());
  CHECK(all.skipped["othersActivities"] == 1);
}

TEST_CASE("Mastodon archive: media without a file stay at their address") {
  const test::TempFolder folder;
  const auto write = [&](const std::string& name, const std::string& text) {
    fs::create_directories((folder.path() / name).parent_path());
    std::ofstream(folder.path() / name, std::ios::binary) << text;
  };
  const std::string actor = fmt::format(R"({{"id":"{}","preferredUsername":"mira"}})", kMe);
  write("a/actor.json", actor);
  const auto note = [](int id, const std::string& url) {
    return fmt::format(
        R"({{"type":"Create","actor":"{}","to":["{}"],"object":{{"type":"Note","id":"https://n/{}",)"
        R"("published":"2024-01-01T00:00:00Z","content":"","to":["{}"],"attachment":[{{)"
        R"("name":"a gull","url":{}}}]}}}})",
        kMe, kPublic, id, kPublic, url);
  };
  write("a/outbox.json",
        R"({"orderedItems":[)" + note(1, R"([{"type":"Link","href":"https://m.example/g.png"}])") +
            "," + note(2, R"("https://m.example/h.png")") + "," + note(3, R"("/gone.png")") + "]}");
  Handed all;
  hand(folder.path() / "a", Privacy::kFollowers, all);
  REQUIRE(all.posts.size() == 2);
  CHECK(all.posts[0].media.at(0).address == "https://m.example/g.png");
  CHECK(all.posts[0].media.at(0).alt_text == "a gull");
  CHECK(all.posts[1].media.at(0).address == "https://m.example/h.png");
  CHECK(all.skipped.at("mediaWithoutFile") == 1);

  write("b/activity-pub/actor.json", actor);
  write("b/activity-pub/outbox.json", R"({"orderedItems":[]})");
  const auto refusal = [&](const char* name) {
    return test::complaint_of([&] { (void)reader_of(Tree((folder.path() / name).string())); });
  };
  CHECK(refusal("b").find("an export of PeerTube") != std::string::npos);
  write("repo.car",
        "\x3a\xa2"
        "eroots\x81");
  CHECK(refusal("repo.car").find("a repository of Bluesky (CAR)") != std::string::npos);
  write("c/notes.txt", "x");
  CHECK(refusal("c").find("It has notes.txt") != std::string::npos);
}

}  // namespace chirp::cli::archive
