#include "cli/lab/script.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "core/engine.h"
#include "core/error.h"
#include "core/ports/reads.h"

namespace chirp::cli::lab {
namespace {

constexpr std::uint32_t kBlock = 4096;
constexpr std::size_t kPagesCompared = 50;

Time day_of(const Snapshot& snapshot, const ScriptOptions& options) {
  if (options.day) return *options.day;
  const auto last = chirp::lab::last_day_with_posts(snapshot);
  if (last) return *last;
  throw Error(ErrorCode::kNotFound,
              "The data directory holds no posts, so there is no day to play. Load posts first.");
}

std::vector<UserNumber> users_there(const Snapshot& snapshot) {
  std::vector<UserNumber> users;
  for (UserNumber after = kNobody;;) {
    const auto cards = reads::rows_above<tables::Cards>(snapshot, {after}, kBlock);
    if (cards.empty()) return users;
    after = cards.back().number;
    for (const AuthorCard& card : cards) {
      if (card.presence == Presence::kPresent) users.push_back(card.number);
    }
  }
}

// Adds the authors, and drops the posts of authors who can't post.
void add_authors(Script& script, store::DataDirectory& directory, const Clock& clock,
                 const Snapshot& snapshot) {
  const auto hasher = store::bcrypt_hasher();
  Engine engine(directory.storage(), directory.users(), *hasher, clock);
  std::vector<UserNumber> numbers;
  for (const auto& played : script.day.posts) {
    const UserNumber author = played.post.author;
    if (script.authors.contains(author)) continue;
    const auto user = engine.accounts().present(author);
    if (!user) continue;
    script.authors.emplace(author, PlannedAuthor{*user, 0});
    numbers.push_back(author);
  }
  const auto counted = snapshot.counters(numbers);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::int64_t followers = std::max<std::int64_t>(counted[i].followers, 0);
    script.authors.at(numbers[i]).followers = static_cast<std::uint64_t>(followers);
  }
  script.without_author = std::erase_if(script.day.posts, [&](const auto& played) {
    return !script.authors.contains(played.post.author);
  });
  script.with_files = static_cast<std::uint64_t>(
      std::count_if(script.day.posts.begin(), script.day.posts.end(),
                    [](const auto& played) { return !played.post.media.empty(); }));
}

// Adds all reads of the played time, or those of some readers if there are too many.
void add_reads(Script& script, const std::vector<UserNumber>& users, std::uint64_t reads_max) {
  const Time from = script.day.from;
  const Time to = script.day.to;
  double a_day = 0;
  for (const UserNumber user : users) a_day += script.model.reads_a_day(user);
  const double expected = a_day * chirp::lab::ReadModel::share_of_day(from, to);
  const double share =
      expected <= static_cast<double>(reads_max) ? 1 : static_cast<double>(reads_max) / expected;
  for (const UserNumber user : users) {
    if (share < 1 && !script.model.is_in_sample(user, share)) continue;
    ++script.readers;
    for (const Time at : script.model.reads(user, from, to)) script.reads.push_back({at, user});
  }
  std::sort(script.reads.begin(), script.reads.end(),
            [](const PlannedRead& a, const PlannedRead& b) {
              return std::tie(a.at, a.reader) < std::tie(b.at, b.reader);
            });
  const bool is_all = share == 1 && script.day.is_whole();
  if (script.reads.empty() && !is_all && a_day >= 1) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("None of the day's about {:.0f} reads would be replayed, so there is "
                            "nothing to measure. Allow more reads with --max-reads, or a longer "
                            "part of the day with --max-posts.",
                            a_day),
                "max-reads");
  }
  script.reads_of_day = is_all ? static_cast<double>(script.reads.size()) : a_day;
}

// Chooses the readers whose pages are compared, evenly among all, and the watched one.
void choose_readers(Script& script, const std::vector<UserNumber>& users) {
  std::map<UserNumber, std::uint64_t> times;
  for (const PlannedRead& read : script.reads) ++times[read.reader];
  std::vector<UserNumber> readers;
  std::uint64_t most = 0;
  for (const auto& [reader, count] : times) {
    readers.push_back(reader);
    if (count <= most) continue;
    most = count;
    script.watched = reader;
  }
  const std::vector<UserNumber>& from = readers.empty() ? users : readers;
  const std::size_t count = std::min(from.size(), kPagesCompared);
  for (std::size_t i = 0; i < count; ++i) script.checked.push_back(from[i * from.size() / count]);
}

}  // namespace

Script write_script(store::DataDirectory& directory, const Clock& clock,
                    const ScriptOptions& options) {
  const auto snapshot = directory.storage().snapshot();
  const chirp::lab::DayOptions day{day_of(*snapshot, options), options.posts_per_day,
                                   options.posts_max};
  Script script(chirp::lab::day_to_play(*snapshot, day),
                chirp::lab::ReadModel(options.reads_per_user, options.seed));
  add_authors(script, directory, clock, *snapshot);
  const std::vector<UserNumber> users = users_there(*snapshot);
  script.users = users.size();
  add_reads(script, users, options.reads_max);
  choose_readers(script, users);
  script.degrees = degrees_of(*snapshot);
  return script;
}

}  // namespace chirp::cli::lab
