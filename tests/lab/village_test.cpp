// Goal: what the lab counts is what happens, and nothing happens to the directory.
// Method: the village of testdata, whose files are counted here by hand: who follows whom, and who
// posts on which day. The engine is never asked what it should have counted.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "cli/lab/copies.h"
#include "cli/lab/play.h"
#include "cli/lab/script.h"
#include "core/ports/reads.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/json_value.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::village_test {
namespace {

using cli::lab::Case;
using cli::lab::Played;

constexpr const char* kDay = "2025-03-13";
constexpr std::uint64_t kAll = 1'000'000'000;
const std::string kFiles = CHIRP_SOURCE_DIR "/testdata/village/";

struct WrittenPost {
  std::uint64_t author;
  Time at;
};

// The village as its files say it.
struct Files {
  Files() {
    std::ifstream edges(kFiles + "follows.csv");
    std::string line;
    std::getline(edges, line);
    while (std::getline(edges, line)) {
      const std::size_t comma = line.find(',');
      const std::uint64_t follower = std::stoull(line.substr(0, comma));
      const std::uint64_t followee = std::stoull(line.substr(comma + 1));
      ++followers[followee];
      follows[follower].insert(followee);
      follows.try_emplace(followee);
    }
    std::ifstream lines(kFiles + "posts.jsonl");
    while (std::getline(lines, line)) {
      const JsonValue post = JsonValue::parse(line);
      const auto at = parse_iso8601(post["createdAt"].text());
      REQUIRE(at);
      posts.push_back({static_cast<std::uint64_t>(post["authorId"].number()), *at});
    }
  }

  [[nodiscard]] bool sees(std::uint64_t reader, std::uint64_t author) const {
    return reader == author || follows.at(reader).contains(author);
  }
  // Posts of a reader's feed from before a time.
  [[nodiscard]] std::uint64_t feed_before(std::uint64_t reader, Time until) const {
    return static_cast<std::uint64_t>(std::count_if(
        posts.begin(), posts.end(),
        [&](const WrittenPost& post) { return post.at < until && sees(reader, post.author); }));
  }
  // To followers and the authors themselves, of a day's posts by who has `most` followers at most.
  [[nodiscard]] std::uint64_t deliveries(Time day, std::uint64_t most) const {
    std::uint64_t count = 0;
    for (const WrittenPost& post : posts) {
      if (post.at < day || post.at.ms >= day.ms + kDayMs) continue;
      const auto found = followers.find(post.author);
      const std::uint64_t of_author = found == followers.end() ? 0 : found->second;
      if (of_author <= most) count += of_author + 1;
    }
    return count;
  }

  std::map<std::uint64_t, std::uint64_t> followers;
  std::map<std::uint64_t, std::set<std::uint64_t>> follows;  // of everybody
  std::vector<WrittenPost> posts;
};

// The same, loaded into a directory.
class World {
 public:
  World() {
    said({"init"});
    said({"load", "graph", kFiles + "follows.csv", "--names", kFiles + "names.csv"});
    said({"load", "posts", kFiles + "posts.jsonl"});
  }

  [[nodiscard]] Command command(std::vector<std::string> arguments) const {
    Command command = chirp_command(data().string(), std::move(arguments));
    command.environment = {"TMPDIR=" + folder_.path().string()};
    return command;
  }
  [[nodiscard]] Ended ended(std::vector<std::string> arguments) const {
    return run(command(std::move(arguments)));
  }
  std::string said(std::vector<std::string> arguments) const {
    const Ended all = ended(std::move(arguments));
    REQUIRE_MESSAGE(all.ok(), to_string(all));
    return all.out;
  }
  [[nodiscard]] std::filesystem::path data() const { return folder_ / "world"; }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }
  [[nodiscard]] std::size_t entries() const { return entries_of(folder_.path()); }
  // What the stores have written down.
  [[nodiscard]] std::vector<std::string> bytes() const {
    return {read_file(data() / "engine" / "data.mdb"), read_file(data() / "users.db")};
  }

 private:
  TempFolder folder_;
};

Time day() { return *parse_iso8601(kDay); }

