// Goal: an archive of an account says the same from a zip, a tar and a folder, and nothing of what
// it must not say; other files are refused. Method: small archives of every kind by hand, quirks of
// real ones among them, read to a list.
#include "cli/load/archive/account_archive.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/error.h"
#include "tests/support/inputs.h"
#include "tests/support/thrown.h"

namespace chirp::cli::archive {
namespace {

using test::InputFiles;
using test::Members;
using Lines = std::vector<std::string>;

// Everything that an archive says, in words.
struct Said {
  Profile profile;
  Lines lines;
  test::Complaints complaints{100};
  load::Words words;
};

std::string line_of(const load::SourcePost& post, const load::Words& words) {
  const auto id = [&](SourceId source) { return text_of(words.key_of(source)); };
  std::string line = fmt::format("{} {} {} \"{}\"", id(post.id), post.created_at.ms / 1000,
                                 name(post.privacy), post.text);
  if (post.reply_to) line += " answers " + id(*post.reply_to);
  if (post.repost_of) line += " repeats " + id(*post.repost_of);
  for (const load::SourceMedium& medium : post.media) {
    line += fmt::format(" with {} ({})", medium.file, medium.link);
    if (!medium.alt_text.empty()) line += fmt::format(" \"{}\"", medium.alt_text);
  }
  for (const load::SourcePost& inner : post.original) line += " [" + line_of(inner, words) + "]";
  CHECK_FALSE(post.author_id);
  return line;
}

void read(Tree& tree, Said& said) {
  const auto reader = reader_of(tree);
  said.profile = reader->profile(tree);
  const Sink sink{
      .post =
          [&](load::SourcePost&& post, const input::InputPlace& /*place*/) {
            for (load::SourcePost& inner : post.original) inner.author_id.reset();
            said.lines.push_back(line_of(post, said.words));
          },
      .like = [&](SourceId id) { said.lines.push_back(fmt::format("likes {}", id.value)); },
      .tie =
          [&](const load::SourceTie& tie) {
            constexpr std::array kWords{"follows", "followed by", "blocks", "mutes"};
            said.lines.push_back(
                fmt::format("{} {}", kWords[static_cast<std::size_t>(tie.tie)], tie.other.value));
          },
      .skip =
          [&](const std::string& kind, std::uint64_t times, std::string_view /*what*/) {
            said.lines.push_back(fmt::format("skips {} {}", times, kind));
          },
      .bad = said.complaints.bad,
      .words = said.words};
  reader->read(tree, sink);
  std::ranges::sort(said.lines);
}

std::string write_folder(const InputFiles& files, const std::string& name, const Members& members) {
  const std::filesystem::path root = files.path() / name;
  std::filesystem::create_directories(root);
  for (const auto& [path, contents] : members) {
    std::filesystem::create_directories((root / path).parent_path());
    std::ofstream(root / path, std::ios::binary) << contents;
  }
  return root.string();
}

Lines lines_of(const Members& members) {
  const InputFiles files;
  Tree tree(write_folder(files, "archive", members));
  Said said;
  read(tree, said);
  CHECK(said.complaints.lines.empty());
  return said.lines;
}

std::string script(std::string_view kind, std::string_view objects) {
  return fmt::format("window.YTD.{}.part0 = [{}]", kind, objects);
}

const std::string kAccount =
    script("account", R"({"account":{"username":"mira","accountId":"501"}})");

std::string tweet(std::uint64_t id, std::string_view more) {
  return fmt::format(
      R"({{"id_str":"{}","full_text":"text","created_at":"Mon Nov 07 09:00:00 +0000 2022"{}}})", id,
      more);
}

}  // namespace

TEST_CASE("archive: a folder, a zip and a tar of it say the same, at any depth") {
  Members members;
  const std::filesystem::path root = CHIRP_SOURCE_DIR "/testdata/archives/twitter-2022";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    members.emplace_back(entry.path().lexically_relative(root).string(),
                         std::string(std::istreambuf_iterator<char>(file), {}));
  }
  Tree folder(root.string());
  Said expected;
  read(folder, expected);
  CHECK(expected.lines.size() > 20);
  CHECK(expected.profile.username == "mira_archive");
  CHECK(expected.profile.id == SourceKey(SourceId{501}));
  CHECK(expected.profile.picture == "data/profile_media/501-face.png");
  const InputFiles files;
  for (const std::string prefix : {"", "./", "home/twitter-2022/"}) {
    CAPTURE(prefix);
    Members moved;
    for (const auto& [path, contents] : members) moved.emplace_back(prefix + path, contents);
    const std::string tar = test::wrapped(moved, test::Wrapping::kTar);
    for (const std::string& path :
         {files.write("zip", test::wrapped(moved, test::Wrapping::kZip)), files.write("tar", tar),
          files.write("tgz", test::packed(tar, test::Packing::kGzip)),
          files.write("txz", test::packed(tar, test::Packing::kXz))}) {
      Tree tree(path);
      Said said;
      read(tree, said);
      std::string all = fmt::format("{}", fmt::join(said.lines, "\n"));
      if (prefix.starts_with("home")) {
        for (std::size_t at = 0; (at = all.find(prefix)) != std::string::npos;) {
          all.erase(at, prefix.size());
        }
      }
      CHECK(all == fmt::format("{}", fmt::join(expected.lines, "\n")));
    }
  }
}

