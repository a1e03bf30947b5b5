// Goal: of nostr's follow lists the newest of each author counts, whatever the order of events and
// files. Method: random events, and a list of them that is searched for each author.
#include "cli/input/nostr.h"

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/load/words.h"
#include "tests/support/inputs.h"

namespace chirp::cli::input::nostr_test {
namespace {

using namespace chirp::test;

using Follows = std::multiset<std::string>;  // `a b`

struct Read {
  Follows follows;
  std::vector<std::string> names;
  std::vector<std::string> bad;
  std::uint64_t older = 0;
  std::uint64_t other = 0;
};

Read read_files(const std::vector<std::string>& files, std::size_t step = 4096) {
  Read read;
  load::Words words;
  const auto word = [&](SourceId id) { return text_of(words.key_of(id)); };
  FollowLists lists({.edges =
                         [&](std::span<const load::SourceEdge> edges) {
                           for (const load::SourceEdge& edge : edges) {
                             read.follows.insert(word(edge.follower) + " " + word(edge.followee));
                           }
                         },
                     .node =
                         [&](const load::SourceUser& user) {
                           read.names.push_back(word(user.id) + " " + user.username + " (" +
                                                user.display_name + ")");
                         },
                     .ids = {&words, IdKind::kAuto}});
  for (const std::string& text : files) {
    OpenText open(text, step);
    Complaints complaints(99);
    lists.read(open.buffer(), "f", complaints.bad);
    read.bad.insert(read.bad.end(), complaints.lines.begin(), complaints.lines.end());
  }
  const std::uint64_t edges = lists.end();
  CHECK(edges == read.follows.size());
  read.older = lists.older_lists();
  read.other = lists.other_kinds();
  return read;
}

struct Event {
  std::string author;
  int created_at;
  std::string id;
  std::vector<std::string> followees;

