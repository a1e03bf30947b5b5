#include "cli/bench/world.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "cli/export/folder_copy.h"
#include "core/error.h"
#include "core/events/consumers.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "core/social/accounts.h"
#include "store/data_directory.h"
#include "store/lmdb/storage.h"

namespace chirp::cli::bench {
namespace {

constexpr std::int64_t kSpanMs = 100 * kDayMs;
constexpr std::size_t kBatch = 5'000;  // rows of a load
constexpr std::size_t kChangesAtOnce = 1'000;
constexpr std::uint32_t kRowsAtOnce = 1'000;  // that are read

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::error_code missing;
  const std::filesystem::path place = std::filesystem::temp_directory_path(missing);
  if (missing) {
    throw Error(ErrorCode::kInvalidArgument,
                "TMPDIR is not a directory. Set it to a directory that exists.", "TMPDIR");
  }
  folder_ = std::make_unique<store::PrivateFolder>(place, "chirp-bench-");
}

TemporaryFolder::~TemporaryFolder() = default;

std::uint64_t Random::next() {
  std::uint64_t z = (state_ += 0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

std::string post_text(std::uint64_t n) {
  std::string text = fmt::format("Post number {} of a world that is made to be measured. ", n);
  while (text.size() < 120) text.push_back(static_cast<char>('a' + (n + text.size()) % 26));
  text.resize(120);
  return text;
}

World::World(const Clock& clock) : clock_(clock) {
  const auto engine = folder_.path() / "engine";
  std::filesystem::create_directory(engine);
  lmdb::create_store(engine, folder_.path() / "write.lock",
                     {store::kFormatVersion, "bench", snowflake::kMachineDefault});
  open(engine);
}

World::World(const WorldSize& size, const Clock& clock) : World(clock) {
  readers_ = fill_world(storage(), size, clock_);
  events::drain(storage(), clock_);
}

World::World(const store::DataPlace& directory, const Clock& clock) : clock_(clock) {
  const auto path = folder_.path() / "world";
  copy_into_folder(*store::DataDirectory::open(directory), path, clock);
  open(path / "engine");
  events::drain(storage(), clock_);
  const auto snapshot = storage().snapshot();
  each_card(*snapshot, [&](std::span<const AuthorCard> cards) {
    for (const AuthorCard& card : cards) {
      if (!reads::following(*snapshot, card.number, kNobody, 1).edges.empty()) {
        readers_.push_back(card.number);
      }
    }
  });
}

void World::open(const std::filesystem::path& engine) {
  storage_ = lmdb::open_storage(
      lmdb::Env::open(engine, folder_.path() / "write.lock", lmdb::OpenMode::kOpen));
}

void write_changes(Storage& storage, const Clock& clock, std::uint64_t count,
                   const std::function<void(std::vector<Change>&, std::uint64_t)>& add) {
  in_batches<Change>(count, kChangesAtOnce, add,
                     [&](const auto& changes) { storage.write(changes, clock.now()); });
}

void each_card(const Snapshot& snapshot,
               const std::function<void(std::span<const AuthorCard>)>& use) {
  for (UserNumber after = kNobody;;) {
    const auto cards = reads::rows_above<tables::Cards>(snapshot, {after}, kRowsAtOnce);
    if (cards.empty()) return;
    after = cards.back().number;
    use(cards);
  }
}

std::vector<UserNumber> all_users(const Snapshot& snapshot) {
  std::vector<UserNumber> users;
  each_card(snapshot, [&](std::span<const AuthorCard> cards) {
    for (const AuthorCard& card : cards) users.push_back(card.number);
  });
  return users;
}

std::vector<PostId> post_ids(const Snapshot& snapshot) {
  std::vector<PostId> ids;
  for (PostId after = kBelowAllPosts;; after = ids.back()) {
    const auto posts = reads::rows_above<tables::Posts>(snapshot, {after}, kRowsAtOnce);
    if (posts.empty()) return ids;
    for (const Post& post : posts) ids.push_back(post.id);
  }
}

void append_followers(const Snapshot& snapshot, UserNumber user, std::vector<UserNumber>& to) {
  for (UserNumber after = kNobody;;) {
    const EdgePage page = reads::followers(snapshot, user, after, kRowsAtOnce);
    for (const Edge& edge : page.edges) to.push_back(edge.other);
    if (!page.more) return;
    after = page.edges.back().other;
  }
}

void load_users(Storage& storage, const Clock& clock, std::uint32_t first, std::uint32_t last) {
  const std::uint64_t start = snowflake::ticks_of({clock.now().ms - kSpanMs});
  in_batches<AuthorCard>(
      last - first + 1, kBatch,
      [&](auto& cards, std::uint64_t n) {
        const std::uint64_t i = first + n;
        AuthorCard& card = cards.emplace_back();
        card.number = UserNumber{static_cast<std::uint32_t>(i)};
        card.id = UserId{snowflake::make(start + i / 4096, snowflake::kLoadMachine, i % 4096)};
        card.username = fmt::format("u{}", i);
        card.display_name = fmt::format("User number {}", i);
      },
      [&](const auto& cards) { rules::load_cards(storage, cards, clock.now()); });
}

void load_follows(Storage& storage, std::span<const LoadedEdge> edges, Time now) {
  while (!edges.empty()) edges = edges.subspan(rules::load_edges(storage, edges, now).taken);
}

namespace {

// Loads users into a directory, numbered from 1.
void load_directory_users(store::DataDirectory& directory, const Clock& clock,
                          std::uint32_t count) {
  in_batches<LoadedUser>(
      count, kBatch,
      [](auto& users, std::uint64_t n) { users.emplace_back().source = SourceId{1 + n}; },
      [&](const auto& users) {
        std::vector<AuthorCard> cards;
        for (const LoadedUserResult& result : directory.users().load(users, clock.now())) {
          cards.push_back(social::card_of(result.user));
        }
        rules::load_cards(directory.storage(), cards, clock.now());
      });
}

// Returns the users with follows.
std::vector<UserNumber> add_follows(Storage& storage, const WorldSize& size, const Clock& clock) {
  const std::uint64_t each = std::min<std::uint64_t>(size.follows_of_reader, size.users - 1);
  const std::uint64_t readers =
      std::clamp<std::uint64_t>(size.follows / std::max<std::uint64_t>(each, 1), 1, size.users);
  Random random(1);
  std::vector<UserNumber> all_readers;
  std::vector<LoadedEdge> edges;
  for (std::uint32_t r = 1; r <= readers; ++r) {
    all_readers.push_back(UserNumber{r});
    std::vector<std::uint32_t> chosen;
    while (chosen.size() < size.follows / readers) {
      const auto other = static_cast<std::uint32_t>(1 + random.below(size.users));
      if (other != r) chosen.push_back(other);
      if (chosen.size() < size.follows / readers) continue;
      std::sort(chosen.begin(), chosen.end());
      chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
      if (chosen.size() + 1 >= size.users) break;
    }
    for (const std::uint32_t other : chosen) edges.push_back({UserNumber{r}, UserNumber{other}});
  }
  // Sorted by followee: each transaction completes the followers of some users, and adds a few to
  // all others.
  std::stable_sort(edges.begin(), edges.end(), [](const LoadedEdge& a, const LoadedEdge& b) {
    return a.followee < b.followee;
  });
  load_follows(storage, edges, clock.now());
  return all_readers;
}

void add_posts(Storage& storage, const WorldSize& size, const Clock& clock) {
  Random random(2);
  const Time now = clock.now();
  const std::int64_t step = std::max<std::int64_t>(
      1, kSpanMs / std::max<std::int64_t>(1, static_cast<std::int64_t>(size.posts)));
  in_batches<LoadedPost>(
      size.posts, kBatch,
      [&](auto& posts, std::uint64_t n) {
        const auto left = static_cast<std::int64_t>(size.posts - 1 - n);
        posts.push_back({SourceId{1 + n},
                         UserNumber{static_cast<std::uint32_t>(1 + random.below(size.users))},
                         Time{now.ms - left * step}, post_text(1 + n)});
      },
      [&](const auto& posts) { rules::load_posts(storage, posts, now); });
}

}  // namespace

std::vector<UserNumber> fill_world(Storage& storage, const WorldSize& size, const Clock& clock) {
  load_users(storage, clock, 1, size.users);
  auto readers = add_follows(storage, size, clock);
  add_posts(storage, size, clock);
  return readers;
}

std::vector<UserNumber> fill_world(store::DataDirectory& directory, const WorldSize& size,
                                   const Clock& clock) {
  load_directory_users(directory, clock, size.users);
  auto readers = add_follows(directory.storage(), size, clock);
  add_posts(directory.storage(), size, clock);
  return readers;
}

}  // namespace chirp::cli::bench