TEST_CASE("archive: secrets, deleted tweets and tweets for circles are counted and never shown") {
  const Lines lines = lines_of(
      {{"data/account.js", kAccount},
       {"data/direct-messages.js",
        script(
            "direct_messages",
            R"({"dmConversation":{"messages":[{"messageCreate":{"text":"a \"messageCreate\" x"}}]}})")},
       {"data/direct-message.js",
        script("direct_message", R"({"dmConversation":{"messages":[]}})")},
       {"data/deleted-tweets.js", script("deleted_tweets", R"({"tweet":{"full_text":"gone"}})")},
       {"data/twitter-circle-tweet.js",
        script("twitter_circle_tweet", R"({"tweet":{"full_text":"for some"}})")},
       {"data/direct-message-headers.js", script("direct_message_headers", "")},
       {"data/ip-audit.js", script("ip_audit", "")},
       {"data/deeper/tweets.js", script("tweets", tweet(9, ""))}});
  CHECK(lines == Lines{"skips 1 circleTweets", "skips 1 deletedTweets", "skips 1 directMessages",
                       "skips 1 otherFiles"});
}

TEST_CASE("archive: tweets of all years, wrapped and bare, in parts") {
  CHECK(lines_of({{"account.js", kAccount},
                  {"tweet.js", "window.YTD.tweet.part0 = [ " + tweet(1, "") + " ]"},
                  {"tweets-part1.js",
                   "window.YTD.tweets.part1=[{\"tweet\":" +
                       tweet(2, R"(,"in_reply_to_status_id":"1","retweeted":false)") + "}]"}}) ==
        Lines{"1 1667811600 public \"text\"", "2 1667811600 public \"text\" answers 1"});
}

TEST_CASE("archive: tweets of an account that is protected now are for followers only") {
  const auto history = [](std::string_view first, std::string_view last) {
    return script(
        "protected_history",
        fmt::format(
            R"({{"protectedHistory":{{"protectedAt":"2016-01-01T10:00:00.000Z","action":"{}"}}}},)"
            R"({{"protectedHistory":{{"protectedAt":"2015-01-01T10:00:00.000Z","action":"{}"}}}})",
            last, first));
  };
  const auto told = [&](const std::string& said) {
    return lines_of({{"data/account.js", kAccount},
                     {"data/protected-history.js", said},
                     {"data/tweets.js", script("tweets", tweet(1, ""))}});
  };
  CHECK(told(history("Unprotect", "Protect")) == Lines{"1 1667811600 followers \"text\""});
  CHECK(told(history("Protect", "Unprotect")) == Lines{"1 1667811600 public \"text\""});
}

