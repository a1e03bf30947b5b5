// Goal: real graphs and posts load whole, and home feeds over them are what anybody would compute
// from the raw files.
// Method: tests/real/expected_feeds.py reads the raw files by itself; every edge, and every entry
// of fifty feeds, is compared in order. The data lies in the folder that CHIRP_TEST_DATA names,
// else beside the source in ../shared/data.

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <map>
#include <regex>
#include <unordered_map>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/feed/home_feed.h"
#include "store/data_directory.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;
using store::DataDirectory;

constexpr std::chrono::seconds kLimit{600};
constexpr std::uint32_t kScan = 1000;

fs::path data_folder() {
  const char* named = std::getenv("CHIRP_TEST_DATA");
  return named != nullptr ? fs::path(named) : fs::path(CHIRP_SOURCE_DIR) / ".." / "shared" / "data";
}

bool skipped() {
  std::error_code error;
  if (fs::is_directory(data_folder() / "graphs", error)) return false;
  MESSAGE("skipped: no real data in " << data_folder().string() << "; CHIRP_TEST_DATA names it");
  return true;
}

std::string shell(const std::string& script) {
  const Ended ended = run({{"/bin/sh", "-c", script}, {}, {}, kLimit});
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  return ended.out;
}

// Through a shell, for what has to be cut off a file first.
void chirp(const fs::path& data, const std::string& before, const std::string& arguments) {
  shell(fmt::format("{}'{}' --data '{}' {}", before, CHIRP_BINARY, data.string(), arguments));
}

std::string expected(const std::string& what) {
  return shell(fmt::format("python3 '{}/tests/real/expected_feeds.py' {} '{}'", CHIRP_SOURCE_DIR,
                           what, data_folder().string()));
}

// Takes words and lines from the front of a text.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}
  [[nodiscard]] bool done() const { return rest_.empty(); }
  std::string_view until(char end) {
    const auto at = std::min(rest_.find(end), rest_.size());
    const auto taken = rest_.substr(0, at);
    rest_.remove_prefix(std::min(at + 1, rest_.size()));
    return taken;
  }

 private:
  std::string_view rest_;
};

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  REQUIRE(error == std::errc{});
  REQUIRE(end == text.data() + text.size());
  return value;
}

// ---- graphs

using SourceEdge = std::pair<std::uint64_t, std::uint64_t>;

std::vector<SourceEdge> edges_in(std::string_view text) {
  std::vector<SourceEdge> edges;
  for (Reader lines(text); !lines.done();) {
    Reader line(lines.until('\n'));
    const std::uint64_t follower = number(line.until(' '));
    const std::uint64_t followee = number(line.until(' '));
    if (follower != followee) edges.emplace_back(follower, followee);
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

// In both directions, each read by itself.
struct StoredEdges {
  std::vector<SourceEdge> following;
  std::vector<SourceEdge> followers;
  std::vector<std::string> miscounted;
};

StoredEdges stored_edges(const Snapshot& snapshot) {
  std::unordered_map<std::uint32_t, std::uint64_t> source;
  for (UserNumber after = kNobody;;) {
    const auto cards = snapshot.scan_cards(after, kScan);
    if (cards.empty()) break;
    for (const AuthorCard& card : cards) source[card.number.value] = card.source->value;
    after = cards.back().number;
  }
  StoredEdges stored;
  const auto all = [&](UserNumber user, auto page_of, auto add) {
    std::int64_t count = 0;
    for (UserNumber after = kNobody;;) {
      const EdgePage page = page_of(user, after);
      for (const Edge& edge : page.edges) add(edge.other);
      count += static_cast<std::int64_t>(page.edges.size());
      if (!page.more) return count;
      after = page.edges.back().other;
    }
  };
  for (const auto& [value, id] : source) {
    const UserNumber user{value};
    const UserCounters counted{
        all(
            user,
            [&](UserNumber of, UserNumber after) { return snapshot.followers(of, after, kScan); },
            [&, own = id](UserNumber other) {
              stored.followers.emplace_back(source.at(other.value), own);
            }),
        all(
            user,
            [&](UserNumber of, UserNumber after) { return snapshot.following(of, after, kScan); },
            [&, own = id](UserNumber other) {
              stored.following.emplace_back(own, source.at(other.value));
            }),
        0};
    if (snapshot.counters({&user, 1}).front() != counted) {
      stored.miscounted.push_back(std::to_string(id));
    }
  }
  std::sort(stored.following.begin(), stored.following.end());
  std::sort(stored.followers.begin(), stored.followers.end());
  return stored;
}

void check_graph(const fs::path& data, const std::string& what) {
  const auto edges = edges_in(expected(what));
  REQUIRE(edges.size() > 100'000);
  const auto directory = DataDirectory::open(data);
  const StoredEdges stored = stored_edges(*directory->storage().snapshot());
  CHECK((stored.following == edges));
  CHECK((stored.followers == edges));
  CHECK(stored.miscounted.empty());
  MESSAGE(what << ": " << edges.size() << " follows");
}

// ---- feeds

struct Expected {
  std::unordered_map<std::uint64_t, std::string> texts;       // by source id
  std::map<std::uint64_t, std::vector<std::uint64_t>> feeds;  // by the viewer's source id
};

std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      plain += text[i];
      continue;
    }
    ++i;
    plain += text[i] == 'n' ? '\n' : text[i] == 't' ? '\t' : '\\';
  }
  return plain;
}

