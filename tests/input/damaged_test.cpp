// Goal: whatever is damaged or cut off, what is read is what the undamaged rows say, and each other
// row is counted.
// Method: random tables, JSON Lines and edge lists in four encodings, with a known fault in some
// rows, cut at a random byte, in pieces of odd sizes; the rows themselves are the oracle.
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "cli/input/edges.h"
#include "cli/input/encoding.h"
#include "cli/input/posts.h"
#include "tests/support/inputs.h"

namespace chirp::cli::input::damaged_test {
namespace {

using namespace chirp::test;

constexpr Time kTime{1'462'306'917'000};
constexpr int kRows = 12;
constexpr int kTexts = 600;

enum class Written : std::uint8_t { kUtf8, kMarked, kWindows1252, kUtf16Little, kUtf16Big };

// A character is one byte of Latin-1 here, and `\xFF` is a byte that is not UTF-8.
std::string encoded(const std::string& latin1, Written as) {
  std::string bytes;
  if (as == Written::kMarked) bytes = "\xEF\xBB\xBF";
  if (as == Written::kUtf16Little) bytes = "\xFF\xFE";
  if (as == Written::kUtf16Big) bytes = "\xFE\xFF";
  for (const char c : latin1) {
    const auto byte = static_cast<unsigned char>(c);
    if (as == Written::kUtf16Little) {
      bytes += {c, '\0'};
    } else if (as == Written::kUtf16Big) {
      bytes += {'\0', c};
    } else if (as == Written::kWindows1252 || byte < 0x80 || byte == 0xFF) {
      bytes += c;
    } else {
      bytes += {static_cast<char>(0xC0 | (byte >> 6U)), static_cast<char>(0x80 | (byte & 0x3FU))};
    }
  }
  return bytes;
}

struct Row {
  std::string written;  // without its line end
  bool is_damaged = false;
  std::uint64_t id = 0;
  std::string text;  // in UTF-8
};

class Writer {
 public:
  Writer(std::uint64_t seed, bool json, Written as) : random_(seed), json_(json), as_(as) {}

  Row row(std::uint64_t id, bool may_be_damaged) {
    const bool is_damaged = may_be_damaged && below(4) == 0;
    const std::string text = words();
    const std::uint64_t fault = is_damaged ? 1 + below(json_ ? 5 : 6) : 0;
    Row row{json_ ? object(id, text, fault) : cells(id, text, fault), fault != 0, id,
            encoded(text, Written::kUtf8)};
    return row;
  }
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

 private:
  std::string words() {
    static constexpr const char* kWords[] = {"gull", "caf\xE9", "a, b", "x;y",
                                             "t\tt", "no\xF1o", "#tag"};
    std::string text = "w";
    for (std::uint64_t i = below(4); i > 0; --i) text += std::string(" ") + kWords[below(7)];
    return text;
  }
  // Whether the encoding has invalid bytes. In others a misplaced quote takes their part.
  [[nodiscard]] bool has_bad_bytes() const {
    return as_ == Written::kUtf8 || as_ == Written::kMarked;
  }

  std::string object(std::uint64_t id, std::string text, std::uint64_t fault) const {
    for (std::size_t at = 0; (at = text.find('\t', at)) != std::string::npos;)
      text.replace(at, 1, "\\t");
    if (fault == 1) text += '\x01';
    if (fault == 2) text += has_bad_bytes() ? "\xFF" : "\"";
    const std::string when = fault == 3 ? "\"yesterday\"" : "\"2016-05-03T20:21:57Z\"";
    const std::string own = fault == 4 ? "[]" : std::to_string(id);
    const std::string key = fault == 5 ? "words" : "text";
    return fmt::format(R"({{"id":{},"author":"mira","createdAt":{},"{}":"{}"}})", own, when, key,
                       text);
  }
  std::string cells(std::uint64_t id, std::string text, std::uint64_t fault) const {
    std::string quoted = "\"" + text + "\"";
    if (fault == 1) quoted += "x";
    if (fault == 2) quoted = has_bad_bytes() ? "\"\xFF\"" : "a\"b";
    const std::string when = fault == 3 ? "yesterday" : "2016-05-03T20:21:57Z";
    const std::string own = fault == 4 ? "" : std::to_string(id);
    if (fault == 5) return fmt::format("{},mira,{}", own, when);
    return fmt::format("{},mira,{},{}{}", own, when, quoted, fault == 6 ? ",more" : "");
  }

