// A table that forgets what nobody reads, by CLOCK (Corbató, "A Paging Experiment with the Multics
// System", 1968): a hand goes round over the entries; one that was read since the hand last came by
// is spared once, one that was not goes. So what is read stays, a read costs the setting of one
// bit, and no list is moved about as it would be for the least recently used.
//
// Each entry is charged with the bytes that its owner says it takes. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace chirp::hot {

template <class Key, class Value, class Hash = std::hash<Key>>
class ClockTable {
 public:
  // What an entry takes besides its value: its place here, and that in the index.
  static constexpr std::size_t kEntryBytes = 2 * (sizeof(Key) + sizeof(Value) + 16) + 56;

  // Null if it is not there. Counts as read.
  [[nodiscard]] Value* find(const Key& key) {
    const auto found = index_.find(key);
    if (found == index_.end()) return nullptr;
    Entry& entry = entries_[found->second];
    entry.read = true;
    return &entry.value;
  }
  // In the place of the one there. `bytes` are those of the value.
  Value& put(const Key& key, Value value, std::size_t bytes) {
    erase(key);
    index_.emplace(key, entries_.size());
    entries_.push_back({key, std::move(value), bytes + kEntryBytes, true});
    bytes_ += entries_.back().bytes;
    return entries_.back().value;
  }
  // Sets the size of a key's value; the key must be present.
  void charge(const Key& key, std::size_t bytes) {
    Entry& entry = entries_[index_.at(key)];
    bytes_ += bytes + kEntryBytes - entry.bytes;
    entry.bytes = bytes + kEntryBytes;
  }
  void erase(const Key& key) {
    const auto found = index_.find(key);
    if (found != index_.end()) remove(found->second);
  }
  // Moves the hand over one entry, which goes if it was not read since and `may_go` of its value.
  template <class MayGo>
  void step(MayGo may_go) {
    if (entries_.empty()) return;
    if (hand_ >= entries_.size()) hand_ = 0;
    Entry& entry = entries_[hand_];
    if (!entry.read && may_go(entry.value)) return remove(hand_);
    entry.read = false;
    ++hand_;
  }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  struct Entry {
    Key key;
    Value value;
    std::size_t bytes;
    bool read;
  };

  // The last one takes the place.
  void remove(std::size_t at) {
    bytes_ -= entries_[at].bytes;
    index_.erase(entries_[at].key);
    if (at + 1 != entries_.size()) {
      entries_[at] = std::move(entries_.back());
      index_[entries_[at].key] = at;
    }
    entries_.pop_back();
  }

  std::vector<Entry> entries_;
  std::unordered_map<Key, std::size_t, Hash> index_;
  std::size_t hand_ = 0;
  std::size_t bytes_ = 0;
};

// What a block of so many bytes takes of the heap.
constexpr std::size_t allocated(std::size_t bytes) {
  return bytes == 0 ? 0 : (bytes + 8 + 15) / 16 * 16;
}

// What a text takes of the heap beside its object.
inline std::size_t outside(const std::string& text) {
  const bool in_place = text.capacity() <= std::string().capacity();
  return in_place ? 0 : allocated(text.capacity() + 1);
}

}  // namespace chirp::hot