Expected expected_feeds() {
  const std::string text = expected("feeds");
  Expected result;
  for (Reader lines(text); !lines.done();) {
    Reader line(lines.until('\n'));
    const std::string_view kind = line.until(' ');
    const std::uint64_t id = number(line.until(' '));
    if (kind == "post") {
      result.texts[id] = unescaped(line.until('\n'));
    } else {
      auto& feed = result.feeds[id];
      while (!line.done()) feed.push_back(number(line.until(' ')));
    }
  }
  return result;
}

struct Shown {
  std::uint64_t source = 0;
  std::string text;
  PostId id{};
};

void show(const feed::Page& page, std::vector<Shown>& shown) {
  for (const feed::FeedItem& item : page.items) {
    shown.push_back({item.post.source->value, item.post.text, item.post.id});
  }
}

std::vector<Shown> whole_feed(const Snapshot& snapshot, UserNumber viewer, std::uint32_t limit) {
  std::vector<Shown> shown;
  feed::PageRequest request;
  request.viewer = viewer;
  request.limit = limit;
  do {
    const feed::Page page = feed::home_feed(snapshot, request, test_clock());
    if (page.has_more) CHECK(page.items.size() == limit);
    show(page, shown);
    request.before = page.next_cursor;
  } while (request.before);
  return shown;
}

// From the lower end upwards, put in the usual order.
std::vector<Shown> feed_from_below(const Snapshot& snapshot, UserNumber viewer,
                                   std::uint32_t limit) {
  std::vector<Shown> shown;
  feed::PageRequest request;
  request.viewer = viewer;
  request.limit = limit;
  request.after = kBelowAllPosts;
  for (;;) {
    const feed::Page page = feed::home_feed(snapshot, request, test_clock());
    std::vector<Shown> above;
    show(page, above);
    shown.insert(shown.begin(), above.begin(), above.end());
    if (!page.has_more) return shown;
    request.after = page.prev_cursor;
  }
}

bool same(const std::vector<Shown>& shown, const std::vector<std::uint64_t>& feed,
          const Expected& expected) {
  return std::equal(shown.begin(), shown.end(), feed.begin(), feed.end(),
                    [&](const Shown& entry, std::uint64_t source) {
                      return entry.source == source && entry.text == expected.texts.at(source);
                    });
}

