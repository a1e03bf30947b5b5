#include "cli/input/charset.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <iconv.h>
#include <new>

#include "core/model/utf8.h"

namespace chirp::cli::input {
namespace {

void* opened(const std::string& to, const std::string& from) {
  void* const converter = ::iconv_open(to.c_str(), from.c_str());
  return reinterpret_cast<std::intptr_t>(converter) == -1 ? nullptr : converter;
}

// Files called Shift JIS are mostly in Windows' variant, which keeps the backslash.
std::string meant(const std::string& name) {
  for (const char* const known : {"shift_jis", "shift-jis", "shiftjis", "sjis", "ms_kanji"}) {
    if (utf8::ascii_lower(name) == known) return "cp932";
  }
  return name;
}

void* decoder_of(const std::string& name) {
  // iconv takes modes after a slash, such as skipping what it can't decode.
  if (name.empty() || name.find('/') != std::string::npos) return nullptr;
  return opened("UTF-8", meant(name));
}

// The bytes of one more `a`; the first may come with a byte order mark.
std::size_t unit_of(const std::string& name) {
  void* const encoder = opened(meant(name), "UTF-8");
  if (encoder == nullptr) return 1;
  std::array<char, 64> bytes{};
  std::array<std::size_t, 2> sizes{};
  for (std::size_t& size : sizes) {
    std::string text = "a";
    char* in = text.data();
    std::size_t left = text.size();
    char* to = bytes.data();
    std::size_t room = bytes.size();
    ::iconv(encoder, &in, &left, &to, &room);
    size = bytes.size() - room;
  }
  ::iconv_close(encoder);
  return std::max<std::size_t>(sizes[1], 1);
}

}  // namespace

bool Charset::is_known(const std::string& name) {
  void* const decoder = decoder_of(name);
  if (decoder != nullptr) ::iconv_close(decoder);
  return decoder != nullptr;
}

Charset::Charset(const std::string& name) : decoder_(decoder_of(name)), unit_(unit_of(name)) {
  if (decoder_ == nullptr) throw std::bad_alloc();
}

Charset::~Charset() { ::iconv_close(decoder_); }

std::size_t Charset::append(std::string& out, std::string_view bytes) {
  std::array<char, 4096> piece{};
  // iconv does not change what it reads.
  char* in = const_cast<char*>(bytes.data());
  std::size_t left = bytes.size();
  while (left > 0) {
    char* to = piece.data();
    std::size_t room = piece.size();
    const std::size_t code = ::iconv(decoder_, &in, &left, &to, &room);
    out.append(piece.data(), piece.size() - room);
    if (code != static_cast<std::size_t>(-1) || errno == E2BIG) continue;
    if (errno == EINVAL) break;
    if (left < unit_) break;
    out += kNoCharacter;
    in += unit_;
    left -= unit_;
    ::iconv(decoder_, nullptr, nullptr, nullptr, nullptr);
  }
  return bytes.size() - left;
}

void Charset::finish(std::string& out) {
  std::array<char, 64> piece{};
  char* to = piece.data();
  std::size_t room = piece.size();
  ::iconv(decoder_, nullptr, nullptr, &to, &room);
  out.append(piece.data(), piece.size() - room);
}

}  // namespace chirp::cli::input
