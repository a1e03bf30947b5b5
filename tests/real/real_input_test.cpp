// Goal: real graphs and posts load whole, and home feeds over them are what anybody would compute
// from the raw files.
// Method: tests/real/expected_feeds.py reads the raw files by itself; every edge, every post and
// comment, and every page of fifty feeds, is compared.

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <unordered_map>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/feed/home_feed.h"
#include "core/limits.h"
#include "core/ports/reads.h"
#include "store/data_directory.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/pattern.h"
#include "tests/support/real_data.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::real_input_test {
namespace {

namespace fs = std::filesystem;
using store::DataDirectory;

constexpr std::uint32_t kScan = 1000;

std::string expected(const std::string& what) { return said_by("expected_feeds.py", what); }

// ---- graphs

using SourceEdge = std::pair<std::uint64_t, std::uint64_t>;

std::vector<SourceEdge> edges_in(std::string_view text) {
  std::vector<SourceEdge> edges;
  for (WordReader lines(text); !lines.done();) {
    WordReader line(lines.until('\n'));
    const std::uint64_t follower = number_in(line.until(' '));
    const std::uint64_t followee = number_in(line.until(' '));
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
    const auto cards = reads::rows_above<tables::Cards>(snapshot, {after}, kScan);
    if (cards.empty()) break;
    for (const AuthorCard& card : cards) source[card.number.value] = card.source->number.value;
    after = cards.back().number;
  }
  StoredEdges stored;
  const auto all = [&](UserNumber user, auto page_of, auto add) {
    std::int64_t count = 0;
    for (UserNumber after = kNobody;;) {
      const EdgePage page = page_of(snapshot, user, after, kScan);
      for (const Edge& edge : page.edges) add(edge.other);
      count += static_cast<std::int64_t>(page.edges.size());
      if (!page.more) return count;
      after = page.edges.back().other;
    }
  };
  for (const auto& [value, id] : source) {
    const UserNumber user{value};
    const auto follows_this = [&, own = id](UserNumber other) {
      stored.followers.emplace_back(source.at(other.value), own);
    };
    const auto is_followed = [&, own = id](UserNumber other) {
      stored.following.emplace_back(own, source.at(other.value));
    };
    const UserCounters counted{all(user, reads::followers, follows_this),
                               all(user, reads::following, is_followed), 0};
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

// What the script says of a tweet: a post, or a repost of another one.
struct Told {
  std::string text;
  std::uint64_t seconds = 0;
  std::uint64_t original = 0;
};

struct Expected {
  std::unordered_map<std::uint64_t, Told> posts;  // by source id
  // Post and parent, or 0.
  std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> comments;
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
  for (WordReader lines(text); !lines.done();) {
    WordReader line(lines.until('\n'));
    const std::string_view kind = line.until(' ');
    const std::uint64_t id = number_in(line.until(' '));
    if (kind == "post") {
      const std::uint64_t seconds = number_in(line.until(' '));
      result.posts[id] = {unescaped(line.until('\n')), seconds, 0};
    } else if (kind == "repost") {
      const std::uint64_t seconds = number_in(line.until(' '));
      result.posts[id] = {"", seconds, number_in(line.until('\n'))};
    } else if (kind == "comment") {
      const std::uint64_t post = number_in(line.until(' '));
      result.comments[id] = {post, number_in(line.until('\n'))};
    } else if (kind == "feed") {
      auto& feed = result.feeds[id];
      while (!line.done()) feed.push_back(number_in(line.until(' ')));
    }
  }
  return result;
}

// Posts and comments as stored are what the script says; the id of each source id.
std::unordered_map<std::uint64_t, PostId> check_posts(const Snapshot& snapshot,
                                                      const Expected& expected) {
  std::unordered_map<std::uint64_t, PostId> ids;
  std::unordered_map<std::uint64_t, std::uint64_t> sources;
  std::vector<std::pair<std::uint64_t, PostId>> reposts;
  std::size_t wrong = 0;
  for (PostId after = kBelowAllPosts;;) {
    const auto posts = reads::rows_above<tables::Posts>(snapshot, {after}, kScan);
    if (posts.empty()) break;
    for (const Post& post : posts) {
      const auto told = expected.posts.find(post.source->number.value);
      const bool same =
          told != expected.posts.end() && told->second.text == post.text &&
          static_cast<std::int64_t>(told->second.seconds) * 1000 == post.created_at.ms &&
          (told->second.original != 0) == post.is_repost() &&
          snowflake::ticks(post.id.value) >= snowflake::ticks_of(post.created_at);
      if (!same) ++wrong;
      ids[post.source->number.value] = post.id;
      sources[post.id.value] = post.source->number.value;
      if (post.is_repost()) reposts.emplace_back(post.source->number.value, post.original);
    }
    after = posts.back().id;
  }
  for (const auto& [source, original] : reposts) {
    if (expected.posts.at(source).original != sources.at(original.value)) ++wrong;
  }
  CHECK(ids.size() == expected.posts.size());
  const auto comments = reads::rows_above<tables::Comments>(snapshot, {kNoComment}, 1'000'000);
  CHECK(comments.size() == expected.comments.size());
  for (const Comment& comment : comments) sources[comment.id.value] = comment.source->number.value;
  for (const Comment& comment : comments) {
    const auto told = expected.comments.find(comment.source->number.value);
    const std::uint64_t parent =
        comment.parent == kNoComment ? 0 : sources.at(comment.parent.value);
    const bool same = told != expected.comments.end() &&
                      told->second == std::pair{sources.at(comment.post.value), parent};
    if (!same) ++wrong;
  }
  CHECK(wrong == 0);
  return ids;
}

// An entry of a feed, and what it shows.
struct Entry {
  PostId id;
  PostId original;
};

// Newest first.
std::vector<Entry> entries_of(const std::vector<std::uint64_t>& feed, const Expected& expected,
                              const std::unordered_map<std::uint64_t, PostId>& ids) {
  std::vector<Entry> entries;
  entries.reserve(feed.size());
  for (const std::uint64_t source : feed) {
    const std::uint64_t original = expected.posts.at(source).original;
    entries.push_back({ids.at(source), ids.at(original != 0 ? original : source)});
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.id > b.id; });
  return entries;
}

// Takes what a page of `limit` items consumes from the front of `rest`, and folds it.
std::vector<Entry> consumed(std::span<const Entry>& rest, std::uint32_t limit) {
  std::vector<Entry> taken;
  std::set<PostId> originals;
  while (!rest.empty() && originals.size() < limit) {
    taken.push_back(rest.front());
    originals.insert(rest.front().original);
    rest = rest.subspan(1);
  }
  return taken;
}

bool shows(const feed::Page& page, std::vector<Entry> taken) {
  std::sort(taken.begin(), taken.end(), [](const Entry& a, const Entry& b) { return a.id > b.id; });
  std::size_t items = 0;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const auto is_same = [&](const Entry& entry) { return entry.original == taken[i].original; };
    const auto here = taken.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::any_of(taken.begin(), here, is_same)) continue;
    if (items == page.items.size()) return false;
    const feed::FeedItem& item = page.items[items++];
    std::vector<PostId> reposts;
    for (const Entry& entry : taken) {
      if (is_same(entry) && entry.id != entry.original) reposts.push_back(entry.id);
    }
    if (reposts.size() > limits::kRepostersShown) reposts.resize(limits::kRepostersShown);
    if (item.entry != taken[i].id || item.post->id != taken[i].original ||
        !std::equal(reposts.begin(), reposts.end(), item.reposted_by.begin(),
                    item.reposted_by.end(),
                    [](PostId id, const feed::Reposter& by) { return id == by.post; })) {
      return false;
    }
  }
  return items == page.items.size();
}

