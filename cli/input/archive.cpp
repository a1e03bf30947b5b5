#include "cli/input/archive.h"

#include <algorithm>
#include <cerrno>
#include <exception>
#include <string_view>
#include <utility>
#include <vector>

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include "core/error.h"
#include "core/model/names.h"
#include "store/shared_library.h"

namespace chirp::cli::input {
namespace {

using namespace std::string_view_literals;

// The last bytes of a zip that always contain the end record of its directory, with the longest
// comment.
constexpr std::size_t kZipTail = 22 + 65'535 + 20;
constexpr std::string_view kEnd = "PK\x05\x06"sv;
constexpr std::string_view kLocator = "PK\x06\x07"sv;
constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kLocatorBytes = 20;
constexpr std::uint64_t kLargeEndBytes = 56;  // the smallest end record of a large zip

// A little-endian number of `bytes` bytes.
std::uint64_t number_at(std::string_view text, std::size_t at, std::size_t bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = bytes; i-- > 0;) {
    number = number << 8 | static_cast<unsigned char>(text[at + i]);
  }
  return number;
}

// Whether a complete end record is at `at`, and the directory reaches up to it.
bool is_end(std::string_view tail, std::size_t at, std::uint64_t size) {
  if (tail.size() - at < kEndBytes) return false;
  if (number_at(tail, at + 20, 2) > tail.size() - at - kEndBytes) return false;
  const std::uint64_t place = size - tail.size() + at;  // position in the file
  if (at >= kLocatorBytes && tail.substr(at - kLocatorBytes).starts_with(kLocator)) {
    // A zip of more than 4 GiB or 65,535 members has another end record before this one.
    const std::uint64_t other = number_at(tail, at - kLocatorBytes + 8, 8);
    const std::uint64_t room = place - kLocatorBytes;
    return other <= room && room - other >= kLargeEndBytes;
  }
  // Programs without support for large zips write only the lower half of its position.
  const std::uint64_t bytes = number_at(tail, at + 12, 4);
  const std::uint64_t begin = number_at(tail, at + 16, 4);
  return bytes <= place && ((place - bytes) & 0xFFFF'FFFFU) == begin;
}

// Whether `tail`, the last bytes of a zip of `size` bytes (kZipTail of them, or all), contains the
// end record, and the directory is where it says. For a zip whose directory is cut off, libarchive
// reads member by member and takes the cut for the end.
bool has_zip_end(std::string_view tail, std::uint64_t size) {
  for (std::size_t at = tail.rfind(kEnd); at != std::string_view::npos;
       at = at == 0 ? std::string_view::npos : tail.rfind(kEnd, at - 1)) {
    if (is_end(tail, at, size)) return true;
  }
  return false;
}

constexpr std::size_t kPackedBytes = std::size_t{256} << 10;

struct Libarchive {
  store::SharedLibrary library{CHIRP_LIBARCHIVE, "Unpacking bz2, xz, tar and zip"};
  decltype(&::archive_entry_filetype) entry_filetype = library.function("archive_entry_filetype");
  decltype(&::archive_entry_pathname) entry_pathname = library.function("archive_entry_pathname");
  decltype(&::archive_errno) error_number = library.function("archive_errno");
  decltype(&::archive_error_string) error_string = library.function("archive_error_string");
  decltype(&::archive_filter_bytes) filter_bytes = library.function("archive_filter_bytes");
  decltype(&::archive_format) format = library.function("archive_format");
  decltype(&::archive_read_data) read_data = library.function("archive_read_data");
  decltype(&::archive_read_free) read_free = library.function("archive_read_free");
  decltype(&::archive_read_header_position) read_header_position =
      library.function("archive_read_header_position");
  decltype(&::archive_read_new) read_new = library.function("archive_read_new");
  decltype(&::archive_read_next_header) read_next_header =
      library.function("archive_read_next_header");
  decltype(&::archive_read_open1) read_open1 = library.function("archive_read_open1");
  decltype(&::archive_read_set_callback_data) read_set_callback_data =
      library.function("archive_read_set_callback_data");
  decltype(&::archive_read_set_read_callback) read_set_read_callback =
      library.function("archive_read_set_read_callback");
  decltype(&::archive_read_set_seek_callback) read_set_seek_callback =
      library.function("archive_read_set_seek_callback");
  decltype(&::archive_read_support_filter_bzip2) read_support_filter_bzip2 =
      library.function("archive_read_support_filter_bzip2");
  decltype(&::archive_read_support_filter_xz) read_support_filter_xz =
      library.function("archive_read_support_filter_xz");
  decltype(&::archive_read_support_format_raw) read_support_format_raw =
      library.function("archive_read_support_format_raw");
  decltype(&::archive_read_support_format_tar) read_support_format_tar =
      library.function("archive_read_support_format_tar");
  decltype(&::archive_read_support_format_zip) read_support_format_zip =
      library.function("archive_read_support_format_zip");
  decltype(&::archive_set_error) set_error = library.function("archive_set_error");
};

const Libarchive& libarchive() {
  static const Libarchive opened;
  return opened;
}

struct FreeArchive {
  void operator()(archive* a) const { libarchive().read_free(a); }
};

}  // namespace

struct Archive::State {
  ByteStream* packed = nullptr;
  RawFile* file = nullptr;
  std::vector<char> buffer = std::vector<char>(kPackedBytes);
  std::exception_ptr failure;  // of a read callback: exceptions must not pass through the library
  std::uint64_t fed = 0;
  std::string tail;  // the last bytes read, for a zip that is not seekable
  bool keeps_tail = false;
  std::unique_ptr<archive, FreeArchive> reader;

