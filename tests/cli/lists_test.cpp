// Goal: every list is walked by one cursor, to its end by --all, and comes as JSON, CSV or the
// fields that are asked for.
// Method: one world in which every list has several pages. What --all prints is held against the
// pages put together, CSV and chosen fields against the whole JSON, names of fields against the
// contract of the HTTP interface.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/engine.h"
#include "store/data_directory.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/json_value.h"
#include "tests/support/openapi.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::lists_test {
namespace {

using Words = std::vector<std::string>;

constexpr std::uint32_t kUsers = 240;  // more than a page of users may have
constexpr std::uint32_t kPosts = 130;  // more than one of posts

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// Everybody follows a0, who posts much, and reacts to and comments on a0's first post. a0 has
// blocked, muted and has tokens by the hundred.
class Crowd {
 public:
  Crowd() {
    store::make_data_directory(folder_ / "chirp", {});
    const auto directory = store::DataDirectory::open(folder_ / "chirp");
    fill(*directory, kUsers, 1);
    const auto hasher = store::bcrypt_hasher();
    Engine engine(directory->storage(), directory->users(), *hasher, test_clock());
    const std::vector<User> users = directory->users().scan(kNobody, kUsers);
    const User& a0 = users.front();
    for (std::uint32_t i = 0; i < kPosts; ++i) {
      post_ = engine.posts().publish(a0, fmt::format("\"{}\", said\nI, #lists", i)).post.id;
    }
    for (std::uint32_t i = 1; i < kUsers; ++i) {
      const User& user = users[i];
      engine.follows().add(user, {&a0, 1});
      engine.reactions().react(user, post_, ReactionType::kLove);
      engine.comments().add(user, post_, fmt::format("comment, {}", i), kNoComment);
      engine.relations().set(users[1], Relation::kMute, i == 1 ? a0 : user);
      tokens_.push_back(engine.tokens().mint(a0, std::nullopt).token);
    }
    engine.posts().repost(users[1], post_);
    for (std::uint32_t i = 2; i < kUsers; ++i) {
      engine.relations().set(users[2], Relation::kBlock, users[i == 2 ? 1 : i]);
    }
    events::drain(directory->storage(), test_clock());
  }

  [[nodiscard]] Ended run(const Words& words) const {
    return test::run(chirp_command((folder_ / "chirp").string(), words));
  }
  [[nodiscard]] std::string must(const Words& words) const {
    const Ended ended = run(words);
    REQUIRE_MESSAGE(ended.ok(), to_string(ended));
    return ended.out;
  }
  [[nodiscard]] std::string post() const { return std::to_string(post_.value); }
  [[nodiscard]] const std::vector<std::string>& tokens() const { return tokens_; }

