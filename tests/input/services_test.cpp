// Goal: objects and tables of other services are read for what they say: whose words, for whom, and
// what they repeat, answer or delete.
// Method: small objects of each service, with every kind that its streams and dumps have; what
// comes of each is one line.
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "cli/input/fields.h"
#include "cli/input/posts.h"
#include "core/load/words.h"
#include "tests/support/inputs.h"

namespace chirp::cli::input::services_test {
namespace {

using namespace chirp::test;
using Lines = std::vector<std::string>;

class Told {
 public:
  Lines read(const std::string& text) {
    Lines lines;
    Complaints complaints(100);
    const PostSink sink{
        .post = [&](load::SourcePost&& post, const InputPlace&) -> std::optional<std::string> {
          lines.push_back(shown(post));
          return std::nullopt;
        },
        .user =
            [&](load::SourceUser&& user) {
              lines.push_back(fmt::format("user {} {} ({}) {}", shown(user.id), user.username,
                                          user.display_name, user.bio));
            },
        .left_out = [&](const LeftOut& what, const InputPlace&) { lines.emplace_back(what.kind); },
        .deletion =
            [&](const Deletion& what, const InputPlace&) {
              lines.push_back(
                  fmt::format("deletes {} of {}", shown(what.post), shown(*what.author)));
            },
        .ids = {&words_, IdKind::kAuto}};
    OpenText open(text);
    PostReader reader(PostFormat::kAuto, complaints.bad, sink);
    (void)reader.read(open.buffer(), "f", Unknown::kRefused);
    for (const std::string& complaint : complaints.lines) lines.push_back("bad: " + complaint);
    return lines;
  }

 private:
  std::string shown(SourceId id) const { return text_of(words_.key_of(id)); }
  std::string shown(const load::SourcePost& post) const {
    std::string line =
        fmt::format("{} {}/{}: {}", shown(post.id), post.username,
                    post.author_id ? shown(*post.author_id) : std::string("-"), post.text);
    if (post.privacy != Privacy::kPublic) line += fmt::format(" [{}]", name(post.privacy));
    if (post.repost_of) line += " repeats " + shown(*post.repost_of);
    if (post.reply_to) line += " answers " + shown(*post.reply_to);
    for (const load::SourceMedium& one : post.media) {
      line += fmt::format(" <{} {}>", one.address, one.alt_text);
    }
    for (const load::SourcePost& inside : post.original) line += " {" + shown(inside) + "}";
    return line;
  }

