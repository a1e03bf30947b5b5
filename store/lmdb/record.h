// Stored values: a header of 8 bytes, then a payload.
//
//   version u8 | flags u8 | payload length u16 LE | check u32 LE | payload
//
// The check covers table, key, version, flags and payload, because LMDB has no checksums: a damaged
// record is reported and never served. Numbers in a payload are LEB128 varints unless
// docs/storage-format.md says otherwise.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "core/varint.h"
#include "store/lmdb/schema.h"

namespace chirp::lmdb {

inline constexpr std::uint8_t kRecordVersion = 1;
inline constexpr std::size_t kRecordHeader = 8;
// Larger records would get overflow pages.
inline constexpr std::size_t kRecordMax = 2000;

// Builds one record in a reusable buffer; seal() fills in the header.
class RecordWriter {
 public:
  RecordWriter() { start(); }
  void start() { bytes_.assign(kRecordHeader, '\0'); }
  void varint(std::uint64_t value) { put_varint(bytes_, value); }
  void zigzag(std::int64_t value) { varint(chirp::zigzag(value)); }
  template <class Number>
  void fixed(Number value) {
    std::array<char, sizeof value> le{};
    std::memcpy(le.data(), &value, sizeof value);
    bytes_.append(le.data(), le.size());
  }
  void raw(Bytes bytes) { bytes_.append(bytes); }
  void text(Bytes bytes) {
    varint(bytes.size());
    raw(bytes);
  }
  [[nodiscard]] std::size_t payload_size() const { return bytes_.size() - kRecordHeader; }
  // Returns the finished record, valid until the next start().
  [[nodiscard]] Bytes seal(Table table, Bytes key, std::uint8_t flags = 0);

 private:
  std::string bytes_;
};

// Reads a payload; throws Error{kCorrupt} past its end.
class RecordReader {
 public:
  // Checks the header and the checksum.
  RecordReader(Table table, Bytes key, Bytes record);

  [[nodiscard]] std::uint8_t flags() const { return flags_; }
  [[nodiscard]] bool done() const { return at_ == end_; }
  [[nodiscard]] Bytes rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }

  std::uint64_t varint() {
    if (at_ != end_ && static_cast<unsigned char>(*at_) < 0x80) {
      return static_cast<unsigned char>(*at_++);
    }
    return long_varint();
  }
  std::int64_t zigzag() { return unzigzag(varint()); }
  std::uint32_t varint32();
  // Reads a count of items that take at least one byte each.
  std::uint64_t count() {
    const std::uint64_t value = varint();
    if (value > rest().size()) broken();
    return value;
  }
  // Reads a time, stored as zigzag() milliseconds after `base`.
  Time time(Time base = Time{snowflake::kEpochMs}) {
    Time time;
    if (__builtin_add_overflow(base.ms, zigzag(), &time.ms)) broken();
    return time;
  }
  template <class Number>
  Number fixed() {
    Number value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  Bytes take(std::size_t size) {
    if (static_cast<std::size_t>(end_ - at_) < size) broken();
    const Bytes bytes(at_, size);
    at_ += size;
    return bytes;
  }
  Bytes text() { return take(varint()); }
  // Throws for a payload with impossible content.
  [[noreturn]] void broken() const;

 private:
  std::uint64_t long_varint();

  Table table_;
  std::uint8_t flags_ = 0;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
};

// Throws Error{kCorrupt} that names the table and the key.
[[noreturn]] void throw_corrupt(Table table, Bytes key, std::string_view what);

}  // namespace chirp::lmdb
