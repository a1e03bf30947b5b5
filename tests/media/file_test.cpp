// Goal: what is uploaded is known by its content, keeps its picture, and tells nobody where it was
// made; no bytes at all can do harm.
// Method: the smallest file of each type with a place hidden wherever the type has room; each cut
// at every length, and thousands of times changed at random, for the sanitizers to watch.
#include "core/media/file.h"

#include <random>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/limits.h"
#include "tests/support/directories.h"
#include "tests/support/pictures.h"
#include "tests/support/seeds.h"
#include "tests/support/thrown.h"

namespace chirp::test {
namespace {

bool tells(std::string_view bytes) { return bytes.find(kSecretPlace) != std::string_view::npos; }

bool is_refused(std::string_view bytes) {
  const auto error = thrown_by([&] { (void)media::checked(bytes); });
  return error && error->code() == ErrorCode::kInvalidArgument && error->field() == "media";
}

}  // namespace

TEST_CASE("media: type and size are read from the content") {
  const std::vector<std::pair<std::string, MediaType>> files{{png(), MediaType::kPng},
                                                             {jpeg(), MediaType::kJpeg},
                                                             {gif(), MediaType::kGif},
                                                             {webp(), MediaType::kWebp},
                                                             {mp4(), MediaType::kMp4}};
  for (const auto& [bytes, type] : files) {
    CAPTURE(mime_type(type));
    CHECK(media::checked(bytes).facts == MediaFacts{type, 3, 2});
  }
}

TEST_CASE("media: what was clean stays as it was, byte for byte") {
  for (const std::string& bytes : {png(), jpeg(), gif(), mp4()}) {
    CHECK(media::checked(bytes).bytes == bytes);
  }
}

TEST_CASE("media: no file tells where it was made, and cleaning it again changes nothing") {
  for (const std::string& bytes : telling_pictures()) {
    REQUIRE(tells(bytes));
    const media::File clean = media::checked(bytes);
    CAPTURE(mime_type(clean.facts.type));
    CHECK_FALSE(tells(clean.bytes));
    CHECK(clean.facts.width == 3);
    CHECK(clean.facts.height == 2);
    const media::File again = media::checked(clean.bytes);
    CHECK(again.bytes == clean.bytes);
    CHECK(again.facts == clean.facts);
  }
}

TEST_CASE("media: a JPEG keeps how it is to be turned") {
  for (const char orientation : {'\2', '\6', '\10'}) {
    const std::string clean = media::checked(jpeg(jpeg_segment('\xE1', exif(orientation)))).bytes;
    CHECK_FALSE(tells(clean));
    CHECK(clean.find(std::string("\x01\x12\0\x03\0\0\0\x01\0", 9) + orientation) !=
          std::string::npos);
    CHECK(media::checked(clean).bytes == clean);
  }
  const std::string upright = media::checked(jpeg(jpeg_segment('\xE1', exif('\1')))).bytes;
  CHECK(upright == jpeg());
}

TEST_CASE("media: a WebP no longer says that it has what was taken out") {
  const std::string clean = media::checked(webp(riff_chunk("EXIF", kSecretPlace))).bytes;
  CHECK(clean[20] == '\0');
  CHECK(clean.size() == webp().size());
}

TEST_CASE("media: other files, and what has no size, are refused") {
  for (const std::string_view bytes :
       {std::string_view(), std::string_view("text"), std::string_view("%PDF-1.7"),
        std::string_view("<svg xmlns=\"http://www.w3.org/2000/svg\"/>"),
        std::string_view("\0\0\0\x14"
                         "ftypheic\0\0\0\0heic",
                         20)}) {
    CHECK(is_refused(bytes));
  }
  std::string flat = png();
  flat.replace(16, 4, std::string(4, '\0'));
  CHECK(is_refused(flat));
  CHECK(is_refused(mp4_box("ftyp", "isom") + mp4_box("moov", "")));
  std::string large = png();
  large.resize(limits::kMediaBytesMax + 1);
  CHECK(is_refused(large));
}

TEST_CASE("media: a file cut at any length is refused or whole") {
  for (const std::string& bytes : telling_pictures()) {
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      CAPTURE(length);
      const std::string cut = bytes.substr(0, length);
      std::string kept;
      try {
        kept = media::checked(cut).bytes;
      } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::kInvalidArgument);
      }
      CHECK_FALSE(tells(kept));
    }
  }
}

TEST_CASE("media: no change of any bytes does harm") {
  const std::uint64_t seed = first_seed();
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
  for (const std::string& bytes : telling_pictures()) {
    for (int round = 0; round < 4000; ++round) {
      std::string changed = bytes;
      for (std::size_t n = 1 + below(6); n > 0; --n) {
        changed[below(changed.size())] = static_cast<char>(below(4) == 0 ? 0xFF : random());
      }
      if (below(4) == 0) changed.resize(below(changed.size()));
      try {
        const media::File file = media::checked(changed);
        CHECK(media::checked(file.bytes).bytes == file.bytes);
      } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::kInvalidArgument);
      }
    }
  }
}

}  // namespace chirp::test
