#include "cli/input/source.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli::input {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kTarHeader = 512;

bool is_gzip(std::string_view head) { return head.starts_with("\x1F\x8B"sv); }
// A frame, or a skippable frame, which parallel packers write first.
bool is_zstd(std::string_view head) {
  const bool is_skipped =
      head.size() >= 4 && (head[0] & 0xF0) == 0x50 && head.substr(1, 3) == "\x2A\x4D\x18"sv;
  return is_skipped || head.starts_with("\x28\xB5\x2F\xFD"sv);
}
bool is_zip(std::string_view head) {
  return head.starts_with("PK\x03\x04"sv) || head.starts_with("PK\x05\x06"sv);
}
bool is_filtered(std::string_view head) {
  return head.starts_with("\xFD\x37zXZ\x00"sv) ||          // xz
         (head.starts_with("BZh"sv) && head.size() > 9 &&  // bzip2: level, then pi or an end
          (head.substr(4, 6) == "1AY&SY"sv || head.substr(4, 6) == "\x17\x72\x45\x38\x50\x90"sv));
}

// A tar header contains the octal sum of its bytes, with the sum's own field counted as blanks; old
// tar files have no other mark.
bool is_tar(std::string_view head) {
  if (head.size() < kTarHeader || head.front() == '\0') return false;
  constexpr std::size_t kField = 148;
  constexpr std::size_t kFieldSize = 8;
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < kTarHeader; ++i) {
    const bool own = i >= kField && i < kField + kFieldSize;
    sum += own ? std::uint32_t{' '} : static_cast<unsigned char>(head[i]);
  }
  std::uint32_t said = 0;
  bool digits = false;
  for (const char c : head.substr(kField, kFieldSize)) {
    if (c == ' ' && !digits) continue;
    if (c < '0' || c > '7') break;
    said = said * 8 + static_cast<std::uint32_t>(c - '0');
    digits = true;
  }
  return digits && said == sum;
}

// The maximum number of nested compressions.
constexpr int kLayersMax = 4;

// Unpacks a stream, and its contents if they are packed too.
struct Layer : ByteStream {
  explicit Layer(std::unique_ptr<ByteStream> stream) : below(std::move(stream)), peeked(*below) {}

  std::size_t read(std::span<char> into) override {
    return above ? above->read(into) : peeked.read(into);
  }

  std::unique_ptr<ByteStream> below;
  PeekStream peeked;
  std::unique_ptr<ByteStream> above;  // null if it is not packed
};

}  // namespace

InputSource::InputSource(const std::string& path, From from, std::uint64_t window_max)
    : from_(from), window_max_(window_max), file_(path), packed_(file_) {
  std::string_view head = packed_.peek(kTarHeader);
  if (is_zip(head) && file_.size() && file_.seek(0, SEEK_SET) == 0) {
    archive_ = std::make_unique<Archive>(Archive::Kind::kZip, file_, &file_, file_.name());
    return;
  }
  unpacking_ = unpacking(head, packed_, file_.name());
  if (unpacking_) {
    unpacked_ = std::make_unique<PeekStream>(*unpacking_);
    head = unpacked_->peek(kTarHeader);
  }
  if (is_tar(head) || is_zip(head)) {
    archive_ = std::make_unique<Archive>(is_zip(head) ? Archive::Kind::kZip : Archive::Kind::kTar,
                                         unpacked_ ? *unpacked_ : packed_, nullptr, file_.name());
  }
}

std::unique_ptr<ByteStream> InputSource::unpacking(std::string_view head, PeekStream& packed,
                                                   const std::string& name, int layers) const {
  std::unique_ptr<ByteStream> stream;
  if (is_gzip(head)) {
    stream = std::make_unique<GzipStream>(packed, name);
  } else if (is_zstd(head)) {
    stream = std::make_unique<ZstdStream>(packed, name, window_max_);
  } else if (is_filtered(head)) {
    auto all = std::make_unique<Archive>(Archive::Kind::kPackedStream, packed, nullptr, name);
    (void)all->next();  // skips to the only member
    stream = std::move(all);
  }
  if (!stream || layers == kLayersMax) return stream;
  auto layer = std::make_unique<Layer>(std::move(stream));
  layer->above = unpacking(layer->peeked.peek(kTarHeader), layer->peeked, name, layers + 1);
  return layer;
}

bool InputSource::next() {
  if (!archive_) return !std::exchange(begun_, true);
  unpacking_member_.reset();
  if (!archive_->next()) return false;
  member_ = std::make_unique<PeekStream>(*archive_);
  unpacking_member_ = unpacking(member_->peek(kTarHeader), *member_, name());
  return true;
}

std::size_t InputSource::read(std::span<char> into) {
  if (unpacking_member_) return unpacking_member_->read(into);
  if (archive_) return member_->read(into);
  return unpacked_ ? unpacked_->read(into) : packed_.read(into);
}

std::string InputSource::stem() const {
  if (!is_member() && file_.name() == "stdin") return {};
  std::filesystem::path path(is_member() ? archive_->member() : file_.name());
  for (const std::string_view packed : {".gz", ".zst", ".bz2", ".xz"}) {
    if (path.extension() == packed) path = path.stem();
  }
  return path.stem().string();
}

std::string InputSource::name() const {
  return is_member() ? fmt::format("{}({})", file_.name(), archive_->member()) : file_.name();
}

namespace fs = std::filesystem;

bool is_folder(const std::string& path) {
  std::error_code unknown;
  return path != "-" && fs::is_directory(path, unknown);
}

Folder folder_of(const std::string& path) {
  std::vector<fs::path> files;
  Folder folder;
  try {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path)) {
      std::error_code broken;  // a broken link
      if (entry.is_regular_file(broken)) {
        files.push_back(entry.path());
      } else if (entry.is_symlink() || !entry.is_directory()) {
        folder.others.push_back(entry.path().string());
      }
    }
  } catch (const fs::filesystem_error& error) {
    throw Error(ErrorCode::kBadInput,
                fmt::format("can't read {}: {}", printable(path, 4096), error.code().message()));
  }
  std::ranges::sort(files);
  std::ranges::sort(folder.others);
  for (const fs::path& file : files) folder.files.push_back(file.string());
  return folder;
}

}  // namespace chirp::cli::input
