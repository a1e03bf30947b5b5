#include "tests/support/disk_states.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <sys/stat.h>

#include "tests/support/data_directories.h"
#include "tests/support/fault_record.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSector = 512;

std::uint64_t inode_of(const fs::path& path) {
  struct stat facts {};
  if (::lstat(path.c_str(), &facts) != 0) throw std::runtime_error("no " + path.string());
  return facts.st_ino;
}

std::size_t below(std::mt19937_64& random, std::size_t bound) {
  return static_cast<std::size_t>(random() % bound);
}

// What may lie where nothing was written yet: no zeros, and the same each time.
void fill_with_garbage(std::string& bytes, std::size_t from) {
  for (std::size_t i = from; i < bytes.size(); ++i) {
    bytes[i] = static_cast<char>((i * 2654435761u) >> 13 | 1u);
  }
}

}  // namespace

std::vector<DiskEvent> read_record(const fs::path& record) {
  const std::string bytes = read_file(record);
  std::vector<DiskEvent> events;
  for (std::size_t at = 0; bytes.size() - at >= sizeof(record_head);) {
    record_head head{};
    std::memcpy(&head, bytes.data() + at, sizeof head);
    at += sizeof head;
    if (bytes.size() - at < head.path_bytes + head.to_bytes + head.data_bytes) break;
    const auto take = [&](std::size_t length) {
      at += length;
      return bytes.substr(at - length, length);
    };
    DiskEvent event{head.kind, head.durable != 0, head.inode, head.offset, {}, {}, {}};
    event.path = take(head.path_bytes);
    event.to = take(head.to_bytes);
    event.data = take(head.data_bytes);
    events.push_back(std::move(event));
  }
  return events;
}

std::uint64_t hash_of(const DiskState& state) {
  std::uint64_t hash = 0;
  const auto mix = [&hash](std::string_view text) {
    hash = hash * 0x9E3779B97F4A7C15u + std::hash<std::string_view>{}(text) + 1;
  };
  for (const std::string& folder : state.folders) mix(folder);
  for (const auto& [path, bytes] : state.files) {
    mix(path);
    mix(bytes);
  }
  return hash;
}

void lay_out(const DiskState& state, const fs::path& folder) {
  for (const std::string& path : state.folders) fs::create_directories(folder / path);
  for (const auto& [path, bytes] : state.files) write_file(folder / path, bytes);
}

bool Disk::Move::touches(Node folder) const {
  return std::any_of(names.begin(), names.end(),
                     [folder](const auto& name) { return name.first.first == folder; });
}

Disk::Disk(const fs::path& folder) : root_(fs::canonical(folder).string()) {
  by_inode_[inode_of(root_)] = add(true, {});
  learn(0, root_);
  safe_ = now_;
}

Disk::Node Disk::add(bool folder, std::string bytes) {
  nodes_.push_back({folder, std::move(bytes)});
  return nodes_.size() - 1;
}

void Disk::learn(Node node, const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    const bool is_folder = entry.is_directory();
    const Node child = add(is_folder, is_folder ? std::string() : read_file(entry.path()));
    by_inode_[inode_of(entry.path())] = child;
    now_[{node, entry.path().filename().string()}] = child;
    if (is_folder) learn(child, entry.path());
  }
}

Disk::Place Disk::place_of(const std::string& path) const {
  const fs::path relative = fs::path(path).lexically_normal().lexically_relative(root_);
  Node folder = 0;
  for (const fs::path& part : relative.parent_path()) {
    const auto found = now_.find({folder, part.string()});
    if (found == now_.end()) throw std::runtime_error("the record names no folder of " + path);
    folder = found->second;
  }
  return {folder, relative.filename().string()};
}

void Disk::put(Names& names, const Move& move) {
  for (const auto& [place, node] : move.names) {
    if (node) {
      names[place] = *node;
    } else {
      names.erase(place);
    }
  }
}

void Disk::move(Move move) {
  put(now_, move);
  moves_.push_back(std::move(move));
}

void Disk::change(std::string& bytes, const Change& change) {
  if (change.size) return bytes.resize(*change.size);
  const std::size_t end = change.offset + change.bytes.size();
  if (bytes.size() < end) bytes.resize(end);
  bytes.replace(change.offset, change.bytes.size(), change.bytes);
}

void Disk::write(const DiskEvent& event, Node node) {
  Change change{node, {}, event.offset, event.data};
  if (!event.durable) return changes_.push_back(std::move(change));
  Disk::change(nodes_[node].safe, change);
  // Nothing that came before goes over it any more.
  for (Change& older : changes_) {
    if (older.node != node || older.size) continue;
    const std::uint64_t from = std::max(older.offset, change.offset);
    const std::uint64_t to =
        std::min(older.offset + older.bytes.size(), change.offset + change.bytes.size());
    if (from >= to) continue;
    older.bytes.replace(from - older.offset, to - from,
                        change.bytes.substr(from - change.offset, to - from));
  }
}

void Disk::sync(Node node) {
  if (!nodes_[node].folder) {
    for (const Change& change : changes_) {
      if (change.node == node) Disk::change(nodes_[node].safe, change);
    }
    std::erase_if(changes_, [node](const Change& change) { return change.node == node; });
    return;
  }
  for (const Move& move : moves_) {
    if (move.touches(node)) put(safe_, move);
  }
  std::erase_if(moves_, [node](const Move& move) { return move.touches(node); });
}

