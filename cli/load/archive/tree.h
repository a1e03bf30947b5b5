// The files of an archive, wherever they lie: in a zip, a tar (packed or not) or a folder.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/input/byte_stream.h"
#include "cli/input/zstd.h"

namespace chirp::cli::archive {

class Tree {
 public:
  // Lists the files. Throws Error{kBadInput} for a file that is not an archive, for standard input
  // and pipes, which can't be read twice, and for a damaged or incomplete archive: so a constructed
  // tree is complete.
  explicit Tree(std::string path, std::uint64_t window_max = input::kZstdWindow);

  // For messages.
  [[nodiscard]] const std::string& name() const { return name_; }
  // Relative, parted by `/`, in the order of their names.
  [[nodiscard]] const std::vector<std::string>& paths() const { return paths_; }
  [[nodiscard]] bool has(std::string_view path) const;
  // The folder with `path` (`data/account.js`), which may be inside another one: empty, or ending
  // in `/`. Returns the outermost of several; an empty optional if none contains it.
  [[nodiscard]] std::optional<std::string> root_of(std::string_view path) const;

  // Opens those files that are `wanted`, one after the other: in the order of their names in a
  // folder, as they lie in an archive. The stream's name is for messages and holds both the
  // archive's and the file's.
  using Wanted = std::function<bool(std::string_view path)>;
  using Visit = std::function<void(const std::string& path, input::ByteStream& stream)>;
  void each(const Wanted& wanted, const Visit& visit) const;
  // All of one file, `most` bytes at most; nothing if it isn't there or is longer.
  [[nodiscard]] std::optional<std::string> text_of(std::string_view path, std::size_t most) const;

 private:
  // Ends when `visit` says false.
  void walk(const Wanted& wanted,
            const std::function<bool(const std::string&, input::ByteStream&)>& visit) const;

  std::string path_;
  std::uint64_t window_max_;  // of zst, in bytes
  std::string name_;
  bool is_folder_;
  std::vector<std::string> paths_;
};

// The first `most` bytes, or all there are.
[[nodiscard]] std::string beginning_of(input::ByteStream& stream, std::size_t most);

}  // namespace chirp::cli::archive
