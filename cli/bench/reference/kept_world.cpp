#include "cli/bench/reference/kept_world.h"

#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/progress.h"
#include "core/error.h"
#include "core/events/consumers.h"
#include "core/feed/home_feed.h"
#include "core/load/seed.h"
#include "core/ports/reads.h"

namespace chirp::cli::bench {
namespace {

// Written last; contains the size of the world.
constexpr const char* kSizeFile = "reference-world";
constexpr std::uint32_t kViewersAtOnce = 500;

std::string words_for(const WorldSize& size) {
  return fmt::format("{} users, {} follows, {} posts", size.users, size.follows, size.posts);
}

std::optional<std::string> first_line(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line;
  if (!std::getline(stream, line)) return std::nullopt;
  return line;
}

// Whether there is a world of this size at `path`; false if there is nothing at all.
bool is_there(const std::filesystem::path& path, const WorldSize& size) {
  const auto made_of = first_line(path / kSizeFile);
  if (made_of == words_for(size)) return true;
  if (made_of) {
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format(
            "The world at {} has {}, not {}. Give the same numbers, or name another directory.",
            path.string(), *made_of, words_for(size)),
        "data");
  }
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return false;
  if (std::filesystem::is_directory(path, error) && std::filesystem::is_empty(path, error)) {
    return false;
  }
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("{} is not a complete world of `chirp bench reference`. Name another "
                          "directory, or remove this one.",
                          path.string()),
              "data");
}

}  // namespace

KeptWorld::KeptWorld(Context& context, const std::optional<store::DataPlace>& place,
                     const WorldSize& size) {
  if (place && place->is_database()) {
    throw Error(ErrorCode::kInvalidArgument,
                "The reference load needs a directory, but --data names a database.", "data");
  }
  if (!place) folder_.emplace();
  path_ = place ? place->folder() : folder_->path() / "world";
  if (is_there(path_, size)) {
    directory_ = store::DataDirectory::open(path_);
  } else {
    make(context, size);
  }
  // Finishes what another run has left pending.
  events::drain(directory_->storage(), context.clock());
}

void KeptWorld::make(Context& context, const WorldSize& size) {
  store::make_data_directory(path_, std::nullopt);
  directory_ = store::DataDirectory::open(path_);
  plant(context, size);
  build_timelines(context);
  std::ofstream file(path_ / kSizeFile);
  file << words_for(size) << '\n' << std::flush;
  if (!file) {
    throw Error(ErrorCode::kIo,
                fmt::format("{} could not be written.", (path_ / kSizeFile).string()));
  }
}

void KeptWorld::plant(Context& context, const WorldSize& size) {
  load::SeedOptions options;
  options.users = size.users;
  options.follows = size.follows;
  options.posts = size.posts;
  const std::uint64_t total = options.users + options.follows + options.posts;
  std::uint64_t made = 0;
  ProgressLine progress(context.out(), context.clock(), "rows of the world");
  const auto show = [&] { progress.show({.done = made, .total = total, .rows = made}); };
  (void)load::plant(options, directory_->storage(), directory_->users(), context.clock(),
                    {.made =
                         [&](std::uint64_t rows) {
                           made += rows;
                           show();
                         },
                     .pause = show});
}

void KeptWorld::build_timelines(Context& context) {
  Storage& storage = directory_->storage();
  const std::uint64_t total = storage.snapshot()->table_rows().at("cards");
  ProgressLine progress(context.out(), context.clock(), "timelines");
  feed::Feeds feeds(storage, context.clock());
  std::uint64_t done = 0;
  for (UserNumber after = kNobody;;) {
    const auto cards =
        reads::rows_above<tables::Cards>(*storage.snapshot(), {after}, kViewersAtOnce);
    if (cards.empty()) return;
    after = cards.back().number;
    done += cards.size();
    std::vector<UserNumber> viewers;
    for (const AuthorCard& card : cards) viewers.push_back(card.number);
    (void)feeds.rebuild(viewers);
    progress.show({.done = done, .total = total, .rows = done});
  }
}

}  // namespace chirp::cli::bench
