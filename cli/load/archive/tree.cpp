#include "cli/load/archive/tree.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "cli/input/other_formats.h"
#include "cli/input/source.h"
#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli::archive {
namespace {

// The most files that an archive may have, because their list is kept.
constexpr std::size_t kFilesMax = std::size_t{1} << 22;

// This many bytes of a file that is not an archive identify its format.
constexpr std::size_t kBeginning = 1024;

// A file of the tree, with its name for messages.
class NamedStream : public input::ByteStream {
 public:
  NamedStream(input::ByteStream& inner, std::string name) : inner_(inner), name_(std::move(name)) {}
  std::size_t read(std::span<char> into) override { return inner_.read(into); }
  [[nodiscard]] std::string name() const override { return name_; }

 private:
  input::ByteStream& inner_;
  std::string name_;
};

// `./data//a.js` is `data/a.js`.
std::string plain(std::string_view path) {
  return std::filesystem::path(path).lexically_normal().generic_string();
}

std::string named(const std::string& archive, const std::string& path) {
  return fmt::format("{}({})", archive, printable(path, 300));
}

}  // namespace

Tree::Tree(std::string path, std::uint64_t window_max)
    : path_(std::move(path)),
      window_max_(window_max),
      name_(printable(path_, 4096)),
      is_folder_(input::is_folder(path_)) {
  if (is_folder_) {
    const std::filesystem::path root(path_);
    for (const std::string& file : input::folder_of(path_).files) {
      paths_.push_back(std::filesystem::path(file).lexically_relative(root).generic_string());
    }
  } else {
    if (path_ == "-" || !input::RawFile(path_).size()) {
      throw Error(
          ErrorCode::kBadInput,
          fmt::format("{}: an archive of an account is read more than once, so it has to be "
                      "a file or a folder, no pipe",
                      path_ == "-" ? "stdin" : name_));
    }
    input::InputSource source(path_, input::InputSource::From::kNamed, window_max_);
    while (source.next()) {
      if (!source.is_one_of_many()) {
        const auto other = input::looks_like(beginning_of(source, kBeginning));
        throw Error(ErrorCode::kBadInput,
                    fmt::format("{}: neither a zip nor a tar, nor a folder{}", name_,
                                other ? ": this looks like " + *other : ""));
      }
      paths_.push_back(plain(source.member()));
      if (paths_.size() > kFilesMax) {
        throw Error(ErrorCode::kBadInput,
                    fmt::format("{}: more than {} files in one archive", name_, kFilesMax));
      }
    }
  }
  std::ranges::sort(paths_);
  paths_.erase(std::unique(paths_.begin(), paths_.end()), paths_.end());
}

bool Tree::has(std::string_view path) const {
  return std::ranges::binary_search(paths_, path, std::less<>());
}

std::optional<std::string> Tree::root_of(std::string_view path) const {
  std::optional<std::string> root;
  const auto deeper = [](const std::string& a, const std::string& b) {
    return std::pair(std::ranges::count(a, '/'), a) > std::pair(std::ranges::count(b, '/'), b);
  };
  for (const std::string& file : paths_) {
    if (!file.ends_with(path)) continue;
    std::string folder = file.substr(0, file.size() - path.size());
    if (!folder.empty() && !folder.ends_with('/')) continue;
    if (!root || deeper(*root, folder)) root = std::move(folder);
  }
  return root;
}

void Tree::walk(const Wanted& wanted,
                const std::function<bool(const std::string&, input::ByteStream&)>& visit) const {
  if (is_folder_) {
    for (const std::string& path : paths_) {
      if (!wanted(path)) continue;
      input::RawFile file((std::filesystem::path(path_) / path).string(),
                          input::RawFile::Kind::kRegular);
      NamedStream stream(file, named(name_, path));
      if (!visit(path, stream)) return;
    }
    return;
  }
  input::InputSource source(path_, input::InputSource::From::kNamed, window_max_);
  while (source.next()) {
    const std::string path = plain(source.member());
    if (!wanted(path)) continue;
    NamedStream stream(source, named(name_, path));
    if (!visit(path, stream)) return;
  }
}

void Tree::each(const Wanted& wanted, const Visit& visit) const {
  walk(wanted, [&](const std::string& path, input::ByteStream& stream) {
    visit(path, stream);
    return true;
  });
}

std::optional<std::string> Tree::text_of(std::string_view path, std::size_t most) const {
  std::optional<std::string> text;
  if (!has(path)) return text;
  walk([&](std::string_view other) { return other == path; },
       [&](const std::string& /*path*/, input::ByteStream& stream) {
         text = beginning_of(stream, most + 1);
         return false;
       });
  if (text && text->size() > most) text.reset();
  return text;
}

std::string beginning_of(input::ByteStream& stream, std::size_t most) {
  std::string text(most, '\0');
  std::size_t had = 0;
  while (had < most) {
    const std::size_t got = stream.read(std::span(text).subspan(had));
    if (got == 0) break;
    had += got;
  }
  text.resize(had);
  return text;
}

}  // namespace chirp::cli::archive
