#include "cli/input/archive.h"

#include <cerrno>
#include <exception>
#include <utility>
#include <vector>

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli::input {
namespace {

constexpr std::size_t kPackedBytes = std::size_t{256} << 10;

struct FreeArchive {
  void operator()(archive* a) const { archive_read_free(a); }
};

}  // namespace

struct Archive::State {
  ByteStream* packed = nullptr;
  RawFile* file = nullptr;
  std::vector<char> buffer = std::vector<char>(kPackedBytes);
  std::exception_ptr failure;  // of reading: nothing may be thrown through the library
  std::uint64_t fed = 0;
  std::unique_ptr<archive, FreeArchive> reader;

  static la_ssize_t feed(archive* a, void* data, const void** block) {
    auto& s = *static_cast<State*>(data);
    try {
      const std::size_t got = s.packed->read(s.buffer);
      s.fed += got;
      *block = s.buffer.data();
      return static_cast<la_ssize_t>(got);
    } catch (...) {
      s.failure = std::current_exception();
      archive_set_error(a, EIO, "reading failed");
      return -1;
    }
  }
  static la_int64_t seek(archive* /*a*/, void* data, la_int64_t offset, int whence) {
    const std::int64_t at = static_cast<State*>(data)->file->seek(offset, whence);
    return at < 0 ? ARCHIVE_FATAL : at;
  }
};

Archive::Archive(ByteStream& packed, RawFile* file, std::string name)
    : name_(std::move(name)), state_(std::make_unique<State>()) {
  State& s = *state_;
  s.packed = &packed;
  s.file = file;
  s.reader.reset(archive_read_new());
  archive* const a = s.reader.get();
  if (a == nullptr) throw std::bad_alloc();
  for (const int outcome :
       {archive_read_support_filter_zstd(a), archive_read_support_filter_bzip2(a),
        archive_read_support_filter_xz(a), archive_read_support_format_tar(a),
        archive_read_support_format_zip(a), archive_read_support_format_raw(a),
        archive_read_set_callback_data(a, &s), archive_read_set_read_callback(a, State::feed),
        file == nullptr ? ARCHIVE_OK : archive_read_set_seek_callback(a, State::seek),
        archive_read_open1(a)}) {
    if (outcome != ARCHIVE_OK) fail();
  }
}

Archive::~Archive() = default;

void Archive::fail() {
  if (state_->failure) std::rethrow_exception(state_->failure);
  archive* const a = state_->reader.get();
  const char* what = archive_error_string(a);
  // No format claims what has no first byte; EILSEQ is how the library says "unknown format".
  if (archive_errno(a) == EILSEQ && archive_filter_bytes(a, 0) == 0) {
    what = "it holds nothing, or is cut off at the start";
  }
  throw Error(ErrorCode::kBadInput,
              fmt::format("{}: can't be unpacked: {}", name_,
                          what == nullptr ? "unknown damage" : printable(what, 200)));
}

bool Archive::next() {
  archive* const a = state_->reader.get();
  for (;;) {
    archive_entry* entry = nullptr;
    const int outcome = archive_read_next_header(a, &entry);
    if (outcome == ARCHIVE_EOF) return false;
    // A name in an odd encoding is a warning: the contents are sound.
    if (outcome != ARCHIVE_OK && outcome != ARCHIVE_WARN) fail();
    if (archive_format(a) == ARCHIVE_FORMAT_RAW) {
      member_.clear();
      return true;
    }
    if (archive_entry_filetype(entry) != AE_IFREG) continue;
    const char* const path = archive_entry_pathname(entry);
    member_ = path == nullptr ? "?" : printable(path, 300);
    return true;
  }
}

std::size_t Archive::read(std::span<char> into) {
  const la_ssize_t got = archive_read_data(state_->reader.get(), into.data(), into.size());
  if (got < 0) fail();
  return static_cast<std::size_t>(got);
}

}  // namespace chirp::cli::input
