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

std::string little_endian(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
  return out;
}
std::string big_endian(std::uint64_t value, int bytes) {
  const std::string out = little_endian(value, bytes);
  return {out.rbegin(), out.rend()};
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
    const media::CleanFile clean = media::checked(bytes);
    CAPTURE(mime_type(clean.facts.type));
    CHECK_FALSE(tells(clean.bytes));
    CHECK(clean.facts.width == 3);
    CHECK(clean.facts.height == 2);
    const media::CleanFile again = media::checked(clean.bytes);
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

TEST_CASE("media: absurd sizes are refused, whichever header says them") {
  const auto png_of = [](std::uint32_t width, std::uint32_t height) {
    std::string bytes = png();
    return bytes.replace(16, 8, big_endian(width, 4) + big_endian(height, 4));
  };
  const auto jpeg_of = [](std::uint32_t width, std::uint32_t height) {
    std::string bytes = jpeg();
    return bytes.replace(bytes.find("\xFF\xC0") + 5, 4,
                         big_endian(height, 2) + big_endian(width, 2));
  };
  const auto frame_of = [](std::uint64_t width, std::uint64_t height) {
    return riff_chunk("VP8L", "\x2F" + little_endian((width - 1) | (height - 1) << 14, 4) + "p");
  };
  CHECK(media::checked(png_of(10'000, 5'000)).facts == MediaFacts{MediaType::kPng, 10'000, 5'000});
  CHECK(media::checked(png_of(16'384, 1)).facts.width == 16'384);
  CHECK(media::checked(jpeg_of(8'000, 6'000)).facts.height == 6'000);
  CHECK(is_refused(png_of(50'000, 50'000)));
  CHECK(is_refused(png_of(10'001, 5'000)));
  CHECK(is_refused(png_of(16'385, 1)));
  CHECK(is_refused(png_of(1, 0xFFFF'FFFF)));
  CHECK(is_refused(png_of(0, 5)));
  CHECK(is_refused(png(png_chunk("fcTL", std::string(4, '\0') + big_endian(50'000, 4) +
                                             big_endian(50'000, 4) + std::string(14, '\0')))));
  CHECK(is_refused(jpeg_of(65'535, 65'535)));
  CHECK(is_refused(jpeg_of(5, 0)));
  CHECK_FALSE(is_refused(webp(frame_of(3, 2))));
  CHECK(is_refused(webp(frame_of(16'384, 16'384))));
  std::string small_screen = gif();
  small_screen.replace(24, 4, std::string(4, '\xFF'));  // of the image on it
  CHECK(is_refused(small_screen));
  std::string vast = mp4();
  vast.replace(vast.find("tkhd") + 4 + 76, 8, std::string("\xFF\xFF\0\0\xFF\xFF\0\0", 8));
  CHECK(is_refused(vast));
}

TEST_CASE("media: a container without a picture is refused") {
  CHECK(is_refused("\x89PNG\r\n\x1a\n" + png().substr(8, 25) + png_chunk("IEND", "")));
  CHECK(is_refused("\x89PNG\r\n\x1a\n" + png_chunk("IDAT", "p") + png().substr(8)));
  const std::string photo = jpeg();
  CHECK(is_refused(photo.substr(0, photo.find("\xFF\xDA")) + "\xFF\xD9"));
  const std::string frame = photo.substr(photo.find("\xFF\xC0"), 13);
  CHECK(is_refused(jpeg(frame)));  // twice
  CHECK(is_refused(gif().substr(0, 19) + "\x3B"));
  const std::string header = webp().substr(12, 18);
  CHECK(is_refused("RIFF" + little_endian(header.size() + 4, 4) + "WEBP" + header));
  CHECK(is_refused(webp(header)));  // twice
  CHECK(is_refused(mp4_box("ftyp", "isom" + std::string(4, '\0')) +
                   mp4_box("moov", mp4_track("soun")) + mp4_box("mdat", "sound")));
}

TEST_CASE("media: a PNG keeps the chunks that it takes to show it, and no other") {
  const std::string shown = png_chunk("gAMA", std::string(4, '\1')) +
                            png_chunk("iCCP", std::string("sRGB\0\0profile", 13)) +
                            png_chunk("pHYs", std::string(9, '\1')) +
                            png_chunk("tRNS", std::string(6, '\0')) +
                            png_chunk("acTL", std::string(8, '\1'));
  CHECK(media::checked(png(shown)).bytes == png(shown));
  const std::string place(kSecretPlace);
  for (const std::string_view type : {"caBX", "tIME", "zzZz", "dSIG", "sPLT", "gAMA", "pHYs"}) {
    CAPTURE(type);
    CHECK(media::checked(png(png_chunk(type, place))).bytes == png());
  }
  CHECK(media::checked(png() + place).bytes == png());
  CHECK(is_refused(png(png_chunk("ZZZZ", place))));
  const std::string end = png_chunk("IEND", "");
  CHECK(is_refused(png().substr(0, png().size() - end.size()) + png_chunk("IEND", place)));
}

TEST_CASE("media: a JPEG keeps the segments that it takes to decode it, and no other") {
  const std::string place(kSecretPlace);
  const std::string adobe = jpeg_segment('\xEE', std::string("Adobe\0\x64\0\0\0\0\1", 12));
  const std::string tables = jpeg_segment('\xDB', "quanta") + jpeg_segment('\xC4', "codes") +
                             jpeg_segment('\xDD', std::string(2, '\1'));
  const auto profile = [](std::size_t bytes) {
    return jpeg_segment('\xE2', std::string("ICC_PROFILE\0\1\1", 14) + std::string(bytes, 'c'));
  };
  const std::string shown = adobe + profile(500) + tables;
  CHECK(media::checked(jpeg(shown)).bytes == jpeg(shown));
  for (const char marker : {'\xE0', '\xE1', '\xE2', '\xE5', '\xEB', '\xEE', '\xEF', '\xF0', '\xF7',
                            '\xFD', '\xFE', '\x02', '\xC8'}) {
    CAPTURE(marker);
    CHECK(media::checked(jpeg(jpeg_segment(marker, place))).bytes == jpeg());
  }
  CHECK(media::checked(jpeg(jpeg_segment('\xEE', std::string("Adobe\0\x64\0\0\0\0\1", 12) + place)))
            .bytes == jpeg(adobe));
  std::string with_thumbnail = jpeg();
  with_thumbnail.replace(2, 18,
                         jpeg_segment('\xE0', std::string("JFIF\0\1\1\0\0\1\0\1\2\3", 14) + place));
  CHECK(media::checked(with_thumbnail).bytes == jpeg());
  std::string absurd;
  for (int i = 0; i < 17; ++i) absurd += profile(65'000);
  CHECK(media::checked(jpeg(absurd)).bytes == jpeg());
}

TEST_CASE("media: a GIF keeps images, their timing and the loop, and nothing else") {
  const std::string timing("\x21\xF9\x04\4\2\0\0\0", 8);
  const std::string loop = "\x21\xFF\x0BNETSCAPE2.0" + std::string("\3\1\5\0\0", 5);
  CHECK(media::checked(gif(timing + loop)).bytes == gif(timing + loop));
  const std::string place(kSecretPlace);
  const std::string block = static_cast<char>(place.size()) + place;
  const std::string none(1, '\0');
  for (const std::string& telling :
       {"\x21\xFE" + block + none, "\x21\x01" + block + none, "\x21\x42" + block + none,
        "\x21\xFF\x0BXMP DataXMP" + block + none, "\x21\xFF\x0BNETSCAPE2.0" + block + none}) {
    CHECK(media::checked(gif(telling)).bytes == gif());
  }
  CHECK(media::checked(gif(loop.substr(0, 18) + block + none)).bytes == gif(loop));
  CHECK(media::checked(gif(timing.substr(0, 7) + block + none)).bytes == gif(timing));
  CHECK(media::checked(gif() + place).bytes == gif());
}

TEST_CASE("media: a WebP keeps the chunks that it takes to show it, within its frames too") {
  const std::string picture = riff_chunk("VP8L", "\x2F" + little_endian(2 | 1 << 14, 4) + "p");
  const auto frame = [](const std::string& chunks) {
    return riff_chunk("ANMF", std::string(6, '\0') + little_endian(2, 3) + little_endian(1, 3) +
                                  std::string(4, '\0') + chunks);
  };
  const std::string shown = riff_chunk("ICCP", "colours") + riff_chunk("ANIM", "loops!") +
                            frame(riff_chunk("ALPH", "alpha") + picture);
  std::string flagged = webp(shown);
  flagged[20] = '\x3F';
  const std::string clean = media::checked(flagged).bytes;
  CHECK(clean.find(shown) != std::string::npos);
  CHECK(clean[20] == '\x32');
  const std::string telling = riff_chunk("junk", kSecretPlace);
  CHECK(media::checked(webp(shown + telling + frame(telling + picture))).bytes ==
        media::checked(webp(shown + frame(picture))).bytes);
  CHECK(is_refused(webp(frame(picture.substr(0, 9)))));
}

TEST_CASE("media: an MP4 tells nothing beside pictures and sound, wherever it says it") {
  const std::string place(kSecretPlace);
  const std::string telling = mp4_box("udta", place);
  const std::string blank = mp4_box("free", std::string(place.size(), '\0'));
  for (const char* type : {"udta", "meta", "uuid", "free", "zzzz"}) {
    CAPTURE(type);
    const std::string box = mp4_box(type, place);
    CHECK(media::checked(mp4(box, box)).bytes == mp4(blank, blank));
    const auto deep = [](const std::string& inside) {
      return mp4_box("minf", mp4_box("stbl", inside) + mp4_box("dinf", inside));
    };
    CHECK(media::checked(mp4({}, deep(box))).bytes == mp4({}, deep(blank)));
    CHECK(media::checked(mp4() + box + mp4_box("moof", box)).bytes ==
          mp4() + blank + mp4_box("moof", blank));
  }
  // When it was made, what made it, and how that was called.
  std::string dated = mp4();
  dated.replace(dated.find("tkhd") + 8, 8, "00000000");
  CHECK(media::checked(dated).bytes == mp4());
  std::string named = mp4();
  named.replace(named.find("vide") + 4, 13, "a camera here");
  CHECK(media::checked(named).bytes == mp4());
  const auto described = [&](std::string name, std::string_view parts) {
    name.resize(32, '\0');
    return mp4(
        {},
        mp4_box("minf",
                mp4_box("stbl", mp4_box("stsd", std::string(7, '\0') + "\1" +
                                                    mp4_box("avc1", std::string(42, '\0') + name +
                                                                        std::string(4, '\0') +
                                                                        mp4_box("avcC", "setup") +
                                                                        std::string(parts))))));
  };
  CHECK(media::checked(described(place, telling)).bytes == described("", blank));
}

TEST_CASE("media: the samples of a track that is neither picture nor sound go with it") {
  const std::string place(kSecretPlace);
  const std::string start = mp4_box("ftyp", "isom" + std::string(4, '\0'));
  const auto file = [&](std::string_view handler, std::string_view data, std::size_t chunk_at) {
    const std::string first = place.substr(0, 5);
    const std::string tables =
        mp4_box("stsz", big_endian(0, 8) + big_endian(2, 4) + big_endian(5, 4) +
                            big_endian(place.size() - 5, 4)) +
        mp4_box("stsc", big_endian(0, 4) + big_endian(1, 4) + big_endian(1, 4) + big_endian(1, 4) +
                            big_endian(1, 4)) +
        mp4_box("stco", big_endian(0, 4) + big_endian(2, 4) + big_endian(chunk_at, 4) +
                            big_endian(chunk_at + 5, 4));
    return start + mp4_box("mdat", "film" + std::string(data) + "film") +
           mp4_box("moov", mp4_track("vide") + mp4_track(handler, {}, tables));
  };
  const std::size_t at = start.size() + 8 + 4;
  const std::string clean = media::checked(file("meta", place, at)).bytes;
  CHECK_FALSE(tells(clean));
  CHECK(clean.substr(at - 4, place.size() + 8) ==
        "film" + std::string(place.size(), '\0') + "film");
  CHECK(clean.find("meta") == std::string::npos);
  CHECK(media::checked(clean).bytes == clean);
  CHECK(media::checked(file("soun", place, at)).bytes == file("soun", place, at));
  CHECK(is_refused(file("meta", place, at + 20)));
  CHECK(is_refused(file("meta", place, 0)));
  CHECK(is_refused(file("meta", place, at) + mp4_box("moof", "")));
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
        const media::CleanFile file = media::checked(changed);
        CHECK(media::checked(file.bytes).bytes == file.bytes);
      } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::kInvalidArgument);
      }
    }
  }
}

}  // namespace chirp::test
