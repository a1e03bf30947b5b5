// Goal: posts are read from every format for what they say, and names on the way.
// Method: small texts in each format, with the quirks of real archives; pieces of odd sizes.
#include "cli/input/posts.h"

#include <doctest/doctest.h>

#include "core/error.h"
#include "tests/support/inputs.h"

namespace chirp::cli::input::posts_test {
namespace {

using namespace chirp::test;

struct Read {
  std::vector<load::SourcePost> posts;
  std::vector<load::SourceUser> users;
  std::vector<std::string> complaints;
  PostsRead result;
};

Read read(const std::string& text, PostFormat format = PostFormat::kAuto,
          std::uint64_t most_bad = 0, Unknown unknown = Unknown::kRefused,
          std::size_t step = 1 << 16) {
  Read all;
  Complaints complaints(most_bad);
  const PostSink sink{
      .post = [&](load::SourcePost&& post, const InputPlace&) -> std::optional<std::string> {
        if (post.text == "refuse me") return "refused";
        all.posts.push_back(std::move(post));
        return std::nullopt;
      },
      .user = [&](load::SourceUser&& user) { all.users.push_back(std::move(user)); }};
  OpenText open(text, step);
  PostReader reader(format, complaints.bad, sink);
  all.result = reader.read(open.buffer(), "f", unknown);
  all.complaints = complaints.lines;
  CHECK(all.result.posts == all.posts.size());
  CHECK(all.result.users == all.users.size());
  return all;
}

std::string complaint(const std::string& text, PostFormat format = PostFormat::kAuto) {
  return complaint_of([&] { read(text, format); });
}

constexpr Time kTime{1'462'306'917'000};

// A tweet as Twitter's API gives it, laid out over lines.
constexpr const char* kTweet = R"({
  "created_at": "Tue May 03 20:21:57 +0000 2016",
  "entities": {"hashtags": [{"text": "not this"}], "urls": []},
  "favorited": false, "geo": null, "id": 727592000000000001, "id_str": "727592000000000001",
  "text": "Cats &amp; dogs\n\ud83d\ude00 \"]}\"",
  "user": {"id": 236479311, "id_str": "236479311"}
})";

}  // namespace

TEST_CASE("posts: JSON Lines under our names and the usual others") {
  for (
      const char* line :
      {R"({"id":"7","authorId":"9","author":"mira","text":"hi","createdAt":"2016-05-03T20:21:57Z"})",
       R"({"id":7,"user_id":9,"username":"@mira","content":"hi","timestamp":1462306917})",
       R"({"tweet_id":"7","author_id":"9","screen_name":"mira","tweet":"hi","date":1462306917000})",
       R"({"id":7,"user":{"id":9,"username":"mira"},"full_text":"hi","created":1462306917.0})",
       R"({"x":[1,{"id":5}],"id":7,"ID_STR":"7","Author-Id":9,"Author":"mira","text":"hi",)"
       R"("created_at":"Tue May 03 20:21:57 +0000 2016","text_":null})"}) {
    CAPTURE(line);
    const Read all = read(std::string(line) + "\n");
    REQUIRE(all.posts.size() == 1);
    const load::SourcePost& post = all.posts.front();
    CHECK(post.id == SourceId{7});
    CHECK(post.author_id == SourceId{9});
    CHECK(post.username == "mira");
    CHECK(post.text == "hi");
    CHECK(post.created_at == kTime);
  }
}

TEST_CASE("posts: JSON Lines in pieces, with CR LF, blank lines and a byte order mark") {
  const std::string row = R"({"id":1,"author":"a","text":"x","createdAt":1462306917})";
  for (const unsigned step : {1u, 3u, 50u, 1000u}) {
    const Read all = read("\xEF\xBB\xBF" + row + "\r\n\n" + row + "\r\n" + row, PostFormat::kAuto,
                          0, Unknown::kRefused, step);
    CHECK(all.posts.size() == 3);
    CHECK_FALSE(all.posts.front().author_id);
  }
  CHECK(read("").posts.empty());
  CHECK(read("\n\n").posts.empty());
}

