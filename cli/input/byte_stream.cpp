#include "cli/input/byte_stream.h"

#include <algorithm>

namespace chirp::cli::input {

std::string_view PeekStream::peek(std::size_t size) {
  ahead_.erase(0, taken_);
  taken_ = 0;
  while (ahead_.size() < size) {
    const std::size_t had = ahead_.size();
    ahead_.resize(size);
    const std::size_t got = inner_.read(std::span(ahead_).subspan(had));
    ahead_.resize(had + got);
    if (got == 0) break;
  }
  return std::string_view(ahead_).substr(0, size);
}

std::size_t PeekStream::read(std::span<char> into) {
  if (taken_ == ahead_.size()) return inner_.read(into);
  const std::size_t size = std::min(into.size(), ahead_.size() - taken_);
  std::copy_n(ahead_.begin() + static_cast<std::ptrdiff_t>(taken_), size, into.begin());
  taken_ += size;
  return size;
}

}  // namespace chirp::cli::input