// One day played in this process, with the reads that the test wants.
class Stage {
 public:
  Stage()
      : original_(store::DataDirectory::open(world_.data())),
        copies_(*original_, test_clock()),
        script_(cli::lab::write_script(copies_.whole(), test_clock(),
                                       {.day = day(),
                                        .posts_per_day = {},
                                        .reads_per_user = 1'000,
                                        .posts_max = kAll,
                                        .reads_max = kAll})) {
    const auto snapshot = copies_.whole().storage().snapshot();
    for (const AuthorCard& card : reads::rows_above<tables::Cards>(*snapshot, {kNobody}, 1'000)) {
      numbers_[card.source.value().number.value] = card.number;
    }
    // Everybody, once, after all posts of the day.
    script_.reads.clear();
    for (const auto& [source, number] : numbers_) {
      script_.reads.push_back({Time{day().ms + 23 * kHourMs}, number});
    }
    script_.watched = numbers_.at(105);
    script_.checked = {numbers_.at(111), numbers_.at(105)};
  }

  void ready() {
    copies_.make_masters(script_, test_clock(), [](std::uint64_t) {});
  }
  [[nodiscard]] cli::lab::Script& script() { return script_; }
  [[nodiscard]] const cli::lab::LabCopies& copies() const { return copies_; }
  [[nodiscard]] Played play(const Case& what) {
    const auto copy = copies_.fresh(what.policy);
    return cli::lab::play(*copy, script_, what, copies_.settings(), test_clock());
  }

 private:
  World world_;
  std::unique_ptr<store::DataDirectory> original_;
  cli::lab::LabCopies copies_;
  cli::lab::Script script_;
  std::map<std::uint64_t, UserNumber> numbers_;  // by the ids of the files
};

Case of(feed::Policy policy) { return {policy, {}, 0}; }

// "push", or "hybrid above 4".
std::string name_in(const JsonValue& run) {
  const JsonValue* threshold = run.find("threshold");
  if (threshold == nullptr) return run["policy"].text();
  return fmt::format("{} above {}", run["policy"].text(), threshold->number());
}

const JsonValue& run_of(const JsonValue& lab, const std::string& name, bool hot) {
  for (const JsonValue& each : lab["runs"].list()) {
    if (name_in(each) == name && each["hotSet"].as<bool>() == hot) return each;
  }
  FAIL("no run of " << name);
  return lab;
}

}  // namespace

TEST_CASE("lab: deliveries of each policy are those that the village's files make") {
  const World world;
  const Files files;
  const auto before = world.bytes();
  const std::size_t entries = world.entries();
  const JsonValue lab = JsonValue::parse(
      world.said({"lab", "--json", "--day", kDay, "--thresholds", "2,4", "--reads-per-user", "3"}));
  CHECK(lab["postsOfDay"].number() == 4);
  CHECK(lab["postsPlayed"].number() == 4);
  CHECK(lab["users"].number() == static_cast<double>(files.follows.size()));
  CHECK(lab["readsPlayed"].number() > 0);
  CHECK(lab["postsScale"].number() == 1);
  CHECK(lab["readsScale"].number() == 1);
  CHECK(lab["runs"].list().size() == 10);
  for (const bool hot : {false, true}) {
    const auto deliveries = [&](const char* policy) {
      return run_of(lab, policy, hot)["deliveries"].number();
    };
    CHECK(deliveries("push") == static_cast<double>(files.deliveries(day(), kAll)));
    CHECK(deliveries("hybrid above 4") == static_cast<double>(files.deliveries(day(), 4)));
    CHECK(deliveries("hybrid above 2") == static_cast<double>(files.deliveries(day(), 2)));
    CHECK(deliveries("pull") == 0);
  }
  // The three differ in what is counted by hand.
  CHECK(files.deliveries(day(), 2) < files.deliveries(day(), 4));
  CHECK(files.deliveries(day(), 4) < files.deliveries(day(), kAll));
  CHECK(lab["pagesCompared"].number() > 0);
  CHECK(lab["pagesDifferent"].number() == 0);
  CHECK(lab["pagesWrong"].number() == 0);
  CHECK(run_of(lab, "push", false)["bytesWritten"].number() > 0);
  CHECK(run_of(lab, "pull", false)["timelineBytes"].number() <=
        run_of(lab, "push", false)["timelineBytes"].number());
  // Nothing has changed, and nothing is left.
  CHECK((world.bytes() == before));
  CHECK(world.entries() == entries);
}

