// Goal: what the lab concludes follows from what it has measured, and a part of a day is scaled to
// all of it.
// Method: runs whose numbers are made up so that every conclusion can be worked out by hand.
#include "cli/lab/findings.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/lab/print.h"
#include "cli/lab/report.h"

namespace chirp::test {
namespace {

using cli::lab::Findings;
using cli::lab::Played;
using cli::lab::Script;

// A hundredth of the posts and a tenth of the reads of a day.
Script script() {
  chirp::lab::PlayedDay day;
  day.from = Time{20'000 * kDayMs};
  day.to = Time{20'000 * kDayMs + kHourMs};
  day.posts_of_day = 1'000;
  day.posts.resize(10);
  Script made(day, chirp::lab::ReadModel(8, 1));
  made.reads.resize(400);
  made.reads_of_day = 4'000;
  made.users = 500;
  made.readers = 50;
  return made;
}

Played run(feed::Policy policy, std::int64_t post_ns, std::int64_t read_ns) {
  Played played;
  played.what = {policy, {}, 0};
  played.posts = 10;
  played.post_bytes = 1'000;
  played.reads = 400;
  played.for_posts = {post_ns, 50'000};
  played.for_reads = {read_ns, 300};
  played.delivery_ns = 600;
  played.source_ns = 300;
  played.pages = {{PostId{3}, PostId{2}}, {PostId{1}}};
  return played;
}

// 2,000 deliveries cost 1 ms, 20,000 sources 4 ms.
std::vector<Played> runs() {
  Played push = run(feed::Policy::kPush, 3'000'000, 2'000'000);
  push.deliveries = 2'000;
  push.sources = 400;
  Played pull = run(feed::Policy::kPull, 2'000'000, 6'000'000);
  pull.sources = 20'400;
  return {push, pull};
}

}  // namespace

TEST_CASE(
    "lab findings: counts and seconds are of the whole day, and a read's figures of one read") {
  const Findings findings = cli::lab::findings_of(script(), runs());
  CHECK(findings.share.posts == doctest::Approx(100));
  CHECK(findings.share.reads == doctest::Approx(10));
  const auto& push = findings.runs.at(0);
  CHECK(push.name == "push");
  CHECK(push.deliveries == doctest::Approx(200'000));
  CHECK(push.post_seconds == doctest::Approx(0.3));
  CHECK(push.read_seconds == doctest::Approx(0.02));
  CHECK(push.seconds() == doctest::Approx(0.32));
  CHECK(push.bytes_written == doctest::Approx(50'000 * 100 + 300 * 10));
  CHECK(push.amplification == doctest::Approx(50));
  CHECK(push.sources == doctest::Approx(1));
  CHECK(findings.runs.at(1).sources == doctest::Approx(51));
}

TEST_CASE("lab findings: the cheapest run has the least processor time") {
  auto all = runs();
  CHECK(cli::lab::findings_of(script(), all).cheapest == 1);  // 0.2 + 0.06 s beside 0.32 s
  all[1].for_reads.processor_ns = 13'000'000;
  CHECK(cli::lab::findings_of(script(), all).cheapest == 0);
  all[1].for_posts.bytes_written = 10;
  CHECK(cli::lab::findings_of(script(), all).fewest_bytes == 1);
}

TEST_CASE(
    "lab findings: what is as good as the cheapest is named, and what is cheapest in the cold") {
  auto all = runs();
  const auto said = [&all] { return cli::lab::conclusions(cli::lab::findings_of(script(), all)); };
  CHECK(said().at(0) == "Cheapest: pull, with 0.26 s of processor time a day.");
  all.push_back(run(feed::Policy::kPull, 2'000'000, 500'000));
  all.back().what.cache_bytes = 1;
  CHECK(said().at(0) ==
        "Cheapest: pull with a hot set, with 0.205 s of processor time a day. Without a hot set: "
        "pull, with 0.26 s.");
  all.push_back(run(feed::Policy::kPush, 2'100'000, 500'000));
  all.back().what.cache_bytes = 1;
  CHECK(said().at(0) ==
        "Cheapest: pull with a hot set, with 0.205 s of processor time a day. Within a tenth of "
        "that, so another run may choose them: push with a hot set. Without a hot set: pull, with "
        "0.26 s.");
  CHECK(said().at(2) ==
        "Without a hot set, pushing to everybody begins to pay at 10 reads per post; this day has "
        "4, so pulling from everybody is cheaper than pushing.");
  all[1].for_posts.processor_ns = 5'000'000;
  CHECK(said().at(2).starts_with("The point where pushing begins to pay is not known: "));
}

TEST_CASE("lab findings: pushing begins to pay where it saves reads as much as it costs posts") {
  const auto turn = cli::lab::findings_of(script(), runs()).turn;
  REQUIRE(turn);
  // A post costs 100 us more, a read 10 us less.
  REQUIRE(turn->turns_at);
  CHECK(*turn->turns_at == doctest::Approx(10));
  CHECK(turn->reads_a_post == doctest::Approx(4));
  CHECK(turn->delivery_ns.value_or(0) == doctest::Approx(500));
  CHECK(turn->source_ns.value_or(0) == doctest::Approx(200));
  CHECK(turn->by_follower().value_or(0) == doctest::Approx(2.5));
  CHECK(turn->rule_by_follower().value_or(0) == doctest::Approx(2));
}

TEST_CASE(
    "lab findings: where push costs no more or pull reads cost no more, nothing is concluded") {
  auto all = runs();
  all[1].for_posts.processor_ns = 5'000'000;
  const auto turn = cli::lab::findings_of(script(), all).turn;
  REQUIRE(turn);
  CHECK_FALSE(turn->turns_at);
  CHECK_FALSE(turn->delivery_ns);
  CHECK_FALSE(turn->by_follower());
  CHECK(turn->rule_by_follower());
  all.pop_back();
  CHECK_FALSE(cli::lab::findings_of(script(), all).turn);
  all.front().what.cache_bytes = 1;
  CHECK_FALSE(cli::lab::findings_of(script(), all).turn);
}

TEST_CASE(
    "lab findings: the rule's costs are those of the run under the cost rule, if there is one") {
  auto all = runs();
  all.push_back(run(feed::Policy::kCost, 1, 1));
  all.back().delivery_ns = 900;
  const auto turn = cli::lab::findings_of(script(), all).turn;
  REQUIRE(turn);
  CHECK(turn->rule_delivery_ns == 900);
}

TEST_CASE("lab findings: a page that differs, or is wrong, is reported") {
  auto all = runs();
  CHECK(cli::lab::findings_of(script(), all).pages_compared == 4);
  CHECK(cli::lab::findings_of(script(), all).pages_different == 0);
  all[1].pages[0].pop_back();
  all[0].wrong_pages = 1;
  const Findings findings = cli::lab::findings_of(script(), all);
  CHECK(findings.pages_different == 1);
  CHECK(findings.pages_wrong == 1);
  CHECK(cli::lab::conclusions(findings).back() ==
        "Of 4 pages that were compared at the end, 1 differ from those of the first run and 1 do "
        "not match the definition of a feed.");
}

TEST_CASE("lab report: the charts show what was measured, where it belongs") {
  auto all = runs();
  for (const std::uint64_t threshold : {std::uint64_t{10}, std::uint64_t{100}}) {
    all.push_back(run(feed::Policy::kHybrid, 2'500'000, 3'000'000));
    all.back().what.threshold = threshold;
  }
  all[0].by_followers[4] = {2, 20, 6'000};
  all[0].life = {{Time{20'000 * kDayMs}, 0, 5}, {Time{20'000 * kDayMs + 6 * kHourMs}, 3, 5}};
  const Script played = script();
  const Findings findings = cli::lab::findings_of(played, all);

  const auto costs = cli::lab::cost_against_threshold(all, findings);
  REQUIRE(costs.series.size() == 5);  // hybrid, its parts, push and pull
  REQUIRE(costs.series[0].points.size() == 2);
  CHECK(costs.series[0].points[1].x == 100);
  CHECK(costs.series[0].points[1].y == doctest::Approx(0.25 + 0.03));
  CHECK(costs.series[1].points[0].y == doctest::Approx(0.25));
  CHECK(costs.series[2].points[0].y == doctest::Approx(0.03));
  CHECK(costs.series[3].points[1].y == doctest::Approx(0.32));

  const auto followers = cli::lab::cost_against_followers(all, played, findings);
  REQUIRE(followers.series.size() == 3);
  CHECK(followers.series[0].points.at(0).x == 10);
  CHECK(followers.series[0].points.at(0).y == 3);
  CHECK(followers.series[1].points.at(0).y == doctest::Approx(0.2 * 4));  // 200 ns, 4 reads a post
  CHECK(followers.series[2].points.at(0).y == doctest::Approx(0.6));

  const auto life = cli::lab::life_of_a_timeline(all, 800);
  REQUIRE(life.series.size() == 3);
  CHECK(life.series[0].points.at(1).x == doctest::Approx(6));
  CHECK(life.series[0].points.at(1).y == 3);
  CHECK(life.series[1].points.at(1).y == 5);
  CHECK(life.series[2].points.at(0).y == 800);
  const std::string html = cli::lab::report(played, all, findings, 800);
  CHECK(html.find("by 100 where they come from posts and by 10 where they come from reads") !=
        std::string::npos);
}

}  // namespace chirp::test