// Every page of the feed, from the top down.
bool reads_down(const Snapshot& snapshot, UserNumber viewer, std::span<const Entry> entries,
                std::uint32_t limit) {
  feed::PageRequest request;
  request.viewer = viewer;
  request.limit = limit;
  do {
    const feed::Page page = feed::home_feed(snapshot, request, test_clock());
    if (!shows(page, consumed(entries, limit)) || page.has_more == entries.empty()) return false;
    request.before = page.next_cursor;
  } while (request.before);
  return entries.empty();
}

// From the lower end upwards.
bool reads_up(const Snapshot& snapshot, UserNumber viewer, std::vector<Entry> entries,
              std::uint32_t limit) {
  std::reverse(entries.begin(), entries.end());
  std::span<const Entry> rest(entries);
  feed::PageRequest request;
  request.viewer = viewer;
  request.limit = limit;
  request.after = kBelowAllPosts;
  for (;;) {
    const feed::Page page = feed::home_feed(snapshot, request, test_clock());
    if (!shows(page, consumed(rest, limit)) || page.has_more == rest.empty()) return false;
    if (!page.has_more) return true;
    request.after = page.prev_cursor;
  }
}

// Three pages as the command prints them, by the ids of their posts.
void check_printed(const fs::path& data, const std::string& name, std::span<const Entry> entries) {
  const Pattern post_id("\\{\"postId\":\"([0-9]+)\"");
  const Pattern next("\"nextCursor\":\"([0-9]+)\"");
  std::vector<std::string> arguments{"--json", "feed", "show", name, "--limit", "20"};
  for (int page = 0; page < 3; ++page) {
    const Ended ended = run(chirp_command(data.string(), arguments));
    REQUIRE_MESSAGE(ended.ok(), to_string(ended));
    std::vector<PostId> printed;
    for (const Match& found : post_id.all_in(ended.out)) {
      printed.push_back(PostId{number_in(found[1])});
    }
    std::vector<PostId> wanted;
    for (const Entry& entry : consumed(entries, 20)) {
      if (std::find(wanted.begin(), wanted.end(), entry.original) == wanted.end()) {
        wanted.push_back(entry.original);
      }
    }
    CHECK((printed == wanted));
    const Match cursor = next.first_in(ended.out);
    if (cursor.empty()) break;
    arguments.resize(6);
    arguments.insert(arguments.end(), {"--before", cursor[1]});
  }
}

}  // namespace

