// Goal: real interactions, loaded over their graphs, are counted as anybody would count the raw
// files, and read right in home feeds.
// Method: tests/real/expected_counts.py reads the raw files by itself; every user's and every
// post's count is compared, and every entry of some feeds that a great cascade of reposts runs
// through. Loaded again, nothing changes.
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/feed/home_feed.h"
#include "core/ports/reads.h"
#include "store/data_directory.h"
#include "tests/support/data_directories.h"
#include "tests/support/real_data.h"
#include "tests/support/storage_contract.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::real_events_test {
namespace {

namespace fs = std::filesystem;
using store::DataDirectory;

constexpr std::uint32_t kScan = 1000;

// By source ids.
struct Counted {
  std::map<std::uint64_t, std::int64_t> posts;  // of every user
  // Likes, reposts and replies, by the i-th post of an author.
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::array<std::int64_t, 3>> of_posts;
  std::array<std::uint64_t, 3> total{};  // interactions, about oneself, of or with others
};

Counted expected_counts(const std::string& what) {
  Counted counted;
  const std::string text = said_by("expected_counts.py", what);
  for (WordReader lines(text); !lines.done();) {
    WordReader line(lines.until('\n'));
    const std::string_view kind = line.until(' ');
    std::vector<std::uint64_t> numbers;
    while (!line.done()) numbers.push_back(number_in(line.until(' ')));
    const auto at = [&](std::size_t i) { return static_cast<std::int64_t>(numbers.at(i)); };
    if (kind == "total") counted.total = {numbers.at(0), numbers.at(1), numbers.at(2)};
    if (kind == "user") counted.posts[numbers.at(0)] = at(1);
    if (kind == "post") counted.of_posts[{numbers.at(0), numbers.at(1)}] = {at(2), at(3), at(4)};
  }
  return counted;
}

std::unordered_map<UserNumber, std::uint64_t> sources_of(const Snapshot& snapshot) {
  std::unordered_map<UserNumber, std::uint64_t> sources;
  for (UserNumber after = kNobody;;) {
    const auto cards = reads::rows_above<tables::Cards>(snapshot, {after}, kScan);
    if (cards.empty()) return sources;
    for (const AuthorCard& card : cards) sources[card.number] = card.source->number.value;
    after = cards.back().number;
  }
}

// The i of "(post i of …, not in the data)"; 0 of others.
std::uint64_t ordinal_of(const Post& post) {
  constexpr std::string_view kStart = "(post ";
  if (post.is_repost() || !post.text.starts_with(kStart)) return 0;
  const std::string_view rest = std::string_view(post.text).substr(kStart.size());
  return number_in(rest.substr(0, rest.find(' ')));
}

Counted stored_counts(const Snapshot& snapshot) {
  Counted counted;
  const auto sources = sources_of(snapshot);
  for (const auto& [number, source] : sources) {
    counted.posts[source] = snapshot.counters({&number, 1}).front().posts;
  }
  for (PostId after = kBelowAllPosts;;) {
    const auto posts = reads::rows_above<tables::Posts>(snapshot, {after}, kScan);
    if (posts.empty()) return counted;
    for (const Post& post : posts) {
      const std::uint64_t ordinal = ordinal_of(post);
      if (ordinal == 0) continue;
      const ContentId content = content_of(post.id);
      const auto counts = snapshot.content_counters({&content, 1}).front();
      counted.of_posts[{sources.at(post.author), ordinal}] = {counts.reactions_in_all(),
                                                              counts.reposts, counts.comments};
    }
    after = posts.back().id;
  }
}

// The rows themselves, counted one by one.
std::map<ContentId, std::array<std::int64_t, 3>> counted_rows(const Snapshot& snapshot) {
  std::map<ContentId, std::array<std::int64_t, 3>> rows;
  for (PostId after = kBelowAllPosts;;) {
    const auto posts = reads::rows_above<tables::Posts>(snapshot, {after}, kScan);
    if (posts.empty()) break;
    for (const Post& post : posts) {
      if (post.is_repost()) ++rows[content_of(post.original)][1];
      if (ordinal_of(post) != 0) rows[content_of(post.id)];
    }
    after = posts.back().id;
  }
  for (ReactionRow last{};;) {
    const auto reactions =
        reads::reactions_above(snapshot, last.content, last.reaction.user, kScan);
    if (reactions.empty()) break;
    for (const ReactionRow& row : reactions) ++rows[row.content][0];
    last = reactions.back();
  }
  for (CommentId after = kNoComment;;) {
    const auto comments = reads::rows_above<tables::Comments>(snapshot, {after}, kScan);
    if (comments.empty()) break;
    for (const Comment& comment : comments) ++rows[content_of(comment.post)][2];
    after = comments.back().id;
  }
  return rows;
}

void check_counts(const fs::path& data, const std::string& what, const std::string& files) {
  const Counted expected = expected_counts(what);
  REQUIRE(expected.total[0] > 100'000);
  const std::string first = chirp_shell(data, "", "--json load events " + files);
  CHECK(first.find(fmt::format("\"stored\":{},\"skipped\":{{\"duplicates\":0,\"selfLoops\":{},"
                               "\"unknownUsers\":{}}}",
                               expected.total[0], expected.total[1], expected.total[2])) !=
        std::string::npos);
  const auto directory = DataDirectory::open(data);
  {
    const auto snapshot = directory->storage().snapshot();
    const Counted stored = stored_counts(*snapshot);
    CHECK((stored.posts == expected.posts));
    CHECK((stored.of_posts == expected.of_posts));
    const auto rows = counted_rows(*snapshot);
    CHECK(rows.size() == expected.of_posts.size());
    for (const auto& [content, counts] : rows) {
      const auto counters = snapshot->content_counters({&content, 1}).front();
      CHECK(counters.reactions_in_all() == counts[0]);
      CHECK(counters.reposts == counts[1]);
      CHECK(counters.comments == counts[2]);
    }
    MESSAGE(what << ": " << expected.total[0] << " interactions on " << rows.size() << " posts");
  }
  const StoreState before = directory->storage().snapshot()->state();
  const std::string again = chirp_shell(data, "", "--json load events " + files);
  CHECK(again.find("\"stored\":0,") != std::string::npos);
  CHECK(directory->storage().snapshot()->state().log_end == before.log_end);
  CHECK(directory->storage().snapshot()->problems().empty());
}

fs::path higgs_graph(const TempFolder& folder) {
  fs::path data = folder / "chirp";
  chirp_shell(data, "", "init");
  const std::string file =
      (real_data() / "graphs" / "higgs-social_network.prefix.edgelist.gz").string();
  // Its last line is cut off.
  chirp_shell(data, fmt::format("gzip -dc '{}' | sed '$d' | ", file), "load graph -");
  return data;
}

std::string higgs_activity() {
  return fmt::format("'{}'", (real_data() / "events" / "higgs-activity_time.txt.gz").string());
}

// ---- feeds

// An entry: when, and what in the words of the script.
using FeedLine = std::pair<std::uint64_t, std::string>;

std::map<std::uint64_t, std::vector<FeedLine>> expected_feeds() {
  std::map<std::uint64_t, std::vector<FeedLine>> feeds;
  std::vector<FeedLine>* feed = nullptr;
  const std::string text = said_by("expected_counts.py", "feeds");
  for (WordReader lines(text); !lines.done();) {
    WordReader line(lines.until('\n'));
    if (line.until(' ') == "viewer") {
      feed = &feeds[number_in(line.until('\n'))];
    } else {
      const std::uint64_t seconds = number_in(line.until(' '));
      feed->emplace_back(seconds, std::string(line.until('\n')));
    }
  }
  return feeds;
}

class Names {
 public:
  explicit Names(const Snapshot& snapshot) : snapshot_(snapshot), sources_(sources_of(snapshot)) {}

  [[nodiscard]] std::uint64_t of(UserNumber user) const { return sources_.at(user); }

  // One entry is one item on a page of one.
  [[nodiscard]] FeedLine entry(const feed::FeedItem& item) const {
    const Post& post = *item.post;
    const std::uint64_t ordinal = ordinal_of(post);
    if (!item.reposted_by.empty()) {
      REQUIRE(item.reposted_by.size() == 1);
      const auto& by = item.reposted_by.front();
      return {seconds(by.created_at),
              fmt::format("repost {} {} {}", of(by.user->number), of(post.author), ordinal)};
    }
    if (ordinal != 0) {
      return {seconds(post.created_at), fmt::format("post {} {}", of(post.author), ordinal)};
    }
    REQUIRE(post.text.starts_with("@u"));
    return {seconds(post.created_at),
            fmt::format("mention {} {}", of(post.author), post.text.substr(2))};
  }

 private:
  static std::uint64_t seconds(Time time) { return static_cast<std::uint64_t>(time.ms / 1000); }

  const Snapshot& snapshot_;
  std::unordered_map<UserNumber, std::uint64_t> sources_;
};

}  // namespace

TEST_CASE("real input: PureP likes, retweets, replies and mentions are counted as in the files") {
  if (no_real_data()) return;
  const TempFolder folder(TempFolder::Where::kDisk);
  const fs::path data = folder / "chirp";
  const fs::path lists = real_data() / "graphs" / "timme-purep";
  chirp_shell(data, "", "init");
  chirp_shell(data, "", fmt::format("load graph '{}'", (lists / "friend_list.csv.gz").string()));
  std::string files;
  for (const char* name : {"favorite", "retweet", "reply", "mention"}) {
    files += fmt::format(" '{}'", (lists / fmt::format("{}_list.csv.gz", name)).string());
  }
  check_counts(data, "purep", files);
}

TEST_CASE("real input: the Higgs activity is counted as in the file") {
  if (no_real_data()) return;
  const TempFolder folder(TempFolder::Where::kDisk);
  check_counts(higgs_graph(folder), "higgs", higgs_activity());
}

TEST_CASE("real input: a cascade of reposts reads right in feeds") {
  if (no_real_data()) return;
  const TempFolder folder(TempFolder::Where::kDisk);
  const fs::path data = higgs_graph(folder);
  chirp_shell(data, "", "load events " + higgs_activity());
  const auto expected = expected_feeds();
  REQUIRE(expected.size() == 12);
  const auto directory = DataDirectory::open(data);
  const auto snapshot = directory->storage().snapshot();
  const Names names(*snapshot);
  std::size_t entries = 0;
  for (const auto& [viewer, feed] : expected) {
    const SourceId id{viewer};
    feed::PageRequest request;
    request.viewer = *reads::numbers_of(*directory->storage().snapshot(), {&id, 1}).front();
    CAPTURE(viewer);

    // One by one: a page ends with the entry that makes its item, so none is folded.
    request.limit = 1;
    std::vector<FeedLine> shown;
    do {
      const feed::Page page = feed::home_feed(*snapshot, request, test_clock());
      for (const feed::FeedItem& item : page.items) shown.push_back(names.entry(item));
      request.before = page.next_cursor;
    } while (request.before);
    CHECK(std::is_sorted(shown.begin(), shown.end(),
                         [](const FeedLine& a, const FeedLine& b) { return a.first > b.first; }));
    // The order within a second is the load's.
    auto wanted = feed;
    std::sort(wanted.begin(), wanted.end());
    std::sort(shown.begin(), shown.end());
    CHECK((shown == wanted));
    entries += shown.size();

    // A page of many: each original once, at its newest entry, with those who reposted it.
    request.limit = 100;
    request.before.reset();
    const feed::Page page = feed::home_feed(*snapshot, request, test_clock());
    std::set<PostId> originals;
    bool folded = false;
    for (const feed::FeedItem& item : page.items) {
      CHECK(originals.insert(item.post->id).second);
      CHECK_FALSE(item.post->is_repost());
      folded = folded || item.reposted_by.size() > 1;
      CHECK(std::is_sorted(item.reposted_by.begin(), item.reposted_by.end(),
                           [](const auto& a, const auto& b) { return a.post > b.post; }));
    }
    CHECK((folded || page.items.size() < 100));
  }
  MESSAGE(entries << " entries of " << expected.size() << " feeds");
}

}  // namespace chirp::test::real_events_test
