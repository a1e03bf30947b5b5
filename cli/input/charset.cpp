#include "cli/input/charset.h"

#include <array>
#include <cerrno>
#include <iconv.h>
#include <new>

namespace chirp::cli::input {
namespace {

void* decoder_of(const std::string& name) {
  // Behind a slash stand modes of iconv, such as leaving out what it can't decode.
  if (name.empty() || name.find('/') != std::string::npos) return nullptr;
  void* const decoder = ::iconv_open("UTF-8", name.c_str());
  return reinterpret_cast<std::intptr_t>(decoder) == -1 ? nullptr : decoder;
}

}  // namespace

bool Charset::is_known(const std::string& name) {
  void* const decoder = decoder_of(name);
  if (decoder != nullptr) ::iconv_close(decoder);
  return decoder != nullptr;
}

Charset::Charset(const std::string& name) : decoder_(decoder_of(name)) {
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
    out += kNoCharacter;
    ++in;
    --left;
    ::iconv(decoder_, nullptr, nullptr, nullptr, nullptr);
  }
  return bytes.size() - left;
}

}  // namespace chirp::cli::input