void Disk::apply(const DiskEvent& event) {
  const auto known = by_inode_.find(event.inode);
  switch (event.kind) {
    case kRecordFile:
    case kRecordFolder:
      by_inode_[event.inode] = add(event.kind == kRecordFolder, {});
      return move({{{place_of(event.path), by_inode_[event.inode]}}});
    case kRecordGone:
      return move({{{place_of(event.path), std::nullopt}}});
    case kRecordName:
    case kRecordSwap: {
      const Place from = place_of(event.path);
      const Place to = place_of(event.to);
      const auto other = now_.find(to);
      std::optional<Node> left;
      if (event.kind == kRecordSwap) left = other->second;
      return move({{{from, left}, {to, now_.at(from)}}});
    }
    case kRecordLink:
      return move({{{place_of(event.to), now_.at(place_of(event.path))}}});
    case kRecordWrite:
    case kRecordSize:
    case kRecordSync:
      if (known == by_inode_.end()) throw std::runtime_error("the record names an unknown file");
      if (event.kind == kRecordSync) return sync(known->second);
      if (event.kind == kRecordWrite) return write(event, known->second);
      return changes_.push_back({known->second, event.offset, 0, {}});
    default:
      return;
  }
}

Disk::Names Disk::names(Loss::Names how, std::mt19937_64& random) const {
  Names names = safe_;
  std::size_t first = how == Loss::Names::kKept ? moves_.size() : 0;
  if (how == Loss::Names::kFirst) first = below(random, moves_.size() + 1);
  std::map<Node, std::size_t> ends;
  for (std::size_t i = 0; i < moves_.size(); ++i) {
    if (how == Loss::Names::kFolders) {
      const Node folder = moves_[i].names.back().first.first;
      if (!ends.contains(folder)) ends[folder] = below(random, moves_.size() + 1);
      first = ends[folder];
    }
    if (i < first) put(names, moves_[i]);
  }
  return names;
}

std::string Disk::some_sectors(Node node, std::mt19937_64& random) const {
  std::string newest = nodes_[node].safe;
  std::vector<std::size_t> sizes{newest.size()};
  std::map<std::size_t, std::vector<std::string>> versions;  // by sector, the safe one first
  const auto sector_of = [&newest](std::size_t sector) {
    const std::size_t from = sector * kSector;
    std::string bytes = from < newest.size() ? newest.substr(from, kSector) : std::string();
    bytes.resize(kSector);
    return bytes;
  };
  for (const Change& change : changes_) {
    if (change.node != node) continue;
    const std::size_t from = change.size ? std::min<std::size_t>(*change.size, newest.size())
                                         : static_cast<std::size_t>(change.offset);
    const std::size_t to = change.size
                               ? std::max<std::size_t>(*change.size, newest.size())
                               : static_cast<std::size_t>(change.offset) + change.bytes.size();
    const std::size_t last = (to + kSector - 1) / kSector;
    for (std::size_t i = from / kSector; i < last; ++i) {
      if (!versions.contains(i)) versions[i] = {sector_of(i)};
    }
    Disk::change(newest, change);
    sizes.push_back(newest.size());
    for (std::size_t i = from / kSector; i < last; ++i) versions[i].push_back(sector_of(i));
  }
  std::string bytes = nodes_[node].safe;
  bytes.resize(std::max(bytes.size(), newest.size()));
  for (const auto& [sector, kinds] : versions) {
    const std::size_t end = (sector + 1) * kSector;
    if (bytes.size() < end) bytes.resize(end);
    bytes.replace(sector * kSector, kSector, kinds[below(random, kinds.size())]);
  }
  bytes.resize(sizes[below(random, sizes.size())]);
  return bytes;
}

std::string Disk::bytes_of(Node node, Loss::Data how, std::mt19937_64& random) const {
  if (how == Loss::Data::kSectors) return some_sectors(node, random);
  std::string bytes = nodes_[node].safe;
  if (how == Loss::Data::kLost) return bytes;
  std::string newest = bytes;
  for (const Change& change : changes_) {
    if (change.node == node) Disk::change(newest, change);
  }
  if (how == Loss::Data::kKept) return newest;
  const std::size_t safe = bytes.size();
  bytes.resize(newest.size());
  if (how == Loss::Data::kGarbage) fill_with_garbage(bytes, safe);
  return bytes;
}

DiskState Disk::state(const Loss& loss, std::mt19937_64& random) const {
  const Names there = names(loss.names, random);
  DiskState state;
  std::vector<std::pair<Node, std::string>> folders{{0, ""}};
  for (std::size_t i = 0; i < folders.size(); ++i) {
    const auto [folder, path] = folders[i];
    for (auto at = there.lower_bound({folder, ""}); at != there.end() && at->first.first == folder;
         ++at) {
      const std::string name = path + at->first.second;
      if (nodes_[at->second].folder) {
        state.folders.insert(name);
        folders.emplace_back(at->second, name + "/");
      } else {
        state.files[name] = bytes_of(at->second, loss.data, random);
      }
    }
  }
  return state;
}

}  // namespace chirp::test
