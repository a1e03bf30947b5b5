// Goal: the whole text of a long tweet comes with the tweet it belongs to and with no other, and
// what belongs to none, or can't be kept, is counted. Method: tweets and long texts by hand, at
// one time and another, with the ways in which a beginning differs from its whole.
#include "cli/load/archive/long_tweets.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "cli/load/archive/account_archive.h"
#include "tests/support/inputs.h"
#include "tests/support/temp_folder.h"

namespace chirp::cli::archive::long_tweets_test {
namespace {

using Texts = std::vector<std::string>;

// 120 characters, and so many more of them.
std::string words(std::string_view last) {
  return std::string(120, 'w') + " and then it goes on " + std::string(last);
}

std::string tweet(std::uint64_t id, std::string_view text, std::string_view more = "",
                  std::string_view second = "09") {
  return fmt::format(
      R"({{"tweet":{{"id_str":"{}","full_text":"{}","created_at":"Mon Nov 07 09:00:{} +0000 2022"{}}}}})",
      id, text, second, more);
}

std::string note(std::string_view id, std::string_view text, std::string_view urls = "",
                 std::string_view time = "2022-11-07T09:00:09.000Z") {
  return fmt::format(
      R"({{"noteTweet":{{"noteTweetId":"{}","createdAt":"{}","core":{{"text":"{}","urls":[{}]}}}}}})",
      id, time, text, urls);
}

struct Read {
  Texts texts;  // of the tweets, by id
  std::map<std::string, std::uint64_t> skipped;
};

Read read(std::string_view tweets, std::string_view notes, const Texts& media = {}) {
  const test::TempFolder folder;
  const auto write = [&](const std::string& name, std::string_view text) {
    std::filesystem::create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary) << text;
  };
  write("data/account.js",
        R"(window.YTD.account.part0 = [{"account":{"username":"mira","accountId":"5"}}])");
  write("data/tweets.js", fmt::format("window.YTD.tweets.part0 = [{}]", tweets));
  write("data/note-tweet.js", fmt::format("window.YTD.note_tweet.part0 = [{}]", notes));
  for (const std::string& file : media) write("data/tweets_media/" + file, "x");
  Tree tree(folder.path().string());
  test::Complaints complaints(0);
  load::Words words;
  std::map<std::uint64_t, std::string> texts;
  Read all;
  const Sink sink{
      .post = [&](load::SourcePost&& post,
                  const input::InputPlace&) { texts[post.id.value] = std::move(post.text); },
      .like = [](SourceId) {},
      .tie = [](const load::SourceTie&) {},
      .skip = [&](const std::string& kind, std::uint64_t times,
                  std::string_view) { all.skipped[kind] += times; },
      .bad = complaints.bad,
      .words = words};
  reader_of(tree)->read(tree, sink);
  for (auto& [id, text] : texts) all.texts.push_back(std::move(text));
  return all;
}

}  // namespace

TEST_CASE("long tweets: the whole text replaces the beginning, with or without its sign") {
  for (const char* sign : {"", "\u2026", " \u2026", " "}) {
    CAPTURE(sign);
    const Read all = read(tweet(1, words("") + sign), note("77", words("to its end")));
    CHECK(all.texts == Texts{words("to its end")});
    CHECK(all.skipped.empty());
  }
  // Short, but it says that it goes on.
  CHECK(read(tweet(1, "Nets\u2026"), note("77", "Nets and ropes")).texts ==
        Texts{"Nets and ropes"});
}

TEST_CASE("long tweets: a time or a beginning that differs is of another tweet") {
  const std::string whole = words("to its end");
  for (const std::string& other :
       {note("77", whole, "", "2022-11-07T09:00:12.000Z"),
        note("77", whole, "", "2022-11-07T09:00:07.000Z"), note("77", whole, "", ""),
        note("77", "v" + whole), note("77", ""), note("77", whole) + "," + note("78", whole)}) {
    CAPTURE(other);
    const Read all = read(tweet(1, words("\u2026")), other);
    CHECK(all.texts == Texts{words("\u2026")});
    CHECK(all.skipped == std::map<std::string, std::uint64_t>{
                             {"noteTweets", other.find("78") == std::string::npos ? 1 : 2}});
  }
  // The millisecond of the one, the second of the other.
  CHECK(read(tweet(1, words("\u2026")), note("77", whole, "", "2022-11-07T09:00:10.400Z")).texts ==
        Texts{whole});
  // A short tweet that happens to begin so is whole itself.
  const Read all = read(tweet(1, "Nets"), note("77", "Nets and ropes"));
  CHECK(all.texts == Texts{"Nets"});
  CHECK(all.skipped.at("noteTweets") == 1);
}

TEST_CASE("long tweets: of two of one second each takes its own") {
  const Read all = read(tweet(1, "a" + words("\u2026")) + "," + tweet(2, "b" + words("\u2026")),
                        note("77", "b" + words("B")) + "," + note("78", "a" + words("A")));
  CHECK(all.texts == Texts{"a" + words("A"), "b" + words("B")});
  CHECK(all.skipped.empty());
}

TEST_CASE("long tweets: mentions, links and escapes differ, and the text is the same") {
  const Read answer = read(tweet(1, "@bob @yuki " + words("\u2026")), note("77", words("on")));
  CHECK(answer.texts == Texts{"@bob @yuki " + words("on")});
  const Read linked = read(
      tweet(1, "See t.co/old " + words("\u2026"),
            R"(,"entities":{"urls":[{"url":"t.co/old","expanded_url":"http://a.example/nets"}]})"),
      note("77", "See t.co/new " + words("t.co/two"),
           R"({"shortUrl":"t.co/new","expandedUrl":"http://a.example/nets"},)"
           R"({"shortUrl":"t.co/two","expandedUrl":"http://b.example/"})"));
  CHECK(linked.texts == Texts{"See http://a.example/nets " + words("http://b.example/")});
  const Read escaped =
      read(tweet(1, "a &lt; b " + words("\u2026")), note("77", "a &lt; b " + words("x &amp; y")));
  CHECK(escaped.texts == Texts{"a < b " + words("x & y")});
  const Read plain = read(tweet(1, "a &amp;lt; b " + words("\u2026")),
                          note("77", "a &lt; b " + words("x &amp; y")));
  CHECK(plain.texts == Texts{"a &lt; b " + words("x &amp; y")});
}

TEST_CASE("long tweets: links to media stand behind the text, and go where the file is kept") {
  const std::string beginning =
      tweet(1, words("\u2026 t.co/pic"),
            R"(,"entities":{"media":[{"url":"t.co/pic","media_url":"http://p.example/a.png"}]})");
  CHECK(read(beginning, note("77", words("on"))).texts == Texts{words("on") + " t.co/pic"});
  CHECK(read(beginning, note("77", words("on")), {"1-a.png"}).texts == Texts{words("on")});
}

TEST_CASE("long tweets: one that is too long for a post leaves the beginning, and is counted") {
  const std::string most(1000 - words("").size(), 'x');
  CHECK(read(tweet(1, words("\u2026")), note("77", words(most))).texts == Texts{words(most)});
  const Read all = read(tweet(1, words("\u2026")), note("77", words(most + "x")));
  CHECK(all.texts == Texts{words("\u2026")});
  CHECK(all.skipped == std::map<std::string, std::uint64_t>{{"longTweetsCut", 1}});
}

}  // namespace chirp::cli::archive::long_tweets_test
