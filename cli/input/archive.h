// Unpacks what libarchive knows: zst, bz2 and xz around anything, tar and zip with their members.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cli/input/byte_stream.h"
#include "cli/input/raw_file.h"

namespace chirp::cli::input {

// Throws Error{kBadInput} for data that is damaged or cut off, between two members too.
class Archive : public ByteStream {
 public:
  // Exactly one format is on. A stream packed as zst, bz2 or xz is one member without a name.
  enum class Kind : std::uint8_t { kPackedStream, kTar, kZip };

  // A zip file that can be sought in is read by its directory; through a pipe, member by member.
  // `file` may be null: then nothing is sought.
  Archive(Kind kind, ByteStream& packed, RawFile* file, std::string name);
  ~Archive() override;

  // Goes on to the next member that is a regular file; false at the end.
  bool next();
  std::size_t read(std::span<char> into) override;
  // Of the member; empty when there are no members, just a compressed stream.
  [[nodiscard]] const std::string& member() const { return member_; }

 private:
  struct State;

  [[noreturn]] void fail();
  [[noreturn]] void fail_cut(const char* what) const;
  void open_zip();
  void end();

  Kind kind_;
  std::string name_;
  std::string member_;
  std::unique_ptr<State> state_;
};

}  // namespace chirp::cli::input
