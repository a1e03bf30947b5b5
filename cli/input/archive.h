// Unpacks what libarchive knows: zst, bz2 and xz around anything, tar and zip with their members.
#pragma once

#include <memory>
#include <string>

#include "cli/input/byte_stream.h"
#include "cli/input/raw_file.h"

namespace chirp::cli::input {

// Exactly the formats tar, zip and raw, and the filters zstd, bzip2 and xz are on. Throws
// Error{kBadInput} for data that is damaged or cut off.
class Archive : public ByteStream {
 public:
  // A zip file that can be sought in is read by its directory; through a pipe, member by member.
  // `file` may be null: then nothing is sought.
  Archive(ByteStream& packed, RawFile* file, std::string name);
  ~Archive() override;

  // Goes on to the next member that is a regular file; false at the end.
  bool next();
  std::size_t read(std::span<char> into) override;
  // Of the member; empty when there are no members, just a compressed stream.
  [[nodiscard]] const std::string& member() const { return member_; }

 private:
  struct State;

  [[noreturn]] void fail();

  std::string name_;
  std::string member_;
  std::unique_ptr<State> state_;
};

}  // namespace chirp::cli::input