TEST_CASE("archive: links are whole unless they make the text too long") {
  const auto linked = [](const std::string& address) {
    return lines_of(
        {{"data/account.js", kAccount},
         {"data/tweets.js",
          script(
              "tweets",
              fmt::format(
                  R"({{"id_str":"1","full_text":"&lt;a&gt; t.co/x","created_at":"2022-11-07 09:00:00 +0000","entities":{{"urls":[{{"url":"t.co/x","expanded_url":"{}"}}]}}}})",
                  address))}});
  };
  CHECK(linked("http://b.example/?c&d") ==
        Lines{"1 1667811600 public \"<a> http://b.example/?c&d\""});
  CHECK(linked(std::string(997, 'x')) == Lines{"1 1667811600 public \"<a> t.co/x\""});
}

TEST_CASE("archive: media are found by the tweet's id, of videos any size") {
  const std::string video = tweet(
      7,
      R"(,"extended_entities":{"media":[{"url":"t.co/v","media_url":"http://p.example/still.jpg",)"
      R"("video_info":{"variants":[{"url":"http://v.example/a/320.mp4?tag=1"},)"
      R"({"url":"http://v.example/a/640.mp4?tag=1"}]}}]})");
  CHECK(lines_of({{"data/account.js", kAccount},
                  {"data/tweet_media/7-640.mp4", "x"},
                  {"data/tweets.js", script("tweets", video)}}) ==
        Lines{"7 1667811600 public \"text\" with data/tweet_media/7-640.mp4 (t.co/v)"});
  CHECK(lines_of({{"data/account.js", kAccount}, {"data/tweets.js", script("tweets", video)}}) ==
        Lines{"7 1667811600 public \"text\"", "skips 1 mediaWithoutFile"});
}

TEST_CASE("archive: what media show, in words, comes with them, each its own") {
  const std::string pictures = tweet(
      7,
      R"(,"extended_entities":{"media":[)"
      R"({"url":"t.co/p","media_url":"http://p.example/a.png","ext_alt_text":"A tern & its nest"},)"
      R"({"url":"t.co/p","media_url":"http://p.example/b.png","ext_alt_text":null},)"
      R"({"url":"t.co/p","media_url":"http://p.example/c.png","ext_alt_text":"A quay"}]})");
  CHECK(lines_of({{"data/account.js", kAccount},
                  {"data/tweets_media/7-a.png", "x"},
                  {"data/tweets_media/7-b.png", "x"},
                  {"data/tweets_media/7-c.png", "x"},
                  {"data/tweets.js", script("tweets", pictures)}}) ==
        Lines{"7 1667811600 public \"text\" with data/tweets_media/7-a.png (t.co/p) \"A tern & its "
              "nest\" with data/tweets_media/7-b.png (t.co/p) with data/tweets_media/7-c.png "
              "(t.co/p) \"A quay\""});
}

TEST_CASE("archive: what can't tell whether the account was protected makes nothing public") {
  for (
      const std::string& history :
      {std::string("window.YTD.protected_history.part0 = [ {"), std::string("text"), std::string(),
       script("protected_history", R"({"protectedHistory":{"action":"Unprotect"}})"),
       script("protected_history", "7"),
       script(
           "protected_history",
           R"({"protectedHistory":{"protectedAt":"2016-01-01T10:00:00.000Z","action":"Hide"}})")}) {
    CAPTURE(history);
    const InputFiles files;
    Tree tree(write_folder(files, "archive",
                           {{"data/account.js", kAccount},
                            {"data/protected-history.js", history},
                            {"data/tweets.js", script("tweets", tweet(1, ""))}}));
    Said said;
    read(tree, said);
    REQUIRE(!said.lines.empty());
    CHECK(said.lines[0] == "1 1667811600 followers \"text\"");
    REQUIRE(said.complaints.lines.size() == 1);
    CHECK(said.complaints.lines[0].find("(data/protected-history.js):1: ") != std::string::npos);
  }
  CHECK(lines_of({{"data/account.js", kAccount},
                  {"data/protected-history.js", script("protected_history", "")},
                  {"data/tweets.js", script("tweets", tweet(1, ""))}}) ==
        Lines{"1 1667811600 public \"text\""});
}

TEST_CASE("archive: of a retweet its original comes with its author, if all might see it") {
  const auto retweet = [](std::string_view user) {
    return lines_of(
        {{"data/js/user_details.js", R"(var user_details = {"id":"5","screen_name":"olek"})"},
         {"data/js/tweets/2013_05.js",
          fmt::format(R"(Grailbird.data.tweets_2013_05 = [{{"id_str":"1","text":"RT @bob: words",)"
                      R"("created_at":"2013-05-31 22:29:28 +0000","retweeted_status":)"
                      R"({{"id_str":"2","text":"words","created_at":"2013-05-30 22:29:28 +0000",)"
                      R"("user":{}}}}}])",
                      user)}});
  };
  CHECK(retweet(R"({"id_str":"9","screen_name":"bob","protected":false})") ==
        Lines{"1 1370039368 public \"RT @bob: words\" repeats 2 [2 1369952968 public \"words\"]"});
  CHECK(retweet(R"({"id_str":"9","screen_name":"bob","protected":true})") ==
        Lines{"1 1370039368 private \"RT @bob: words\" repeats 2", "skips 1 protectedOriginals"});
  // Whoever is called bob here may be another.
  CHECK(retweet(R"({"screen_name":"bob"})") ==
        Lines{"1 1370039368 public \"RT @bob: words\" repeats 2", "skips 1 namelessOriginals"});
}

TEST_CASE("archive: before 2019, each tweet says whether it is for followers") {
  const InputFiles files;
  Tree tree(CHIRP_SOURCE_DIR "/testdata/archives/twitter-2013");
  Said said;
  read(tree, said);
  CHECK(said.profile.username == "olek_archive");
  CHECK(said.profile.display_name == "Olek W\u00F3jcik");
  CHECK(said.lines ==
        Lines{"340600000000000001 1370030400 public \"Nets: http://example.org/nets\"",
              "340600000000000002 1370034000 public \"and a second one, to myself\" answers "
              "340600000000000001",
              "340600000000000003 1370039368 public \"RT @bob_archive: Tide tables & bread at the "
              "ha\u2026\" repeats 340600000000000000 [340600000000000000 1369944000 public \"Tide "
              "tables & bread at the harbour\"]",
              "341000000000000001 1370080800 followers \"Only for those who follow me\""});
}

TEST_CASE("archive: bad entries are reported with file and line, and the others are read") {
  const InputFiles files;
  Tree tree(write_folder(
      files, "archive",
      {{"data/account.js", kAccount},
       {"data/like.js",
        script("like", "\n{\"like\":{\"tweetId\":\"\"}},null,{\"like\":{\"tweetId\":\"8\"}}")},
       {"data/block.js", script("block", "7,{\"blocking\":{\"accountId\":\"9\"}}")},
       {"data/tweets.js", script("tweets", "\n" + tweet(1, "") +
                                               ",\n{\"tweet\":{\"id_str\":\"2\"}},"
                                               "\n{\"broken\":")}}));
  Said said;
  read(tree, said);
  CHECK(said.lines == Lines{"1 1667811600 public \"text\"", "blocks 9", "likes 8"});
  const std::array wanted{
      "(data/block.js):1: not one JSON object", "(data/like.js):2: no id",
      "(data/like.js):2: not one JSON object",  "(data/tweets.js):3: ",
      "(data/tweets.js):4: not valid JSON",     "(data/tweets.js):4: expected an object"};
  REQUIRE(said.complaints.lines.size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    CHECK(said.complaints.lines[i].find(wanted[i]) != std::string::npos);
  }
}

TEST_CASE("archive: a file with a known name that is not such a script is reported as bad") {
  const InputFiles files;
  int number = 0;
  for (const char* const file :
       {"data/tweets.js", "data/tweet.js", "data/tweets-part1.js", "data/like.js",
        "data/following.js", "data/follower.js", "data/block.js", "data/mute.js",
        "data/note-tweet.js", "data/js/tweets/2013_05.js"}) {
    for (const char* const contents : {"", R"([{"id_str":"1"}])", "<html>"}) {
      CAPTURE(file);
      CAPTURE(contents);
      const bool older = std::string_view(file).starts_with("data/js/");
      const auto account = older ? std::pair<std::string, std::string>{"data/js/user_details.js",
                                                                       "var user_details = {}"}
                                 : std::pair{std::string("data/account.js"), kAccount};
      Tree tree(write_folder(files, fmt::format("{}", ++number), {account, {file, contents}}));
      Said said;
      read(tree, said);
      CHECK(said.lines.empty());
      REQUIRE(said.complaints.lines.size() == 1);
      CHECK(said.complaints.lines[0].find(fmt::format("({}):1: no script", file)) !=
            std::string::npos);
    }
  }
}

TEST_CASE("archive: what is of no kind is refused, and so is what can't be read twice") {
  const InputFiles files;
  for (const Members& members :
       {Members{{"readme.txt", "text"}}, Members{{"account.js", "export default {}"}},
        Members{{"tweets.csv", "id,text\n"}}}) {
    const Tree tree(write_folder(files, members.front().first + ".d", members));
    const Error error = test::error_of([&] { (void)reader_of(tree); });
    CHECK(error.code() == ErrorCode::kBadInput);
    CHECK(std::string_view(error.what()).find("no archive of an account") !=
          std::string_view::npos);
  }
  CHECK(test::error_of([] { const Tree tree("-"); }).code() == ErrorCode::kBadInput);
  const std::string plain = files.write("plain", "text");
  CHECK(test::error_of([&] { const Tree tree(plain); }).code() == ErrorCode::kBadInput);
}

TEST_CASE("archive: more than one in a folder is refused, and none of them is skipped") {
  const Members twitter{{"data/account.js", kAccount}};
  const Members older{{"data/js/user_details.js", R"(var user_details = {"id":"5"})"}};
  const Members mastodon{{"actor.json", R"({"id":"https://a.example/u","preferredUsername":"u"})"},
                         {"outbox.json", R"({"orderedItems":[]})"}};
  const InputFiles files;
  int number = 0;
  const auto complaint = [&](const Members& one, const Members& other, const std::string& folder) {
    Members members = one;
    for (const auto& [path, contents] : other) members.emplace_back(folder + path, contents);
    const Tree tree(write_folder(files, fmt::format("{}", ++number), members));
    return std::string(test::error_of([&] { (void)reader_of(tree); }).what());
  };
  for (const Members& one : {twitter, older, mastodon}) {
    for (const Members& other : {twitter, older, mastodon}) {
      CHECK(complaint(one, other, "deeper/").find("more than one archive") != std::string::npos);
      if (one.front() == other.front()) continue;
      CHECK(complaint(one, other, "").find("more than one archive") != std::string::npos);
    }
  }
  // A program's file and a list by itself are no archives.
  CHECK(lines_of({{"data/account.js", kAccount},
                  {"web/account.js", "export default {}"},
                  {"more/actor.json", "{}"},
                  {"data/tweets.js", script("tweets", tweet(1, ""))}}) ==
        Lines{"1 1667811600 public \"text\""});
}

}  // namespace chirp::cli::archive
