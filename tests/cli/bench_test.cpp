// Goal: the benchmarks run to their ends and print each figure beside its reference.
// Method: the program itself, on small worlds, for as short as it goes.
#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/child.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {

TEST_CASE("bench: feeds, the same in a crowd, and posts over HTTP") {
  const Ended ended = run({{CHIRP_BINARY, "bench", "http", "--json", "--seconds", "0.05", "--users",
                            "80", "--posts", "500"}});
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  CHECK(std::count(ended.out.begin(), ended.out.end(), '\n') == 4);
  CHECK(ended.out.find(R"("name":"feed over http")") != std::string::npos);
  CHECK(ended.out.find("bare cpp-httplib sending the same bytes") != std::string::npos);
  CHECK(ended.out.find(R"("name":"posts over http","policy":"","threads":1,)") !=
        std::string::npos);
  CHECK(ended.out.find(R"("name":"posts over http","policy":"","threads":64,)") !=
        std::string::npos);
  CHECK(ended.out.find("bare LMDB putting post, index and event, ") != std::string::npos);
}

TEST_CASE("bench: pages of feeds and their JSON, out of the store and out of memory") {
  const Ended ended = run({{CHIRP_BINARY, "bench", "feed", "--json", "--seconds", "0.01", "--users",
                            "60", "--follows", "600", "--posts", "500"}});
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  for (const char* policy : {"hybrid", "pull"}) {
    for (const char* name : {"feed", "feed, off", "json, off", "feed, cold", "json, cold",
                             "feed, warm", "json, warm"}) {
      const auto line = fmt::format(R"({{"name":"{}","policy":"{}","threads":1,)", name, policy);
      CHECK_MESSAGE(ended.out.find(line) != std::string::npos, line);
    }
    for (const char* name : {"feed, warm", "json, warm"}) {
      const auto line = fmt::format(R"({{"name":"{}","policy":"{}","threads":2,)", name, policy);
      CHECK_MESSAGE(ended.out.find(line) != std::string::npos, line);
    }
  }
}

TEST_CASE("bench: what a page costs in worlds of ever more users") {
  const Command command{{CHIRP_BINARY, "bench", "growth", "--seconds", "0.01", "--users", "2000",
                         "--follows", "20000", "--posts", "4000"}};
  const Ended table = run(command);
  REQUIRE_MESSAGE(table.ok(), to_string(table));
  CHECK(std::count(table.out.begin(), table.out.end(), '\n') == 4);  // 20, 200 and 2000 users
  Command as_json = command;
  as_json.arguments.push_back("--json");
  const Ended json = run(as_json);
  REQUIRE_MESSAGE(json.ok(), to_string(json));
  CHECK(std::count(json.out.begin(), json.out.end(), '\n') == 6);
  CHECK(json.out.find(R"("name":"feed, warm, 2000 users")") != std::string::npos);
  CHECK(json.out.find(R"("reference":{"name":"feed, warm, 20 users")") != std::string::npos);
}

TEST_CASE("bench: loads of a graph, of posts and of people beside bare stores") {
  const Ended ended = run({{CHIRP_BINARY, "bench", "load", "--json", "--users", "200", "--follows",
                            "2000", "--posts", "500"}});
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  CHECK(ended.out.find(R"("name":"load graph")") != std::string::npos);
  CHECK(ended.out.find(R"("name":"load posts")") != std::string::npos);
  CHECK(ended.out.find(R"("name":"load people","policy":"","threads":1,"operations":200)") !=
        std::string::npos);
  CHECK(ended.out.find("bare SQLite putting row, indexes and search") != std::string::npos);
}