  load::Words words_;
};

Lines read(const std::string& text) { return Told().read(text); }

}  // namespace

TEST_CASE("services: Mastodon's statuses") {
  const auto status = [](const std::string& id, const std::string& author,
                         const std::string& members) {
    return fmt::format(R"({{"id":"{}","created_at":"2024-01-01T00:00:00Z","account":{{)"
                       R"("id":"7{}","username":"{}","acct":"{}@sea.example","display_name":"D"}},)"
                       R"("url":"https://sea.example/1","mentions":[],{},"spoiler_text":""}})",
                       id, author.size(), author, author, members);
  };
  const std::string plain =
      status("1", "mira",
             R"("visibility":"public","content":"<p>Bread &amp; salt<br>now</p>","reblog":null)");
  CHECK(read(plain) == Lines{"1 mira/74: Bread & salt\nnow"});
  CHECK(read("[" + plain + "]") == read(plain));
  CHECK(read(status("2", "mira",
                    R"("spoiler_text":"long","visibility":"private",)"
                    R"("content":"<p>day</p>","reblog":null)")) ==
        Lines{"2 mira/74: long\n\nday [followers]"});
  CHECK(read(status("3", "mira", R"("visibility":"direct","content":"<p>x</p>")")) ==
        Lines{"directMessages"});
  CHECK(read(status("4", "mira", R"("visibility":"sideways","content":"<p>x</p>")"))
            .at(0)
            .starts_with("bad: f:1: \"visibility\" is \"sideways\""));
  // The words of a boost are the other's, however they are written.
  CHECK(read(status("5", "tomas",
                    R"("visibility":"public","content":"<p>Bread</p>","reblog":)" + plain)) ==
        Lines{"5 tomas/75:  repeats 1 {1 mira/74: Bread & salt\nnow}"});
  CHECK(read(status("6", "mira",
                    R"("visibility":"public","content":"","media_attachments":)"
                    R"([{"url":"https://sea.example/a.png","description":"gull"}])")) ==
        Lines{"6 mira/74:  <https://sea.example/a.png gull>"});
  CHECK(read(status("7", "mira", R"("visibility":"public","content":"<p></p>")")) ==
        Lines{"emptyPosts"});
}

TEST_CASE("services: Misskey's notes") {
  const auto note = [](const std::string& id, const std::string& members) {
    return fmt::format(
        R"({{"id":"{}","createdAt":"2024-01-01T00:00:00Z","userId":"u1","user":{{"id":"u1",)"
        R"("username":"mira"}},"cw":null,"visibility":"public","replyId":null,{}}})",
        id, members);
  };
  CHECK(read(note("n1", R"("text":"a <b> &amp;","renoteId":null)")) ==
        Lines{"n1 mira/u1: a <b> &amp;"});
  CHECK(read(note("n2", R"("text":null,"renoteId":"n1")")) == Lines{"n2 mira/u1:  repeats n1"});
  // A renote with words of its own is a quote.
  CHECK(read(note("n3",
                  R"("text":"mine","renoteId":"n1","renote":{"id":"n1",)"
                  R"("createdAt":"2024-01-01T00:00:00Z","text":"theirs","user":{"id":"u2"}})")) ==
        Lines{"n3 mira/u1: mine"});
  CHECK(read(note("n4", R"("text":"x","visibility":"specified","renoteId":null)")) ==
        Lines{"directMessages"});
  CHECK(read(note("n5", R"("text":"x","visibility":"home","cw":"food","renoteId":null)")) ==
        Lines{"n5 mira/u1: food\n\nx [followers]"});
  CHECK(read(note("n6", R"("text":null,"renoteId":null,"files":[{"url":"https://a.example/f",)"
                        R"("comment":"gull"}])")) ==
        Lines{"n6 mira/u1:  <https://a.example/f gull>"});
  CHECK(read(note("n7", R"("text":null,"renoteId":null,"files":[])")) == Lines{"emptyPosts"});
}

TEST_CASE("services: Bluesky's commits and rows") {
  const auto commit = [](const std::string& who, const std::string& rest) {
    return fmt::format(R"({{"did":"did:plc:{}","time_us":1,"kind":"commit","commit":{{{}}}}})", who,
                       rest);
  };
  const auto post = [](const std::string& key, const std::string& members) {
    return fmt::format(
        R"("operation":"create","collection":"app.bsky.feed.post","rkey":"{}","record":)"
        R"({{"createdAt":"2024-01-01T00:00:00Z",{}}})",
        key, members);
  };
  CHECK(read(commit("a", post("k1", R"("text":"one &amp;")"))) ==
        Lines{"at://did:plc:a/app.bsky.feed.post/k1 /did:plc:a: one &amp;"});
  CHECK(read(commit("b", post("k2", R"("text":"two","reply":{"parent":{"uri":"at://p"},)"
                                    R"("root":{"uri":"at://r"}})"))) ==
        Lines{"at://did:plc:b/app.bsky.feed.post/k2 /did:plc:b: two answers at://p"});
  CHECK(read(commit("b", post("k3", R"("text":"","embed":{"images":[]})"))) == Lines{"emptyPosts"});
  CHECK(read(commit("b", R"("operation":"create","collection":"app.bsky.feed.repost","rkey":"k4",)"
                         R"("record":{"createdAt":"2024-01-01T00:00:00Z","subject":)"
                         R"({"uri":"at://p"}})")) ==
        Lines{"at://did:plc:b/app.bsky.feed.repost/k4 /did:plc:b:  repeats at://p"});
  CHECK(read(commit("b", R"("operation":"create","collection":"app.bsky.feed.like","rkey":"k5",)"
                         R"("record":{"createdAt":"2024-01-01T00:00:00Z","subject":)"
                         R"({"uri":"at://p"}})")) == Lines{"otherRecords"});
  CHECK(
      read(commit("b", R"("operation":"delete","collection":"app.bsky.feed.post","rkey":"k2")")) ==
      Lines{"deletes at://did:plc:b/app.bsky.feed.post/k2 of did:plc:b"});
  CHECK(read(R"({"did":"did:plc:a","kind":"identity","identity":{"handle":"mira.example"}})") ==
        Lines{"user did:plc:a mira.example (mira.example) "});
  CHECK(read(R"({"text":"row","created_at":"2024-01-01T00:00:00Z","author":"did:plc:a",)"
             R"("uri":"at://a/1","reply_to":"at://p"})") ==
        Lines{"at://a/1 did:plc:a/did:plc:a: row answers at://p"});
}

TEST_CASE("services: nostr's events, and nothing of what is private") {
  const auto event = [](int kind, const std::string& tags, const std::string& content) {
    return fmt::format(
        R"({{"id":"e1","pubkey":"aa","created_at":1700000000,"kind":{},"tags":[{}],"content":"{}"}})",
        kind, tags, content);
  };
  CHECK(read(event(1, "", "hi")) == Lines{"e1 /aa: hi"});
  CHECK(read(event(1, R"(["e","r","","root"],["e","p","","reply"],["e","m","","mention"])", "x")) ==
        Lines{"e1 /aa: x answers p"});
  CHECK(read(event(1, R"(["e","r"],["e","p"],["p","bb"])", "x")) == Lines{"e1 /aa: x answers p"});
  CHECK(read(event(6, R"(["e","o"])", R"({\"content\":\"theirs\"})")) ==
        Lines{"e1 /aa:  repeats o"});
  CHECK(read(event(0, "", R"({\"name\":\"mira\",\"display_name\":\"M\",\"about\":\"b\"})")) ==
        Lines{"user aa mira (M) b"});
  CHECK(read(event(5, R"(["e","x"],["e","y"])", "")) ==
        Lines{"deletes x of aa", "deletes y of aa"});
  CHECK(read(event(3, R"(["p","bb"])", "")) == Lines{"followLists"});
  CHECK(read(event(7, R"(["e","x"])", "+")) == Lines{"otherKinds"});
  for (const int kind : {4, 13, 14, 1059}) {
    CHECK(read(event(kind, R"(["p","bb"])", "PRIVATE")) == Lines{"directMessages"});
  }
}

TEST_CASE("services: Twitter's second API, in lines, pages and tables") {
  const std::string first = R"({"id":"1","author_id":"9","created_at":"2024-01-01T00:00:00Z",)"
                            R"("text":"Bread &amp; salt","lang":"en")";
  const std::string second =
      R"({"id":"2","author_id":"8","created_at":"2024-01-01T00:00:00Z","text":"RT @mira: Bread",)"
      R"("lang":"en","referenced_tweets":[{"type":"retweeted","id":"1"}])";
  const std::string mira = R"({"id":"9","username":"mira","name":"Mira"})";
  const std::string tomas = R"({"id":"8","username":"tomas","name":"T","protected":true})";
  CHECK(read(first + R"(,"author":)" + mira + "}") == Lines{"1 mira/9: Bread & salt"});
  CHECK(read(second + R"(,"author":)" + tomas + "}") ==
        Lines{"2 tomas/8: RT @mira: Bread [followers] repeats 1"});
  // A quote is its author's own words.
  CHECK(read(first + R"(,"referenced_tweets":[{"type":"quoted","id":"5"},)" +
             R"({"type":"replied_to","id":"6"}]})") == Lines{"1 /9: Bread & salt answers 6"});
  const std::string page = R"({"data":[)" + first + "}," + second + R"(}],"includes":{"users":[)" +
                           mira + "," + tomas + R"(],"tweets":[)" + first +
                           R"(}]},"meta":{"result_count":2}})";
  CHECK(read(page) == Lines{"1 mira/9: Bread & salt",
                            "2 tomas/8: RT @mira: Bread [followers] repeats 1 "
                            "{1 mira/9: Bread & salt}"});
  CHECK(read("id,referenced_tweets.replied_to.id,referenced_tweets.retweeted.id,author_id,"
             "created_at,text,author.username,author.name\n"
             "1,6,,9,2024-01-01T00:00:00Z,Bread &amp; salt,mira,Mira\n") ==
        Lines{"1 mira/9: Bread & salt answers 6"});
}

TEST_CASE("services: a page of up to 16 MiB is read, and a longer one says what to do") {
  std::string posts;
  const std::string text(900, 'x');
  for (int i = 1; posts.size() < (std::size_t{3} << 20); ++i) {
    posts += fmt::format(
        R"({}{{"id":"{}","author_id":"9","created_at":"2024-01-01T00:00:00Z","text":"{}"}})",
        posts.empty() ? "" : ",", i, text);
  }
  const std::string end = R"(],"includes":{"users":[{"id":"9","username":"mira"}]}})";
  const Lines lines = read(R"({"data":[)" + posts + end + "\n");
  CHECK(lines.size() > 3'000);
  CHECK(lines.back().find(" mira/9: xxx") != std::string::npos);
  const std::string long_page =
      R"({"data":[{"id":"1","text":")" + std::string(std::size_t{17} << 20, 'x') + R"("}]})";
  CHECK(read(long_page + "\n").at(0).find("twarc2 flatten") != std::string::npos);
}

TEST_CASE("services: messages of Twitter's streams are no posts") {
  CHECK(read(R"({"delete":{"status":{"id":5,"id_str":"5","user_id":4,"user_id_str":"4"}}})") ==
        Lines{"deletes 5 of 4"});
  for (const char* const message :
       {R"({"limit":{"track":3}})", R"({"scrub_geo":{"user_id":9,"up_to_status_id":1}})",
        R"({"warning":{"code":"FALLING_BEHIND"}})", R"({"disconnect":{"code":4}})",
        R"({"status_withheld":{"id":1,"user_id":2}})", R"({"friends":[1,2]})"}) {
    CHECK(read(message) == Lines{"streamMessages"});
  }
}

TEST_CASE("services: Reddit's comments and submissions") {
  CHECK(read(R"({"author":"mira","body":"a &gt; b","created_utc":1400000000,"id":"c1",)"
             R"("parent_id":"t3_s1"})") == Lines{"t1_c1 mira/-: a > b answers t3_s1"});
  CHECK(read(R"({"author":"mira","title":"T","selftext":"words","created_utc":"1400000000",)"
             R"("id":"s1"})") == Lines{"t3_s1 mira/-: T\n\nwords"});
  CHECK(read(R"({"author":"[deleted]","body":"[removed]","created_utc":1400000000,"id":"c2"})") ==
        Lines{"deletedPosts"});
  CHECK(read("author,body,created_utc,id,parent_id\nmira,a &gt; b,1400000000,c1,t1_c0\n"
             "[deleted],x,1400000000,c2,t1_c0\n") ==
        Lines{"t1_c1 mira/-: a > b answers t1_c0", "deletedPosts"});
  const auto in_subreddit = [](const std::string& type) {
    return read(fmt::format(R"({{"author":"mira","title":"T","selftext":"","created_utc":)"
                            R"(1400000000,"id":"s1","subreddit_type":"{}"}})",
                            type))
        .at(0);
  };
  CHECK(in_subreddit("restricted") == "t3_s1 mira/-: T");
  CHECK(in_subreddit("private") == "t3_s1 mira/-: T [private]");
  CHECK(in_subreddit("odd").find("known type of subreddit") != std::string::npos);
}

TEST_CASE("services: snscrape's rows, and tables without a column of authors") {
  const std::string mira = R"("user":{"username":"mira","id":9,"displayname":"Mira"})";
  CHECK(read(R"({"date":"2023-01-01T00:00:00+00:00","rawContent":"a &amp; b","id":7,)" + mira +
             R"(,"retweetedTweet":null,"quotedTweet":{"id":3,"rawContent":"theirs"},)"
             R"("inReplyToTweetId":6})") == Lines{"7 mira/9: a & b answers 6"});
  CHECK(read("tweet_id,name,text,tweet_created\n"
             "57,mira,a &amp; b,2015-02-24 11:35:52 -0800\n") == Lines{"57 mira/-: a & b"});
  CHECK(read("tweet_id,user,name,text,tweet_created\n"
             "57,mira,Mira,x,2015-02-24 11:35:52 -0800\n") == Lines{"57 mira/-: x"});
}

TEST_CASE("services: what is not understood says what it looks like, and what it has") {
  const auto refusal = [](const std::string& text) {
    return test::complaint_of([&] { (void)read(text); });
  };
  CHECK(refusal("%PDF-1.7\nx").find("this looks like a PDF") != std::string::npos);
  CHECK(refusal("<!DOCTYPE html>\n<p>").find("a web page") != std::string::npos);
  CHECK(refusal("<?xml version=\"1.0\"?>\n<graphml>").find("GraphML") != std::string::npos);
  CHECK(refusal("\x3a\xa2"
                "eroots\x81")
            .find("Bluesky (CAR)") != std::string::npos);
  CHECK(read(R"({"from":1,"to":2,"weight":3,"more":4})")
            .at(0)
            .find(R"(the object has "from", "to", "weight", …)") != std::string::npos);
}

TEST_CASE("services: an account of Bluesky is its DID, wherever that is written") {
  const std::string record =
      R"("record":{"$type":"app.bsky.feed.post","text":"x","createdAt":"2025-02-06T17:50:33Z"})";
  const std::string uri = R"({"uri":"at://did:plc:abc/app.bsky.feed.post/3b",)";
  const std::string post = "at://did:plc:abc/app.bsky.feed.post/3b ";
  CHECK(read(uri + R"("author":{"did":"did:plc:abc","handle":"ann.test","displayName":"Ann"},)" +
             record + "}") == Lines{post + "ann.test/did:plc:abc: x"});
  CHECK(read(uri + R"("author":{"did":"did:plc:abc"},)" + record + "}") ==
        Lines{post + "/did:plc:abc: x"});
}

TEST_CASE("services: the `name` of an object of Reddit is an id, not a user's name") {
  load::Words words;
  Lines names;
  for (const char* text :
       {R"({"name":"t1_c1","id":"c1","author":"ann","body":"one","created_utc":"1293840000"})",
        "name,id,author,body,created_utc\nt1_c1,c1,ann,one,1293840000\n",
        "author_name,id,author,body,created_utc\nAnn,c1,ann,one,1293840000\n"}) {
    for (const auto& post : read_posts(text, {.ids = {&words, IdKind::kAuto}}).posts) {
      names.push_back(post.username + "/" + post.display_name);
    }
  }
  CHECK(names == Lines{"ann/", "ann/", "ann/Ann"});
}

TEST_CASE("services: a word that JSON does not have is reported with its column") {
  const std::string row = R"({"id":1,"author":"a","text":"NaN is \" fine","createdAt":)";
  CHECK(read(row + "NaN}").at(0).find("column 58: \"NaN\" is not a JSON value") !=
        std::string::npos);
  CHECK(read(row + "1.5e9,\"x\":None}").at(0).find("\"None\"") != std::string::npos);
  CHECK(read("[\n" + row + "\n Infinity}]").at(0).find("f:3: column 2: \"Infinity\"") !=
        std::string::npos);
  CHECK(read(row + "1.5e9}").size() == 1);
  CHECK(read(row + "1.5e9}").at(0).starts_with("1 a/-"));
}

TEST_CASE("services: rows of flattened JSON repeat posts") {
  CHECK(read("id,created_at,content,account.acct,account.id,visibility,reblog.id,reblog.content,"
             "reblog.account.acct,reblog.visibility\n"
             "1,1768000000,<p>his words</p>,ann,7,public,2,<p>his words</p>,bob,private\n"
             "3,1768000000,<p>her words</p>,ann,7,public,,,,\n") ==
        Lines{"1 ann/7:  [private] repeats 2", "3 ann/7: her words"});
  CHECK(
      read(
          "id,text,created_at,user.id_str,retweeted_status.id_str,retweeted_status.user.protected\n"
          "1,RT @bob: his words,1768000000,7,2,True\n") ==
      Lines{"1 /7: RT @bob: his words [private] repeats 2"});
  CHECK(read("id,text,created_at,user.id_str,retweeted_status.id_str,retweeted_status.text\n"
             "1,his words,1768000000,7,2,his words\n") == Lines{"1 /7:  repeats 2"});
  const std::string misskey = "id,text,createdAt,userId,renote.id,renote.visibility\n";
  CHECK(read(misskey + "1,,1768000000,7,2,followers\n3,quoted,1768000000,7,2,public\n") ==
        Lines{"1 /7:  [private] repeats 2", "3 /7: quoted"});
  for (const char* const name : {"reblog_id", "reblog_of_id", "retweeted_status.id", "renote.id"}) {
    CAPTURE(name);
    CHECK(read(fmt::format("id,text,created_at,user_id,{}\n1,,1768000000,7,2\n", name)) ==
          Lines{"1 /7:  repeats 2"});
  }
}

}  // namespace chirp::cli::input::services_test