TEST_CASE("posts: ids above 2^53 keep their value") {
  const Read all = read(
      R"({"id":9007199254740993,"authorId":9223372036854775807,"text":"x","createdAt":1462306917})");
  REQUIRE(all.posts.size() == 1);
  CHECK(all.posts[0].id.value == 9'007'199'254'740'993u);
  CHECK(all.posts[0].author_id->value == 9'223'372'036'854'775'807u);
}

TEST_CASE("posts: an array of tweets, escapes undone") {
  const std::string text = std::string("[\n") + kTweet + ",\n" + kTweet + "\n]\n";
  for (const unsigned step : {1u, 2u, 17u, 100'000u}) {
    const Read all = read(text, PostFormat::kAuto, 0, Unknown::kRefused, step);
    REQUIRE(all.posts.size() == 2);
    CHECK(all.posts[1].id.value == 727'592'000'000'000'001u);
    CHECK(all.posts[1].author_id == SourceId{236'479'311});
    CHECK(all.posts[1].text == "Cats & dogs\n\xF0\x9F\x98\x80 \"]}\"");
    CHECK(all.posts[1].created_at == kTime);
  }
  CHECK(read("[]").posts.empty());
  CHECK(read(" [ ]\n").posts.empty());
  CHECK(read(std::string(kTweet) + "\n" + kTweet).posts.size() == 2);  // one after the other
}

TEST_CASE("posts: by default, escapes are undone only in Twitter's objects") {
  const std::string ours = R"({"id":1,"author":"a","text":"&amp;","createdAt":1462306917})";
  CHECK(read(ours).posts.at(0).text == "&amp;");
  CHECK(read(ours, PostFormat::kTwitter).posts.at(0).text == "&");
  CHECK(read(kTweet, PostFormat::kTwitter).posts.at(0).text.starts_with("Cats & dogs"));
  const std::string line =
      R"({"id_str":"1","user":{"id":2},"text":"&lt;","created_at":1462306917})";
  CHECK(read(line).posts.at(0).text == "<");
  CHECK(read(line, PostFormat::kJsonLines).posts.at(0).text == "&lt;");
}

TEST_CASE("posts: the whole text is taken from where it is") {
  const std::string head = R"({"id_str":"1","user":{"id":2},"created_at":1462306917,"text":"cut…")";
  CHECK(read(head + R"(,"full_text":"whole"})").posts.at(0).text == "whole");
  CHECK(read(head + R"(,"extended_tweet":{"full_text":"whole"}})").posts.at(0).text == "whole");
  CHECK(read(head + "}").posts.at(0).text == "cut…");
}

TEST_CASE("posts: retweets bring what they repeat, replies name what they answer") {
  const std::string head = R"({"id_str":"9","user":{"id":2},"created_at":1462306917,"text":"RT")";
  const std::string inner =
      R"("id_str":"3","user":{"id":4,"screen_name":"mira"},"created_at":1462306900)";
  const load::SourcePost post = read(head + R"(,"retweeted_status":{)" + inner +
                                     R"(,"in_reply_to_status_id_str":"1","text":"a &lt; b"}})")
                                    .posts.at(0);
  CHECK(post.text == "RT");
  CHECK(post.original_problem.empty());
  CHECK(post.repost_of == SourceId{3});
  CHECK_FALSE(post.reply_to);
  REQUIRE(post.original.size() == 1);
  CHECK(post.original[0].id == SourceId{3});
  CHECK(post.original[0].author_id == SourceId{4});
  CHECK(post.original[0].username == "mira");
  CHECK(post.original[0].created_at == Time{1'462'306'900'000});
  CHECK(post.original[0].text == "a < b");
  CHECK(post.original[0].reply_to == SourceId{1});

  // Without a time or an author it is no post of its own, and still named.
  for (const char* part : {R"({"id":3,"text":"c"})", R"({"id_str":"3"})",
                           R"({"id":3,"user":{"id":"x"},"created_at":1,"text":"c"})"}) {
    CAPTURE(part);
    const auto bare = read(head + R"(,"retweeted_status":)" + part + "}").posts.at(0);
    CHECK(bare.repost_of == SourceId{3});
    CHECK(bare.original.empty());
    CHECK(bare.text == "RT");
  }
  const auto reply = read(head +
                          R"(,"in_reply_to_status_id":727592000000000001,)"
                          R"("in_reply_to_status_id_str":"727592000000000001",)"
                          R"("in_reply_to_user_id":5,"quoted_status":{)" +
                          inner + R"(,"text":"q"}})")
                         .posts.at(0);
  CHECK(reply.reply_to == SourceId{727'592'000'000'000'001u});
  CHECK_FALSE(reply.repost_of);  // a quote is a plain post
  CHECK(reply.original.empty());
  // Nobody answers or repeats their own words.
  for (const char* link :
       {R"("in_reply_to_status_id":null)", R"("inReplyToId":"")", R"("replyTo":"9")",
        R"("repostOf":"9")", R"("retweeted_status":{"id":9})", R"("replyTo":"NaN")"}) {
    CAPTURE(link);
    const auto plain = read(head + "," + link + "}").posts.at(0);
    CHECK_FALSE(plain.reply_to);
    CHECK_FALSE(plain.repost_of);
    CHECK(plain.original.empty());
  }
  const auto rows = read(
                        "id,user_id,text,created_at,in_reply_to_status_id,retweeted_status_id\n"
                        "1,2,a,1462306917,,\n2,2,b,1462306917,1,\n3,2,c,1462306917,,1\n"
                        "4,2,d,1462306917,nan,4\n")
                        .posts;
  REQUIRE(rows.size() == 4);
  CHECK(rows[1].reply_to == SourceId{1});
  CHECK(rows[2].repost_of == SourceId{1});
  CHECK_FALSE(rows[3].reply_to);
  CHECK_FALSE(rows[3].repost_of);
}

TEST_CASE("posts: what is inside of a retweet is its author's words alone") {
  const std::string head = R"({"id_str":"9","user":{"id":2},"created_at":1462306917,)";
  const std::string inner = R"("retweeted_status":{"id_str":"3","user":{"id":4},)";
  const auto one = [&](const std::string& text, const std::string& rest) {
    return read(head + text + inner + rest + "}}").posts.at(0);
  };
  const std::string own = R"("text":"RT @bob: cut…",)";
  const auto good = one(own, R"("text":"cut short","created_at":"2013-05-31 09:00:00 +0000")");
  CHECK(good.text == "RT @bob: cut…");
  CHECK(good.original_problem.empty());
  REQUIRE(good.original.size() == 1);
  CHECK(good.original[0].text == "cut short");
  CHECK(good.original[0].created_at == Time{1'369'990'800'000});

  const auto bad = one(own, R"("text":"cut short","created_at":"soon")");
  CHECK(bad.text == "RT @bob: cut…");
  CHECK(bad.original.empty());
  CHECK(bad.original_problem.find("\"soon\"") != std::string::npos);
  CHECK(one(own, R"("text":"x","created_at":1,"retweeted_status":{"id":4})").original_problem !=
        "");
  CHECK(one(own, R"("text":"x")").original_problem == "no creation time");
  CHECK(one(own, R"("lang":"en")").original_problem.empty());  // it only names the other post

  // Words without a mark of whose they are, or none at all: there is nothing of one's own.
  for (const char* time : {"\"soon\"", "1462306900"}) {
    for (const char* text : {"", R"("text":"same",)"}) {
      CHECK(one(text, R"("text":"same","created_at":)" + std::string(time)).text.empty());
    }
  }
}

TEST_CASE("posts: users inside and among the posts give names") {
  const Read all =
      read(R"({"id_str":"1","text":"x","created_at":1462306917,"user":{"id_str":"2","id":2,)"
           R"("screen_name":"Mira","name":"Mira &amp; Co","description":"d"}})"
           "\n"
           R"({"id":5,"screen_name":"Tomas","name":"T","description":"b","status":{"text":"no"}})"
           "\n");
  REQUIRE(all.posts.size() == 1);
  CHECK(all.posts[0].author_id == SourceId{2});
  CHECK(all.posts[0].username == "Mira");
  CHECK(all.posts[0].display_name == "Mira & Co");
  CHECK(all.posts[0].bio == "d");
  CHECK(all.users == std::vector<load::SourceUser>{{SourceId{5}, "Tomas", "T", "b"}});
}

TEST_CASE("posts: CSV with quotes, line ends in cells and columns in any order") {
  const std::string text =
      "more,createdAt,text,author,id\r\n"
      "1,2016-05-03T20:21:57Z,\"a, \"\"b\"\"\r\nc\",mira,7\r\n"
      "\r\n"
      "2,1462306917,plain &amp; simple,@tomas,8\r\n";
  for (const unsigned step : {1u, 2u, 11u, 5000u}) {
    const Read all = read(text, PostFormat::kAuto, 0, Unknown::kRefused, step);
    REQUIRE(all.posts.size() == 2);
    CHECK(all.posts[0].text == "a, \"b\"\nc");
    CHECK(all.posts[0].username == "mira");
    CHECK(all.posts[0].created_at == kTime);
    CHECK(all.posts[1].id == SourceId{8});
    CHECK(all.posts[1].username == "tomas");
    CHECK(all.posts[1].text == "plain &amp; simple");
  }
  CHECK(read("id\tuser_id\ttweet\tdate\n1\t2\tsay \"hi\"\t1462306917\n").posts.at(0).text ==
        "say \"hi\"");
  CHECK(read("id;user_id;tweet;date\n1;2; x ;1462306917").posts.at(0).text == " x ");
}

TEST_CASE("posts: a bad line is named, and the next one is read") {
  const std::string good = R"({"id":1,"author":"a","text":"x","createdAt":1462306917})"
                           "\n";
  for (const char* bad :
       {R"({"id":1,"author":"a","text":"x","createdAt":14623)", "{\"id\":1,", "nonsense",
        R"({"author":"a","text":"x","createdAt":1})", R"({"id":-1,"text":"x","createdAt":1})",
        R"({"id":"x","text":"x","createdAt":1})", R"({"id":9223372036854775808,"text":"x"})",
        R"({"id":1.5,"text":"x","createdAt":1})", R"({"id":1,"text":"x"})",
        R"({"id":1,"text":"x","createdAt":"soon"})", R"({"id":1,"createdAt":1})",
        R"({"id":1,"authorId":"x","text":"x","createdAt":1})", "{\"id\":1,\"text\":\"\xFF\"}",
        R"({"id":1,"author":"a","text":"refuse me","createdAt":1})", R"([1,2])", R"({"a":1})",
        "{\"id\":1,\"text\":\"\xED\xA0\x80\"}", R"({"id":1,"text":"\ud800"})"}) {
    CAPTURE(bad);
    const std::string text = good + bad + "\n" + good;
    CHECK(complaint(text).starts_with("f:2: "));
    const Read all = read(text, PostFormat::kAuto, 1);
    CHECK(all.posts.size() == 2);
    CHECK(all.complaints.size() == 1);
  }
}

TEST_CASE("posts: a post without text is not taken for a user") {
  for (const char* lost : {R"({"id":8403,"author":"typo","tekst":"lost","createdAt":"2020-01-01"})",
                           R"({"id":2,"author":"a","text":null,"createdAt":"2020-01-01"})",
                           R"({"id":2,"username":"a","text":null,"createdAt":"2020-01-01"})",
                           R"({"id":2,"user":"a","tekst":"lost","createdAt":"2020-01-01"})",
                           R"({"id":2,"username":"a","user_id":3,"createdAt":"2020-01-01"})",
                           R"({"id":2,"screen_name":"a","replyTo":1,"createdAt":"2020-01-01"})"}) {
    CAPTURE(lost);
    CHECK(complaint(lost) == "f:1: no text");
  }
  CHECK(complaint(R"({"id":8403,"author":"typo","tekst":"lost"})").starts_with("f:1: not a post"));
  const Read users =
      read(R"({"id":2,"screen_name":"a","name":"A","description":"b","created_at":"2020-01-01"})"
           "\n"
           R"({"id":3,"username":"b"})"
           "\n"
           R"({"userId":"4","username":"c","createdAt":"2020-01-01"})");
  CHECK(users.users.size() == 3);
  CHECK(users.posts.empty());
}

TEST_CASE("posts: a repost may be without a text, and say what it repeats as the API does") {
  for (const char* part : {R"("repostOf":1)", R"("text":"","repostOf":{"postId":"1"})",
                           R"("text":null,"repostOf":"1")", R"("retweeted_status":{"id":1})"}) {
    CAPTURE(part);
    const Read all =
        read(R"({"id":4,"author":"s","createdAt":"2020-01-01",)" + std::string(part) + "}");
    REQUIRE(all.posts.size() == 1);
    CHECK(all.posts[0].repost_of == SourceId{1});
    CHECK(all.posts[0].text.empty());
    CHECK(all.posts[0].original.empty());
  }
}

TEST_CASE("posts: what should name another post, and does not, is no plain post") {
  for (const char* link : {R"("repostOf":{"id":"xyz"})", R"("repostOf":{"name":1})",
                           R"("repostOf":[10])", R"("replyTo":{"id":10})", R"("replyTo":[10])"}) {
    CAPTURE(link);
    CHECK(complaint(R"({"id":4,"author":"s","text":"RT hi","createdAt":"2020-01-01",)" +
                    std::string(link) + "}")
              .starts_with("f:1: "));
  }
}

TEST_CASE("posts: a bad object in an array is skipped, a broken array ends there") {
  const std::string good = R"({"id":1,"author":"a","text":"x","createdAt":1462306917})";
  Read all = read("[" + good + ",\n{\"id\":},\n" + good + "]", PostFormat::kAuto, 1);
  CHECK(all.posts.size() == 2);
  CHECK(all.complaints.at(0).starts_with("f:2: "));
  for (const std::string& broken : {"[" + good + ",\n{\"id\":1,\"text\":\"x", "[" + good + ",\n7]",
                                    "[" + good + "\n", "[" + good + ",\n\"x\"]"}) {
    CAPTURE(broken);
    CHECK(complaint(broken).starts_with("f:2: "));
    CHECK(read(broken, PostFormat::kAuto, 1).posts.size() == 1);
  }
}

TEST_CASE("posts: depth and size are bounded") {
  std::string deep = R"({"id":1,"text":"x","createdAt":1462306917,"author":"a","d":)";
  deep += std::string(100'000, '[') + std::string(100'000, ']') + "}";
  CHECK(complaint(deep).find("nested") != std::string::npos);
  const std::string huge = "[{\"id\":1,\"text\":\"" + std::string(kPageMax, 'x') + "\"}]";
  CHECK(complaint(huge).find("16 MiB") != std::string::npos);
}

TEST_CASE("posts: bad CSV is named by the line its row starts with") {
  const std::string head = "id,author,text,createdAt\n1,a,x,1462306917\n";
  for (const char* row : {"2,a,\"x\" y,1462306917\n", "2,a,x\"y,1462306917\n",
                          "2,a,\"x,1462306917\n", "x,a,x,1462306917\n", "2,a,x,soon\n", "2,a\n"}) {
    CAPTURE(row);
    CHECK(complaint(head + row).starts_with("f:3: "));
  }
  const Read all = read(head + "2,a,\"x\" y,1\n3,a,y,1462306917\n", PostFormat::kAuto, 1);
  CHECK(all.posts.size() == 2);
  CHECK(complaint("id,author,when\n1,a,b\n").starts_with("f:1: "));
  std::string endless = head + "2,a,\"";
  for (int i = 0; i < 200'000; ++i) endless += "line " + std::to_string(i) + "\n";
  CHECK(complaint(endless).starts_with("f:3: the row is longer than 1 MiB"));
}

TEST_CASE("posts: members of an archive that hold something else are skipped") {
  for (const char* other : {"bioguide_id,twitter_id\nR1,5\n", "# words\n- a: b\n", "{\"a\":{}}",
                            "[{\"a\":1},{\"b\":2}]",
                            "\x7F"
                            "ELF\x01",
                            "hello"}) {
    CAPTURE(other);
    const Read all = read(other, PostFormat::kAuto, 0, Unknown::kSkipped);
    CHECK(all.result.skipped);
  }
  CHECK_FALSE(read("[]", PostFormat::kAuto, 0, Unknown::kSkipped).result.skipped);
  const Read user = read("{\n \"id\": 5,\n \"screen_name\": \"x\"\n}", PostFormat::kTwitter, 0,
                         Unknown::kSkipped);
  CHECK(user.users.size() == 1);
}

TEST_CASE("names: a table's columns are found by their header") {
  const auto names = [](const std::string& text) {
    OpenText open(text);
    Complaints complaints(0);
    std::vector<load::SourceUser> users;
    read_names(open.buffer(), "n", complaints.bad,
               [&](load::SourceUser&& user) { users.push_back(std::move(user)); });
    return users;
  };
  using Users = std::vector<load::SourceUser>;
  CHECK(names("id,name\n5,mira\n") == Users{{SourceId{5}, "mira", "", ""}});
  CHECK(names("name\ttwitter_id\ttwitter_name\tparty\nLinda E.\t5\tLinda\tR\n") ==
        Users{{SourceId{5}, "Linda", "Linda E.", ""}});
  CHECK(names("screen_name;id;description\n@x;5;\"a;b\"\n") ==
        Users{{SourceId{5}, "x", "", "a;b"}});
  CHECK(names("id,name,display_name\n5,mira,M\n") == Users{{SourceId{5}, "mira", "M", ""}});
  CHECK(names("").empty());
  CHECK_THROWS_AS(names("a,b\n1,2\n"), Error);
  CHECK_THROWS_AS(names("id,name\nx,mira\n"), Error);
}

}  // namespace chirp::cli::input::posts_test