TEST_CASE("bench: posts beside each step of upkeep, and how long its turns are held") {
  const auto bench = [](std::vector<std::string> words) {
    words.insert(words.begin(), {CHIRP_BINARY, "bench"});
    words.insert(words.end(), {"--json", "--users", "50", "--follows", "500", "--posts", "300"});
    const Ended ended = run({words});
    REQUIRE_MESSAGE(ended.ok(), to_string(ended));
    return ended.out;
  };
  // So little work may be over before anybody can post beside it: then the line says none.
  const auto has = [](const std::string& out, const char* name) {
    return out.find(fmt::format(R"({{"name":"{}",)", name)) != std::string::npos;
  };
  const std::vector<const char*> upkeep{
      "post amid counting", "turn: counters",     "turn: notifications", "post amid trimming",
      "turn: trim",         "post amid building", "turn: build"};
  const std::vector<const char*> removal{"post amid a removal", "turn: removal"};
  const std::string part = bench({"beside", "upkeep"});
  const std::string other_part = bench({"beside", "removal"});
  const std::string both = bench({"upkeep"});
  for (const char* name : upkeep) {
    CHECK_MESSAGE(has(part, name), name);
    CHECK_MESSAGE(!has(other_part, name), name);
    CHECK_MESSAGE(has(both, name), name);
  }
  for (const char* name : removal) {
    CHECK_MESSAGE(!has(part, name), name);
    CHECK_MESSAGE(has(other_part, name), name);
    CHECK_MESSAGE(has(both, name), name);
  }
}

TEST_CASE("bench: reactions and the pages with them, as a part of beside and by its old name") {
  for (std::vector<std::string> words :
       {std::vector<std::string>{"beside", "react"}, std::vector<std::string>{"react"}}) {
    words.insert(words.begin(), {CHIRP_BINARY, "bench"});
    words.insert(words.end(), {"--json", "--users", "50", "--follows", "500", "--posts", "300",
                               "--seconds", "0.01"});
    const Ended ended = run({words});
    REQUIRE_MESSAGE(ended.ok(), to_string(ended));
    CHECK(ended.out.starts_with(R"({"name":"react","policy":"","threads":1,"operations":)"));
    for (const char* name : {"feed with counts", "the same, warm", "feed of reposts"}) {
      const auto line = fmt::format(R"({{"name":"{}","policy":"","threads":1,)", name);
      CHECK_MESSAGE(ended.out.find(line) != std::string::npos, line);
    }
  }
  const Ended ended = run({{CHIRP_BINARY, "bench", "feed", "upkeep"}});
  CHECK(ended.status == 2);
  CHECK_MESSAGE(ended.err.find("`upkeep` needs `beside`") != std::string::npos, ended.err);
}

TEST_CASE("bench: deliveries are measured on a copy of a directory, and none under pull") {
  const TempFolder folder;
  const std::string data = (folder.path() / "world").string();
  const auto chirp = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {CHIRP_BINARY, "--data", data});
    const Ended ended = run({std::move(words)});
    REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  };
  chirp({"init"});
  chirp({"user", "add", "mira"});
  chirp({"user", "add", "yuki"});
  chirp({"follow", "add", "yuki", "mira"});
  chirp({"follow", "add", "mira", "yuki"});
  const auto bench = [&](const char* policy) {
    return run({{CHIRP_BINARY, "bench", "fanout", "--data", data, "--posts", "30", "--policy",
                 policy, "--json"}});
  };
  const Ended pushed = bench("push");
  REQUIRE_MESSAGE(pushed.ok(), to_string(pushed));
  // To the author and the one follower.
  CHECK(pushed.out.starts_with(
      R"({"name":"fanout","policy":"push","threads":1,"operations":60,"seconds":)"));
  const Ended pulled = bench("pull");
  REQUIRE_MESSAGE(pulled.ok(), to_string(pulled));
  CHECK(pulled.out == "{\"name\":\"fanout\",\"policy\":\"pull\",\"threads\":1,\"operations\":0}\n");
  const Ended said = run({{CHIRP_BINARY, "bench", "fanout", "--users", "20", "--follows", "40",
                           "--posts", "30", "--policy", "pull"}});
  CHECK_MESSAGE(said.out.find("nothing is delivered") != std::string::npos, said.out);
  const Ended both = run({{CHIRP_BINARY, "bench", "fanout", "--data", data, "--beside", "redis"}});
  CHECK(both.status == 2);
  CHECK_MESSAGE(both.err.find("Leave --data or --beside out") != std::string::npos, both.err);
}

}  // namespace chirp::test
