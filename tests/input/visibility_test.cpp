// Goal: a post is never read as visible to more people than its source says, and a field about that
// which is not understood makes a bad row.
// Method: each word of each service, by a table written out here; in JSON, in an array of JSON and
// in tables; at the post, at its author and inside of what it repeats.
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "cli/input/posts.h"
#include "core/error.h"
#include "tests/support/inputs.h"

namespace chirp::cli::input::visibility_test {
namespace {

using namespace chirp::test;
using Lines = std::vector<std::string>;

// What is read: the posts as "id level", those inside as "[id level]", direct ones as "direct", and
// bad rows as "bad: why".
Lines read(const std::string& text, TableLayout layout = {}) {
  Lines lines;
  Complaints complaints(100);
  const PostSink sink{
      .post = [&](load::SourcePost&& post, const InputPlace&) -> std::optional<std::string> {
        lines.push_back(fmt::format("{} {}", post.id.value, name(post.privacy)));
        for (const load::SourcePost& inside : post.original) {
          lines.push_back(fmt::format("[{} {}]", inside.id.value, name(inside.privacy)));
        }
        return std::nullopt;
      },
      .user = [](load::SourceUser&&) {},
      .left_out = [&](const LeftOut&, const InputPlace&) { lines.emplace_back("direct"); }};
  OpenText open(text);
  PostReader reader(PostFormat::kAuto, complaints.bad, sink, std::move(layout));
  (void)reader.read(open.buffer(), "f", Unknown::kRefused);
  for (const std::string& complaint : complaints.lines) lines.push_back("bad: " + complaint);
  return lines;
}

std::string object(const std::string& members) {
  return R"({"id":1,"author":"mira","text":"a","createdAt":1768000000)" +
         (members.empty() ? std::string() : "," + members) + "}";
}

// What becomes of an object with these members.
std::string level(const std::string& members) {
  const Lines lines = read(object(members));
  CHECK(read("[" + object(members) + "]") == lines);
  REQUIRE(lines.size() == 1);
  return lines.front().starts_with("1 ") ? lines.front().substr(2) : lines.front();
}

std::string in_table(const std::string& column, const std::string& cell) {
  const Lines lines =
      read(fmt::format("id,author,text,createdAt,{}\n1,mira,a,1768000000,{}\n", column, cell));
  REQUIRE(lines.size() == 1);
  return lines.front().starts_with("1 ") ? lines.front().substr(2) : lines.front();
}

struct Word {
  const char* word;
  const char* level;
};
constexpr Word kWords[] = {
    {"public", "public"},
    {"PUBLIC", "public"},
    {"", "public"},
    {"everyone", "public"},
    {"unlisted", "followers"},
    {"home", "followers"},
    {"local", "followers"},
    {"followers", "followers"},
    {"Followers only", "followers"},
    {"followers_only", "followers"},
    {"protected", "followers"},
    {"private", "private"},
    {"self", "private"},
    {"mutuals_only", "private"},
    {"list", "private"},
    {"direct", "direct"},
    {"specified", "direct"},
    {"limited", "direct"},
};

}  // namespace

TEST_CASE("visibility: each word is for no more people than it says") {
  for (const char* const field : {"privacy", "visibility", "Visibility"}) {
    for (const auto& [word, wanted] : kWords) {
      CAPTURE(field);
      CAPTURE(word);
      CHECK(level(fmt::format(R"("{}":"{}")", field, word)) == wanted);
      CHECK(in_table(field, word) == wanted);
    }
  }
  CHECK(level("") == "public");
  CHECK(level(R"("visibility":null,"privacy":null)") == "public");
}

TEST_CASE("visibility: Mastodon's private is for followers") {
  const std::string mastodon = R"("account":{"id":"7","username":"mira","acct":"mira"},)";
  CHECK(level(mastodon + R"("visibility":"private")") == "followers");
  CHECK(level(R"("visibility":"private","spoiler_text":"")") == "followers");
  CHECK(level(mastodon + R"("privacy":"private")") == "private");
  CHECK(read("id,author,text,createdAt,visibility,spoiler_text\n1,mira,a,1768000000,private,\n") ==
        Lines{"1 followers"});
}

TEST_CASE("visibility: a word that is not known is a bad row") {
  for (const char* const field : {"privacy", "visibility"}) {
    for (const char* const value :
         {R"("sideways")", "3", "true", "{}", "[]", R"(["public"])", R"({"value":"EVERYONE"})",
          R"("--")", R"(" _ ")", R"("pub lic!")", R"("none")", R"("publiс")"}) {
      CAPTURE(value);
      CHECK(level(fmt::format(R"("{}":{})", field, value)).starts_with("bad: f:1: \""));
    }
    const std::string said = in_table(field, "sideways");
    CHECK(said.find(fmt::format("\"{}\" is \"sideways\"", field)) != std::string::npos);
    CHECK(said.find(fmt::format("--columns {}=-", field)) != std::string::npos);
  }
  // What one field allows does not make up for another.
  CHECK(level(R"("privacy":"public","visibility":"sideways")").starts_with("bad: "));
}

TEST_CASE("visibility: if there are several fields, the narrowest counts") {
  CHECK(level(R"("privacy":"public","visibility":"followers")") == "followers");
  CHECK(level(R"("privacy":"private","visibility":"public")") == "private");
  CHECK(level(R"("privacy":"private","privacy":"public")") == "private");
  CHECK(level(R"("privacy":"public","privacy":"private")") == "private");
  CHECK(level(R"("visibility":"public","user":{"id":7,"protected":true})") == "followers");
  CHECK(read("id,author,text,createdAt,privacy,privacy\n1,m,a,1768000000,public,private\n") ==
        Lines{"1 private"});
}

TEST_CASE("visibility: a protected author's posts are for followers") {
  for (const char* const yes : {"true", "1", R"("True")", R"("yes")"}) {
    CAPTURE(yes);
    for (const char* const author : {"user", "author", "account"}) {
      CHECK(level(fmt::format(R"("{}":{{"id":7,"protected":{}}})", author, yes)) == "followers");
    }
    CHECK(level(fmt::format(R"("user_protected":{})", yes)) == "followers");
    CHECK(level(fmt::format(R"("author.protected":{})", yes)) == "followers");
  }
  CHECK(level(R"("user":{"id":7,"protected":false})") == "public");
  CHECK(level(R"("user":{"id":7,"protected":"sideways"})").starts_with("bad: "));
  CHECK(in_table("author.protected", "True") == "followers");
  CHECK(in_table("protected", "0") == "public");
  CHECK(in_table("protected", "sideways").starts_with("bad: "));
  CHECK(level(R"("localOnly":true,"visibility":"public")") == "followers");
}

TEST_CASE("visibility: posts of ActivityPub are for those whom they are addressed to") {
  const std::string author = R"("attributedTo":"https://s.example/u/mira",)";
  const char* const everybody = "https://www.w3.org/ns/activitystreams#Public";
  const char* const followers = "https://s.example/u/mira/followers";
  const auto addressed = [&](const std::string& to, const std::string& cc) {
    return level(author + fmt::format(R"("to":{},"cc":{})", to, cc));
  };
  CHECK(addressed(fmt::format(R"(["{}"])", everybody), "[]") == "public");
  CHECK(addressed(R"("as:Public")", "[]") == "public");
  CHECK(addressed(fmt::format(R"(["{}"])", followers), fmt::format(R"(["{}"])", everybody)) ==
        "followers");
  CHECK(addressed(fmt::format(R"("{}")", followers), "[]") == "followers");
  CHECK(addressed("[]", "[]") == "direct");
  CHECK(addressed(R"(["https://s.example/u/olek"])", "[]") == "direct");
  // Followers of somebody else are not those of the author.
  CHECK(addressed(R"(["https://s.example/u/olek/followers"])", "[]") == "direct");
  CHECK(level(R"("to":["https://s.example/u/mira/followers"])") == "followers");
  CHECK(level(author + fmt::format(R"("audience":"{}")", followers)) == "followers");
  CHECK(level(author + R"("bcc":["https://s.example/u/olek"])") == "direct");
  // Addresses count even if nothing says whose they are.
  for (const char* const addresses :
       {R"("bto":["https://s.example/u/olek"])", R"("bcc":"https://s.example/u/olek")",
        R"("to":[],"cc":[])", R"("to":[{"id":"https://s.example/u/olek"}])",
        R"("to":["acct:olek@s.example"])", R"("to":{"id":"https://s.example/u/olek"})"}) {
    CAPTURE(addresses);
    CHECK(level(addresses) == "direct");
  }
  CHECK(level(R"("to":{"id":"https://s.example/u/mira/followers"})") == "followers");
  CHECK(level(R"("audience":{"id":"https://s.example/u/mira/followers"})") == "followers");
  CHECK(level(fmt::format(R"("to":[{{"id":"{}"}}])", everybody)) == "public");
  // Not of ActivityPub.
  CHECK(level(R"("to":"olek")") == "public");
}

TEST_CASE("visibility: an audience is a word in JSON, and may be anything in a table") {
  CHECK(level(R"("audience":"followers")") == "followers");
  CHECK(level(R"("audience":["followers"])") == "followers");
  CHECK(level(R"("audience":"sideways")").starts_with("bad: "));
  CHECK(level(R"("audience":5000)") == "public");
  CHECK(in_table("audience", "5000") == "public");
  CHECK(in_table("audience", "teenagers") == "public");
  CHECK(in_table("audience", "followers") == "followers");
}

TEST_CASE("visibility: a direct message is left out") {
  for (const char* const recipient : {R"("recipient_id":9)", R"("recipient":{"id":9})",
                                      R"("recipient_id_str":"9")", R"("toUserId":"9")"}) {
    CHECK(level(recipient) == "direct");
  }
  CHECK(level(R"("recipient_id":null)") == "public");
}

TEST_CASE("visibility: what is inside of a post that repeats it keeps its own level") {
  const auto retweet = [](const std::string& key, const std::string& said, const char* author) {
    return read(fmt::format(
        R"({{"id":1,"user":{{"id":7}},"text":"RT @b: words","created_at":1768000000,)"
        R"("{}":{{"id":2,"text":"words","created_at":1767000000,"user":{{"id":{}{}}}}}}})",
        key, author, said));
  };
  for (const char* const key :
       {"retweeted_status", "reblog", "retweetedStatus", "RetweetedStatus", "Reblog", "renote"}) {
    CAPTURE(key);
    CHECK(retweet(key, "", "8") == Lines{"1 public", "[2 public]"});
    // The retweet has the other's words, so its own author alone may see it.
    CHECK(retweet(key, R"(,"protected":true)", "8") == Lines{"1 private", "[2 followers]"});
    CHECK(retweet(key, R"(,"protected":true)", "7") == Lines{"1 followers", "[2 followers]"});
    CHECK(retweet(key, R"(},"visibility":"private","x":{)", "8") ==
          Lines{"1 private", "[2 private]"});
    CHECK(retweet(key, R"(},"visibility":"direct","x":{)", "8") == Lines{"1 private"});
    CHECK(retweet(key, R"(},"visibility":"sideways","x":{)", "8").front().starts_with("bad: "));
  }
  CHECK(read(object(R"("referenced_tweets":[{"type":"retweeted","id":"2",)"
                    R"("author":{"id":"9","protected":true}}])")) == Lines{"1 private"});
  // A quote has its author's own words.
  CHECK(read(object(R"("quoted_status":{"id":2,"text":"q","user":{"id":9,"protected":true}})")) ==
        Lines{"1 public"});
}

TEST_CASE("visibility: comments of a chirp export are no posts") {
  const Lines lines = read(
      R"({"commentId":"5","postId":"1","userId":"2","content":"a","createdAt":"2020-01-01T00:00:00Z"})");
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].find("chirp load export DIR") != std::string::npos);
}

TEST_CASE("visibility: a row that ends before its column says nothing, and is bad") {
  const Lines lines = read("id,author,text,createdAt,privacy\n1,mira,a,1768000000\n");
  CHECK(lines == Lines{"bad: f:2: the row ends before its column \"privacy\""});
}

TEST_CASE("visibility: columns are ignored by their names, or read as another field") {
  const std::string table = "id,author,text,when,privacy\n1,mira,a,1768000000,sideways\n";
  CHECK(read(table, {.separator = {}, .named = parse_named_columns("privacy=-,when=createdAt")}) ==
        Lines{"1 public"});
  const std::string other = "id,author,text,createdAt,circle\n1,mira,a,1768000000,followers\n";
  CHECK(read(other) == Lines{"1 public"});
  CHECK(read(other, {.separator = {}, .named = parse_named_columns("circle=privacy")}) ==
        Lines{"1 followers"});
  CHECK(read("id,author,text,createdAt,audience\n1,mira,a,1768000000,private\n",
             {.separator = {}, .named = parse_named_columns("audience=-")}) == Lines{"1 public"});
  CHECK_THROWS_AS((void)read(table, {.separator = {}, .named = parse_named_columns("other=-")}),
                  Error);
  for (const char* const wrong : {"a=b", "privacy=-,author", "=-"}) {
    CHECK_THROWS_AS((void)parse_named_columns(wrong), Error);
  }
  // Without a header.
  CHECK(read("1;mira;a;1768000000;followers\n",
             {.separator = {}, .columns = parse_columns("id,author,text,createdAt,privacy")}) ==
        Lines{"1 followers"});
}

TEST_CASE("visibility: a row of flattened JSON repeats a post for those who may see that") {
  const auto row = [](const std::string& column, const std::string& cell) {
    return read(fmt::format("id,author,text,createdAt,{}\n1,mira,a,1768000000,{}\n", column, cell));
  };
  for (const std::string post :
       {"reblog", "retweeted_status", "renote", "retweeted_tweet", "quoted_status", "quote"}) {
    CAPTURE(post);
    CHECK(row(post + ".visibility", "public") == Lines{"1 public"});
    CHECK(row(post + ".visibility", "") == Lines{"1 public"});
    CHECK(row(post + ".visibility", "followers") == Lines{"1 private"});
    CHECK(row(post + "_visibility", "direct") == Lines{"1 private"});
    CHECK(row(post + ".user.protected", "True") == Lines{"1 private"});
    CHECK(row(post + ".user.protected", "False") == Lines{"1 public"});
    CHECK(level(fmt::format(R"("{}.visibility":"private")", post)) == "private");
    CHECK(row(post + ".visibility", "sideways").front().starts_with("bad: f:2: \"" + post));
  }
}

TEST_CASE("visibility: what is addressed to somebody is a message") {
  for (const char* const name :
       {"toRoomId", "dm_conversation_id", "dmConversationId", "chat_id", "conversation_type",
        "recipients", "to_user", "to_user_id", "receiver_id", "receiver", "recipient_id"}) {
    CAPTURE(name);
    CHECK(level(fmt::format(R"("{}":"7")", name)) == "direct");
    CHECK(level(fmt::format(R"("{}":null)", name)) == "public");
    CHECK(in_table(name, "7") == "direct");
    CHECK(in_table(name, "") == "public");
  }
  CHECK(level(R"("is_private":true)") == "private");
  CHECK(level(R"("is_private":false)") == "public");
  CHECK(in_table("is_private", "True") == "private");
  CHECK(in_table("is_private", "x").starts_with("bad: f:2: \"is_private\" is \"x\""));
  // Names that mean this only beside others.
  for (const auto& [name, other] :
       {std::pair("dest", "subject"), std::pair("dest", "body"), std::pair("to", "subject"),
        std::pair("to", "body"), std::pair("groupId", "isRead")}) {
    CAPTURE(name);
    CHECK(level(fmt::format(R"("{}":"olek","{}":"b")", name, other)) == "direct");
    CHECK(level(fmt::format(R"("{}":"olek")", name)) == "public");
    CHECK(in_table(fmt::format("{},{}", other, name), "b,olek") == "direct");
    CHECK(in_table(fmt::format("{},{}", other, name), "b,") == "public");
    CHECK(in_table(name, "olek") == "public");
  }
  CHECK(read("id,from,to,subject,body,date\n1,mira,olek,s,b,1768000000\n") == Lines{"direct"});
}

}  // namespace chirp::cli::input::visibility_test
