#include "tests/support/data_directories.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "core/error.h"
#include "core/events/consumers.h"
#include "core/feed/home_feed.h"
#include "core/ports/reads.h"
#include "core/social/accounts.h"
#include "store/files.h"
#include "store/format_file.h"
#include "tests/support/fake_clock.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kPage = 100;

void add_users(store::DataDirectory& directory, std::vector<std::string>& lines) {
  for (const User& user : directory.users().scan(kNobody, kAll)) {
    lines.push_back(fmt::format("user {} {} {} {}", user.number.value, user.id.value, user.username,
                                user.display_name));
  }
}

void add_posts(const Snapshot& snapshot, std::vector<std::string>& lines) {
  for (PostId after = kBelowAllPosts;;) {
    const auto posts = reads::rows_above<tables::Posts>(snapshot, {after}, kPage);
    if (posts.empty()) return;
    for (const Post& post : posts) {
      lines.push_back(fmt::format("post {} {} {}", post.id.value, post.author.value, post.text));
    }
    if (posts.back().id <= after) throw Error(ErrorCode::kCorrupt, "posts are out of order");
    after = posts.back().id;
  }
}

// Reactions, comments, and the counters as they are shown.
void add_talk(const Snapshot& snapshot, std::vector<std::string>& lines) {
  for (const ReactionRow& row : reads::reactions_above(snapshot, {}, kNobody, kAll)) {
    lines.push_back(fmt::format("reaction {} {} {}", row.content.value, row.reaction.user.value,
                                name(row.reaction.type)));
  }
  for (const Comment& comment : reads::rows_above<tables::Comments>(snapshot, {kNoComment}, kAll)) {
    lines.push_back(fmt::format("comment {} {} {} {} {}", comment.id.value, comment.post.value,
                                comment.parent.value, comment.author.value, comment.text));
  }
  for (const Post& post : reads::rows_above<tables::Posts>(snapshot, {kBelowAllPosts}, kAll)) {
    const ContentId content = content_of(post.id);
    const auto counted = snapshot.content_counters({&content, 1}).front();
    lines.push_back(fmt::format("counted {} {} {} {}", content.value, counted.reactions_in_all(),
                                counted.comments, counted.reposts));
  }
}

void add_edges(const Snapshot& snapshot, UserNumber user, std::vector<std::string>& lines) {
  for (const Edge& edge : reads::following(snapshot, user, kNobody, kAll).edges) {
    lines.push_back(fmt::format("edge {} {} {}", user.value, edge.other.value, edge.since.ms));
  }
}

void add_feed(const Snapshot& snapshot, UserNumber viewer, const Clock& clock,
              std::vector<std::string>& lines) {
  feed::PageRequest request{viewer, {}, {}, kPage, feed::Explain::kNo, {}};
  for (;;) {
    const feed::Page page = feed::home_feed(snapshot, request, clock);
    for (const feed::FeedItem& item : page.items) {
      lines.push_back(fmt::format("feed {} {} {}: {}", viewer.value, item.post->id.value,
                                  item.author->username, item.post->text));
    }
    if (!page.next_cursor) return;
    if (request.before && *page.next_cursor >= *request.before) {
      throw Error(ErrorCode::kCorrupt, "a feed does not end");
    }
    request.before = page.next_cursor;
  }
}

}  // namespace

const Clock& test_clock() {
  static const StillClock clock(kStart);
  return clock;
}

UserNumber sign_up(store::DataDirectory& directory, const std::string& name) {
  const Time now = test_clock().now();
  const User user = directory.users().add({name, {}, {}, {}, {}}, now);
  const Change change = PutCard{social::card_of(user)};
  directory.storage().write({&change, 1}, now);
  return user.number;
}

PostId publish(store::DataDirectory& directory, UserNumber author, const std::string& text) {
  const Change change = Publish{author, text, Privacy::kPublic};
  return directory.storage().write({&change, 1}, test_clock().now()).front().post;
}