 private:
  TempFolder folder_;
  PostId post_;
  std::vector<std::string> tokens_;
};

struct Listed {
  Words words;
  std::string key;     // of its array
  std::string schema;  // of an item in the contract; none if the interface has no such list
  std::size_t items = 0;
  // What the contract has and the list never, by the beginnings of names.
  Words without{};
};

std::vector<Listed> lists(const Crowd& crowd) {
  const Words operators{"userLiked",          "userLikeType",          "userReposted",
                        "repostOf.userLiked", "repostOf.userLikeType", "repostOf.userReposted",
                        "repostOf.repostOf"};
  return {
      {{"user", "list"}, "users", "User", kUsers},
      {{"user", "blocks", "a2"}, "users", "User", kUsers - 2},
      {{"user", "mutes", "a1"}, "users", "User", kUsers - 1},
      {{"user", "tokens", "a0"}, "tokens", "", kUsers - 1},
      {{"follow", "followers", "a0"}, "followers", "Follow", kUsers - 1},
      {{"follow", "following", "a9"}, "following", "Follow", 4},
      {{"post", "list", "a0"}, "posts", "Post", kPosts + 1, operators},
      {{"post", "list", "a1"}, "posts", "Post", 2, operators},  // one is a repost
      {{"post", "reactions", crowd.post()}, "likes", "Liker", kUsers - 1},
      {{"comment", "list", crowd.post()},
       "comments",
       "Comment",
       kUsers - 1,
       {"userLiked", "replies"}},
      {{"comment", "list", crowd.post(), "--sort", "popular"},
       "comments",
       "Comment",
       kUsers - 1,
       {"userLiked", "replies"}},
      {{"feed", "show", "a9"},
       "posts",
       "FeedItem",
       kPosts + 5,
       {"repostOf", "score", "explanation"}},
      {{"notify", "list", "a0"},
       "notifications",
       "Notification",
       3 * (kUsers - 1) + 1,
       {"actors", "actorCount"}},
  };
}

std::string joined(const Words& words) { return fmt::format("{}", fmt::join(words, " ")); }

// A page after the other, by the cursor of each.
JsonValue::List walked(const Crowd& crowd, const Listed& list) {
  JsonValue::List items;
  Words words = list.words + Words{"--json", "--limit", "50"};
  for (;;) {
    const JsonValue page = JsonValue::parse(crowd.must(words));
    const JsonValue::List& found = page[list.key].list();
    items.insert(items.end(), found.begin(), found.end());
    const JsonValue& next = page["pagination"]["nextCursor"];
    if (next.is_null()) return items;
    words = list.words + Words{"--json", "--limit", "50", "--cursor", next.text()};
  }
}

// RFC 4180, read naively.
std::vector<Words> csv_rows(const std::string& text) {
  std::vector<Words> rows;
  Words row(1);
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted && text[i] == '"' && text[i + 1] == '"') {
      row.back() += text[i++];
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && text[i] == ',') {
      row.emplace_back();
    } else if (!quoted && text[i] == '\r') {
      REQUIRE(text[++i] == '\n');
      rows.push_back(row);
      row.assign(1, "");
    } else {
      row.back() += text[i];
    }
  }
  REQUIRE_FALSE(quoted);
  REQUIRE(row == Words{""});
  return rows;
}

std::string cell(const JsonValue* value) {
  if (value == nullptr || value->is_null()) return {};
  return value->is<std::string>() ? value->text() : value->dump();
}

// The fields of an object by their names with dots; arrays are fields.
void flatten(const JsonValue& object, const std::string& before,
             std::map<std::string, std::string>& fields) {
  for (const auto& [name, value] : object.object()) {
    if (value.is<JsonValue::Object>()) {
      flatten(value, before + name + ".", fields);
    } else {
      fields[before + name] = cell(&value);
    }
  }
}

Words header(const Crowd& crowd, const Words& words) {
  return csv_rows(crowd.must(words + Words{"--csv", "--limit", "1"})).front();
}

const JsonValue& schema_named(std::string_view name) {
  return OpenApi::of_the_project().document()["components"]["schemas"][name];
}

const JsonValue& resolved(const JsonValue& node) {
  const JsonValue* ref = node.find("$ref");
  return ref == nullptr ? node : schema_named(ref->text().substr(ref->text().rfind('/') + 1));
}

// The names of the fields of a schema, down to three objects deep.
void name_fields(const JsonValue& schema, const std::string& before, std::set<std::string>& names) {
  const JsonValue& node = resolved(schema);
  if (const JsonValue* parts = node.find("allOf")) {
    for (const JsonValue& part : parts->list()) name_fields(part, before, names);
  }
  const JsonValue* properties = node.find("properties");
  if (properties == nullptr) return;
  for (const auto& [name, property] : properties->object()) {
    const JsonValue& inner = resolved(property);
    if (const JsonValue* keys = inner.find("propertyNames")) {
      for (const JsonValue& key : resolved(*keys)["enum"].list()) {
        names.insert(before + name + "." + key.text());
      }
    } else if ((inner.find("properties") != nullptr || inner.find("allOf") != nullptr) &&
               std::count(before.begin(), before.end(), '.') < 2) {
      name_fields(inner, before + name + ".", names);
    } else {
      names.insert(before + name);
    }
  }
}

}  // namespace

TEST_CASE("lists: --all is every page from cursor to cursor") {
  const Crowd crowd;
  for (const Listed& list : lists(crowd)) {
    CAPTURE(joined(list.words));
    const JsonValue all = JsonValue::parse(crowd.must(list.words + Words{"--json", "--all"}));
    CHECK(all[list.key].list().size() == list.items);
    CHECK(all[list.key].list() == walked(crowd, list));
    CHECK(all["pagination"]["nextCursor"].is_null());
    CHECK_FALSE(all["pagination"]["hasMore"].as<bool>());
    const Ended people = crowd.run(list.words + Words{"--all"});
    CHECK(people.err.find("--cursor") == std::string::npos);
    CHECK(crowd.run(list.words + Words{"--all", "--limit", "5"}).status == 2);
  }
}

