#include "store/postgres/users/media_bytes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "store/secrets.h"

namespace chirp::postgres {
namespace {

constexpr std::size_t kPartBytes = 256 << 10;
// The first key of advisory locks of hashes, distinct from chirp's other locks.
constexpr std::int32_t kLocks = 7'234'002;

class BytesInMemory final : public MediaFile {
 public:
  BytesInMemory(std::string hash, std::string bytes)
      : hash_(std::move(hash)), bytes_(std::move(bytes)) {}

  void read(std::uint64_t offset, std::span<char> into) const override {
    if (offset > bytes_.size() || into.size() > bytes_.size() - offset) {
      throw Error(ErrorCode::kCorrupt,
                  fmt::format("The upload with the hash {} has {} bytes, and {} from {} on were "
                              "asked for. Run `chirp doctor`.",
                              hash_, bytes_.size(), into.size(), offset));
    }
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), into.size(), into.begin());
  }

 private:
  std::string hash_;
  std::string bytes_;
};

}  // namespace

void send_lock(Connection& connection, std::string_view hash) {
  // The second key of the lock: 32 bits of the hash.
  std::uint32_t key = 0;
  for (const char digit : hash.substr(0, 8)) {
    key = key * 16 + static_cast<std::uint32_t>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
  }
  connection.send("select pg_advisory_xact_lock($1::int4, $2::int4)",
                  Params().int4(kLocks).int4(static_cast<std::int32_t>(key)));
}

bool are_sound(Connection& connection, const std::string& hash) {
  const Result sound = connection.run(
      "select encode(sha256(string_agg(bytes, ''::bytea order by part)), 'hex') = $1::text "
      "from media_bytes where hash = $1::text",
      Params().text(hash));
  return sound.number(0, 0) != 0;
}

void send_bytes(Connection& connection, const std::string& hash, std::string_view bytes) {
  connection.send("delete from media_bytes where hash = $1::text", Params().text(hash));
  std::int32_t part = 0;
  do {
    connection.send(
        "insert into media_bytes (hash, part, bytes) values ($1::text, $2::int4, $3::bytea)",
        Params().text(hash).int4(part++).bytes(bytes.substr(0, kPartBytes)));
    bytes.remove_prefix(std::min(bytes.size(), kPartBytes));
  } while (!bytes.empty());
}

void remove_unnamed(Connection& connection, std::span<const std::string> hashes) {
  std::vector<std::string> sorted(hashes.begin(), hashes.end());
  std::sort(sorted.begin(), sorted.end());
  Array all(Type::kText);
  for (const std::string& hash : sorted) {
    send_lock(connection, hash);
    all.raw(hash);
  }
  (void)connection.run(
      "delete from media_bytes b where hash = any($1::text[]) "
      "and not exists (select 1 from media m where m.hash = b.hash)",
      Params().add(all));
}

std::shared_ptr<const MediaFile> open_bytes(Connection& connection, const std::string& hash) {
  const Result parts = connection.run(
      "select bytes from media_bytes where hash = $1::text order by part", Params().text(hash));
  std::string bytes;
  for (int part = 0; part < parts.rows(); ++part) bytes += parts.bytes(part, 0);
  if (store::sha256(bytes) != hash) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("The bytes of the upload with the hash {} are missing or damaged. Run "
                            "`chirp doctor`, or restore a backup of the database.",
                            hash));
  }
  return std::make_shared<BytesInMemory>(hash, std::move(bytes));
}

}  // namespace chirp::postgres
