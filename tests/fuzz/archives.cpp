// Packed inputs: gzip, zstd, bzip2 and xz, tar and zip. A source gives the same members and the
// same bytes however it is read, or says that it is damaged.
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "cli/input/source.h"
#include "cli/input/unpack.h"
#include "tests/fuzz/texts.h"

namespace chirp::fuzz {
namespace {

using namespace cli::input;

constexpr std::size_t kBytesMax = std::size_t{1} << 20;  // of all members: bombs go on and on
constexpr std::size_t kMembersMax = 64;

// A file in memory, with a path.
class MemoryFile {
 public:
  explicit MemoryFile(Bytes bytes) : fd_(::memfd_create("input", MFD_CLOEXEC)) {
    holds(
        fd_ >= 0 && ::write(fd_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()),
        "the machine has memory for an input");
  }
  ~MemoryFile() { ::close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  [[nodiscard]] std::string path() const { return fmt::format("/proc/self/fd/{}", fd_); }

 private:
  int fd_;
};

// Reads to the end, or as much as is looked at. True at the end.
bool read_some(ByteStream& stream, std::size_t step, std::size_t most, std::string& into) {
  std::vector<char> block(step);
  while (into.size() < most) {
    const std::size_t count =
        stream.read(std::span(block).first(std::min(step, most - into.size())));
    holds(count <= step, "no more is read than there is room for");
    if (count == 0) return true;
    into.append(block.data(), count);
  }
  return false;
}

struct Unpacked {
  std::vector<std::string> members;  // name and contents, by turns
  std::string end;

  [[nodiscard]] bool is_damaged() const { return !end.empty(); }
};

// Whether two readings are of one thing: where it is damaged, what was read just before the damage
// may be given out or not.
bool same(const Unpacked& one, const Unpacked& other) {
  if (one.end != other.end || one.members.size() != other.members.size()) return false;
  if (!one.is_damaged()) return one.members == other.members;
  for (std::size_t i = 0; i < one.members.size(); ++i) {
    if (!one.members[i].starts_with(other.members[i]) &&
        !other.members[i].starts_with(one.members[i])) {
      return false;
    }
  }
  return true;
}

template <class Read>
Unpacked unpacked(Read read) {
  Unpacked all;
  try {
    read(all);
  } catch (const Error& error) {
    holds(error.code() == ErrorCode::kBadInput && *error.what() != '\0',
          "a damaged archive is bad input");
    all.end = error.what();
  }
  return all;
}

Unpacked members_of(const std::string& path, std::size_t step) {
  return unpacked([&](Unpacked& all) {
    InputSource source(path);
    std::size_t bytes = 0;
    for (std::size_t count = 0; count < kMembersMax && bytes < kBytesMax && source.next();
         ++count) {
      all.members.push_back(source.name());
      std::string& contents = all.members.emplace_back();
      (void)read_some(source, step, kBytesMax - bytes, contents);
      bytes += contents.size();
    }
  });
}

// `fed`: bytes that arrive at once.
Unpacked gunzipped(Bytes packed, std::size_t fed, std::size_t step) {
  return unpacked([&](Unpacked& all) {
    Pieces pieces(packed, fed);
    GzipStream gzip(pieces, "f");
    (void)read_some(gzip, step, kBytesMax, all.members.emplace_back());
  });
}

}  // namespace

void archives(Bytes input) {
  const MemoryFile file(input);
  const Unpacked whole = members_of(file.path(), std::size_t{64} << 10);
  holds(same(members_of(file.path(), 4093), whole), "members are the same in blocks of any size");
  if (!input.starts_with("\x1F\x8B")) return;
  const Unpacked at_once = gunzipped(input, input.size() + 1, std::size_t{64} << 10);
  const Unpacked in_pieces = gunzipped(input, 1 + input.size() % 7, 1021);
  holds(same(at_once, in_pieces), "gzip in pieces gives what the whole gives");
}

}  // namespace chirp::fuzz
