// The possible states of written files after a power loss.
//
// The model is stricter than most file systems: data and sizes of a file are safe after a sync of
// the file, or at once with an O_DSYNC descriptor; names are safe after a sync of their folder. Of
// everything else, any sectors of 512 bytes may have reached the disk, and names in their order.
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

// An event recorded by the injector (tests/support/fault_record.h).
struct DiskEvent {
  std::uint32_t kind = 0;
  bool durable = false;
  std::uint64_t inode = 0;
  std::uint64_t offset = 0;
  std::string path;
  std::string to;
  std::string data;
};

// An incomplete event ends the list.
[[nodiscard]] std::vector<DiskEvent> read_record(const std::filesystem::path& record);

// Files and folders by path, relative to the examined folder.
struct DiskState {
  std::set<std::string> folders;
  std::map<std::string, std::string> files;

  bool operator==(const DiskState&) const = default;
};

[[nodiscard]] std::uint64_t hash_of(const DiskState& state);
// Writes the state to an empty folder.
void lay_out(const DiskState& state, const std::filesystem::path& folder);

// Which unsynced changes have reached the disk.
struct Loss {
  enum class Data : std::uint8_t {
    kLost,     // none
    kKept,     // all
    kZeros,    // only sizes; new bytes read as zeros
    kGarbage,  // only sizes; new bytes read as old contents of the disk
    kSectors,  // any sectors, each in any of its versions
  };
  enum class Names : std::uint8_t {
    kLost,     // none
    kKept,     // all
    kFirst,    // those up to some moment
    kFolders,  // for each folder, those up to its own moment
  };
  Data data = Data::kLost;
  Names names = Names::kLost;
};

class Disk {
 public:
  // Everything in the folder is safe at the start.
  explicit Disk(const std::filesystem::path& folder);

  void apply(const DiskEvent& event);

  // Whether there are unsynced changes.
  [[nodiscard]] bool pending() const { return !changes_.empty() || !moves_.empty(); }
  [[nodiscard]] DiskState state(const Loss& loss, std::mt19937_64& random) const;

 private:
  using Node = std::size_t;
  using Place = std::pair<Node, std::string>;  // a folder and a name in it
  using Names = std::map<Place, Node>;
  struct Kind {
    bool folder = false;
    std::string safe;  // of a file: the synced contents
  };
  struct Change {  // of a file: bytes at an offset, or a new size
    Node node = 0;
    std::optional<std::uint64_t> size;
    std::uint64_t offset = 0;
    std::string bytes;
  };
  struct Move {  // the changes of names by one call, which are atomic
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
  std::vector<Kind> nodes_;                 // the first one is the folder itself
  std::map<std::uint64_t, Node> by_inode_;  // current names
  Names now_;
  Names safe_;
  std::vector<Change> changes_;  // unsynced, in order
  std::vector<Move> moves_;
};

}  // namespace chirp::test
