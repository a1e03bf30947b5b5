#include "store/lmdb/record.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include "core/error.h"

namespace chirp::lmdb {
namespace {

// The lower half of XXH3 over the payload, seeded with table, key and the rest of the header.
std::uint32_t sum(Table table, Bytes key, std::uint8_t flags, Bytes payload) {
  const auto place = (std::uint64_t{static_cast<unsigned>(table)} << 16) |
                     (std::uint64_t{kRecordVersion} << 8) | flags;
  const std::uint64_t seed = XXH3_64bits_withSeed(key.data(), key.size(), place);
  return static_cast<std::uint32_t>(XXH3_64bits_withSeed(payload.data(), payload.size(), seed));
}

std::string in_hex(Bytes bytes) {
  std::string shown;
  for (const char c : bytes) shown += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return shown;
}

}  // namespace

void throw_too_short(Bytes bytes) {
  throw Error(ErrorCode::kCorrupt,
              fmt::format("A key or a number in the engine's store is too short: {}. Run `chirp "
                          "doctor`, or restore a backup.",
                          in_hex(bytes)));
}

void throw_corrupt(Table table, Bytes key, std::string_view what) {
  throw Error(
      ErrorCode::kCorrupt,
      fmt::format("The record {} of table {} is damaged: {}. Run `chirp doctor`, or restore "
                  "a backup.",
                  in_hex(key), kTableNames[static_cast<unsigned>(table)], what));
}

Bytes RecordWriter::seal(Table table, Bytes key, std::uint8_t flags) {
  const std::size_t length = payload_size();
  check(length <= 0xFFFF, "a record's payload fits 16 bits");
  bytes_[0] = static_cast<char>(kRecordVersion);
  bytes_[1] = static_cast<char>(flags);
  bytes_[2] = static_cast<char>(length & 0xFF);
  bytes_[3] = static_cast<char>(length >> 8);
  const std::uint32_t check = sum(table, key, flags, Bytes(bytes_).substr(kRecordHeader));
  std::memcpy(bytes_.data() + 4, &check, sizeof check);
  return bytes_;
}

RecordReader::RecordReader(Table table, Bytes key, Bytes record) : table_(table) {
  if (record.size() < kRecordHeader) throw_corrupt(table, key, "it is too short");
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(record[i]); };
  if (byte(0) != kRecordVersion) {
    throw_corrupt(table, key, fmt::format("it is of version {}", byte(0)));
  }
  flags_ = byte(1);
  const Bytes payload = record.substr(kRecordHeader);
  if (payload.size() != (byte(2) | (std::size_t{byte(3)} << 8))) {
    throw_corrupt(table, key, "its length is wrong");
  }
  std::uint32_t stored;
  std::memcpy(&stored, record.data() + 4, sizeof stored);
  if (stored != sum(table, key, flags_, payload)) throw_corrupt(table, key, "its sum is wrong");
  at_ = payload.data();
  end_ = at_ + payload.size();
}

std::uint64_t RecordReader::long_varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && at_ != end_; shift += 7) {
    const auto byte = static_cast<unsigned char>(*at_++);
    value |= std::uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) return value;
  }
  broken();
}

std::uint32_t RecordReader::varint32() {
  const std::uint64_t value = varint();
  if (value > 0xFFFF'FFFF) broken();
  return static_cast<std::uint32_t>(value);
}

void RecordReader::broken() const { throw_corrupt(table_, {}, "its contents make no sense"); }

}  // namespace chirp::lmdb