void fill(store::DataDirectory& directory, std::uint32_t users, std::uint32_t posts) {
  std::vector<UserNumber> numbers;
  for (std::uint32_t i = 0; i < users; ++i) {
    numbers.push_back(sign_up(directory, fmt::format("a{}", i)));
  }
  std::vector<Change> changes;
  for (std::uint32_t i = 0; i < users; ++i) {
    for (std::uint32_t step = 1; step <= 3; ++step) {
      changes.emplace_back(Follow{numbers[i], numbers[(i + step) % users]});
    }
  }
  for (std::uint32_t i = 0; i < posts; ++i) {
    for (const UserNumber author : numbers) {
      changes.emplace_back(Publish{author, fmt::format("post {} by {}", i, author.value)});
    }
  }
  directory.storage().write(changes, test_clock().now());
  events::drain(directory.storage(), test_clock());
}

namespace {

void add_content(const Snapshot& snapshot, std::vector<std::string>& lines) {
  for (const Comment& comment : reads::rows_above<tables::Comments>(snapshot, {kNoComment}, kAll)) {
    lines.push_back(fmt::format("comment {} on {} under {} by {}: {}", comment.id.value,
                                comment.post.value, comment.parent.value, comment.author.value,
                                comment.text));
  }
  for (const ReactionRow& row : reads::reactions_above(snapshot, {}, kNobody, kAll)) {
    lines.push_back(fmt::format("reaction {} of {} to {}", name(row.reaction.type),
                                row.reaction.user.value, row.content.value));
  }
}

}  // namespace

std::vector<std::string> contents(store::DataDirectory& directory) {
  std::vector<std::string> lines;
  add_users(directory, lines);
  const auto snapshot = directory.storage().snapshot();
  add_posts(*snapshot, lines);
  add_content(*snapshot, lines);
  add_talk(*snapshot, lines);
  for (const AuthorCard& card : reads::rows_above<tables::Cards>(*snapshot, {kNobody}, kAll)) {
    lines.push_back(
        fmt::format("card {} {} {}", card.number.value, card.username, card.display_name));
    add_edges(*snapshot, card.number, lines);
    add_feed(*snapshot, card.number, test_clock(), lines);
  }
  return lines;
}

std::vector<std::string> contents(const fs::path& path) {
  return contents(*store::DataDirectory::open(path));
}

std::vector<std::string> faults_in(store::DataDirectory& directory) {
  std::vector<std::string> faults = directory.users().problems();
  const auto snapshot = directory.storage().snapshot();
  for (std::string& problem : snapshot->problems()) faults.push_back(std::move(problem));
  for (std::string& breach : breaches(*snapshot)) faults.push_back(std::move(breach));
  for (const AuthorCard& card : reads::rows_above<tables::Cards>(*snapshot, {kNobody}, kAll)) {
    const auto user = directory.users().find(card.number);
    if (card.presence == Presence::kRemoved) continue;
    if (!user) {
      faults.push_back(fmt::format("card {} has no user", card.number.value));
    } else if (social::card_of(*user) != card) {
      faults.push_back(fmt::format("card {} is not its user's", card.number.value));
    }
  }
  return faults;
}

std::map<std::string, std::string> files_of(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const std::string& file : store::files_below(folder)) {
    files.emplace(file, read_file(folder / file));
  }
  return files;
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write_file(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::vector<std::uint32_t> older_formats() {
  std::vector<std::uint32_t> formats;
  for (std::uint32_t format = 1; format < store::kFormatVersion; ++format) {
    formats.push_back(format);
  }
  return formats;
}

std::filesystem::path kept_folder(std::uint32_t format) {
  return std::filesystem::path(CHIRP_SOURCE_DIR) / fmt::format("testdata/format-{}", format);
}

void copy_older(std::uint32_t format, const std::filesystem::path& to) {
  copy_folder(kept_folder(format) / "data", to);
}

}  // namespace chirp::test
