#include "cli/input/gzip.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <zlib.h>

#include "core/error.h"

namespace chirp::cli::input {
namespace {

constexpr std::size_t kPackedBytes = std::size_t{256} << 10;
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
