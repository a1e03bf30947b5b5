// Goal: rows of interactions are read for what they count, and a bad line is reported with its
// number. Method: small texts in each format, with the first lines of real data sets, in pieces of
// odd sizes; each thing a row can have wrong.
#include "cli/input/events.h"

#include <doctest/doctest.h>

#include "core/load/words.h"
#include "tests/support/inputs.h"

namespace chirp::cli::input::events_test {
namespace {

using load::EventKind;
using load::SourceEvent;
using namespace chirp::test;
using Events = std::vector<SourceEvent>;

struct Read {
  Events events;
  std::uint64_t rows = 0;
  std::vector<std::string> complaints;
};

Read read(const std::string& text, EventFormat format = EventFormat::kAuto,
          std::uint64_t most_bad = 0, std::size_t step = 1 << 16) {
  OpenText open(text, step);
  Complaints complaints(most_bad);
  Read result;
  result.rows =
      read_events(open.buffer(), "f", {.format = format}, complaints.bad,
                  [&](auto events) -> std::optional<std::string> {
                    if (!events.empty() && events.front().actor == SourceId{666}) {
                      return "refused";
                    }
                    result.events.insert(result.events.end(), events.begin(), events.end());
                    return std::nullopt;
                  });
  result.complaints = complaints.lines;
  return result;
}

std::string complaint(const std::string& text, EventFormat format = EventFormat::kAuto) {
  return complaint_of([&] { read(text, format); });
}

SourceEvent at(std::uint64_t actor, std::uint64_t other, EventKind kind, std::int64_t seconds) {
  return {SourceId{actor}, SourceId{other}, kind, Time{seconds * 1000}, 1};
}
SourceEvent counted(std::uint64_t actor, std::uint64_t other, EventKind kind, std::uint32_t n) {
  return {SourceId{actor}, SourceId{other}, kind, std::nullopt, n};
}

}  // namespace

TEST_CASE("events: activity has a time and a kind") {
  const std::string text =
      "# SNAP\n223789 213163 1341100972 MT\n223789 213163 1341100972 RE\r\n\n"
      "376989\t50329\t1341101181\tRT\n1 2 2012-07-01T00:02:52Z rt";
  const Events expected{at(223789, 213163, EventKind::kMention, 1341100972),
                        at(223789, 213163, EventKind::kReply, 1341100972),
                        at(376989, 50329, EventKind::kRepost, 1341101181),
                        at(1, 2, EventKind::kRepost, 1341100972)};
  for (const std::size_t step : {1u, 2u, 7u, 1000u}) {
    CHECK(read(text, EventFormat::kAuto, 0, step).events == expected);
    CHECK(read(text, EventFormat::kActivity, 0, step).events == expected);
  }
  CHECK(read("userA,userB,time,what\n1,2,1341100972,RT\n").events ==
        Events{at(1, 2, EventKind::kRepost, 1341100972)});
  CHECK(read("a b t k\n1 2 1341100972 RT\n", EventFormat::kActivity).rows == 1);
}

TEST_CASE("events: interactions are counted by columns whose names say what") {
  CHECK(read("user_id\tliked\tcount\n10\t20\t3\n10\t30\t1\n").events ==
        Events{counted(10, 20, EventKind::kLike, 3), counted(10, 30, EventKind::kLike, 1)});
  CHECK(read("user_id\tretweeted\tcount\n1\t2\t4\n").events ==
        Events{counted(1, 2, EventKind::kRepost, 4)});
  CHECK(read("user_id\treply_to\tcount\n1\t2\t4\n").events ==
        Events{counted(1, 2, EventKind::kReply, 4)});
  CHECK(read("user_id\tmentioned\tcount\n1\t2\t4\n").events ==
        Events{counted(1, 2, EventKind::kMention, 4)});
  CHECK(read("from,to,Replies,weight,LIKES,re-tweets\n1,2,1,9,2,3\n1,3,0,9,0,0\n").events ==
        Events{counted(1, 2, EventKind::kReply, 1), counted(1, 2, EventKind::kLike, 2),
               counted(1, 2, EventKind::kRepost, 3)});
  const Read plain = read("1 2 5 6 7\n1 3 0 0 0\n");
  CHECK(plain.events == Events{counted(1, 2, EventKind::kLike, 5),
                               counted(1, 2, EventKind::kRepost, 6),
                               counted(1, 2, EventKind::kReply, 7)});
  CHECK(plain.rows == 2);
  CHECK(read("").rows == 0);
  CHECK(read("# nothing\n\n").rows == 0);
}

TEST_CASE("events: numbers that a table made real ones, and a last line that may be cut off") {
  CHECK(read("user_id,liked,count\n10.0,20.0,3.0\n").events ==
        Events{counted(10, 20, EventKind::kLike, 3)});
  CHECK(complaint("user_id,liked,count\n10,20,3.5\n").starts_with("f:2: expected a count"));
  Complaints complaints(0);
  OpenText open("1 2 3 0 0\n1 2 1 0");
  CHECK_THROWS(read_events(open.buffer(), "f", {.format = EventFormat::kInteractions},
                           complaints.bad, [](auto) { return std::optional<std::string>(); }));
  OpenText cut("1 2 3 0 0\n1 2 1 0 3");
  read_events(cut.buffer(), "f", {.format = EventFormat::kInteractions}, complaints.bad,
              [](auto) { return std::optional<std::string>(); });
  REQUIRE(complaints.notes.size() == 1);
  CHECK(complaints.notes[0].starts_with("f:2: the last line has no newline"));
}

TEST_CASE("events: a bad line is named, and the next one is read") {
  const std::string activity = "1 2 1341100972 RT\n";
  for (const char* bad : {"1 2 1341100972", "1 2 soon RT", "1 2 1341100972 XX", "1 x 1341100972 RT",
                          "-1 2 1341100972 RT", "1 9223372036854775808 1341100972 RT",
                          "666 2 1341100972 RT", "1 2 1341100972 RT 5", "1"}) {
    CAPTURE(bad);
    CHECK(complaint(activity + bad + "\n" + activity).starts_with("f:2: "));
    const Read all = read(activity + bad + "\n" + activity, EventFormat::kAuto, 1);
    CHECK(all.rows == 2);
    CHECK(all.complaints.size() == 1);
  }
  const std::string counts = "user liked count\n1 2 3\n";
  for (const char* bad : {"1 2", "1 2 x", "1 2 -1", "1 2 1.5", "1 2 1000001", "x 2 1", "1 2 "}) {
    CAPTURE(bad);
    CHECK(complaint(counts + bad + "\n").starts_with("f:3: "));
    CHECK(read(counts + bad + "\n1 2 3\n", EventFormat::kAuto, 1).rows == 2);
  }
  CHECK(complaint("1 2 3\n").starts_with("f:1: expected A, B and counts"));
  CHECK(complaint("1 2 1341100972 RT\n", EventFormat::kInteractions).starts_with("f:1: "));
  CHECK(complaint("1 2 1 1 1\n", EventFormat::kActivity).starts_with("f:1: "));
}

namespace {

// Rows whose users may be words, each as it is read, or the first complaint.
std::vector<std::string> said(const std::string& text, IdKind ids = IdKind::kAuto,
                              std::optional<EventKind> kind = {}) {
  OpenText open(text);
  Complaints complaints(99);
  load::Words words;
  std::vector<std::string> rows;
  read_events(open.buffer(), "f", {.kind = kind, .ids = IdCells(&words, ids)}, complaints.bad,
              [&](auto events) -> std::optional<std::string> {
                for (const SourceEvent& event : events) {
                  rows.push_back(text_of(words.key_of(event.actor)) + ">" +
                                 text_of(words.key_of(event.other)) + " " +
                                 std::string(event_kind_name(event.kind)) + " " +
                                 std::to_string(event.count));
                }
                return std::nullopt;
              });
  for (const std::string& line : complaints.lines) rows.push_back("bad " + line.substr(0, 3));
  return rows;
}

using Said = std::vector<std::string>;

}  // namespace

TEST_CASE("events: users may be words, in every format") {
  CHECK(said("alice bob 1341100972 RT\nbob mira@example.org 1341100972 MT\n") ==
        Said{"alice>bob retweet 1", "bob>mira@example.org mention 1"});
  CHECK(said("who,whom,when,what\nalice,7,2012-07-01T00:02:52Z,RE\n") == Said{"alice>7 reply 1"});
  CHECK(said("user\tliked\tcount\nalice\tbob\t3\n007\tbob\t1\n7\tAlice\t2\n") ==
        Said{"alice>bob like 3", "007>bob like 1", "7>Alice like 2"});
  CHECK(said("from,to,likes,mentions\nalice,bob,0,1\n") == Said{"alice>bob mention 1"});
  CHECK(said("alice,bob,1,0,0\n") == Said{"alice>bob like 1"});
  const auto retweets = [](const std::string& text) {
    return said(text, IdKind::kAuto, EventKind::kRepost);
  };
  CHECK(retweets("alice,bob\nbob,carol,2\n") == Said{"alice>bob retweet 1", "bob>carol retweet 2"});
  CHECK(retweets("source,target,weight\nalice,bob,2\n") == Said{"alice>bob retweet 2"});
  CHECK(retweets("alice bob {'weight': 3}\n") == Said{"alice>bob retweet 3"});
  CHECK(retweets("target,source\nalice,bob\n") == Said{"alice>bob retweet 1", "bad f:1"});
}

TEST_CASE("events: words are taken where most rows have them, or where that is said") {
  const std::string numbers = "1 2 1341100972 RT\n3 4 1341100972 RT\nalice 4 1341100972 RT\n";
  CHECK(said(numbers) == Said{"1>2 retweet 1", "3>4 retweet 1", "bad f:3"});
  CHECK(said(numbers, IdKind::kWords) ==
        Said{"1>2 retweet 1", "3>4 retweet 1", "alice>4 retweet 1"});
  CHECK(said("alice bob 1341100972 RT\n", IdKind::kNumbers).empty());
  CHECK(said("user,liked,count\nalice,bob,3\n", IdKind::kNumbers) == Said{"bad f:2"});
  CHECK(said("who,whom\n0,3\n", IdKind::kAuto, EventKind::kReply) ==
        Said{"0>3 reply 1", "bad f:1"});
  CHECK(said("user,liked,count\nAnn Lee,Bo,1\n") == Said{"bad f:2"});
  CHECK(said("user,liked,count\nAnn Lee,Bo,1\n", IdKind::kWords) == Said{"Ann Lee>Bo like 1"});
  // Text that is not a word is bad in a table of words as well.
  CHECK(said("alice,bob,1,0,0\nalice,nan,1,0,0\nalice,-1,1,0,0\n\"a b\",bob,1,0,0\n"
             "carol,bob,1,0,0\ndave,bob,1,0,0\nerin,bob,1,0,0\n") ==
        Said{"alice>bob like 1", "carol>bob like 1", "dave>bob like 1", "erin>bob like 1",
             "bad f:2", "bad f:3", "bad f:4"});
}

TEST_CASE("events: rows that say who may see them are not public, so they are refused") {
  for (const char* const column : {"privacy", "visibility", "Protected"}) {
    for (const char* const header : {"user,other,likes,", "user,other,", "source,target,count,"}) {
      CHECK(
          complaint(std::string(header) + column + "\n1,2,3,4\n").find("the header has a column") !=
          std::string::npos);
    }
  }
}

TEST_CASE("events: a header has to say what is counted") {
  CHECK(complaint("user,other,count\n1,2,3\n").starts_with("f:1: the header has to say"));
  CHECK(complaint("user,other,a,b\n1,2,3,4\n", EventFormat::kInteractions)
            .starts_with("f:1: the header has to say"));
  CHECK(complaint("a,b,c,d\n1,2,3,4\n").starts_with("f:2: "));
}

}  // namespace chirp::cli::input::events_test