TEST_CASE("lists: people get all lines, too") {
  const Crowd crowd;
  const auto lines = [&](const Words& words) {
    const std::string out = crowd.must(words);
    return static_cast<std::size_t>(std::count(out.begin(), out.end(), '\n'));
  };
  CHECK(lines({"user", "list", "--all"}) == kUsers);
  CHECK(lines({"user", "blocks", "a2", "--all"}) == kUsers - 2);
  CHECK(lines({"user", "tokens", "a0", "--all"}) == kUsers - 1);
  CHECK(lines({"user", "sessions", "a0"}) == kUsers - 1);
  CHECK(lines({"comment", "list", crowd.post(), "--all"}) == 2 * (kUsers - 1));
}

TEST_CASE("lists: older names of the cursor do what it does, and are not said beside it") {
  const Crowd crowd;
  for (const auto& [words, older] :
       std::vector<std::pair<Words, std::string>>{{{"user", "list"}, "--after"},
                                                  {{"post", "list", "a0"}, "--before"},
                                                  {{"feed", "show", "a9"}, "--before"}}) {
    CAPTURE(joined(words));
    const JsonValue page = JsonValue::parse(crowd.must(words + Words{"--json"}));
    const std::string next = page["pagination"]["nextCursor"].text();
    const std::string rest = crowd.must(words + Words{"--cursor", next});
    CHECK(crowd.must(words + Words{older, next}) == rest);
    CHECK(rest != crowd.must(words));
    const Ended both = crowd.run(words + Words{"--cursor", next, older, next});
    CHECK(both.status == 2);
    CHECK(both.err.find(older) != std::string::npos);
    const Ended bad = crowd.run(words + Words{"--cursor", "?"});
    CHECK(bad.status == 2);
    CHECK(bad.err.find("--cursor takes") != std::string::npos);
  }
}

TEST_CASE("lists: upwards --all begins with the oldest") {
  const Crowd crowd;
  const JsonValue all = JsonValue::parse(crowd.must({"feed", "show", "a9", "--all", "--json"}));
  JsonValue::List down = all["posts"].list();
  REQUIRE(crowd.run({"feed", "mark", "a9", "0"}).ok());
  for (const Words& way : {Words{"--unread"}, Words{"--after", "0"}}) {
    const JsonValue up =
        JsonValue::parse(crowd.must(Words{"feed", "show", "a9", "--all", "--json"} + way));
    JsonValue::List items = up["posts"].list();
    std::reverse(items.begin(), items.end());
    CHECK(items == down);
  }
}

TEST_CASE("lists: CSV has the fields of the JSON, row for row") {
  const Crowd crowd;
  for (const Listed& list : lists(crowd)) {
    CAPTURE(joined(list.words));
    const JsonValue all = JsonValue::parse(crowd.must(list.words + Words{"--json", "--all"}));
    const std::vector<Words> rows = csv_rows(crowd.must(list.words + Words{"--csv", "--all"}));
    const Words names = rows.front();
    REQUIRE(rows.size() == list.items + 1);
    for (std::size_t i = 0; i < list.items; ++i) {
      std::map<std::string, std::string> fields;
      flatten(all[list.key][i], "", fields);
      Words expected;
      for (const std::string& name : names) {
        expected.push_back(fields[name]);
        fields.erase(name);
      }
      Words row = rows[i + 1];
      for (std::string& each : row) {  // in one order of members
        if (each.starts_with('[')) each = JsonValue::parse(each).dump();
      }
      REQUIRE(row == expected);
      const bool left_out = !fields.empty();
      REQUIRE_FALSE_MESSAGE(left_out, fields.begin()->first, " is in no column");
    }
  }
}