TEST_CASE("lab: twice the posts are twice the deliveries") {
  const World world;
  const Files files;
  const JsonValue lab =
      JsonValue::parse(world.said({"lab", "--json", "--day", kDay, "--posts-per-day", "8",
                                   "--thresholds", "4", "--cache-mb", "0"}));
  CHECK(lab["runs"].list().size() == 4);
  CHECK(run_of(lab, "push", false)["deliveries"].number() ==
        static_cast<double>(2 * files.deliveries(day(), kAll)));
  CHECK(lab["pagesDifferent"].number() == 0);
}

TEST_CASE("lab: a part of the day is played and scaled to all of it") {
  const World world;
  const JsonValue lab = JsonValue::parse(
      world.said({"lab", "--json", "--day", kDay, "--posts-per-day", "400", "--max-posts", "40",
                  "--max-reads", "30", "--thresholds", "4", "--cache-mb", "0"}));
  CHECK(lab["postsPlayed"].number() == 40);
  CHECK(lab["postsScale"].number() == 10);
  CHECK(lab["from"].text() == "2025-03-13T10:49:48.000Z");
  CHECK(lab["readsPlayed"].number() < 200);
  CHECK(lab["pagesWrong"].number() == 0);
  // A day of which no read is played has not cost nothing to read.
  const Ended none =
      world.ended({"lab", "--day", kDay, "--reads-per-user", "1000", "--max-reads", "1"});
  CHECK(none.status == 2);
  CHECK_MESSAGE(none.err.find("reads would be replayed") != std::string::npos, none.err);
}

TEST_CASE("lab: sources and entries of a read are those of the definition") {
  Stage stage;
  const Files files;
  std::uint64_t pulled = 0;
  std::uint64_t examined = 0;
  for (const auto& [reader, follows] : files.follows) {
    pulled += follows.size() + 1;
    examined += std::min<std::uint64_t>(files.feed_before(reader, Time{day().ms + kDayMs}),
                                        limits::kPostPageDefault + 1);
  }
  stage.ready();
  CHECK(stage.copies().timelines() == files.follows.size());
  const Played pull = stage.play(of(feed::Policy::kPull));
  CHECK(pull.reads == files.follows.size());
  CHECK(pull.sources == pulled);
  CHECK(pull.examined == examined);
  CHECK(pull.pulled_authors == stage.script().authors.size());
  const Played push = stage.play(of(feed::Policy::kPush));
  CHECK(push.sources == files.follows.size());  // each has a timeline
  CHECK(push.examined == examined);
  CHECK(push.pulled_authors == 0);
  CHECK(push.posts == 4);
  CHECK(push.refused == 0);
  CHECK(push.pages == pull.pages);
  CHECK(push.wrong_pages + pull.wrong_pages == 0);
  CHECK(push.latency.count() == push.reads);
}

TEST_CASE("lab: a timeline's day begins with what was before, and ids are of the day") {
  Stage stage;
  const Files files;
  stage.ready();
  const Played push = stage.play(of(feed::Policy::kPush));
  const std::uint64_t past = files.feed_before(105, day());
  const std::uint64_t with_day = files.feed_before(105, Time{day().ms + kDayMs});
  REQUIRE(with_day - past == 3);  // one of them their own
  REQUIRE(push.life.size() == 61);
  CHECK(push.life.front().at == day());
  CHECK(push.life.front().pushed == 0);
  CHECK(push.life.front().backfilled == past);
  CHECK(push.life.back().at.ms == day().ms + kDayMs);
  CHECK(push.life.back().pushed == with_day - past);
  CHECK(push.life.back().backfilled == past);
  Time newest;
  for (const WrittenPost& post : files.posts) {
    if (post.at.ms < day().ms + kDayMs && files.sees(105, post.author)) newest = post.at;
  }
  REQUIRE(push.pages.size() == 2);
  REQUIRE_FALSE(push.pages[1].empty());
  CHECK(snowflake::time_of(push.pages[1].front().value) == newest);
}