  std::size_t read() {
    const std::size_t got = packed->read(buffer);
    fed += got;
    if (keeps_tail) {
      tail.append(buffer.data(), got);
      if (tail.size() > kZipTail) tail.erase(0, tail.size() - kZipTail);
    }
    return got;
  }
  static la_ssize_t feed(archive* a, void* data, const void** block) {
    auto& s = *static_cast<State*>(data);
    try {
      const std::size_t got = s.read();
      *block = s.buffer.data();
      return static_cast<la_ssize_t>(got);
    } catch (...) {
      s.failure = std::current_exception();
      libarchive().set_error(a, EIO, "reading failed");
      return -1;
    }
  }
  static la_int64_t seek(archive* /*a*/, void* data, la_int64_t offset, int whence) {
    const std::int64_t at = static_cast<State*>(data)->file->seek(offset, whence);
    return at < 0 ? ARCHIVE_FATAL : at;
  }

  int support(Kind kind) {
    archive* const a = reader.get();
    switch (kind) {
      case Kind::kTar:
        return libarchive().read_support_format_tar(a);
      case Kind::kZip:
        return libarchive().read_support_format_zip(a);
      case Kind::kPackedStream:
        break;
    }
    for (const int outcome :
         {libarchive().read_support_filter_bzip2(a), libarchive().read_support_filter_xz(a)}) {
      if (outcome != ARCHIVE_OK) return outcome;
    }
    return libarchive().read_support_format_raw(a);
  }
};

Archive::Archive(Kind kind, ByteStream& packed, RawFile* file, std::string name)
    : kind_(kind), name_(std::move(name)), state_(std::make_unique<State>()) {
  State& s = *state_;
  s.packed = &packed;
  s.file = file;
  if (kind == Kind::kZip) open_zip();
  s.reader.reset(libarchive().read_new());
  archive* const a = s.reader.get();
  if (a == nullptr) throw std::bad_alloc();
  for (const int outcome :
       {s.support(kind), libarchive().read_set_callback_data(a, &s),
        libarchive().read_set_read_callback(a, State::feed),
        file == nullptr ? ARCHIVE_OK : libarchive().read_set_seek_callback(a, State::seek),
        libarchive().read_open1(a)}) {
    if (outcome != ARCHIVE_OK) fail();
  }
}

// Checks the end of a seekable zip before any member is used.
void Archive::open_zip() {
  State& s = *state_;
  if (s.file == nullptr) {
    s.keeps_tail = true;
    return;
  }
  const std::uint64_t size = s.file->size().value_or(0);
  const std::uint64_t begin = size - std::min<std::uint64_t>(size, kZipTail);
  if (!has_zip_end(s.file->look(begin, kZipTail), size)) {
    fail_cut("the end of the zip's directory is missing");
  }
}

Archive::~Archive() = default;

void Archive::fail() {
  if (state_->failure) std::rethrow_exception(state_->failure);
  archive* const a = state_->reader.get();
  const char* what = libarchive().error_string(a);
  // No format accepts an empty file; EILSEQ is the library's code for "unknown format".
  if (libarchive().error_number(a) == EILSEQ && libarchive().filter_bytes(a, 0) == 0) {
    what = "it is empty, or its beginning is missing";
  }
  throw Error(ErrorCode::kBadInput,
              fmt::format("{}: can't be unpacked: {}", name_,
                          what == nullptr ? "unknown damage" : printable(what, 200)));
}

void Archive::fail_cut(const char* what) const {
  throw Error(ErrorCode::kBadInput,
              fmt::format("{} is cut short: {}, and members may be missing, too", name_, what));
}

// The library takes a cut between two members for the end of the archive.
void Archive::end() {
  State& s = *state_;
  archive* const a = s.reader.get();
  if (kind_ == Kind::kTar &&
      libarchive().filter_bytes(a, 0) <= libarchive().read_header_position(a)) {
    fail_cut("the zeros at the end of the tar are missing");
  }
  if (s.file != nullptr) return;
  // An outer compression may have an end and a check sum of its own.
  while (s.read() > 0) {
  }
  if (s.keeps_tail && !has_zip_end(s.tail, s.fed)) {
    fail_cut("the end of the zip's directory is missing");
  }
}

bool Archive::next() {
  archive* const a = state_->reader.get();
  for (;;) {
    archive_entry* entry = nullptr;
    const int outcome = libarchive().read_next_header(a, &entry);
    if (outcome == ARCHIVE_EOF) {
      end();
      return false;
    }
    // A name in an unknown encoding is only a warning: the contents are sound.
    if (outcome != ARCHIVE_OK && outcome != ARCHIVE_WARN) fail();
    if (libarchive().format(a) == ARCHIVE_FORMAT_RAW) {
      member_.clear();
      return true;
    }
    if (libarchive().entry_filetype(entry) != AE_IFREG) continue;
    const char* const path = libarchive().entry_pathname(entry);
    member_ = path == nullptr ? "?" : printable(path, 300);
    return true;
  }
}

std::size_t Archive::read(std::span<char> into) {
  const la_ssize_t got = libarchive().read_data(state_->reader.get(), into.data(), into.size());
  if (got < 0) fail();
  return static_cast<std::size_t>(got);
}

}  // namespace chirp::cli::input