  std::mt19937_64 random_;
  bool json_;
  Written as_;
};

using Posts = std::vector<std::pair<std::uint64_t, std::string>>;

std::pair<Posts, std::size_t> read(const std::string& bytes, Written as, std::size_t step) {
  Posts posts;
  Complaints complaints(1'000);
  const PostSink sink{
      .post = [&](load::SourcePost&& post, const InputPlace&) -> std::optional<std::string> {
        // Cells that are missing at the end are empty.
        if (post.text.empty()) return "no text";
        CHECK(post.created_at == kTime);
        posts.emplace_back(post.id.value, post.text);
        return std::nullopt;
      },
      .user = [](load::SourceUser&&) {}};
  TextStream inner(bytes, step);
  DecodedStream stream(inner,
                       as == Written::kWindows1252 ? Encoding::kWindows1252 : Encoding::kUtf8);
  TextBuffer buffer;
  buffer.open(stream);
  PostReader(PostFormat::kAuto, complaints.bad, sink).read(buffer, "f", Unknown::kRefused);
  return {posts, complaints.lines.size()};
}

void play(bool json) {
  for (std::uint64_t seed = 1; seed <= kTexts; ++seed) {
    CAPTURE(seed);
    const auto as = static_cast<Written>(seed % 5);
    Writer writer(seed, json, as);
    const std::string line_end = seed % 3 == 0 ? "\r\n" : "\n";
    std::string bytes = encoded(json ? "" : "id,author,createdAt,text" + line_end, as);
    Posts expected;
    std::size_t damaged = 0;
    // Cut behind so many bytes of the last row; 0 where nothing is cut off.
    const std::size_t last = 1 + writer.below(kRows);
    for (std::size_t i = 1; i <= last; ++i) {
      const Row row = writer.row(100 + i, i > 1);
      const std::string written =
          encoded(row.written, as == Written::kMarked ? Written::kUtf8 : as);
      const std::size_t mark = as == Written::kUtf16Little || as == Written::kUtf16Big ? 2 : 0;
      bytes += written.substr(mark);
      const bool is_cut = i == last && i > 1 && writer.below(2) == 0;
      if (is_cut) {
        bytes.resize(bytes.size() - (1 + writer.below(written.size() - mark - 1)));
      } else {
        bytes += encoded(line_end, as == Written::kMarked ? Written::kUtf8 : as).substr(mark);
      }
      if (row.is_damaged || is_cut) {
        ++damaged;
      } else {
        expected.emplace_back(row.id, row.text);
      }
    }
    CAPTURE(bytes);
    const auto [posts, bad] = read(bytes, as, 1 + seed % 7 * 13);
    CHECK(posts == expected);
    CHECK(bad == damaged);
  }
}

}  // namespace

TEST_CASE(
    "damaged: of a table of posts, all rows without a fault are read, and each other counted") {
  play(false);
}

TEST_CASE("damaged: of JSON Lines, all rows without a fault are read, and each other counted") {
  play(true);
}

TEST_CASE("damaged: of an edge list, all rows without a fault are read, and each other counted") {
  for (std::uint64_t seed = 1; seed <= kTexts; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const char separator = " \t,;"[seed % 4];
    std::vector<std::pair<std::uint64_t, std::uint64_t>> expected;
    std::size_t damaged = 0;
    std::string text;
    for (int i = 0; i < kRows; ++i) {
      const std::uint64_t from = 1 + random() % 5'000;
      const std::uint64_t to = 1 + random() % 5'000;
      const std::uint64_t fault = i < 3 ? 0 : random() % 12;
      const std::string one = fmt::format("{}{}{}", from, separator, to);
      if (fault == 1) text += std::to_string(from);
      if (fault == 2) text += one + "x";
      if (fault == 3) text += fmt::format("{}{}-{}", from, separator, to);
      if (fault == 4) text += fmt::format("{}{}\"{}", from, separator, to);
      if (fault == 0 || fault > 4) text += one;
      text += '\n';
      if (fault == 0 || fault > 4) {
        expected.emplace_back(from, to);
      } else {
        ++damaged;
      }
    }
    // The last row is cut off. The rest of it is an edge or a bad line.
    const std::string last = fmt::format("4711{}1234", separator);
    const std::string left = last.substr(0, 1 + random() % last.size());
    text += left;
    if (left.size() > 5) {
      expected.emplace_back(4711, std::stoull(left.substr(5)));
    } else {
      ++damaged;
    }
    CAPTURE(text);
    Complaints complaints(1'000);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> edges;
    const EdgeSink sink{.edges =
                            [&](auto some) {
                              for (const load::SourceEdge& edge : some) {
                                edges.emplace_back(edge.follower.value, edge.followee.value);
                              }
                            },
                        .person = [](SourceId) {}};
    TextStream inner(text, 1 + seed % 7 * 5);
    TextBuffer buffer;
    buffer.open(inner);
    CHECK(read_edges(buffer, "f", {}, complaints.bad, sink) == expected.size());
    CHECK(edges == expected);
    CHECK(complaints.lines.size() == damaged);
    CHECK(complaints.notes.size() == 1);  // of the line that may be cut off
  }
}

}  // namespace chirp::cli::input::damaged_test
