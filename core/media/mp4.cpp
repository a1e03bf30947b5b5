#include <array>
#include <cstdint>
#include <vector>

#include "core/media/mp4_boxes.h"

namespace chirp::media {
namespace {

constexpr std::size_t kBrandsMax = 256;  // bytes of the list of brands

// The kept boxes by parent, four letters each; "" is the file. No box can contain itself, so the
// nesting is bounded by this list.
struct Inside {
  std::string_view parent;
  std::string_view children;
};
constexpr std::array kInside{
    Inside{"", "ftypmoovmdatmoofmfrasidxstypssixpdin"},
    Inside{"moov", "mvhdtrakmvex"},
    Inside{"trak", "tkhdedtstrefmdia"},
    Inside{"edts", "elst"},
    Inside{"mdia", "mdhdhdlrminfelng"},
    Inside{"minf", "vmhdsmhdnmhddinfstbl"},
    Inside{"dinf", "dref"},
    Inside{"stbl", "stsdsttscttsstscstszstz2stcoco64stsssdtpsbgpsgpdcslgstshpadbsubs"},
    Inside{"mvex", "mehdtrexleva"},
    Inside{"moof", "mfhdtraf"},
    Inside{"traf", "tfhdtruntfdtsdtpsbgpsgpdsubs"},
    Inside{"mfra", "tframfro"},
    // How to decode and show the samples of a track.
    Inside{"vide", "avcChvcCav1CvpcCesdsd263dvcCdvvCcolrpaspclapbtrtfielmdcvclli"},
    Inside{"soun", "esdsdOpsdfLaalacdac3dec3dac4btrtchnlsrat"},
};

std::string_view children_of(std::string_view parent) {
  for (const Inside& inside : kInside) {
    if (inside.parent == parent) return inside.children;
  }
  return {};
}

bool is_in(std::string_view children, std::string_view type) {
  for (; !children.empty(); children.remove_prefix(4)) {
    if (children.substr(0, 4) == type) return true;
  }
  return false;
}

// Facts about a track, collected on the way through it.
struct Track {
  std::string_view handler;  // its purpose: `vide`, `soun`, or other
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<Box> descriptions;
  SamplePlaces places;

  [[nodiscard]] bool is_kept() const { return handler == "vide" || handler == "soun"; }
};

class Mp4Reader {
 public:
  explicit Mp4Reader(std::string_view bytes) : bytes_(bytes) {
    file_.facts.type = MediaType::kMp4;
    file_.bytes = bytes;
  }

  CleanFile read() {
    find_data();
    walk(0, bytes_.size(), "");
    if (has_dropped_track_ && has_fragments_) {
      throw Broken{"it is fragmented, with a track that is neither pictures nor sound"};
    }
    file_.bytes.resize(end_);
    return std::move(file_);
  }

 private:
  void find_data() {
    for (std::size_t at = 0; at < bytes_.size();) {
      const Box box = box_at(bytes_, at, bytes_.size());
      if (box.type == "mdat") data_.push_back(box);
      if (box.type == "moof") has_fragments_ = true;
      at = box.end;
    }
  }

  void walk(std::size_t at, std::size_t end, std::string_view parent) {
    while (at < end) {
      const Box box = box_at(bytes_, at, end);
      if (is_in(children_of(parent), box.type)) {
        keep(box);
        if (parent.empty()) end_ = box.end;
      } else {
        drop(box);
      }
      at = box.end;
    }
  }

  void keep(const Box& box) {
    if (box.type == "trak") return track(box);
    if (!children_of(box.type).empty()) return walk(box.content, box.end, box.type);
    if (box.type == "ftyp" && box.size() > kBrandsMax) throw Broken{"its brands have no end"};
    if (box.type == "mvhd") times(box, 100, 112);
    if (box.type == "mdhd") times(box, 24, 36);
    if (box.type == "tkhd") track_header(box);
    if (box.type == "hdlr") handler(box);
    if (box.type == "dref") references(box);
    if (box.type == "stsd") track_.descriptions.push_back(box);
    if (box.type == "stsz") track_.places.sample_sizes(content_of(box));
    if (box.type == "stsc") track_.places.chunk_lengths(content_of(box));
    if (box.type == "stco") track_.places.chunk_offsets(content_of(box), false);
    if (box.type == "co64") track_.places.chunk_offsets(content_of(box), true);
  }

  // Keeps pictures and sound. Other tracks, such as positions, are dropped with their samples.
  void track(const Box& box) {
    track_ = {};
    walk(box.content, box.end, box.type);
    if (!track_.is_kept()) {
      track_.places.blank(file_.bytes, data_);
      has_dropped_track_ = true;
      return drop(box);
    }
    for (const Box& descriptions : track_.descriptions) describe(descriptions);
    if (track_.handler != "vide" || file_.facts.width != 0) return;
    file_.facts.width = track_.width;
    file_.facts.height = track_.height;
  }

