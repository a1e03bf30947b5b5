#include "cli/bench/load_text.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "core/error.h"
#include "server/json/json_writer.h"

namespace chirp::cli::bench {
namespace {

constexpr std::int64_t kSpanMs = 100 * kDayMs;

// Throws if not everything was written.
class TextFile {
 public:
  explicit TextFile(const std::filesystem::path& path)
      : path_(path), out_(path, std::ios::binary) {}
  [[nodiscard]] std::ostream& out() { return out_; }
  void edge(std::uint64_t follower, std::uint64_t followee) {
    line_.clear();
    fmt::format_to(std::back_inserter(line_), "{} {}\n", follower, followee);
    out_.write(line_.data(), static_cast<std::streamsize>(line_.size()));
  }
  void close() {
    out_.close();
    if (!out_) {
      throw Error(ErrorCode::kIo,
                  fmt::format("{} could not be written. Is the disk full? TMPDIR names another "
                              "folder for the benchmark's files.",
                              path_.string()));
    }
  }

 private:
  std::filesystem::path path_;
  std::ofstream out_;
  fmt::memory_buffer line_;
};

}  // namespace

Shuffle::Shuffle(std::uint64_t count) : count_(count) {
  while ((std::uint64_t{1} << bits_) < count) ++bits_;
}

// Each step is invertible, so no two numbers collide. A result that is too large is shuffled again.
// This ends, because the cycle contains the smaller number it started from.
std::uint64_t Shuffle::at(std::uint64_t number) const {
  const std::uint64_t mask = (std::uint64_t{1} << bits_) - 1;
  const unsigned half = (bits_ + 1) / 2;
  do {
    for (const std::uint64_t odd : {0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB}) {
      number = (number * odd + 0x2545F4914F6CDD1D) & mask;
      number ^= number >> half;
    }
  } while (number >= count_);
  return number;
}

std::uint64_t popular(Random& random, std::uint64_t count) {
  const std::uint64_t draw = random.below(count);
  return draw * draw / count;
}

void write_pairs(const std::filesystem::path& file, std::uint32_t users) {
  TextFile text(file);
  for (std::uint32_t i = 1; i < users; i += 2) text.edge(i, i + 1);
  text.close();
}

void write_sorted_edges(const std::filesystem::path& file, std::uint32_t users,
                        std::uint64_t edges) {
  TextFile text(file);
  Random random(4);
  const Shuffle shuffle(users);
  for (std::uint64_t i = 0; i < edges; ++i) {
    text.edge(1 + i * users / edges, 1 + shuffle.at(popular(random, users)));
  }
  text.close();
}

void write_post(std::ostream& out, const Post& post) {
  api::JsonWriter json;
  json.begin_object();
  json.field("id", post.source->number).key("authorId").id(post.author.value);
  json.field("text", post.text).field("createdAt", post.created_at).end_object();
  out << json.text() << '\n';
}

void write_posts(const std::filesystem::path& file, std::uint32_t users, std::uint64_t posts,
                 PostOrder order, Time now) {
  TextFile text(file);
  const Shuffle shuffle(posts);
  const std::int64_t step = std::max<std::int64_t>(1, kSpanMs / static_cast<std::int64_t>(posts));
  for (std::uint64_t i = 0; i < posts; ++i) {
    const std::uint64_t n = 1 + (order == PostOrder::kRandom ? shuffle.at(i) : i);
    Post post;
    post.source = SourceId{n};
    post.author = UserNumber{static_cast<std::uint32_t>(1 + Random(n).below(users))};
    post.text = post_text(n);
    post.created_at = {now.ms - static_cast<std::int64_t>(posts - n) * step};
    write_post(text.out(), post);
  }
  text.close();
}

}  // namespace chirp::cli::bench