TEST_CASE("lists: the names of fields are those of the contract") {
  const Crowd crowd;
  for (const Listed& list : lists(crowd)) {
    if (list.schema.empty()) continue;
    CAPTURE(joined(list.words));
    std::set<std::string> expected;
    name_fields(schema_named(list.schema), "", expected);
    std::erase_if(expected, [&](const std::string& name) {
      return std::any_of(list.without.begin(), list.without.end(),
                         [&](const std::string& head) { return name.starts_with(head); });
    });
    const Words names = header(crowd, list.words);
    CHECK(std::set<std::string>(names.begin(), names.end()) == expected);
  }
  const Words scored = header(crowd, {"feed", "show", "a9", "--ranked", "--explain"});
  std::set<std::string> expected;
  name_fields(schema_named("FeedItem"), "", expected);
  std::erase_if(expected, [](const std::string& name) { return name.starts_with("repostOf"); });
  CHECK(std::set<std::string>(scored.begin(), scored.end()) == expected);
}

TEST_CASE("lists: --fields chooses, in the order asked for") {
  const Crowd crowd;
  const auto first = [&](const Words& words) {
    const std::string out = crowd.must(words + Words{"--limit", "1"});
    return out.substr(0, out.find("],\"pagination\""));
  };
  CHECK(first({"user", "list", "--json", "--fields", "username,postCount"}) ==
        R"({"users":[{"username":"a0","postCount":131})");
  CHECK(first({"user", "list", "--json", "--fields", "postCount,username"}) ==
        R"({"users":[{"postCount":131,"username":"a0"})");
  const JsonValue whole = JsonValue::parse(crowd.must({"user", "list", "--json", "--limit", "1"}));
  const std::string id = whole["users"][0]["userId"].text();
  CHECK(first({"user", "list", "--json", "--fields", "id,username"}) ==
        R"({"users":[{"userId":")" + id + R"(","username":"a0"})");
  CHECK(crowd.must({"user", "list", "--csv", "--fields", "username,id", "--limit", "1"}) ==
        "username,userId\r\na0," + id + "\r\n");
  // Fields of an inner object stay inside it, where the first of them is named.
  CHECK(first({"notify", "list", "a0", "--json", "--fields", "actor.username,type,actor.userId"})
            .starts_with(R"({"notifications":[{"actor":{"username":"a)"));
  CHECK(csv_rows(crowd.must({"notify", "list", "a0", "--csv", "--fields", "actor"})).front() ==
        Words{"actor.userId", "actor.username", "actor.displayName", "actor.profileImageUrl"});
}

TEST_CASE("lists: what can't be asked for is refused before anything is printed") {
  const Crowd crowd;
  for (const auto& [words, says] : std::vector<std::pair<Words, std::string>>{
           {{"--json", "--fields", "name"}, "no field \"name\" here. There are userId, username, "},
           {{"--json", "--fields", "username,"}, "no field \"\""},
           {{"--json", "--fields", "id,userId"}, "userId twice"},
           {{"--fields", "username"}, "--json or --csv"},
           {{"--json", "--csv"}, "not both"}}) {
    CAPTURE(joined(words));
    const Ended ended = crowd.run(Words{"user", "list"} + words);
    CHECK(ended.status == 2);
    CHECK(ended.out.empty());
    CHECK_MESSAGE(ended.err.find(says) != std::string::npos, ended.err);
  }
}

TEST_CASE("lists: tokens can be distinguished, and none is shown") {
  const Crowd crowd;
  std::string said;
  for (const Words& form : {Words{}, Words{"--json"}, Words{"--csv"}}) {
    said += crowd.must(Words{"user", "tokens", "a0", "--all"} + form);
  }
  for (const std::string& token : crowd.tokens()) CHECK(said.find(token) == std::string::npos);
  std::set<std::string> ids;
  const JsonValue all = JsonValue::parse(crowd.must({"user", "tokens", "a0", "--all", "--json"}));
  for (const JsonValue& token : all["tokens"].list()) {
    ids.insert(token["tokenId"].text());
    CHECK(token["tokenId"].text().size() == 16);  // of a hash of 64 digits
  }
  CHECK(ids.size() == crowd.tokens().size());
  // Each can be ended by what it is called.
  CHECK(crowd.run({"user", "sessions", "a0", "--end", *ids.begin()}).ok());
  CHECK(JsonValue::parse(crowd.must({"user", "tokens", "a0", "--all", "--json"}))["tokens"]
            .list()
            .size() == ids.size() - 1);
}

}  // namespace chirp::test::lists_test