// Three pages as the command prints them, by their post ids.
void check_printed(const fs::path& data, const std::string& name, const std::vector<Shown>& feed) {
  const std::regex post_id("\"postId\":\"([0-9]+)\"");
  const std::regex next("\"nextCursor\":\"([0-9]+)\"");
  std::vector<std::string> arguments{"--json", "feed", "show", name, "--limit", "20"};
  std::size_t at = 0;
  for (int page = 0; page < 3; ++page) {
    const Ended ended = run(chirp_command(data.string(), arguments));
    REQUIRE_MESSAGE(ended.ok(), to_string(ended));
    for (auto found = std::sregex_iterator(ended.out.begin(), ended.out.end(), post_id);
         found != std::sregex_iterator(); ++found) {
      REQUIRE(at < feed.size());
      CHECK(number((*found)[1].str()) == feed[at++].id.value);
    }
    std::smatch cursor;
    if (!std::regex_search(ended.out, cursor, next)) break;
    arguments.resize(6);
    arguments.insert(arguments.end(), {"--before", cursor[1].str()});
  }
  CHECK(at == std::min<std::size_t>(60, feed.size()));
}

}  // namespace

TEST_CASE("real input: the Higgs prefix is loaded, every edge of it") {
  if (skipped()) return;
  const TempFolder folder;
  const fs::path data = folder / "chirp";
  chirp(data, "", "init");
  const std::string file =
      (data_folder() / "graphs" / "higgs-social_network.prefix.edgelist.gz").string();
  // Its last line is cut off.
  chirp(data, fmt::format("gzip -dc '{}' | sed '$d' | ", file), "load graph -");
  check_graph(data, "higgs");
}

TEST_CASE("real input: the ego-Twitter graph is loaded, every edge of it, and once") {
  if (skipped()) return;
  const TempFolder folder;
  const fs::path data = folder / "chirp";
  chirp(data, "", "init");
  const std::string file = (data_folder() / "graphs" / "ego-twitter-undirected.jlg").string();
  // Its first line is a count.
  const std::string rest = fmt::format("gzip -dc '{}' | tail -n +2 | ", file);
  chirp(data, rest, "load graph --undirected -");
  check_graph(data, "ego");
  chirp(data, rest, "load graph --undirected -");
  const auto rows = DataDirectory::open(data)->storage().snapshot()->table_rows();
  CHECK(rows.at("follows") == 2'684'592);
  CHECK(rows.at("cards") == 81'306);
}

TEST_CASE("real input: fifty home feeds of legislators are what the raw files say") {
  if (skipped()) return;
  const TempFolder folder;
  const fs::path data = folder / "chirp";
  chirp(data, "", "init");
  chirp(data, "",
        fmt::format("load posts '{}'",
                    (data_folder() / "posts" / "congress-tweets-2016.dev.tar.zst").string()));
  chirp(data, "",
        fmt::format("load graph '{}'",
                    (data_folder() / "graphs" / "timme-purep" / "friend_list.csv.gz").string()));
  const Expected expected = expected_feeds();
  REQUIRE(expected.texts.size() == 81'840);
  REQUIRE(expected.feeds.size() == 50);

  std::size_t entries = 0;
  std::map<std::string, std::vector<Shown>> printed;
  for (const char* policy : {"hybrid", "push", "pull"}) {
    chirp(data, "", fmt::format("config set feed.policy {}", policy));
    const auto directory = DataDirectory::open(data);
    feed::Feeds feeds(directory->storage(), test_clock());
    for (const auto& [source, feed] : expected.feeds) {
      const SourceId id{source};
      const auto viewer = directory->storage().numbers_of({&id, 1}).front();
      REQUIRE(viewer);
      CAPTURE(policy);
      CAPTURE(source);
      const auto snapshot = directory->storage().snapshot();
      // Cold, and then with the timeline that the first read builds.
      auto shown = whole_feed(*snapshot, *viewer, 100);
      CHECK(same(shown, feed, expected));
      feed::PageRequest request;
      request.viewer = *viewer;
      feeds.after_read(*viewer, feeds.page(request));
      CHECK(same(whole_feed(*directory->storage().snapshot(), *viewer, 37), feed, expected));
      CHECK(same(feed_from_below(*directory->storage().snapshot(), *viewer, 100), feed, expected));
      entries += feed.size();
      printed[directory->users().find(*viewer)->username] = std::move(shown);
    }
  }
  for (const auto& [name, feed] : printed) check_printed(data, name, feed);
  MESSAGE(entries << " entries of " << expected.feeds.size() << " feeds, three policies");
}

}  // namespace chirp::test
