// The files of an archive: a zip, a tar (packed or not) or a folder.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/input/byte_stream.h"
#include "cli/input/unpack.h"

namespace chirp::cli::archive {

class Tree {
 public:
  // Lists the files. Throws Error{kBadInput} for a file that is not an archive, for standard input
  // and pipes, which can't be read twice, and for a damaged or incomplete archive: so a constructed
  // tree is complete.
  explicit Tree(std::string path, std::uint64_t window_max = input::kZstdWindow);

  // For messages.
  [[nodiscard]] const std::string& name() const { return name_; }
  // Relative, separated by `/`, in the order of their names.
  [[nodiscard]] const std::vector<std::string>& paths() const { return paths_; }
  [[nodiscard]] bool has(std::string_view path) const;
  // The folder with `path` (`data/account.js`), which may be inside another one: empty, or ending
  // in `/`. Returns the outermost of several; an empty optional if none contains it.
  [[nodiscard]] std::optional<std::string> root_of(std::string_view path) const;

  // Opens the files that are `wanted`, one after the other: for a folder in the order of their
  // names, for an archive in its own order. The stream's name is for messages and has the names of
  // the archive and the file.
  using Wanted = std::function<bool(std::string_view path)>;
  using Visit = std::function<void(const std::string& path, input::ByteStream& stream)>;
  void each(const Wanted& wanted, const Visit& visit) const;
  // Returns one whole file of at most `most` bytes; nothing if it is missing or longer.
  [[nodiscard]] std::optional<std::string> text_of(std::string_view path, std::size_t most) const;

 private:
  // Ends when `visit` returns false.
  void walk(const Wanted& wanted,
            const std::function<bool(const std::string&, input::ByteStream&)>& visit) const;

  std::string path_;
  std::uint64_t window_max_;  // of zst, in bytes
  std::string name_;
  bool is_folder_;
  std::vector<std::string> paths_;
};

// Returns the first `most` bytes, or all if there are fewer.
[[nodiscard]] std::string beginning_of(input::ByteStream& stream, std::size_t most);

}  // namespace chirp::cli::archive
