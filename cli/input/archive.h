// Unpacks the formats of libarchive: zst, bz2 and xz streams, and members of tar and zip.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "cli/input/byte_stream.h"

namespace chirp::cli::input {

// Throws Error{kBadInput} for data that is damaged or cut off, also between two members.
class Archive : public ByteStream {
 public:
  // The one format that is enabled. A zst, bz2 or xz stream is one member without a name.
  enum class Kind : std::uint8_t { kPackedStream, kTar, kZip };

  // A seekable zip file is read through its directory; any other, member by member. `file` may be
  // null, which means not seekable.
  Archive(Kind kind, ByteStream& packed, RawFile* file, std::string name);
  ~Archive() override;

  // Advances to the next member that is a regular file; false at the end.
  bool next();
  std::size_t read(std::span<char> into) override;
  // The name of the member; empty for a mere compressed stream.
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
