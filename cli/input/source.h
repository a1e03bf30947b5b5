// An input: a file or standard input, seen through whatever it is packed in, told by its contents
// and not by its name.
//
// gz, zst, bz2, xz around a stream; tar and zip with members, tar packed or not, each member packed
// or not. Memory is bounded.
// Every failure is an Error{kBadInput} that names the file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cli/input/archive.h"
#include "cli/input/byte_stream.h"
#include "cli/input/raw_file.h"
#include "cli/input/zstd.h"

namespace chirp::cli::input {

class Source : public ByteStream {
 public:
  // `-` is standard input.
  enum class From : std::uint8_t { kNamed, kFolder };
  // `window_max` bounds the memory for unpacking zst (zstd.h).
  explicit Source(const std::string& path, From from = From::kNamed,
                  std::uint64_t window_max = kZstdWindow);

  // Goes on to the next member; false at the end. What is no archive is one member.
  bool next();
  // Bytes of the member.
  std::size_t read(std::span<char> into) override;

  // For messages: the file, and in an archive the member: `tweets.tar(data/1.json)`.
  [[nodiscard]] std::string name() const override;
  // Of an archive; empty of anything else.
  [[nodiscard]] std::string member() const { return is_member() ? archive_->member() : ""; }
  // The name of the member, or else of the file, without folders and endings such as `.txt.gz`;
  // empty of standard input.
  [[nodiscard]] std::string stem() const;
  // Nobody has named the text by itself: it is one of an archive's members, or of a folder's files.
  [[nodiscard]] bool is_one_of_many() const { return from_ == From::kFolder || is_member(); }

  // Of the file as it lies on the disk, for progress; from any thread. The size is known of regular
  // files.
  [[nodiscard]] std::uint64_t bytes_read() const { return file_.bytes_read(); }
  [[nodiscard]] std::optional<std::uint64_t> size() const { return file_.size(); }

 private:
  // What unpacks a stream that begins like this; null if it is not packed.
  [[nodiscard]] std::unique_ptr<ByteStream> unpacking(std::string_view head, PeekStream& packed,
                                                      const std::string& name,
                                                      int layers = 1) const;
  [[nodiscard]] bool is_member() const { return archive_ && !archive_->member().empty(); }

  From from_;
  std::uint64_t window_max_;
  RawFile file_;
  PeekStream packed_;
  std::unique_ptr<ByteStream> unpacking_;  // of gz, zst, bz2, xz
  std::unique_ptr<PeekStream> unpacked_;
  std::unique_ptr<Archive> archive_;
  std::unique_ptr<PeekStream> member_;
  std::unique_ptr<ByteStream> unpacking_member_;  // null if it is not packed
  bool begun_ = false;
};

}  // namespace chirp::cli::input
