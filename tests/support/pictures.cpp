#include "tests/support/pictures.h"

#include <cstdint>

namespace chirp::test {
namespace {

std::string big(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = bytes; i-- > 0;) out += static_cast<char>(i < 8 ? value >> (8 * i) & 0xFF : 0);
  return out;
}
std::string little(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(i < 8 ? value >> (8 * i) & 0xFF : 0);
  return out;
}

}  // namespace

std::string png_chunk(std::string_view type, std::string_view content) {
  return big(content.size(), 4) + std::string(type) + std::string(content) + "crc!";
}

std::string png(std::string_view extra_chunks) {
  return "\x89PNG\r\n\x1a\n" + png_chunk("IHDR", big(3, 4) + big(2, 4) + "\x08\x02" + big(0, 3)) +
         std::string(extra_chunks) + png_chunk("IDAT", "pixels") + png_chunk("IEND", "");
}

std::string jpeg_segment(char marker, std::string_view content) {
  return std::string("\xFF") + marker + big(content.size() + 2, 2) + std::string(content);
}

std::string jpeg(std::string_view extra_segments) {
  const std::string frame = "\x08" + big(2, 2) + big(3, 2) + "\x01\x01\x11" + big(0, 1);
  return "\xFF\xD8" + jpeg_segment('\xE0', std::string("JFIF\0\1\1\0\0\1\0\1\0\0", 14)) +
         std::string(extra_segments) + jpeg_segment('\xC0', frame) +
         jpeg_segment('\xDA', std::string("\1\1\0\0\x3F\0", 6)) + "pix" + std::string("\xFF\0", 2) +
         "els\xFF\xD9";
}

std::string exif(char orientation) {
  std::string tiff = std::string("II\x2A\0", 4) + little(8, 4) + little(2, 2);
  tiff += little(0x0112, 2) + little(3, 2) + little(1, 4) + orientation + std::string(3, '\0');
  tiff += little(0x8825, 2) + little(4, 2) + little(1, 4) + little(38, 4) + little(0, 4);
  return std::string("Exif\0\0", 6) + tiff + std::string(kSecretPlace);
}

std::string gif(std::string_view extra_blocks) {
  return "GIF89a" + little(3, 2) + little(2, 2) + std::string("\x80\0\0", 3) + "rgbRGB" +
         std::string(extra_blocks) + "\x2C" + little(0, 4) + little(3, 2) + little(2, 2) +
         std::string("\0\2\2\x4C\1\0", 6) + "\x3B";
}

std::string riff_chunk(std::string_view type, std::string_view content) {
  std::string chunk = std::string(type) + little(content.size(), 4) + std::string(content);
  if (content.size() % 2 != 0) chunk += '\0';
  return chunk;
}

std::string webp(std::string_view extra_chunks) {
  const std::string body =
      "WEBP" + riff_chunk("VP8X", "\x0C" + little(0, 3) + little(2, 3) + little(1, 3)) +
      riff_chunk("VP8L", "\x2F" + little(2 | 1 << 14, 4) + "pixels") + std::string(extra_chunks);
  return "RIFF" + little(body.size(), 4) + body;
}

std::string mp4_box(std::string_view type, std::string_view content) {
  return big(content.size() + 8, 4) + std::string(type) + std::string(content);
}

std::string mp4_track(std::string_view handler, std::string_view extra_boxes,
                      std::string_view extra_tables) {
  const bool is_shown = handler == "vide";
  const std::string header =
      std::string(76, '\0') + big(is_shown ? 3 << 16 : 0, 4) + big(is_shown ? 2 << 16 : 0, 4);
  return mp4_box(
      "trak", mp4_box("tkhd", header) +
                  mp4_box("mdia", mp4_box("hdlr", big(0, 8) + std::string(handler) + big(0, 13)) +
                                      mp4_box("minf", mp4_box("stbl", extra_tables)) +
                                      std::string(extra_boxes)));
}

std::string mp4(std::string_view extra_boxes, std::string_view in_track) {
  return mp4_box("ftyp", "isom" + big(0, 4) + "isom") +
         mp4_box("moov", mp4_track("vide", in_track) + std::string(extra_boxes)) +
         mp4_box("mdat", "frames");
}

std::vector<std::string> telling_pictures() {
  const std::string place(kSecretPlace);
  const std::string block =
      "\x21\xFE" + std::string(1, static_cast<char>(place.size())) + place + std::string(1, '\0');
  return {
      png(png_chunk("eXIf", place) + png_chunk("iTXt", place) + png_chunk("caBX", place) +
          png_chunk("prVt", place)) +
          place,
      jpeg(jpeg_segment('\xE1', exif(1)) + jpeg_segment('\xE1', "http://ns.adobe.com/" + place) +
           jpeg_segment('\xEB', place) + jpeg_segment('\xED', place) + jpeg_segment('\xF0', place) +
           jpeg_segment('\xFE', place)) +
          place,
      gif(block) + place,
      webp(riff_chunk("EXIF", place) + riff_chunk("XMP ", place + "!") +
           riff_chunk("C2PA", place)) +
          place,
      mp4(mp4_box("udta", mp4_box("\xA9xyz", place)) + mp4_box("meta", place),
          mp4_box("udta", place) + mp4_box("uuid", place)) +
          mp4_box("free", place) + mp4_box("uuid", place)};
}

}  // namespace chirp::test