  [[nodiscard]] std::string json() const {
    std::string tags = R"(["e","77"])";
    for (const std::string& followee : followees) {
      tags += fmt::format(R"(,["p","{}","wss://r.example","pet"])", followee);
    }
    return fmt::format(
        R"({{"kind":3,"content":"","created_at":{},"id":"{}","pubkey":"{}","tags":[{}]}})",
        created_at, id, author, tags);
  }
};

// By definition: a list counts if no other of its author is newer, or of the same second and lower.
Follows newest(const std::vector<Event>& events) {
  Follows follows;
  for (const Event& event : events) {
    const bool counts = std::ranges::none_of(events, [&](const Event& other) {
      return other.author == event.author &&
             (other.created_at > event.created_at ||
              (other.created_at == event.created_at && other.id < event.id));
    });
    if (!counts) continue;
    for (const std::string& followee : event.followees) {
      follows.insert(event.author + " " + followee);
    }
  }
  return follows;
}

}  // namespace

TEST_CASE("nostr: the newest follow list of each author counts, in any order, in all files") {
  std::mt19937 random(7);
  const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    std::vector<Event> events;
    for (int i = below(30); i >= 0; --i) {
      Event event{fmt::format("a{:x}", below(5)), below(4), fmt::format("{:03}", i), {}};
      for (int n = below(4); n > 0; --n) event.followees.push_back(fmt::format("b{}", below(9)));
      events.push_back(std::move(event));
    }
    std::ranges::shuffle(events, random);
    std::vector<std::string> files(1 + static_cast<std::size_t>(below(3)));
    std::set<std::string> authors;
    for (const Event& event : events) {
      files[random() % files.size()] += event.json() + "\n";
      authors.insert(event.author);
    }
    const Read read = read_files(files, 1 + random() % 300);
    CHECK(read.follows == newest(events));
    CHECK(read.older == events.size() - authors.size());
    CHECK(read.bad.empty());
  }
}

TEST_CASE("nostr: names, other kinds, and what is wrong in an event") {
  const Event list{"ab", 5, "01", {"cd", "ef"}};
  const Read read = read_files({"[" + list.json() +
                                R"(,
{"pubkey":"ab","kind":0,"created_at":1,"content":"{\"name\":\"ada\",\"display_name\":\"Ada L\"}"},
{"pubkey":"ab","kind":4,"created_at":1,"content":"secret","tags":[["p","ef"]]},
{"pubkey":"ab","kind":1,"created_at":1,"content":"hi","tags":[["p","ef"]]},
{"pubkey":"ab","kind":3,"tags":[["p","ef"]]},
{"pubkey":"","kind":3,"created_at":9,"tags":[["p","ef"]]},
{"pubkey":"ab","kind":"x","created_at":9,"tags":[["p","ef"]]},
{"pubkey":"ab","kind":3,"created_at":9,"tags":[["p",""]]},
{"pubkey":"ab","kind":0,"created_at":9,"content":"x"},
7])"});
  CHECK(read.follows == Follows{"ab cd", "ab ef"});
  CHECK(read.names == std::vector<std::string>{"ab ada (Ada L)"});
  CHECK(read.older == 0);
  CHECK(read.other == 2);
  CHECK(read.bad ==
        std::vector<std::string>{
            "f:5: \"created_at\" is not a time in seconds, so the newest event is not known",
            "f:6: \"pubkey\" is not the id of an author",
            "f:7: \"kind\" is not a kind of nostr's events",
            "f:8: \"\" in a \"p\" tag is not the id of a user",
            "f:9: the content of a profile is not a JSON object",
            "f:10: expected an event, an object, here"});
}

TEST_CASE("nostr: a damaged line costs that line alone, and profiles replace one another") {
  const std::string good = Event{"ab", 5, "01", {"cd"}}.json();
  const std::string last = Event{"ef", 5, "02", {"cd"}}.json();
  const std::string large = Event{"77a", 5, "03", std::vector<std::string>(30'000, "cd")}.json();
  CHECK(large.size() > std::size_t{1} << 20);
  for (const std::string& damaged : {std::string("garbage"), good.substr(0, good.size() - 9),
                                     good + "}", std::string(R"({"kind":3,"pubkey":"ab"})")}) {
    CAPTURE(damaged);
    const Read read = read_files({good + "\n" + damaged + "\n" + last + "\n"});
    CHECK(read.follows == Follows{"ab cd", "ef cd"});
    CHECK(read.bad.size() == 1);
    CHECK(read.bad.at(0).starts_with("f:2: "));
  }
  CHECK(read_files({large + "\n" + last}).follows.size() == 30'001);
  const auto profile = [](int created_at, const char* name) {
    return fmt::format(
        R"({{"pubkey":"ab","kind":0,"created_at":{},"content":"{{\"name\":\"{}\"}}"}})", created_at,
        name);
  };
  for (const bool swapped : {false, true}) {
    const std::string first = profile(swapped ? 2 : 1, swapped ? "new" : "old");
    const std::string second = profile(swapped ? 1 : 2, swapped ? "old" : "new");
    CHECK(read_files({first + "\n" + second}).names == std::vector<std::string>{"ab new (new)"});
  }
  // The same event from two relays is not an older one.
  CHECK(read_files({good + "\n" + good}).older == 0);
}

TEST_CASE("nostr: what is remembered is bounded, and what was replaced does not count") {
  const auto complaint = [](const std::string& text) {
    return complaint_of([&] {
      load::Words words;
      FollowLists lists({.edges = {}, .ids = {&words, IdKind::kAuto}}, std::size_t{1} << 20);
      OpenText open(text, 4096);
      Complaints complaints(0);
      lists.read(open.buffer(), "f", complaints.bad);
    });
  };
  std::string authors;
  std::string names;
  std::string one;
  for (int i = 0; i < 10'000; ++i) {
    authors += Event{fmt::format("a{}", i), 1, "01", {"b"}}.json() + "\n";
    names +=
        fmt::format(R"({{"pubkey":"a{}","kind":0,"created_at":1,"content":"{{}}"}})", i) + "\n";
    one += Event{"a", i, "01", {"b"}}.json() + "\n";
  }
  constexpr const char* kSaid =
      "f: the newest events of all authors need more than 1 MiB until the last file is read: load "
      "the authors in parts";
  CHECK(complaint(authors) == kSaid);
  CHECK(complaint(names) == kSaid);
  CHECK(complaint(one) == "");
}

TEST_CASE("nostr: events are recognized by their first object") {
  CHECK(looks_like_nostr(R"({"id":"1","pubkey":"ab","kind":3})"));
  CHECK(looks_like_nostr("[\n " + Event{"ab", 1, "2", {}}.json()));
  for (const char* text : {"", "{}", "1 2", R"({"pubkey":"ab"})", R"({"a":{"pubkey":1,"kind":3}})",
                           R"({"kind":3,"nodes":[]})"}) {
    CAPTURE(text);
    CHECK_FALSE(looks_like_nostr(text));
  }
}

}  // namespace chirp::cli::input::nostr_test
