#include "cli/input/zstd.h"

#include <bit>
#include <new>
#include <utility>
#include <vector>
#include <zstd.h>
#include <zstd_errors.h>

#include <fmt/format.h>

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

}  // namespace chirp::cli::input
