// Goal: an input is unpacked from any packing, whatever its name, and damage is reported.
// Method: the same text in every packing, cut at many lengths and with bytes changed; file names
// without endings throughout.
#include "cli/input/source.h"

#include <array>
#include <fcntl.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "core/error.h"
#include "tests/support/inputs.h"
#include "tests/support/thrown.h"

namespace chirp::cli::input {
namespace {

using namespace chirp::test;

std::string sample_text() {
  std::string text;
  for (int i = 0; i < 20'000; ++i)
    text += std::to_string(i * 7919) + " " + std::to_string(i) + "\n";
  return text;
}

std::string rest_of(ByteStream& stream) {
  std::string text;
  std::vector<char> piece(777);
  while (const std::size_t got = stream.read(piece)) text.append(piece.data(), got);
  return text;
}

std::string read_all(const std::string& path) {
  InputSource source(path);
  std::string text;
  while (source.next()) text += rest_of(source);
  return text;
}

Members read_members(const std::string& path) {
  InputSource source(path);
  Members members;
  while (source.next()) {
    REQUIRE(source.is_one_of_many());
    std::string name = source.name();
    members.emplace_back(std::move(name), rest_of(source));
  }
  return members;
}

constexpr Packing kPackings[] = {Packing::kGzip, Packing::kZstd, Packing::kBzip2, Packing::kXz};

}  // namespace

TEST_CASE("source: a plain file is one member, as it is") {
  const InputFiles files;
  for (const std::string& text : {std::string(), std::string("x"), sample_text()}) {
    const std::string path = files.write("plain", text);
    InputSource source(path);
    CHECK(source.size() == text.size());
    REQUIRE(source.next());
    CHECK_FALSE(source.is_one_of_many());
    CHECK(source.name() == path);
    CHECK(rest_of(source) == text);
    CHECK(source.bytes_read() == text.size());
    CHECK_FALSE(source.next());
  }
}

TEST_CASE("source: every packing is seen through by its contents") {
  const InputFiles files;
  const std::string text = sample_text();
  for (const Packing packing : kPackings) {
    CAPTURE(static_cast<int>(packing));
    CHECK(read_all(files.write("no-ending", test::packed(text, packing))) == text);
  }
}

TEST_CASE("source: what is packed more than once is unpacked as often") {
  const InputFiles files;
  const std::string text = sample_text();
  for (const Packing inner : kPackings) {
    for (const Packing outer : kPackings) {
      CAPTURE(static_cast<int>(inner));
      CAPTURE(static_cast<int>(outer));
      const std::string twice = test::packed(test::packed(text, inner), outer);
      CHECK(read_all(files.write("twice", twice)) == text);
    }
  }
}

TEST_CASE("source: nothing, packed, is nothing in gzip and zst and refused in the others") {
  const InputFiles files;
  for (const Packing packing : kPackings) {
    CAPTURE(static_cast<int>(packing));
    const std::string path = files.write("empty", test::packed("", packing));
    if (packing == Packing::kGzip || packing == Packing::kZstd) {
      CHECK(read_all(path).empty());
    } else {
      CHECK_THROWS_AS((void)read_all(path), Error);
    }
  }
}

TEST_CASE("source: gzip members in a row and zeros at the end are one stream") {
  const InputFiles files;
  const std::string twice =
      test::packed("a\n", Packing::kGzip) + test::packed("b\n", Packing::kGzip);
  CHECK(read_all(files.write("twice", twice)) == "a\nb\n");
  CHECK(read_all(files.write("padded", twice + std::string(512, '\0'))) == "a\nb\n");
  CHECK_THROWS_AS((void)read_all(files.write("more", twice + "more")), Error);
}

TEST_CASE("source: what is cut off is an error, at every length") {
  const InputFiles files;
  const std::string text = sample_text();
  for (const Packing packing : kPackings) {
    const std::string whole = test::packed(text, packing);
    // The magic bytes have to be there; without them it is a plain file of odd contents.
    for (std::size_t size = 16; size < whole.size(); size += 1 + whole.size() / 97) {
      CAPTURE(static_cast<int>(packing));
      CAPTURE(size);
      const std::string path = files.write("cut", whole.substr(0, size));
      CHECK_THROWS_AS((void)read_all(path), Error);
    }
    const std::string last = files.write("last", whole.substr(0, whole.size() - 1));
    CHECK_THROWS_AS((void)read_all(last), Error);
  }
}

// A frame of one block as it is, whose window has 2^log bytes.
std::string zstd_frame(unsigned log, const std::string& text) {
  const auto header = static_cast<std::uint32_t>(text.size() << 3 | 1);
  std::string frame("\x28\xB5\x2F\xFD\0", 5);
  frame += static_cast<char>((log - 10) << 3);
  for (const unsigned shift : {0U, 8U, 16U}) frame += static_cast<char>(header >> shift);
  return frame + text;
}

TEST_CASE("source: frames of zst in a row are one stream, and a large window has to be allowed") {
  const InputFiles files;
  const auto read = [](const std::string& path, std::uint64_t window_max) {
    InputSource source(path, InputSource::From::kNamed, window_max);
    return source.next() ? rest_of(source) : std::string();
  };
  const std::string skipped("\x50\x2A\x4D\x18\x03\0\0\0abc", 11);
  const std::string two = zstd_frame(27, "1 2\n") + skipped + zstd_frame(20, "3 4\n");
  CHECK(read_all(files.write("two", two)) == "1 2\n3 4\n");
  CHECK_THROWS_AS((void)read_all(files.write("more", two + "5 6\n")), Error);
  const std::string large = files.write("large", zstd_frame(28, "1 2\n"));
  CHECK(test::error_of([&] { (void)read_all(large); }).what() ==
        large +
            ": its zstd window is larger than the memory for unpacking. Allow more with --memory "
            "2G, or unpack it first: zstd -dc --long=31 < FILE | chirp load … -");
  CHECK(read(large, std::uint64_t{256} << 20) == "1 2\n");
  CHECK_THROWS_AS((void)read(large, (std::uint64_t{256} << 20) - 1), Error);
  CHECK(read_all(files.write("skipped first", skipped + zstd_frame(20, "5 6\n"))) == "5 6\n");
  CHECK(read(files.write("largest", zstd_frame(31, "1 2\n")), std::uint64_t{2} << 30) == "1 2\n");
}

TEST_CASE("source: gzip's check sum and length are checked") {
  const InputFiles files;
  const std::string whole = test::packed(sample_text(), Packing::kGzip);
  for (std::size_t back = 1; back <= 8; ++back) {  // four bytes of check sum, four of length
    CAPTURE(back);
    std::string damaged = whole;
    damaged[damaged.size() - back] = static_cast<char>(damaged[damaged.size() - back] ^ 1);
    CHECK_THROWS_AS((void)read_all(files.write("damaged", damaged)), Error);
  }
}

TEST_CASE("source: archives show their members, directories left out") {
  const InputFiles files;
  const Members members{{"a.txt", "one\n"}, {"d/", ""}, {"d/b.txt", sample_text()}, {"e", ""}};
  for (const Wrapping wrapping : {Wrapping::kTar, Wrapping::kZip}) {
    const std::string archive = test::wrapped(members, wrapping);
    const std::string path = files.write("archive", archive);
    const Members expected{
        {path + "(a.txt)", "one\n"}, {path + "(d/b.txt)", sample_text()}, {path + "(e)", ""}};
    CHECK(read_members(path) == expected);
    // Members that the caller does not read are skipped.
    InputSource source(path);
    int count = 0;
    while (source.next()) ++count;
    CHECK(count == 3);
  }
}

TEST_CASE("source: a packed tar is an archive") {
  const InputFiles files;
  const std::string tar = test::wrapped({{"a", "1\n"}, {"b", "2\n"}}, Wrapping::kTar);
  for (const Packing packing : kPackings) {
    const std::string path = files.write("packed", test::packed(tar, packing));
    CHECK(read_members(path) == Members{{path + "(a)", "1\n"}, {path + "(b)", "2\n"}});
  }
}

TEST_CASE("source: an archive that is cut off is an error") {
  const InputFiles files;
  const std::string tar = test::wrapped({{"a", sample_text()}}, Wrapping::kTar);
  CHECK_THROWS_AS((void)read_all(files.write("tar", tar.substr(0, tar.size() / 2))), Error);
  const std::string packed = test::packed(tar, Packing::kGzip);
  CHECK_THROWS_AS((void)read_all(files.write("tgz", packed.substr(0, packed.size() / 2))), Error);
}

namespace {

// What reading bytes ends with that come through a pipe, which holds them all.
std::string read_piped(const std::string& bytes) {
  std::array<int, 2> ends{};
  REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
  REQUIRE(::write(ends[1], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  ::close(ends[1]);
  std::string complaint =
      complaint_of([&] { (void)read_all("/dev/fd/" + std::to_string(ends[0])); });
  ::close(ends[0]);
  return complaint;
}

// Three members of different sizes, one of whole blocks, so that cuts fall everywhere.
Members some_members() {
  return {{"a", "one\n"}, {"b", std::string(1024, 'b')}, {"c", std::string(700, 'c')}};
}

bool says_cut(const std::string& complaint) {
  return complaint.find("cut short") != std::string::npos;
}

}  // namespace

TEST_CASE("source: a tar that is cut between two members is cut short") {
  const InputFiles files;
  const std::string tar = test::wrapped(some_members(), Wrapping::kTar);
  // Behind a, b and c: header and contents in blocks of 512 bytes.
  for (const std::size_t size : {1024U, 2560U, 4096U}) {
    CAPTURE(size);
    const std::string cut = tar.substr(0, size);
    CHECK(says_cut(complaint_of([&] { (void)read_all(files.write("cut", cut)); })));
    for (const Packing packing : kPackings) {
      CAPTURE(static_cast<int>(packing));
      const std::string path = files.write("packed", test::packed(cut, packing));
      CHECK(says_cut(complaint_of([&] { (void)read_all(path); })));
    }
    CHECK(says_cut(read_piped(cut)));
  }
  // One block of zeros is an end; what fills up the last record may be missing.
  CHECK(read_members(files.write("one", tar.substr(0, 4096 + 512))).size() == 3);
}

TEST_CASE("source: a tar that is cut anywhere before its end is an error") {
  const InputFiles files;
  const std::string tar = test::wrapped(some_members(), Wrapping::kTar);
  for (std::size_t size = 512; size < 4096 + 512; size += 64) {
    CAPTURE(size);
    CHECK_THROWS_AS((void)read_all(files.write("cut", tar.substr(0, size))), Error);
  }
}

TEST_CASE("source: packing around a tar is checked to its end") {
  const InputFiles files;
  const std::string tar = test::wrapped(some_members(), Wrapping::kTar);
  for (const Packing packing : kPackings) {
    CAPTURE(static_cast<int>(packing));
    const std::string whole = test::packed(tar, packing);
    const std::string path = files.write("cut", whole.substr(0, whole.size() - 1));
    CHECK_THROWS_AS((void)read_all(path), Error);
  }
}

TEST_CASE("source: a zip that is cut anywhere is an error, in its directory too") {
  const InputFiles files;
  const std::string zip = test::wrapped(some_members(), Wrapping::kZip);
  const std::size_t directory = zip.find("PK\x01\x02");
  REQUIRE(directory != std::string::npos);
  for (std::size_t size = 4; size < zip.size(); ++size) {
    CAPTURE(size);
    const std::string cut = zip.substr(0, size);
    CHECK(says_cut(complaint_of([&] { (void)read_all(files.write("cut", cut)); })));
    const std::string piped = read_piped(cut);
    CHECK_FALSE(piped.empty());
    // Behind the mark of its first entry; until there it is damaged, as the library says.
    if (size >= directory + 8) CHECK(says_cut(piped));
  }
  CHECK(read_piped(zip).empty());
  CHECK(read_members(files.write("whole", zip)).size() == 3);
  CHECK(read_members(files.write("junk", zip + "junk")).size() == 3);
}

TEST_CASE("source: the end of a zip inside of a cut one is not its end") {
  const InputFiles files;
  const std::string inner = test::wrapped({{"x", "inside\n"}}, Wrapping::kZip);
  const std::string zip = test::stored_zip({{"inner.zip", inner}, {"b", "behind\n"}});
  REQUIRE(read_members(files.write("whole", zip)).size() == 2);
  const std::size_t behind = zip.find(inner) + inner.size();
  CHECK(says_cut(complaint_of([&] { (void)read_all(files.write("cut", zip.substr(0, behind))); })));
}

TEST_CASE("source: what can't be opened is named") {
  const InputFiles files;
  for (const std::string& path : {files.path().string(), (files.path() / "missing").string()}) {
    const Error error = test::error_of([&] { const InputSource source(path); });
    CHECK(error.code() == ErrorCode::kBadInput);
    CHECK(std::string_view(error.what()).find(path) != std::string_view::npos);
  }
}

}  // namespace chirp::cli::input