TEST_CASE("lab: memory gives the same pages, and the cost rule sees the reads that are played") {
  Stage stage;
  stage.ready();
  const Played cold = stage.play(of(feed::Policy::kPush));
  const Played hot = stage.play({feed::Policy::kPush, {}, std::uint64_t{64} << 20});
  CHECK(hot.pages == cold.pages);
  CHECK(hot.wrong_pages == 0);
  CHECK(hot.from_memory > 0);
  CHECK(cold.from_memory == 0);
  // A read is noted once a day, wherever the page came from; measured costs vary by a few bytes.
  CHECK(static_cast<double>(hot.for_reads.bytes_written) ==
        doctest::Approx(static_cast<double>(cold.for_reads.bytes_written)).epsilon(0.01));
  // Everybody reads a thousand times a day, so nobody is worth pulling from.
  const Played eager = stage.play(of(feed::Policy::kCost));
  CHECK(eager.pulled_authors == 0);
  // The same graph with hardly any reads: all who post and are followed are pulled.
  stage.script().model = chirp::lab::ReadModel(0.001, 1);
  const Played idle = stage.play(of(feed::Policy::kCost));
  CHECK(idle.pulled_authors == stage.script().authors.size());
  CHECK(idle.pages == cold.pages);
}

TEST_CASE("lab: what can't be played is refused before anything is done") {
  const World world;
  const auto refused = [&](std::vector<std::string> arguments, int status, const char* why) {
    arguments.insert(arguments.begin(), "lab");
    const Ended ended = world.ended(std::move(arguments));
    CHECK(ended.status == status);
    CHECK_MESSAGE(ended.err.find(why) != std::string::npos, ended.err);
  };
  refused({"--day", "2024-01-01"}, 3, "No existing user posted on 2024-01-01.");
  refused({"--thresholds", "1,x"}, 2, "--thresholds takes a number");
  refused({"--reads-per-user", "nan"}, 2, "nan is not a number");
  refused({"--csv", "--json"}, 2, "Give --csv or --json, not both.");
  refused({"--report", world.path("world")}, 4, "because it exists");
  refused({"--report", world.path("none/lab.html")}, 2, "there is no folder");
  refused({"--report", ""}, 2, "--report takes the name of a file.");
  // No file has such a name, which is known before the first run.
  const Ended unmade =
      world.ended({"lab", "--verbose", "--report", world.path(std::string(300, 'x'))});
  CHECK(unmade.status == 1);
  CHECK_MESSAGE(unmade.err.find("can't be written: ") != std::string::npos, unmade.err);
  CHECK(unmade.err.find("push: ") == std::string::npos);
  Command nowhere = world.command({"lab"});
  nowhere.environment = {"TMPDIR=" + world.path("nowhere")};
  const Ended lost = run(nowhere);
  CHECK(lost.status == 2);
  CHECK_MESSAGE(lost.err.find("TMPDIR") != std::string::npos, lost.err);
}

TEST_CASE("lab: a signal ends it, and no copy is left") {
  const World world;
  const auto before = world.bytes();
  const std::size_t entries = world.entries();
  Background lab(world.command({"lab", "--verbose", "--day", kDay, "--reads-per-user", "1000"}));
  std::string line = lab.error_line();
  while (!line.empty() && !line.starts_with("push: ")) line = lab.error_line();
  REQUIRE_FALSE(line.empty());
  CHECK(world.entries() > entries);
  lab.signal(SIGTERM);
  const Ended ended = lab.wait();
  CHECK_MESSAGE(ended.signal == SIGTERM, to_string(ended));
  CHECK(ended.out.empty());
  CHECK(world.entries() == entries);
  CHECK((world.bytes() == before));
}

TEST_CASE("lab: the table, the CSV and the report say the same of the same runs") {
  const World world;
  const std::string csv =
      world.said({"lab", "--csv", "--day", kDay, "--thresholds", "4", "--cache-mb", "0"});
  CHECK(csv.starts_with("policy,threshold,hotSet,deliveries,"));
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 5);
  CHECK(csv.find("hybrid,4,false,7,") != std::string::npos);
  const std::string report = world.path("lab.html");
  const std::string text = world.said(
      {"lab", "--day", kDay, "--thresholds", "4", "--cache-mb", "0", "--report", report});
  const std::string html = read_file(report);
  for (const char* said : {"hybrid above 4", "Cheapest: ", "reads of 14 of the 14 users"}) {
    CHECK_MESSAGE(text.find(said) != std::string::npos, text);
    CHECK_MESSAGE(html.find(said) != std::string::npos, said);
  }
  std::size_t charts = 0;
  for (std::size_t at = html.find("<figure>"); at != std::string::npos;
       at = html.find("<figure>", at + 1)) {
    ++charts;
  }
  CHECK(charts == 5);
  for (const char* outside : {"http", "src=", "href=", "url(", "<script", "@import"}) {
    CHECK_MESSAGE(html.find(outside) == std::string::npos, outside);
  }
}

}  // namespace chirp::test::village_test
