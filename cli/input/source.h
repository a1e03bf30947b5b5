// An input: a file or standard input, unpacked. Formats are detected by content, not by name.
//
// Supports streams in gz, zst, bz2 and xz, and tar and zip with members; both tar files and members
// may be packed. Memory is bounded. Every failure throws Error{kBadInput} with the file's name.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/input/archive.h"
#include "cli/input/byte_stream.h"
#include "cli/input/unpack.h"

namespace chirp::cli::input {

// The files of a folder, which are read like the members of an archive.
struct Folder {
  std::vector<std::string> files;   // regular files, also in inner folders, sorted by path
  std::vector<std::string> others;  // links to folders, pipes, devices: skipped
};

[[nodiscard]] bool is_folder(const std::string& path);
// Throws Error{kBadInput} for a folder that can't be read.
[[nodiscard]] Folder folder_of(const std::string& path);

class InputSource : public ByteStream {
 public:
  // `-` is standard input.
  enum class From : std::uint8_t { kNamed, kFolder };
  // `window_max` bounds the memory for unpacking zst (unpack.h).
  explicit InputSource(const std::string& path, From from = From::kNamed,
                       std::uint64_t window_max = kZstdWindow);

  // Advances to the next member; false at the end. A file that is not an archive is one member.
  bool next();
  // Reads bytes of the member.
  std::size_t read(std::span<char> into) override;

  // The name in messages: the file, with the member of an archive: `tweets.tar(data/1.json)`.
  [[nodiscard]] std::string name() const override;
  // The name of an archive's member; empty for anything else.
  [[nodiscard]] std::string member() const { return is_member() ? archive_->member() : ""; }
  // The name of the member or else of the file, without folders and endings such as `.txt.gz`.
  // Empty for standard input.
  [[nodiscard]] std::string stem() const;
  // Whether the text is a member of an archive or a file of a folder, which the user has not named.
  [[nodiscard]] bool is_one_of_many() const { return from_ == From::kFolder || is_member(); }

  // The position and size of the packed file, for progress; any thread may call them. Only regular
  // files have a size.
  [[nodiscard]] std::uint64_t bytes_read() const { return file_.bytes_read(); }
  [[nodiscard]] std::optional<std::uint64_t> size() const { return file_.size(); }

 private:
  // Returns a decompressor for a stream that begins like this; null if it is not packed.
  [[nodiscard]] std::unique_ptr<ByteStream> unpacking(std::string_view head, PeekStream& packed,
                                                      const std::string& name,
                                                      int layers = 1) const;
  [[nodiscard]] bool is_member() const { return archive_ && !archive_->member().empty(); }

  From from_;
  std::uint64_t window_max_;
  RawFile file_;
  PeekStream packed_;
  std::unique_ptr<ByteStream> unpacking_;  // for gz, zst, bz2, xz
  std::unique_ptr<PeekStream> unpacked_;
  std::unique_ptr<Archive> archive_;
  std::unique_ptr<PeekStream> member_;
  std::unique_ptr<ByteStream> unpacking_member_;  // null if it is not packed
  bool begun_ = false;
};

}  // namespace chirp::cli::input
