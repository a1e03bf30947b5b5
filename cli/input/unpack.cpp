#include "cli/input/unpack.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <new>
#include <utility>
#include <vector>
#include <zstd.h>
#include <zstd_errors.h>

#include <fmt/format.h>
#include <zlib.h>

#include "core/error.h"
#include "store/shared_library.h"

namespace chirp::cli::input {
namespace {

constexpr std::size_t kPackedBytes = std::size_t{256} << 10;

struct Libzstd {
  store::SharedLibrary library{CHIRP_LIBZSTD, "Unpacking zst"};
  decltype(&::ZSTD_createDCtx) create = library.function("ZSTD_createDCtx");
  decltype(&::ZSTD_freeDCtx) free = library.function("ZSTD_freeDCtx");
  decltype(&::ZSTD_DCtx_setParameter) set_parameter = library.function("ZSTD_DCtx_setParameter");
  decltype(&::ZSTD_decompressStream) decompress = library.function("ZSTD_decompressStream");
  decltype(&::ZSTD_isError) is_error = library.function("ZSTD_isError");
  decltype(&::ZSTD_getErrorCode) error_code = library.function("ZSTD_getErrorCode");
  decltype(&::ZSTD_getErrorName) error_name = library.function("ZSTD_getErrorName");
};

const Libzstd& libzstd() {
  static const Libzstd opened;
  return opened;
}

struct FreeContext {
  void operator()(ZSTD_DCtx* context) const { libzstd().free(context); }
};

}  // namespace

struct ZstdStream::State {
  std::unique_ptr<ZSTD_DCtx, FreeContext> context{libzstd().create()};
  std::vector<char> bytes = std::vector<char>(kPackedBytes);
  ZSTD_inBuffer packed{bytes.data(), 0, 0};
  std::size_t left = 1;  // 0 between two frames
  bool done = false;
};

ZstdStream::ZstdStream(ByteStream& packed, std::string name, std::uint64_t window_max)
    : packed_(packed), name_(std::move(name)), state_(std::make_unique<State>()) {
  if (!state_->context) throw std::bad_alloc();
  const int log = static_cast<int>(std::bit_width(window_max)) - 1;
  const std::size_t code = libzstd().set_parameter(state_->context.get(), ZSTD_d_windowLogMax, log);
  if (libzstd().is_error(code) != 0) fail(code);
}

ZstdStream::~ZstdStream() = default;

void ZstdStream::fail(std::size_t code) const {
  switch (libzstd().error_code(code)) {
    case ZSTD_error_memory_allocation:
      throw std::bad_alloc();
    case ZSTD_error_frameParameter_windowTooLarge:
      throw Error(
          ErrorCode::kBadInput,
          fmt::format(
              "{}: its zstd window is larger than the memory for unpacking. Allow more with "
              "--memory 2G, or unpack it first: zstd -dc --long=31 < FILE | chirp load … -",
              name_));
    default:
      throw Error(ErrorCode::kBadInput,
                  fmt::format("{}: can't be unpacked: {}", name_, libzstd().error_name(code)));
  }
}

bool ZstdStream::refill() {
  State& s = *state_;
  if (s.packed.pos < s.packed.size) return true;
  s.packed = {s.bytes.data(), packed_.read(s.bytes), 0};
  return s.packed.size > 0;
}

std::size_t ZstdStream::read(std::span<char> into) {
  State& s = *state_;
  ZSTD_outBuffer out{into.data(), into.size(), 0};
  while (!s.done && out.pos == 0 && !into.empty()) {
    // Without more input, the window may still hold output.
    const bool has_more = refill();
    if (!has_more && s.left == 0) {
      s.done = true;
      break;
    }
    const std::size_t code = libzstd().decompress(s.context.get(), &out, &s.packed);
    if (libzstd().is_error(code) != 0) fail(code);
    s.left = code;
    if (!has_more && out.pos == 0 && s.left != 0) {
      throw Error(ErrorCode::kBadInput,
                  fmt::format("{}: the zstd data ends too early: the file is cut off", name_));
    }
  }
  return out.pos;
}

namespace {

constexpr int kGzipOnly = 16 + MAX_WBITS;  // tells zlib to expect a gzip header and check sum
constexpr unsigned char kMagic = 0x1F;

}  // namespace

struct GzipStream::State {
  z_stream zip{};
  std::vector<unsigned char> packed = std::vector<unsigned char>(kPackedBytes);
  bool in_member = true;
  bool done = false;
};

GzipStream::GzipStream(ByteStream& packed, std::string name)
    : packed_(packed), name_(std::move(name)), state_(std::make_unique<State>()) {
  if (inflateInit2(&state_->zip, kGzipOnly) != Z_OK) throw std::bad_alloc();
}

GzipStream::~GzipStream() { inflateEnd(&state_->zip); }

void GzipStream::fail(const char* what) const {
  throw Error(ErrorCode::kBadInput, fmt::format("{}: {}", name_, what));
}

bool GzipStream::refill() {
  State& s = *state_;
  if (s.zip.avail_in > 0) return true;
  auto* const bytes = reinterpret_cast<char*>(s.packed.data());
  const std::size_t got = packed_.read(std::span(bytes, s.packed.size()));
  s.zip.next_in = s.packed.data();
  s.zip.avail_in = static_cast<uInt>(got);
  return got > 0;
}

// Whether another member starts after the end of one.
bool GzipStream::next_member() {
  State& s = *state_;
  bool padded = false;
  while (refill()) {
    const unsigned char byte = *s.zip.next_in;
    if (byte == kMagic && !padded) {
      if (inflateReset(&s.zip) != Z_OK) fail("gzip can't go on with the next member");
      return true;
    }
    if (byte != 0) fail("something else follows the gzip data");
    padded = true;
    ++s.zip.next_in;
    --s.zip.avail_in;
  }
  return false;
}

std::size_t GzipStream::read(std::span<char> into) {
  State& s = *state_;
  s.zip.next_out = reinterpret_cast<unsigned char*>(into.data());
  s.zip.avail_out =
      static_cast<uInt>(std::min<std::size_t>(into.size(), std::numeric_limits<uInt>::max()));
  const uInt wanted = s.zip.avail_out;
  while (!s.done && s.zip.avail_out == wanted) {
    if (!s.in_member) {
      s.in_member = next_member();
      s.done = !s.in_member;
      continue;
    }
    if (!refill()) fail("the gzip data ends too early: the file is cut off");
    switch (inflate(&s.zip, Z_NO_FLUSH)) {
      case Z_OK:
        break;
      case Z_STREAM_END:
        s.in_member = false;
        break;
      case Z_BUF_ERROR:
        break;  // needs more input, which the next round reads
      case Z_MEM_ERROR:
        throw std::bad_alloc();
      default:
        fail("the gzip data is damaged (check sum, length or contents)");
    }
  }
  return wanted - s.zip.avail_out;
}

}  // namespace chirp::cli::input