  // Clears the times of creation and change in a header, which are private. The header has `size`
  // bytes, or `long_size` in version 1.
  void times(const Box& box, std::size_t size, std::size_t long_size) {
    const bool is_long = box.size() > 0 && byte_at(bytes_, box.content) == 1;
    const std::size_t most = is_long ? long_size : size;
    if (box.size() < most) throw Broken{"a header is cut off"};
    blank(box.content + 4, is_long ? 16 : 8);
    blank(box.content + most, box.size() - most);
  }

  // Width and height are fixed-point numbers at its end.
  void track_header(const Box& box) {
    times(box, 84, 96);
    const std::size_t at = box.content + (byte_at(bytes_, box.content) == 1 ? 88 : 76);
    track_.width = static_cast<std::uint32_t>(big<4>(bytes_, at) >> 16);
    track_.height = static_cast<std::uint32_t>(big<4>(bytes_, at + 4) >> 16);
    check_size(track_.width, track_.height);
  }

  // Clears the name after the type, which may be that of a camera.
  void handler(const Box& box) {
    constexpr std::size_t kFixed = 12;
    constexpr std::size_t kLeast = 24;
    if (box.size() < kLeast) throw Broken{"a handler is cut off"};
    if (!track_.handler.empty()) throw Broken{"a track has two handlers"};
    track_.handler = bytes_.substr(box.content + 8, 4);
    blank(box.content + kFixed, box.size() - kFixed);
  }

  // Checks that the samples are in this file, and clears the references.
  void references(const Box& box) {
    if (box.size() < 8) throw Broken{"a reference to data is cut off"};
    for (std::size_t at = box.content + 8; at < box.end;) {
      const Box reference = box_at(bytes_, at, box.end);
      const bool is_here =
          reference.size() >= 4 && (byte_at(bytes_, reference.content + 3) & 1) != 0;
      if (!is_here) throw Broken{"its data are in another file"};
      blank(reference.content + 4, reference.size() - 4);
      at = reference.end;
    }
  }

  void describe(const Box& box) {
    constexpr std::size_t kPicture = 78;
    constexpr std::size_t kSound = 28;
    if (box.size() < 8) throw Broken{"a description of its samples is cut off"};
    const bool is_plain = byte_at(bytes_, box.content) == 0;
    for (std::size_t at = box.content + 8; at < box.end;) {
      const Box entry = box_at(bytes_, at, box.end);
      at = entry.end;
      const bool is_picture = track_.handler == "vide";
      std::size_t fixed = is_picture ? kPicture : kSound;
      if (entry.size() < fixed) throw Broken{"a description of its samples is cut off"};
      if (is_picture) {
        check_size(big<2>(bytes_, entry.content + 24), big<2>(bytes_, entry.content + 26));
        blank(entry.content + 42, 32);  // encoder name
      } else if (is_plain) {
        const std::uint64_t version = big<2>(bytes_, entry.content + 8);  // QuickTime's version
        fixed += version == 1 ? 16 : version == 2 ? 36 : 0;
        if (entry.size() < fixed) throw Broken{"a description of its samples is cut off"};
      }
      std::size_t end = entry.content + fixed;
      while (entry.end - end >= 8) {
        const Box part = box_at(bytes_, end, entry.end);
        if (!is_in(children_of(track_.handler), part.type)) drop(part);
        end = part.end;
      }
      blank(end, entry.end - end);
    }
  }

  void drop(const Box& box) {
    file_.bytes.replace(box.at + 4, 4, "free");
    blank(box.content, box.size());
  }
  void blank(std::size_t at, std::size_t size) { file_.bytes.replace(at, size, size, '\0'); }
  [[nodiscard]] std::string_view content_of(const Box& box) const {
    return bytes_.substr(box.content, box.size());
  }

  std::string_view bytes_;
  CleanFile file_;
  Track track_;  // the current track
  std::vector<Box> data_;
  std::size_t end_ = 0;  // end of the kept boxes
  bool has_fragments_ = false;
  bool has_dropped_track_ = false;
};

}  // namespace

bool is_mp4(std::string_view bytes) {
  constexpr std::array<std::string_view, 13> kBrands{"isom", "iso2", "iso3", "iso4", "iso5",
                                                     "iso6", "mp41", "mp42", "avc1", "M4V ",
                                                     "MSNV", "dash", "f4v "};
  if (!stands_at(bytes, 4, "ftyp")) return false;
  for (const std::string_view brand : kBrands) {
    if (stands_at(bytes, 8, brand)) return true;
  }
  return false;
}

CleanFile read_mp4(std::string_view bytes) { return Mp4Reader(bytes).read(); }

}  // namespace chirp::media
