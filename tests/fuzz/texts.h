// Texts that readers of inputs are given whole and in pieces.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "cli/input/byte_stream.h"
#include "cli/input/lines.h"
#include "core/error.h"
#include "tests/fuzz/targets.h"

namespace chirp::fuzz {

// Bytes that arrive so many at a time.
class Pieces final : public cli::input::ByteStream {
 public:
  Pieces(Bytes text, std::size_t step) : text_(text), step_(step) {}
  std::size_t read(std::span<char> into) override {
    const std::size_t count = std::min({into.size(), step_, text_.size()});
    std::copy_n(text_.data(), count, into.data());
    text_.remove_prefix(count);
    return count;
  }

 private:
  Bytes text_;
  std::size_t step_;
};

// What a reader says of a text: what it found, what it complained of, and how it ended.
using Said = std::vector<std::string>;

// Calls `read(buffer, bad, said)` with the text whole and in pieces, checks that both times the
// same is said, and returns that. `read` may throw Error{kBadInput}.
template <class Read>
Said read_both_ways(Bytes text, Read read) {
  constexpr std::uint64_t kBadMost = 20;
  // Kept, since making one takes longer than reading.
  static cli::input::TextBuffer buffer;
  const auto in_steps_of = [&](std::size_t step) {
    Pieces pieces(text, step);
    Said said;
    cli::input::BadLines bad(kBadMost, [&](const std::string& words) { said.push_back(words); });
    try {
      buffer.open(pieces);
      read(buffer, bad, said);
    } catch (const Error& error) {
      holds(error.code() == ErrorCode::kBadInput, "a text that can't be read is bad input");
      said.push_back(std::string("ended: ") + error.what());
    }
    return said;
  };
  const Said whole = in_steps_of(text.size() + 1);
  holds(in_steps_of(1 + text.size() % 7) == whole, "a text in pieces says what the whole one says");
  return whole;
}

}  // namespace chirp::fuzz
