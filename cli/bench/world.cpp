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
#include "store/data_directory.h"
#include "store/lmdb/storage.h"

namespace chirp::cli::bench {
namespace {

constexpr std::int64_t kSpanMs = 100 * kDayMs;
constexpr std::size_t kBatch = 5'000;

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

World::World(const WorldSize& size, const Clock& clock) : clock_(clock) {
  const auto engine = folder_.path() / "engine";
  std::filesystem::create_directory(engine);
  lmdb::create_store(engine, folder_.path() / "write.lock",
                     {store::kFormatVersion, "bench", snowflake::kMachineDefault});
  open(engine);
  readers_ = fill_world(storage(), size, clock_);
  events::drain(storage(), clock_);
}

World::World(const store::DataPlace& directory, const Clock& clock) : clock_(clock) {
  const auto path = folder_.path() / "world";
  copy_into_folder(*store::DataDirectory::open(directory), path, clock);
  open(path / "engine");
  events::drain(storage(), clock_);
  const auto snapshot = storage().snapshot();
  UserNumber after{};
  for (;;) {
    const auto cards = reads::rows_above<tables::Cards>(*snapshot, {after}, 1000);
    if (cards.empty()) break;
    after = cards.back().number;
    for (const AuthorCard& card : cards) {
      if (!reads::following(*snapshot, card.number, kNobody, 1).edges.empty()) {
        readers_.push_back(card.number);
      }
    }
  }
}

void World::open(const std::filesystem::path& engine) {
  storage_ = lmdb::open_storage(
      lmdb::Env::open(engine, folder_.path() / "write.lock", lmdb::OpenMode::kOpen));
}

void load_users(Storage& storage, const Clock& clock, std::uint32_t first, std::uint32_t last) {
  std::vector<AuthorCard> cards;
  const std::uint64_t start = snowflake::ticks_of({clock.now().ms - kSpanMs});
  for (std::uint32_t i = first; i <= last; ++i) {
    AuthorCard card;
    card.number = UserNumber{i};
    card.id = UserId{snowflake::make(start + i / 4096, snowflake::kLoadMachine, i % 4096)};
    card.username = fmt::format("u{}", i);
    card.display_name = fmt::format("User number {}", i);
    cards.push_back(std::move(card));
    if (cards.size() == kBatch || i == last) {
      rules::load_cards(storage, cards, clock.now());
      cards.clear();
    }
  }
}

namespace {

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
  std::span<const LoadedEdge> rest(edges);
  while (!rest.empty()) rest = rest.subspan(rules::load_edges(storage, rest, clock.now()).taken);
  return all_readers;
}

void add_posts(Storage& storage, const WorldSize& size, const Clock& clock) {
  if (size.posts == 0) return;
  Random random(2);
  const Time now = clock.now();
  const std::int64_t step =
      std::max<std::int64_t>(1, kSpanMs / static_cast<std::int64_t>(size.posts));
  std::vector<LoadedPost> posts;
  for (std::uint64_t i = 1; i <= size.posts; ++i) {
    const auto left = static_cast<std::int64_t>(size.posts - i);
    posts.push_back({SourceId{i},
                     UserNumber{static_cast<std::uint32_t>(1 + random.below(size.users))},
                     Time{now.ms - left * step}, post_text(i)});
    if (posts.size() == kBatch || i == size.posts) {
      rules::load_posts(storage, posts, now);
      posts.clear();
    }
  }
}

}  // namespace

std::vector<UserNumber> fill_world(Storage& storage, const WorldSize& size, const Clock& clock) {
  load_users(storage, clock, 1, size.users);
  auto readers = add_follows(storage, size, clock);
  add_posts(storage, size, clock);
  return readers;
}

}  // namespace chirp::cli::bench
