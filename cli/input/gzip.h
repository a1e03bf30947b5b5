// Unpacks gzip, with its check sums and lengths checked.
#pragma once

#include <memory>
#include <string>

#include "cli/input/byte_stream.h"

namespace chirp::cli::input {

// Consecutive members form one stream, and zeros may pad the end. Throws Error{kBadInput} for data
// that is damaged, cut off, or followed by something else.
class GzipStream : public ByteStream {
 public:
  // `packed` starts with a gzip header; `name` is for messages.
  GzipStream(ByteStream& packed, std::string name);
  ~GzipStream() override;

  std::size_t read(std::span<char> into) override;

 private:
  struct State;

  bool refill();
  bool next_member();
  [[noreturn]] void fail(const char* what) const;

  ByteStream& packed_;
  std::string name_;
  std::unique_ptr<State> state_;
};

}  // namespace chirp::cli::input