TEST_CASE("real input: the Higgs prefix is loaded, every edge of it") {
  if (no_real_data()) return;
  const TempFolder folder(TempFolder::Where::kDisk);
  const fs::path data = folder / "chirp";
  chirp_shell(data, "", "init");
  const std::string file =
      (real_data() / "graphs" / "higgs-social_network.prefix.edgelist.gz").string();
  // Its last line is cut off.
  chirp_shell(data, fmt::format("gzip -dc '{}' | sed '$d' | ", file), "load graph -");
  check_graph(data, "higgs");
}

TEST_CASE("real input: the ego-Twitter graph is loaded, every edge of it, and once") {
  if (no_real_data()) return;
  const TempFolder folder(TempFolder::Where::kDisk);
  const fs::path data = folder / "chirp";
  chirp_shell(data, "", "init");
  const std::string file = (real_data() / "graphs" / "ego-twitter-undirected.jlg").string();
  const std::string load = fmt::format("load graph --undirected '{}'", file);
  chirp_shell(data, "", load);  // its first line is a count, and no edge
  check_graph(data, "ego");
  chirp_shell(data, "", load);
  const auto rows = DataDirectory::open(data)->storage().snapshot()->table_rows();
  CHECK(rows.at("follows") == 2'684'592);
  CHECK(rows.at("cards") == 81'306);
}

TEST_CASE("real input: fifty home feeds of legislators are what the raw files say") {
  if (no_real_data()) return;
  const TempFolder folder(TempFolder::Where::kDisk);
  const fs::path data = folder / "chirp";
  chirp_shell(data, "", "init");
  chirp_shell(data, "",
              fmt::format("load posts '{}'",
                          (real_data() / "posts" / "congress-tweets-2016.dev.tar.zst").string()));
  chirp_shell(
      data, "",
      fmt::format("load graph '{}'",
                  (real_data() / "graphs" / "timme-purep" / "friend_list.csv.gz").string()));
  const Expected expected = expected_feeds();
  REQUIRE(expected.posts.size() > 95'000);
  REQUIRE(expected.comments.size() > 1'000);
  REQUIRE(expected.feeds.size() == 50);

  std::size_t read = 0;
  std::map<std::string, std::vector<Entry>> printed;
  for (const char* policy : {"hybrid", "push", "pull"}) {
    chirp_shell(data, "", fmt::format("config set feed.policy {}", policy));
    const auto directory = DataDirectory::open(data);
    const auto ids = check_posts(*directory->storage().snapshot(), expected);
    feed::Feeds feeds(directory->storage(), test_clock());
    for (const auto& [source, feed] : expected.feeds) {
      const SourceId id{source};
      const auto viewer = reads::numbers_of(*directory->storage().snapshot(), {&id, 1}).front();
      REQUIRE(viewer);
      CAPTURE(policy);
      CAPTURE(source);
      const auto snapshot = directory->storage().snapshot();
      const auto entries = entries_of(feed, expected, ids);
      // Cold, and then with the timeline that the first read builds.
      CHECK(reads_down(*snapshot, *viewer, entries, 100));
      feed::PageRequest request;
      request.viewer = *viewer;
      feeds.after_read(*viewer, feeds.page(request).upkeep);
      CHECK(reads_down(*directory->storage().snapshot(), *viewer, entries, 37));
      CHECK(reads_up(*directory->storage().snapshot(), *viewer, entries, 100));
      read += entries.size();
      printed[directory->users().find(*viewer)->username] = entries;
    }
  }
  for (const auto& [name, feed] : printed) check_printed(data, name, feed);
  MESSAGE(read << " entries of " << expected.feeds.size() << " feeds, three policies");
}

}  // namespace chirp::test::real_input_test
