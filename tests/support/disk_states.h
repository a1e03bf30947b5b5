// The states in which a loss of power may leave the files that processes were writing.
//
// The model is stricter than most file systems: what is written to a file, its size too, is safe
// once that file is synced, or at once through an O_DSYNC descriptor; a name is safe once its
// folder is synced. Of all else any sectors of 512 bytes may have reached the disk, and names do so
// in their order.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace chirp::test {

// What the injector recorded (tests/support/fault_record.h).
struct DiskEvent {
  std::uint32_t kind = 0;
  bool durable = false;
  std::uint64_t inode = 0;
  std::uint64_t offset = 0;
  std::string path;
  std::string to;
  std::string data;
};

// A record whose end is missing ends the list.
[[nodiscard]] std::vector<DiskEvent> read_record(const std::filesystem::path& record);

// Files and folders by their path below the folder that is looked at.
struct DiskState {
  std::set<std::string> folders;
  std::map<std::string, std::string> files;

  bool operator==(const DiskState&) const = default;
};

[[nodiscard]] std::uint64_t hash_of(const DiskState& state);
// Puts it into a folder that is empty.
void lay_out(const DiskState& state, const std::filesystem::path& folder);

// What of the changes that are not synced has reached the disk.
struct Loss {
  enum class Data : std::uint8_t {
    kLost,     // none
    kKept,     // all
    kZeros,    // sizes alone, what is new reads as zeros
    kGarbage,  // sizes alone, what is new reads as what lay there before
    kSectors,  // any sectors, each at any of its versions
  };
  enum class Names : std::uint8_t {
    kLost,     // none
    kKept,     // all
    kFirst,    // those up to some moment
    kFolders,  // of each folder those up to a moment of its own
  };
  Data data = Data::kLost;
  Names names = Names::kLost;
};

class Disk {
 public:
  // All that is there is safe.
  explicit Disk(const std::filesystem::path& folder);

  void apply(const DiskEvent& event);

  // Whether anything is not safe.
  [[nodiscard]] bool pending() const { return !changes_.empty() || !moves_.empty(); }
  [[nodiscard]] DiskState state(const Loss& loss, std::mt19937_64& random) const;

 private:
  using Node = std::size_t;
  using Place = std::pair<Node, std::string>;  // a folder and a name in it
  using Names = std::map<Place, Node>;
  struct Kind {
    bool folder = false;
    std::string safe;  // of a file: what a sync has made safe
  };
  struct Change {  // of a file: bytes at an offset, or another size
    Node node = 0;
    std::optional<std::uint64_t> size;
    std::uint64_t offset = 0;
    std::string bytes;
  };
  struct Move {  // what one call does to names, together or not at all
    std::vector<std::pair<Place, std::optional<Node>>> names;
    [[nodiscard]] bool touches(Node folder) const;
  };

  Node add(bool folder, std::string bytes);
  void learn(Node node, const std::filesystem::path& folder);
  [[nodiscard]] Place place_of(const std::string& path) const;
  void move(Move move);
  void write(const DiskEvent& event, Node node);
  void sync(Node node);
  static void change(std::string& bytes, const Change& change);
  static void put(Names& names, const Move& move);

  [[nodiscard]] Names names(Loss::Names how, std::mt19937_64& random) const;
  [[nodiscard]] std::string bytes_of(Node node, Loss::Data how, std::mt19937_64& random) const;
  [[nodiscard]] std::string some_sectors(Node node, std::mt19937_64& random) const;

  std::string root_;
  std::vector<Kind> nodes_;                 // the first is the folder itself
  std::map<std::uint64_t, Node> by_inode_;  // as they are now
  Names now_;
  Names safe_;
  std::vector<Change> changes_;  // not safe, in their order
  std::vector<Move> moves_;
};

}  // namespace chirp::test
